/** Sessions with which a platform's own pages act for its players, and codes for links that sign them in. */

import type { Sender } from "./sending.js";
import type { Ending, ErasedPlayer, LoginCode, PlayerRecord, PlayerSession, RevokedPlayer, RevokedSessions } from "./types.js";

/** The players of a tenant; for clients with the tenant's key. Only `redeem` needs none. */
export class Players {
  constructor(private readonly sender: Sender) {}

  /**
   * Issue a session: a client with its `token` plays at all seats of the player.
   *
   * `scopes`: what it permits; everything if they are not said. `hours`: how long it is valid; 24.
   */
  async session(player: string, scopes?: PlayerSession["scopes"], hours?: number, ending: Ending = {}): Promise<PlayerSession> {
    return (await this.post("/v1/player-sessions", { player, scopes, hours }, ending)) as PlayerSession;
  }

  /**
   * Make a code for a link: whoever opens it redeems the `code`, once, for a session of the player.
   *
   * `hours`: how long that session is valid; 24. `validSeconds`: how long the code is; 600.
   */
  async loginCode(
    player: string,
    scopes?: PlayerSession["scopes"],
    { hours, validSeconds, ...ending }: { hours?: number; validSeconds?: number } & Ending = {},
  ): Promise<LoginCode> {
    const body = { player, scopes, hours, valid_seconds: validSeconds };
    return (await this.post("/v1/login-codes", body, ending)) as LoginCode;
  }

  /**
   * Exchange a login code for the session; this works once. No credential is needed.
   *
   * It is not sent again after an answer was lost: the code may be used up.
   */
  async redeem(code: string, ending: Ending = {}): Promise<PlayerSession> {
    const asked = { body: { code }, repeatable: false, ...ending };
    return (await this.sender.send("POST", "/v1/login-codes/redeem", asked)) as PlayerSession;
  }

  /** End all sessions of a player, or of all players, and their login codes; those issued later are valid. */
  async revoke(player?: string, ending: Ending = {}): Promise<RevokedSessions> {
    return (await this.post("/v1/player-sessions/revoke", { player }, ending)) as RevokedSessions;
  }

  /**
   * End all sessions and login codes of a player, and the tokens of all the player's seats and invites to them; those issued later
   * are valid.
   *
   * A player of thousands of matches takes several calls: pass the `next_page_token` of each to the next, until it is empty.
   */
  async revokeEverything(player: string, page_token?: string, ending: Ending = {}): Promise<RevokedPlayer> {
    return (await this.post("/v1/players/revoke", { player, page_token }, ending)) as RevokedPlayer;
  }

  /**
   * Erase everything that is kept of a player: whoever reads the matches finds nobody in the player's place.
   *
   * A player of hundreds of matches takes several calls: repeat it until the answer says `done`.
   */
  async erase(player: string, ending: Ending = {}): Promise<ErasedPlayer> {
    return (await this.post("/v1/players/erase", { player }, ending)) as ErasedPlayer;
  }

  /** Give everything that is kept of a player; what it did in a match, the export of the match has. */
  async kept(player: string, ending: Ending = {}): Promise<PlayerRecord[]> {
    const asked = { query: { player }, repeatable: true, ...ending };
    return (await this.sender.send("GET", "/v1/players/export", asked)) as PlayerRecord[];
  }

  /** Post what has the same effect however often it arrives: a second session or code is as good as the first. */
  private post(path: string, body: object, ending: Ending): Promise<unknown> {
    return this.sender.send("POST", path, { body, repeatable: true, ...ending });
  }
}
