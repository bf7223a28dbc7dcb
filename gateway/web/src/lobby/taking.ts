/** How a seat of a waiting match can be taken from this page. */
import type { JoinedMatch, Match } from "@foldtable/client";
import { forgetSeat, keepSeat, session } from "../account";
import { client } from "../api";

type Seat = Match["seats"][number];

/** Return whether a seat is offered to whoever is at this page; `invited`: the seat of the invite at hand. */
export function isOffered(seat: Seat, match: Pick<Match, "visibility">, player: string | undefined, invited: number | undefined): boolean {
  if (seat.taken) return false;
  if (invited !== undefined) return seat.seat === invited;
  if (player === undefined) return false;
  return seat.state === "open" ? match.visibility === "public" : seat.state === "reserved" && seat.player === player;
}

/** Take a seat: with a session, with an invite, or with both. Rejects as the client does. */
export async function take(match: Match, seat: Seat, name: string, invite: string): Promise<void> {
  const id = match.match_id;
  const who = session.value;
  if (seat.state === "reserved" && match.rematch_of !== null) {
    await client(match.rematch_of).rematch(match.rematch_of);
  } else if (who) {
    await client(undefined, who.token).join(id, invite ? { invite, name } : { seat: seat.seat, name });
    forgetSeat(id); // a token of a seat that was given back would be asked for first
  } else {
    keep(id, await client(undefined, invite).join(id, { name }));
  }
}

function keep(match: string, { seat_token: { seat, token } }: JoinedMatch): void {
  keepSeat(match, { seat, token });
}
