/** Follows all matches that one credential may see over one connection: browsers open only six to a server (HTTP/1.1). */
import { Client, type MatchEvent, patched, ProblemError, type Table } from "@foldtable/client";
import type { Language } from "../i18n";
import { ownSeats } from "../lobby/whose";
import type { News } from "./messages";

export type Listener = (news: News) => void;

/** How many matches the API streams over one connection. */
const MOST = 32;
/** Milliseconds in which several tabs that open at once come to share a connection. */
const TOGETHER = 30;

/** Milliseconds before a connection is opened again that failed for no known reason. */
const PAUSE = 1_000;

type Refusal = Extract<News, { kind: "refused" }>;

/** A match, with what is known of it and who wants to know. */
interface Followed {
  listeners: Set<Listener>;
  table?: Table;
  refusal?: Refusal;
  isOver: boolean;
  /** The player's seats for which the connection was opened anew; empty: it was not. */
  openedFor: string;
  /** Whether the table waits to be replaced by what the player's seat sees. */
  isHeld: boolean;
}

/** Matches that are followed with one credential in one language. The connection is opened again whenever a match is added. */
export class Group {
  private readonly matches = new Map<string, Followed>();
  private connection = new AbortController();
  private opening: ReturnType<typeof setTimeout> | undefined;
  private isLost = false;

  constructor(
    private readonly address: string,
    private readonly credential: string,
    private readonly language: Language,
    private readonly player?: string,
  ) {}

  get isEmpty(): boolean {
    return this.matches.size === 0;
  }

  /** Tell a listener about a match: first what is known of it. */
  add(match: string, listener: Listener): void {
    const known = this.matches.get(match);
    if (known === undefined || known.refusal) {
      this.matches.set(match, { listeners: new Set([...(known?.listeners ?? []), listener]), isOver: false, openedFor: "", isHeld: false });
      this.reopen();
    } else {
      known.listeners.add(listener);
      if (known.table && !known.isHeld) listener({ kind: "table", match, table: known.table });
    }
    if (this.isLost) listener({ kind: "connection", match, lost: true });
  }

  remove(match: string, listener: Listener): void {
    const known = this.matches.get(match);
    known?.listeners.delete(listener);
    if (known?.listeners.size !== 0) return;
    this.matches.delete(match);
    this.reopen();
  }

  private reopen(): void {
    clearTimeout(this.opening);
    this.opening = setTimeout(() => {
      this.connection.abort();
      this.connection = new AbortController();
      const open = [...this.matches].filter(([, { isOver, refusal }]) => !isOver && !refusal).map(([match]) => match);
      for (let at = 0; at < open.length; at += MOST) void this.follow(open.slice(at, at + MOST), this.connection.signal);
    }, TOGETHER);
  }

  /** Follow some matches until all are over, or the signal says so. */
  private async follow(matches: readonly string[], signal: AbortSignal): Promise<void> {
    const client = this.client((lost) => signal.aborted || this.noteConnection(lost));
    try {
      const following = { includeTable: true, lang: this.language, signal };
      for await (const told of client.followMatches(matches, following)) await this.hear(client, told);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ProblemError) await this.refuse(client, matches, error);
      else setTimeout(() => signal.aborted || this.reopen(), PAUSE); // a connection that begins anew brings whole tables
    }
  }

  private async hear(client: Client, told: MatchEvent): Promise<void> {
    const match = told.match_id;
    const known = this.matches.get(match);
    if (known === undefined) return; // nobody wants to know any more, and the connection is about to be opened without it
    this.noteConnection(false);
    if (told.event === "table") this.show(match, told.table);
    else if (told.event === "table.patched" && known.table) this.show(match, patched(known.table, told.patch));
    else if (told.event === "move.applied") this.tell({ kind: "move", match, move: told });
    else if (told.event === "revoked") await this.lookAgain(client, match);
    else if (told.event === "match.ended") {
      // The stream may have been cut right before the last table.
      if (known.table?.match.status !== "ended") this.show(match, await client.table(match, { lang: this.language }));
      known.isOver = true;
    }
  }

  /** One match that may not be read makes the whole request fail: find out which, and follow the others. */
  private async refuse(client: Client, matches: readonly string[], error: ProblemError): Promise<void> {
    const found = matches.length === 1 ? [error] : await Promise.all(matches.map((match) => problemOf(client, match)));
    const isNone = found.every((problem) => problem === undefined);
    matches.forEach((match, at) => {
      const problem = isNone ? error : found[at];
      if (problem !== undefined) this.end(match, refusalOf(match, problem));
    });
    this.reopen();
  }

  /** A seat was given up or taken away: whoever may still read the match goes on with other eyes. */
  private async lookAgain(client: Client, match: string): Promise<void> {
    const problem = await problemOf(client, match);
    const known = this.matches.get(match);
    if (known === undefined) return;
    if (problem) this.end(match, refusalOf(match, problem));
    else known.openedFor = "";
    setTimeout(() => this.reopen(), problem ? 0 : PAUSE);
  }

  private end(match: string, refusal: Refusal): void {
    const known = this.matches.get(match);
    if (known === undefined) return;
    delete known.table;
    known.refusal = refusal;
    this.tell(refusal);
  }

  private show(match: string, table: Table): void {
    const known = this.matches.get(match);
    if (known === undefined) return;
    known.table = table;
    known.isHeld = this.isTooFar(known, table);
    if (!known.isHeld) this.tell({ kind: "table", match, table });
  }

  /**
   * Return whether a player who has a seat is shown what everybody sees, and open the connection anew: a stream keeps the eyes
   * with which it began, and this one began before the player took the seat.
   */
  private isTooFar(known: Followed, { audience, match }: Table): boolean {
    if (this.player === undefined || audience.kind !== "public") return false;
    const own = ownSeats(match, { player: this.player }).map(({ seat }) => seat).join();
    if (own === known.openedFor) return false; // it was opened for them already, or there are none
    known.openedFor = own;
    if (own !== "") this.reopen();
    return own !== "";
  }

  private tell(news: News): void {
    for (const listener of this.matches.get(news.match)?.listeners ?? []) listener(news);
  }

  private noteConnection(lost: boolean): void {
    if (lost === this.isLost) return;
    this.isLost = lost;
    for (const match of this.matches.keys()) this.tell({ kind: "connection", match, lost });
  }

  /** Return a client that says when it loses the connection, and never gives up. */
  private client(note: (lost: boolean) => void): Client {
    const watched: typeof fetch = async (input, init) => {
      try {
        const response = await fetch(input, init);
        note([429, 502, 503, 504].includes(response.status));
        return response;
      } catch (error) {
        note(true);
        throw error;
      }
    };
    return new Client(this.address, this.credential, { fetch: watched, retryFor: 365 * 86_400_000 });
  }
}

function refusalOf(match: string, { status, reason, document: { text, detail } }: ProblemError): Refusal {
  return { kind: "refused", match, status, reason, detail: text?.sentence ?? detail ?? "" };
}

async function problemOf(client: Client, match: string): Promise<ProblemError | undefined> {
  try {
    await client.match(match);
    return undefined;
  } catch (error) {
    if (error instanceof ProblemError) return error;
    throw error;
  }
}
