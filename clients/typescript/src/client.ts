/** The client: one method per thing a page, a platform or a bot does. */

import { Live } from "./following.js";
import { knownTag } from "./headers.js";
import { at, segment } from "./paths.js";
import { Players } from "./players.js";
import { SeenViews } from "./seen_views.js";
import type { Asked, Query } from "./sending.js";
import { play, waitForTurn } from "./turns.js";
import type * as api from "./types.js";

/**
 * The API with one credential: a tenant's key (never in a page), a player's session, or a token of one match. Without one it
 * reads what anybody may: the games, and the public matches of tenants that allow it.
 *
 * Every method may throw ProblemError (the API refused), Unreachable (no answer for as long as it is patient), and
 * TypeError for an id that can be none; then nothing was sent. Every method takes a `signal` among its last parameters, and
 * throws its reason as soon as it is aborted, whatever it waits for.
 */
export class Client extends Live {
  private readonly views = new SeenViews();

  /** Sessions and login codes of a tenant's players, and revoking all that one has. */
  get players(): Players {
    return new Players(this.sender);
  }

  // ── what can be played ────────────────────────────────────────────────────────────────────────

  async games(ending: api.Ending = {}): Promise<api.GameSummary[]> {
    return (await this.get<{ games: api.GameSummary[] }>("/v1/games", { ...ending })).games;
  }

  async game(game: string, ending: api.Ending = {}): Promise<api.GameDescription> {
    return this.get(`/v1/games/${segment(game)}`, { ...ending });
  }

  /** Give where the things of a game are: its boards and mats, their places, and how seats are marked. */
  async layout(game: string, ending: api.Ending = {}): Promise<api.Layout> {
    return this.get(`/v1/games/${segment(game)}/layout`, { ...ending });
  }

  // ── matches ───────────────────────────────────────────────────────────────────────────────────

  /** Create a match; the answer has a token for each seat that was handed out. */
  createMatch(plan: api.CreateMatchRequest, ending: api.Ending = {}): Promise<api.CreatedMatch> {
    return this.post("/v1/matches", plan, { once: true, ...ending });
  }

  /**
   * Create up to 500 matches at once, as the tenant: `all` of them or none, or `each` by itself, and then the answer has `created` or
   * `problem` for each.
   */
  createMatches(plan: api.CreateMatchesRequest, ending: api.Ending = {}): Promise<api.CreatedMatches> {
    return this.post("/v1/matches/batch", plan, { once: true, ...ending });
  }

  async match(match: string, ending: api.Ending = {}): Promise<api.Match> {
    return this.get(at(match), { ...ending });
  }

  /** Give the tenant's matches, or with a session the player's; filters as in the lobby: `game`, `status`, `player`, `waiting_for`, … */
  matches(filters: Query = {}): AsyncGenerator<api.Match, void, undefined> {
    return this.pages("/v1/matches", "matches", filters);
  }

  /** Take a free seat; with an invite as the credential, or `invite` in a session, the invite's own. */
  async join(match: string, wish: api.JoinRequest = {}, ending: api.Ending = {}): Promise<api.JoinedMatch> {
    return this.post(`${at(match)}/join`, wish, { once: true, ...ending });
  }

  quickJoin(wish: api.QuickJoinRequest, ending: api.Ending = {}): Promise<api.JoinedMatch> {
    return this.post("/v1/matches/quick-join", wish, { once: true, ...ending });
  }

  /** Give a seat back before the start. */
  async leave(match: string, seat?: number, ending: api.Ending = {}): Promise<api.Match> {
    return this.post(`${at(match)}/leave`, { seat }, ending);
  }

  /** Change the name of who sits at a seat, or the data beside it; what is not said stays as it was. */
  async updateSeat(match: string, seat: number, change: api.UpdateSeatRequest, ending: api.Ending = {}): Promise<api.Match> {
    return this.patch(`${at(match)}/seats/${segment(seat)}`, change, ending);
  }

  /**
   * Give a seat of a running match to another player, as the tenant; the answer has the new player's token. With `consent: "table"` the
   * others must have agreed (`askToReplace`).
   */
  async replacePlayer(match: string, seat: number, who: api.ReplacePlayerRequest, ending: api.Ending = {}): Promise<api.JoinedMatch> {
    return this.post(`${at(match)}/seats/${segment(seat)}/replace`, who, { once: true, ...ending });
  }

  /** Ask the others whether another player may have a seat, as the tenant or as the seat itself. */
  async askToReplace(match: string, seat: number, ending: api.Ending = {}): Promise<api.MoveAnswer> {
    return this.post(`${at(match)}/seats/${segment(seat)}/replace/ask`, {}, { once: true, ...ending });
  }

  /** Agree to another player for a seat, or do not. */
  async answerReplacement(match: string, accept: boolean, version: number, seat?: number, ending: api.Ending = {}): Promise<api.MoveAnswer> {
    return this.post(`${at(match)}/replace/answer`, { accept, seat }, { version, once: true, ...ending });
  }

