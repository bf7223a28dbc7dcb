/** Sessions with which a platform's own pages act for its players. */

import type { Sender } from "./sending.js";
import type { PlayerSession, RevokedSessions } from "./types.js";

/** The players of a tenant; for clients with the tenant's key. */
export class Players {
  constructor(private readonly sender: Sender) {}

  /**
   * Issue a session: a client with its `token` plays at all seats of the player.
   *
   * `scopes`: what it permits; everything if they are not said. `hours`: how long it is valid; 24.
   */
  async session(player: string, scopes?: PlayerSession["scopes"], hours?: number): Promise<PlayerSession> {
    return (await this.post("/v1/player-sessions", { player, scopes, hours })) as PlayerSession;
  }

  /** End all sessions of a player, or of all players; those issued later are valid. */
  async revoke(player?: string): Promise<RevokedSessions> {
    return (await this.post("/v1/player-sessions/revoke", { player })) as RevokedSessions;
  }

  /** Post what has the same effect however often it arrives: a second session is as good as the first. */
  private post(path: string, body: object): Promise<unknown> {
    return this.sender.send("POST", path, { body, repeatable: true });
  }
}
