/** Keeps the matches of a player as new as the server tells of them: by the feed, or by asking now and then while the page is hidden. */
import { type Client, type FeedMatch, type Match, ProblemError } from "@foldtable/client";
import { repeat } from "./repeating";
import { updated } from "./whose";

const HIDDEN_PAUSE = 30_000;
/** The server ended the feed by itself. */
const AFTER_FEED = 1_000;
/** Changes that follow each other closely are read once. */
const READ_PAUSE = 300;
const MAX_READ = 20;
const LISTS = [
  { status: "running", order: "-updated", page_size: 50 },
  { status: "waiting", order: "-updated", page_size: 30 },
  { status: "ended", order: "-updated", page_size: 8 },
];

export interface Told {
  show: (matches: readonly Match[]) => void;
  /** Undefined: all is well again. */
  fail: (error: unknown) => void;
}

export class OwnMatches {
  private readonly known = new Map<string, Match>();
  private readonly toRead = new Set<string>();
  private reading: ReturnType<typeof setTimeout> | undefined;
  /** Ends the feed with trouble, so that everything is read again. */
  private interrupt: (error: unknown) => void = () => undefined;

  constructor(
    private readonly api: Client,
    private readonly told: Told,
    private readonly signal: AbortSignal,
  ) {}

  /** Go on until the signal ends it, or the session is no longer valid. */
  keepUp(): Promise<void> {
    const act = async () => {
      await this.load();
      this.told.fail(undefined);
      if (document.hidden) return HIDDEN_PAUSE;
      await this.listen();
      return AFTER_FEED;
    };
    return repeat({ act, fail: this.told.fail }, this.signal);
  }

  private async load(): Promise<void> {
    const pages = await Promise.all(LISTS.map((list) => this.api.get<{ matches: Match[] }>("/v1/matches", list)));
    this.known.clear();
    for (const match of pages.flatMap(({ matches }) => matches)) this.known.set(match.match_id, match);
    this.show();
  }

  /** Follow the feed until the page is hidden: browsers open only six connections to a server. */
  private async listen(): Promise<void> {
    const connection = new AbortController();
    let trouble: unknown;
    this.interrupt = (error) => {
      trouble = error;
      connection.abort();
    };
    const leave = () => (document.hidden || this.signal.aborted) && connection.abort();
    document.addEventListener("visibilitychange", leave);
    this.signal.addEventListener("abort", leave);
    try {
      for await (const news of this.api.feed(undefined, connection.signal)) {
        if (news.event === "match.updated") this.hear(news);
        else for (const match of (news.matches ?? []).slice(0, MAX_READ)) if (this.isNew(match)) this.hear(match);
      }
    } catch (error) {
      if (!connection.signal.aborted) throw error;
    } finally {
      document.removeEventListener("visibilitychange", leave);
      this.signal.removeEventListener("abort", leave);
    }
    if (trouble !== undefined) throw trouble;
  }

  private isNew({ match_id: id, version, status }: FeedMatch): boolean {
    const known = this.known.get(id);
    return known?.version !== version || known.status !== status;
  }

  private hear(news: FeedMatch): void {
    const known = this.known.get(news.match_id);
    const next = known && updated(known, news);
    if (next) {
      this.known.set(news.match_id, next);
      this.show();
      return;
    }
    this.toRead.add(news.match_id);
    this.reading ??= setTimeout(() => void this.read(), READ_PAUSE);
  }

  private async read(): Promise<void> {
    const wanted = [...this.toRead];
    this.toRead.clear();
    this.reading = undefined;
    await Promise.all(
      wanted.map(async (id) => {
        try {
          this.known.set(id, await this.api.match(id));
        } catch (error) {
          if (error instanceof ProblemError && [403, 404].includes(error.status)) this.known.delete(id); // the seat was given up
          else this.interrupt(error);
        }
      }),
    );
    this.show();
  }

  private show(): void {
    if (!this.signal.aborted) this.told.show([...this.known.values()]);
  }
}
