/** Which matches are mine, and which of them wait for me. */
import type { FeedMatch, Match } from "@foldtable/client";

/** Who looks: a player, or whoever has the token of a seat. */
export interface Looker {
  player?: string | undefined;
  seat?: number | undefined;
}

type Seat = Match["seats"][number];

/** Return the seats of a match that are the looker's. */
export function ownSeats({ seats }: Pick<Match, "seats">, { player, seat: held }: Looker): Seat[] {
  return seats.filter(({ seat, player: sitting, taken }) => taken && (seat === held || (sitting !== "" && sitting === player)));
}

/** Return whether a match waits for the looker, and no bot stands in. */
export function isMyTurn(match: Pick<Match, "seats" | "status" | "to_act">, looker: Looker): boolean {
  const { status, to_act: acting } = match;
  return status === "running" && ownSeats(match, looker).some(({ seat, level, bot }) => acting.includes(seat) && !level && !bot);
}

/** Return a match as news tell it; undefined if they are not enough, and it has to be read again. */
export function updated(match: Match, news: Omit<FeedMatch, "waiting_bots" | "todos">): Match | undefined {
  const isPaused = news.status === "running" && news.to_act.length === 0; // else a running match waits for a seat
  const changesMore = news.status === "waiting" || news.status !== match.status || isPaused !== (match.paused_by !== null);
  return changesMore ? undefined : { ...match, version: news.version, to_act: news.to_act };
}

type Status = Match["status"];

/** Return matches in the order of the lobby: in play, waiting, over; in each the ones that changed last first. */
export function inOrder(matches: readonly Match[], order: readonly Status[] = ["running", "waiting", "ended"]): Match[] {
  const newer = (one: Match, other: Match) => (one.updated_at < other.updated_at ? 1 : -1);
  return [...matches].sort((one, other) => order.indexOf(one.status) - order.indexOf(other.status) || newer(one, other));
}

/** Return the matches of others: those first that a player can still join. */
export function joinableFirst(matches: readonly Match[]): Match[] {
  return inOrder(matches, ["waiting", "running", "ended"]);
}
