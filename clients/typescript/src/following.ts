/** Following matches live, their events or the newest table after each change; and replaying them from the start. */

import { AnyRoute } from "./any_route.js";
import { matchEvents, newestTables } from "./match_events.js";
import { at, listed } from "./paths.js";
import { replayed } from "./replaying.js";
import { follow } from "./streams.js";
import type * as api from "./types.js";

/** The part of the client that follows and replays matches. Every stream continues after an interruption, without holes. */
export class Live extends AnyRoute {
  /**
   * Give all that a page draws: match, view, pieces, legal actions with hints, undo and clocks, at one version. `lang`: the
   * language of the texts.
   */
  async table(match: string, reading: api.Reading = {}): Promise<api.Table> {
    return this.get(`${at(match)}/table`, { ...reading });
  }

  /** Follow a match to its end: a snapshot (unless `afterVersion` is said), then every move, without holes. */
  async *follow(
    match: string,
    { afterVersion, signal, includeTable, ...eyes }: api.Eyes & api.Following & { afterVersion?: number } = {},
  ): AsyncGenerator<api.MatchEvent, void, undefined> {
    const query = { ...eyes, after_version: afterVersion, include: included(includeTable) };
    yield* matchEvents(this.sender, `${at(match)}/stream`, [match], query, signal);
  }

  /**
   * Follow up to 32 matches over one connection, each as the credential's own seat, or as the public, until all have ended.
   *
   * Each event has its `match_id`. After `revoked`, the others are followed.
   */
  async *followMatches(
    matches: readonly string[],
    { signal, includeTable, lang }: api.Following = {},
  ): AsyncGenerator<api.MatchEvent, void, undefined> {
    const query = { matches: listed(matches), lang, include: included(includeTable) };
    yield* matchEvents(this.sender, "/v1/stream", matches, query, signal);
  }

  /** Give the newest table now and after each change, until the match is over; the last one has its outcome. */
  async *followTable(
    match: string,
    reading: api.Reading = {},
  ): AsyncGenerator<api.Table, void, undefined> {
    const events = this.follow(match, { ...reading, includeTable: true });
    yield* newestTables(events, (ended) => this.table(ended, reading));
  }

  /** Give the newest table of each of several matches now and after each change, until all are over. */
  async *followTables(
    matches: readonly string[],
    following: Omit<api.Following, "includeTable"> = {},
  ): AsyncGenerator<api.Table, void, undefined> {
    const events = this.followMatches(matches, { ...following, includeTable: true });
    yield* newestTables(events, (ended) => this.table(ended, following));
  }

  /**
   * Give every version with its move and what a page draws of it, as it arrives; `lang`: with texts of events and decisions. A
   * table is never changed afterwards, and shares what has not changed with the one before, so that all of them can be kept.
   */
  async *replay(
    match: string,
    { first, last, signal, ...reading }: api.Replaying = {},
  ): AsyncGenerator<api.ReplayedVersion, void, undefined> {
    const query = { what: "tables", ...reading, from: first, to: last };
    yield* replayed(this.sender, `${at(match)}/replay`, query, signal);
  }

  /** Follow all matches of a player, or of the tenant; with a session those of its player. It has no end but the signal's. */
  async *feed(player?: string, signal?: AbortSignal): AsyncGenerator<api.FeedEvent, void, undefined> {
    for await (const { kind, data } of follow(this.sender, "/v1/feed", { player }, signal)) {
      if (kind === "snapshot" || kind === "match.updated") {
        yield { event: kind, ...JSON.parse(data) } as api.FeedEvent;
      }
    }
  }
}

function included(table = false): string | undefined {
  return table ? "table" : undefined;
}