  /** Begin a match that starts on demand. */
  async start(match: string, ending: api.Ending = {}): Promise<api.Match> {
    return this.post(`${at(match)}/start`, {}, ending);
  }

  /** Play again: the match that follows, the same for everybody who asks. */
  async rematch(match: string, ending: api.Ending = {}): Promise<api.FollowingMatch> {
    return this.post(`${at(match)}/rematch`, {}, ending);
  }

  /** Begin a new match at a table of this one; what its maker could not know is dealt again. */
  async fork(match: string, plan: api.ForkRequest, ending: api.Ending = {}): Promise<api.CreatedMatch> {
    return this.post(`${at(match)}/fork`, plan, { once: true, ...ending });
  }

  // ── vacations ─────────────────────────────────────────────────────────────────────────────────

  /** Announce that a player is away: `until` when, and `since` when, if not now. A tenant names the `player`. */
  async announceVacation(vacation: api.AnnounceVacationRequest, ending: api.Ending = {}): Promise<api.Vacation> {
    return this.post("/v1/vacations", vacation, { once: true, ...ending });
  }

  /** Give the vacations that are not over, of the tenant's players or the session's; filters: `player`, `include_ended`. */
  vacations(filters: Query = {}): AsyncGenerator<api.Vacation, void, undefined> {
    return this.pages("/v1/vacations", "vacations", filters);
  }

  /**
   * Cancel a vacation. Give it as it is now, over; null if it had not begun.
   *
   * It is not sent again after an answer was lost: the vacation may be cancelled.
   */
  async cancelVacation(vacation: string, ending: api.Ending = {}): Promise<api.Vacation | null> {
    const asked: Asked = { repeatable: false, ...ending };
    const answer = await this.sender.send("DELETE", `/v1/vacations/${segment(vacation)}`, asked);
    return (answer as api.CancelledVacation).vacation;
  }

  // ── playing ───────────────────────────────────────────────────────────────────────────────────

  /** Give everything a seat may do now; `samples`: how many legal actions to draw at random; `hints`: as a table has them. */
  async legalActions(
    match: string,
    asked: { seat?: number; samples?: number; hints?: boolean; lang?: api.Language } & api.Ending = {},
  ): Promise<api.LegalActionsAnswer> {
    return this.get(`${at(match)}/legal-actions`, { ...asked });
  }

  /** Make a move that was decided on a version. It is made once, however often it had to be sent. */
  async move(
    match: string,
    action: api.Action,
    version: number,
    seat?: number,
    { includeTable = false, lang, signal }: api.Answering = {},
  ): Promise<api.MoveAnswer> {
    const query = { include: includeTable ? "table" : undefined, lang };
    return this.post(`${at(match)}/moves`, { action, seat }, { version, once: true, query, signal });
  }

  /**
   * Wait until a seat must decide something, or the match is over; return the table.
   *
   * `choices(table)` are what the seat may do; none once the match is over. The table's `version` is the one to decide on.
   * No turn is lost, whatever happens between this call and others. TypeError if no seat is named and the credential is
   * no seat's own.
   */
  async waitForTurn(match: string, waiting: api.Waiting = {}): Promise<api.Table> {
    return waitForTurn(this, match, waiting);
  }

  /**
   * Play a seat to the end of the match: `choose` is given the table and returns the action to make. Return the last table.
   *
   * A move that came too late, because somebody or the clock was faster, is decided again on the newest table. Throws
   * RefusedByTheRules or another ProblemError if a move was refused for what it is, TypeError as `waitForTurn` does.
   */
  async play(
    match: string,
    choose: (table: api.Table) => api.Action | Promise<api.Action>,
    playing: api.Playing = {},
  ): Promise<api.Table> {
    return play(this, match, choose, playing);
  }

  /** Wait until the match has moved on after a version, or for a while; return its status. */
  async poll(match: string, after: number, signal?: AbortSignal): Promise<api.Match["status"]> {
    const query = { after, wait: `${this.sender.pollSeconds}s`, page_size: 1 };
    const asked: Asked = { query, signal, repeatable: true };
    return ((await this.sender.send("GET", `${at(match)}/moves`, asked)) as Pick<api.Match, "status">).status;
  }

  /** Have a move judged without making it; refused exactly as the move would be. */
  async rehearse(match: string, action: api.Action, version: number, seat?: number, ending: api.Ending = {}): Promise<api.MoveRehearsed> {
    const query = { dry_run: true };
    return this.post(`${at(match)}/moves`, { action, seat }, { version, once: true, query, ...ending });
  }

  /** Leave for good, whoever's turn it is. */
  async resign(match: string, seat?: number, ending: api.Ending = {}): Promise<api.MoveAnswer> {
    return this.post(`${at(match)}/resign`, { seat }, { once: true, ...ending });
  }

  /** Call the match off, as the tenant; or as a seat ask the others to agree. */
  async abort(match: string, seat?: number, ending: api.Ending = {}): Promise<api.MoveAnswer> {
    return this.post(`${at(match)}/abort`, { seat }, { once: true, ...ending });
  }

