/** The client: one method per thing a page, a platform or a bot does. */

import { idempotencyKey, tag } from "./headers.js";
import { at, segment } from "./paths.js";
import { type Asked, type Query, Sender, type Settings } from "./sending.js";
import { follow } from "./streams.js";
import { play, waitForTurn } from "./turns.js";
import type * as api from "./types.js";

/**
 * The API with one credential: a tenant's key (never in a page), or a token of one match.
 *
 * Every method may throw ProblemError (the API refused), Unreachable (no answer for as long as it is patient), and
 * TypeError for an id that can be none; then nothing was sent.
 */
export class Client {
  private readonly sender: Sender;

  constructor(address: string, credential = "", settings: Settings = {}) {
    this.sender = new Sender(address, credential, settings);
  }

  // ── any route ─────────────────────────────────────────────────────────────────────────────────

  /** Give what a route answers; parameters that are undefined are not said. */
  async get<Answer>(path: string, query: Query = {}, headers: Record<string, string> = {}): Promise<Answer> {
    return (await this.sender.send("GET", path, { query, headers, repeatable: true })) as Answer;
  }

  /** Give every item of a list, page by page as they are used; `items` names the list in a page. */
  async *pages<Item>(path: string, items: string, query: Query = {}): AsyncGenerator<Item, void, undefined> {
    let token: string | undefined;
    do {
      const page = await this.get<Record<string, unknown>>(path, { ...query, page_token: token });
      yield* page[items] as Item[];
      token = page["next_page_token"] as string;
    } while (token !== "");
  }

  /** Post a body. `version`: what it was decided on. `once`: the route takes an `Idempotency-Key`. */
  async post<Answer>(
    path: string,
    body: object = {},
    { version, once = false, query = {} }: { version?: number; once?: boolean; query?: Query } = {},
  ): Promise<Answer> {
    const headers: Record<string, string> = {};
    if (version !== undefined) headers["If-Match"] = tag(version);
    const inBody = (body as { request_id?: string | null }).request_id;
    if (once) headers["Idempotency-Key"] = idempotencyKey(inBody ?? this.sender.newKey());
    const asked: Asked = { body, query, headers, repeatable: once };
    return (await this.sender.send("POST", path, asked)) as Answer;
  }

  /** Change what the body names. It changes the same however often it arrives, so it is sent again. */
  async patch<Answer>(path: string, body: object): Promise<Answer> {
    return (await this.sender.send("PATCH", path, { body, repeatable: true })) as Answer;
  }

  /** Tell what this client's credential is good for. */
  credential(): Promise<api.Credential> {
    return this.get("/v1/token");
  }

  // ── what can be played ────────────────────────────────────────────────────────────────────────

  async games(): Promise<api.GameSummary[]> {
    return (await this.get<{ games: api.GameSummary[] }>("/v1/games")).games;
  }

  async game(game: string): Promise<api.GameDescription> {
    return this.get(`/v1/games/${segment(game)}`);
  }

  // ── matches ───────────────────────────────────────────────────────────────────────────────────

  /** Create a match; the answer has a token for each seat that was handed out. */
  createMatch(plan: api.CreateMatchRequest): Promise<api.CreatedMatch> {
    return this.post("/v1/matches", plan, { once: true });
  }

  async match(match: string): Promise<api.Match> {
    return this.get(at(match));
  }

  /** Give the tenant's matches; filters as in the lobby: `game`, `status`, `player`, `waiting_for`, … */
  matches(filters: Query = {}): AsyncGenerator<api.Match, void, undefined> {
    return this.pages("/v1/matches", "matches", filters);
  }

  /** Take a free seat; with an invite as the credential, the invite's own. */
  async join(match: string, wish: api.JoinRequest = {}): Promise<api.JoinedMatch> {
    return this.post(`${at(match)}/join`, wish, { once: true });
  }

  quickJoin(wish: api.QuickJoinRequest): Promise<api.JoinedMatch> {
    return this.post("/v1/matches/quick-join", wish, { once: true });
  }

  /** Give a seat back before the start. */
  async leave(match: string, seat?: number): Promise<api.Match> {
    return this.post(`${at(match)}/leave`, { seat });
  }

  /** Change the name of who sits at a seat, or the data beside it; what is not said stays as it was. */
  async updateSeat(match: string, seat: number, change: api.UpdateSeatRequest): Promise<api.Match> {
    return this.patch(`${at(match)}/seats/${segment(seat)}`, change);
  }

  /** Begin a match that starts on demand. */
  async start(match: string): Promise<api.Match> {
    return this.post(`${at(match)}/start`);
  }

  /** Play again: the match that follows, the same for everybody who asks. */
  async rematch(match: string): Promise<api.FollowingMatch> {
    return this.post(`${at(match)}/rematch`);
  }

  /** Begin a new match at a table of this one; what its maker could not know is dealt again. */
  async fork(match: string, plan: api.ForkRequest): Promise<api.CreatedMatch> {
    return this.post(`${at(match)}/fork`, plan, { once: true });
  }

  // ── playing ───────────────────────────────────────────────────────────────────────────────────

  /** Give everything a seat may do now; `samples`: how many legal actions to draw at random. */
  async legalActions(match: string, asked: { seat?: number; samples?: number } = {}): Promise<api.LegalActionsAnswer> {
    return this.get(`${at(match)}/legal-actions`, asked);
  }

  /** Make a move that was decided on a version. It is made once, however often it had to be sent. */
  async move(match: string, action: api.Action, version: number, seat?: number): Promise<api.MoveAnswer> {
    return this.post(`${at(match)}/moves`, { action, seat }, { version, once: true });
  }

