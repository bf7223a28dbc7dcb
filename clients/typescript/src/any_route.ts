/** A connection with one credential, and requests to any route of the API. */

import { idempotencyKey, tag } from "./headers.js";
import { type Asked, type Query, Sender, type Settings } from "./sending.js";
import type * as api from "./types.js";

/** The API with one credential, or with none. */
export class AnyRoute {
  protected readonly sender: Sender;

  constructor(address: string, credential = "", settings: Settings = {}) {
    this.sender = new Sender(address, credential, settings);
  }

  // ── any route ─────────────────────────────────────────────────────────────────────────────────

  /** Give what a route answers; parameters that are undefined are not said, and a `signal` ends it early. */
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

  /** Post a body. `version`: what it was decided on. `once`: the route takes an `Idempotency-Key`. `signal`: ends it early. */
  async post<Answer>(
    path: string,
    body: object = {},
    { version, once = false, query = {}, signal }: { version?: number; once?: boolean; query?: Query } & api.Ending = {},
  ): Promise<Answer> {
    const headers: Record<string, string> = {};
    if (version !== undefined) headers["If-Match"] = tag(version);
    const inBody = (body as { request_id?: string | null }).request_id;
    if (once) headers["Idempotency-Key"] = idempotencyKey(inBody ?? this.sender.newKey());
    const asked: Asked = { body, query, headers, signal, repeatable: once };
    return (await this.sender.send("POST", path, asked)) as Answer;
  }

  /** Change what the body names. It changes the same however often it arrives, so it is sent again. */
  async patch<Answer>(path: string, body: object, ending: api.Ending = {}): Promise<Answer> {
    return (await this.sender.send("PATCH", path, { body, repeatable: true, ...ending })) as Answer;
  }

  /** Tell what this client's credential is good for. */
  credential(ending: api.Ending = {}): Promise<api.Credential> {
    return this.get("/v1/token", { ...ending });
  }
}