  /** Agree to a proposal to call the match off, or do not. */
  async answerAbort(match: string, accept: boolean, version: number, seat?: number, ending: api.Ending = {}): Promise<api.MoveAnswer> {
    return this.post(`${at(match)}/abort/answer`, { accept, seat }, { version, once: true, ...ending });
  }

  /** Pause the match, as the tenant; or as a seat ask the others to agree. */
  async pause(match: string, seat?: number, ending: api.Ending = {}): Promise<api.MoveAnswer> {
    return this.post(`${at(match)}/pause`, { seat }, { once: true, ...ending });
  }

  /** Agree to a proposal to pause the match, or do not. */
  async answerPause(match: string, accept: boolean, version: number, seat?: number, ending: api.Ending = {}): Promise<api.MoveAnswer> {
    return this.post(`${at(match)}/pause/answer`, { accept, seat }, { version, once: true, ...ending });
  }

  /** End a pause: as the tenant any, as a seat one that the seats agreed on. */
  async resume(match: string, seat?: number, ending: api.Ending = {}): Promise<api.MoveAnswer> {
    return this.post(`${at(match)}/resume`, { seat }, { once: true, ...ending });
  }

  /** Give each of the seats that much more time: as the tenant any seats, as a seat only others. */
  async addTime(match: string, seats: number[], seconds: number, seat?: number, ending: api.Ending = {}): Promise<api.MoveAnswer> {
    return this.post(`${at(match)}/add-time`, { seats, seconds, seat }, { once: true, ...ending });
  }

  /** Tell what a seat may take back, why not further, and who is asked. */
  async undoState(match: string, seat?: number, ending: api.Ending = {}): Promise<api.UndoState> {
    return this.get(`${at(match)}/undo`, { seat, ...ending });
  }

  /** Go back to the table after move `to`, or ask the others to agree. */
  async undo(match: string, to: number, version: number, seat?: number, ending: api.Ending = {}): Promise<api.MoveAnswer> {
    return this.post(`${at(match)}/undo`, { to, seat }, { version, once: true, ...ending });
  }

  /** Agree to a proposal to take back, or do not. */
  async answerUndo(match: string, accept: boolean, version: number, seat?: number, ending: api.Ending = {}): Promise<api.MoveAnswer> {
    return this.post(`${at(match)}/undo/answer`, { accept, seat }, { version, once: true, ...ending });
  }

  /** Put back what was taken back last. */
  async redo(match: string, version: number, seat?: number, ending: api.Ending = {}): Promise<api.MoveAnswer> {
    return this.post(`${at(match)}/redo`, { seat }, { version, once: true, ...ending });
  }

  // ── looking ───────────────────────────────────────────────────────────────────────────────────

  /**
   * Give the table with its entity tag; undefined if it still has the tag given, and then no table is transferred. The tag
   * changes with the version, and with the seats, which change without one.
   */
  async newerTable(match: string, etag = "", reading: api.Reading = {}): Promise<api.TaggedTable | undefined> {
    const asked: Asked = { query: { ...reading }, headers: knownTag(etag), repeatable: true };
    const answer = await this.sender.answer("GET", `${at(match)}/table`, asked);
    return answer.value === undefined ? undefined : { table: answer.value as api.Table, etag: answer.etag };
  }

  /** Give the view now, or after move `at`. */
  async view(match: string, eyes: api.Eyes & { at?: number } = {}): Promise<api.ViewAnswer> {
    return this.get(`${at(match)}/view`, { ...eyes });
  }

  /**
   * Give the view if it is another one than after `version`; else undefined. Nothing is transferred if this client got that
   * version by this method.
   */
  async newerView(match: string, version: number, eyes: api.Eyes = {}): Promise<api.ViewAnswer | undefined> {
    const whose = JSON.stringify([match, eyes.seat, eyes.audience]);
    const headers = knownTag(this.views.tagOf(whose, version));
    const answer = await this.sender.answer("GET", `${at(match)}/view`, { query: { ...eyes }, headers, repeatable: true });
    if (answer.value === undefined) return undefined;
    const view = answer.value as api.ViewAnswer;
    this.views.remember(whose, view.version, answer.etag);
    return view.version === version ? undefined : view;
  }

  /** Give the log after a version, oldest first, as an audience may see it. */
  async *moves(match: string, asked: api.Eyes & { after?: number } = {}): AsyncGenerator<api.Move, void, undefined> {
    yield* this.pages(`${at(match)}/moves`, "moves", { ...asked });
  }

  /** Have the server check hashes, draws and decisions of a match. */
  /** Delete a match with everything that belongs to it, as the tenant. It cannot be undone; repeating it does no harm. */
  async delete(match: string, ending: api.Ending = {}): Promise<void> {
    await this.sender.send("DELETE", at(match), { repeatable: true, ...ending });
  }

  async verify(match: string, ending: api.Ending = {}): Promise<api.Verification> {
    return this.get(`${at(match)}/verify`, { ...ending });
  }
}
