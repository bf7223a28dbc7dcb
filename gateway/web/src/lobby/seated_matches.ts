/** Keeps the matches new of which this browser has the token of a seat, and forgets tokens that are void. */
import { type Match, ProblemError } from "@foldtable/client";
import { seatedMatches, seatingOf } from "../account";
import { forgetToken } from "../void_token";

const SHOWN_FIRST = 12;
/** Browsers open only six connections to a server. */
const READ_AT_ONCE = 4;
const SHORTEST_PAUSE = 15_000;
const PAUSE_FOR_EACH = 1_500;

/** Reads a match with a credential. */
export type Read = (match: string, credential: string) => Promise<Match>;

export class SeatedMatches {
  private readonly known = new Map<string, Match>();
  /** Refused for good, and yet with a token that may be valid. */
  private readonly unreadable = new Set<string>();
  private showsAll = false;

  constructor(private readonly read: Read) {}

  get matches(): readonly Match[] {
    return [...this.known.values()];
  }

  /** How many are left out until all are shown. */
  get more(): number {
    return seatedMatches().length - this.wanted().length;
  }

  showAll(): void {
    this.showsAll = true;
  }

  /** Read all that may have changed; return how long they may be shown so. Rejects with the first trouble, after reading the others. */
  async load(): Promise<number> {
    const wanted = this.wanted();
    for (const id of this.known.keys()) if (!wanted.includes(id)) this.known.delete(id);
    const changing = wanted.filter((id) => this.known.get(id)?.status !== "ended" && !this.unreadable.has(id));
    const troubles: unknown[] = [];
    for (let at = 0; at < changing.length; at += READ_AT_ONCE) {
      const together = changing.slice(at, at + READ_AT_ONCE);
      await Promise.all(together.map((id) => this.readOne(id).catch((error: unknown) => troubles.push(error))));
    }
    if (troubles.length > 0) throw troubles[0];
    return Math.max(SHORTEST_PAUSE, PAUSE_FOR_EACH * changing.length);
  }

  private wanted(): string[] {
    return seatedMatches().slice(0, this.showsAll ? undefined : SHOWN_FIRST);
  }

  /** Read with the very token of the seat: a link that was opened in this window says nothing about it. */
  private async readOne(id: string): Promise<void> {
    const token = seatingOf(id)?.token;
    if (token === undefined) return; // another tab has given the seat back
    try {
      this.known.set(id, await this.read(id, token));
    } catch (error) {
      if (!(error instanceof ProblemError) || ![401, 403, 404].includes(error.status)) throw error;
      this.known.delete(id);
      if (error.status === 401) forgetToken(id, token);
      else this.unreadable.add(id);
    }
  }
}
