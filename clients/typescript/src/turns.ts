/**
 * Wait for a seat's turn, and play a seat to the end of the match, so that no turn can be lost.
 *
 * Nothing here depends on an event that arrives while somebody listens. Each wait names the version of the last read
 * (`GET …/moves?after=version&wait=…`), and the server answers at once if the match has moved on since. So a move made
 * between any two requests, or while the connection was down, is noticed by the next request.
 */

import type { Client } from "./client.js";
import { ProblemError } from "./problems.js";
import { heeding } from "./sending.js";
import type { Action, Playing, Table, Waiting } from "./types.js";

/** Refusals that say: the match has moved on; look again. */
const STALE: ReadonlySet<string> = new Set(["VERSION_CONFLICT", "NOT_YOUR_TURN", "MATCH_OVER"]);

/** Return the table as soon as the seat must decide something, or the match is over. */
export async function waitForTurn(client: Client, match: string, { since, ...reading }: Waiting): Promise<Table> {
  for (let known = since; ; ) {
    if (known !== undefined) await client.poll(match, known, reading.signal);
    const table = await client.table(match, reading);
    if (isOver(table) || table.legal !== null) return table;
    if (table.audience.kind !== "seat") throw new TypeError("this credential is no seat's own: name the seat");
    known = table.version;
  }
}

/** Make the moves that `choose` picks until the match is over; return the last table. */
export async function play(
  client: Client,
  match: string,
  choose: (table: Table) => Action | Promise<Action>,
  waiting: Playing,
): Promise<Table> {
  const { seat, signal } = waiting;
  const answering = { ...waiting, includeTable: true };
  let table: Table | null | undefined;
  for (;;) {
    if (!table) table = await waitForTurn(client, match, waiting);
    else if (table.legal === null && !isOver(table)) table = await waitForTurn(client, match, { ...waiting, since: table.version });
    if (isOver(table)) return table;
    const decidedOn = table.version;
    const action = await heeding(signal, choose(table));
    try {
      ({ table } = await client.move(match, action, decidedOn, seat, answering));
    } catch (error) {
      if (!(error instanceof ProblemError && isStale(error, decidedOn))) throw error;
      table = undefined;
    }
  }
}

function isOver({ match }: Table): boolean {
  return match.status === "ended";
}

/** Tell a move that came too late, so that looking again helps, from one that is wrong and would be wrong again. */
function isStale({ currentVersion, reason }: ProblemError, decidedOn: number): boolean {
  return currentVersion === undefined ? STALE.has(reason) : currentVersion > decidedOn;
}
