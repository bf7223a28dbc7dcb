/**
 * Wait for a seat's turn, and play a seat to the end of the match, so that no turn can be lost.
 *
 * Nothing here depends on an event that arrives while somebody listens. Each wait names the version of the last read
 * (`GET …/moves?after=version&wait=…`), and the server answers at once if the match has moved on since. So a move made
 * between any two requests, or while the connection was down, is noticed by the next request.
 */

import type { Client } from "./client.js";
import { ProblemError } from "./problems.js";
import type { Action, LegalActionsAnswer, Match, Playing, Waiting } from "./types.js";

/** Refusals that say: the match has moved on; look again. */
const STALE: ReadonlySet<string> = new Set(["VERSION_CONFLICT", "NOT_YOUR_TURN", "MATCH_OVER"]);

/** Return what the seat may do as soon as it must decide something; undefined once the match is over. */
export async function waitForTurn(
  client: Client,
  match: string,
  { seat, since, samples = 1, signal }: Waiting,
): Promise<LegalActionsAnswer | undefined> {
  for (let known = since; ; ) {
    signal?.throwIfAborted();
    if (known !== undefined && (await client.poll(match, known, signal)) === "ended") return undefined;
    const legal = await client.legalActions(match, { ...(seat === undefined ? {} : { seat }), samples });
    if (legal.pending !== null) return legal;
    known = legal.version;
  }
}

/** Make the moves that `choose` picks until the match is over; return the match. */
export async function play(
  client: Client,
  match: string,
  choose: (turn: LegalActionsAnswer) => Action | Promise<Action>,
  playing: Playing,
): Promise<Match> {
  let since: number | undefined;
  for (;;) {
    const turn = await waitForTurn(client, match, since === undefined ? playing : { ...playing, since });
    if (turn === undefined) return client.match(match);
    const action = await choose(turn);
    since = undefined;
    try {
      const made = await client.move(match, action, turn.version, playing.seat);
      if (!made.to_act.includes(turn.seat)) since = made.version;
    } catch (error) {
      if (!(error instanceof ProblemError && isStale(error, turn.version))) throw error;
    }
  }
}

/** Tell a move that came too late, so that looking again helps, from one that is wrong and would be wrong again. */
function isStale({ currentVersion, reason }: ProblemError, decidedOn: number): boolean {
  return currentVersion === undefined ? STALE.has(reason) : currentVersion > decidedOn;
}