  /**
   * Wait until a seat must decide something; return what it may do, or undefined once the match is over.
   *
   * The answer's `version` is the one to decide on. No turn is lost, whatever happens between this call and others.
   */
  async waitForTurn(match: string, waiting: api.Waiting = {}): Promise<api.LegalActionsAnswer | undefined> {
    return waitForTurn(this, match, waiting);
  }

  /**
   * Play a seat to the end of the match: `choose` is given the legal actions and returns the one to make.
   *
   * A move that came too late, because somebody or the clock was faster, is decided again on the new table. Throws
   * RefusedByTheRules or another ProblemError if a move was refused for what it is.
   */
  async play(
    match: string,
    choose: (turn: api.LegalActionsAnswer) => api.Action | Promise<api.Action>,
    playing: api.Playing = {},
  ): Promise<api.Match> {
    return play(this, match, choose, playing);
  }

  /** Wait until the match has moved on after a version, or for a while; return its status. */
  async poll(match: string, after: number, signal?: AbortSignal): Promise<api.Match["status"]> {
    const query = { after, wait: `${this.sender.pollSeconds}s`, page_size: 1 };
    const asked: Asked = { query, signal, repeatable: true };
    return ((await this.sender.send("GET", `${at(match)}/moves`, asked)) as Pick<api.Match, "status">).status;
  }

  /** Have a move judged without making it; refused exactly as the move would be. */
  async rehearse(match: string, action: api.Action, version: number, seat?: number): Promise<api.MoveRehearsed> {
    const query = { dry_run: true };
    return this.post(`${at(match)}/moves`, { action, seat }, { version, once: true, query });
  }

  /** Leave for good, whoever's turn it is. */
  async resign(match: string, seat?: number): Promise<api.MoveAnswer> {
    return this.post(`${at(match)}/resign`, { seat }, { once: true });
  }

  /** Call the match off, as the tenant; or as a seat ask the others to agree. */
  async abort(match: string, seat?: number): Promise<api.MoveAnswer> {
    return this.post(`${at(match)}/abort`, { seat }, { once: true });
  }

  /** Agree to a proposal to call the match off, or do not. */
  async answerAbort(match: string, accept: boolean, seat?: number): Promise<api.MoveAnswer> {
    return this.post(`${at(match)}/abort/answer`, { accept, seat }, { once: true });
  }

  /** Tell what a seat may take back, why not further, and who is asked. */
  async undoState(match: string, seat?: number): Promise<api.UndoState> {
    return this.get(`${at(match)}/undo`, { seat });
  }

  /** Go back to the table after move `to`, or ask the others to agree. */
  async undo(match: string, to: number, version: number, seat?: number): Promise<api.MoveAnswer> {
    return this.post(`${at(match)}/undo`, { to, seat }, { version, once: true });
  }

  /** Agree to a proposal to take back, or do not. */
  async answerUndo(match: string, accept: boolean, version: number, seat?: number): Promise<api.MoveAnswer> {
    return this.post(`${at(match)}/undo/answer`, { accept, seat }, { version, once: true });
  }

  /** Put back what was taken back last. */
  async redo(match: string, version: number, seat?: number): Promise<api.MoveAnswer> {
    return this.post(`${at(match)}/redo`, { seat }, { version, once: true });
  }

  // ── looking ───────────────────────────────────────────────────────────────────────────────────

  /** Give the table now, or after move `at`. */
  async view(match: string, eyes: api.Eyes & { at?: number } = {}): Promise<api.ViewAnswer> {
    return this.get(`${at(match)}/view`, { ...eyes });
  }

  /** Give the table if it is another one than after `version`; else undefined, and nothing is transferred. */
  async newerView(match: string, version: number, eyes: api.Eyes = {}): Promise<api.ViewAnswer | undefined> {
    return this.get(`${at(match)}/view`, { ...eyes }, { "If-None-Match": tag(version) });
  }

  /** Give the log after a version, oldest first, as an audience may see it. */
  async *moves(match: string, asked: api.Eyes & { after?: number } = {}): AsyncGenerator<api.Move, void, undefined> {
    yield* this.pages(`${at(match)}/moves`, "moves", { ...asked });
  }

  /** Follow a match to its end: a snapshot (unless `afterVersion` is said), then every move, without holes. */
  async *follow(
    match: string,
    { afterVersion, signal, ...eyes }: api.Eyes & { afterVersion?: number; signal?: AbortSignal } = {},
  ): AsyncGenerator<api.MatchEvent, void, undefined> {
    const query = { ...eyes, after_version: afterVersion };
    let version = afterVersion ?? 0;
    for await (const { kind, data } of follow(this.sender, `${at(match)}/stream`, query, signal)) {
      if (kind === "match.ended") break;
      if (kind !== "snapshot" && kind !== "move.applied") continue;
      const happened = { event: kind, ...JSON.parse(data) } as api.MatchEvent;
      version = happened.version;
      yield happened;
    }
    // Also where the stream was cut right before the end: then the server only says 204.
    yield { event: "match.ended", version, status: "ended" };
  }

  /** Follow all matches of a player, or of the tenant; it has no end but the signal's. */
  async *feed(player?: string, signal?: AbortSignal): AsyncGenerator<api.FeedEvent, void, undefined> {
    for await (const { kind, data } of follow(this.sender, "/v1/feed", { player }, signal)) {
      if (kind === "snapshot" || kind === "match.updated") {
        yield { event: kind, ...JSON.parse(data) } as api.FeedEvent;
      }
    }
  }

  /** Have the server check hashes, draws and decisions of a match. */
  async verify(match: string): Promise<api.Verification> {
    return this.get(`${at(match)}/verify`);
  }
}
