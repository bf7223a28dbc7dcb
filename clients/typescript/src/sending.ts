/**
 * Sends requests, and sends them again where that is safe.
 *
 * What fails for the moment (no connection, 429, 502, 503, 504) is tried again with growing pauses, and never earlier
 * than `Retry-After` says. A POST carries an `Idempotency-Key`, the same on every try, where the API takes one: it counts
 * once, however often it arrives. A POST that takes none is sent again only if it surely was not carried out.
 */

import { authorization } from "./headers.js";
import { requirePath } from "./paths.js";
import { problemOf, Unreachable } from "./problems.js";
import type { Ending } from "./types.js";

export const PASSING: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const NOT_CARRIED_OUT: ReadonlySet<number> = new Set([429]);
const FIRST_PAUSE = 100;
const MAX_PAUSE = 5_000;
const MAX_POLL_SECONDS = 20;

/** Milliseconds everywhere. */
export interface Settings {
  /** How long to keep trying one request; 60 s. */
  retryFor?: number;
  /** How long to wait for one answer; 15 s. */
  timeout?: number;
  /** Another `fetch`, for tests or for a runtime that has none. */
  fetch?: typeof fetch;
  /** Makes idempotency keys: at most 64 printable ASCII characters that nobody can guess. */
  newKey?: () => string;
}

/** Parameters; those that are undefined are not said. A `signal` among them is none: it ends the call early. */
export type Query = Record<string, string | number | boolean | AbortSignal | undefined>;

export interface Asked extends Ending {
  query?: Query;
  body?: unknown;
  headers?: Record<string, string>;
  /** May it be sent again although it may have been carried out? */
  repeatable: boolean;
}

/** How long to wait between the tries of one thing, and when to give up. */
export class Pauses {
  private deadline = 0;
  private next = 0;

  constructor(
    private readonly retryFor: number,
    private readonly first = FIRST_PAUSE,
  ) {
    this.beginAgain();
  }

  /** It worked: the next failure is a first one. */
  beginAgain(): void {
    this.deadline = Date.now() + this.retryFor;
    this.next = this.first;
  }

  /** Wait; Unreachable if the time to keep trying ends before. */
  async wait(trouble: string, { retryAfter, cause }: Trouble = {}, signal?: AbortSignal): Promise<void> {
    const told = /^\d+$/.test(retryAfter ?? "") ? Number(retryAfter) * 1000 : 0;
    const pause = Math.max(this.next * (0.5 + Math.random() / 2), told);
    if (Date.now() + pause > this.deadline) throw new Unreachable(`${trouble}, for ${this.retryFor / 1000} s`, { cause });
    this.next = Math.min(this.next * 2, MAX_PAUSE);
    let timer: ReturnType<typeof setTimeout> | undefined;
    try {
      await heeding(signal, new Promise<void>((wake) => (timer = setTimeout(wake, pause))));
    } finally {
      clearTimeout(timer);
    }
  }
}

/** What speaks for trying again: what was answered, or why nothing was. */
export interface Trouble {
  retryAfter?: string | null;
  cause?: unknown;
}

/** Give what is promised, or throw the signal's reason as soon as it is aborted. */
export async function heeding<Promised>(signal: AbortSignal | undefined, promised: Promised | Promise<Promised>): Promise<Promised> {
  if (!signal) return promised;
  let abort!: () => void;
  const aborted = new Promise<never>((_, refuse) => {
    abort = () => refuse(signal.reason);
    signal.addEventListener("abort", abort);
    if (signal.aborted) abort();
  });
  try {
    return await Promise.race([promised, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

/** One API with one credential. */
export class Sender {
  readonly retryFor: number;
  readonly newKey: () => string;
  /** How long the server may keep a request waiting: it answers well before `timeout`. */
  readonly pollSeconds: number;
  private readonly timeout: number;
  private readonly fetcher: typeof fetch;
  /** Hidden from `console.log` and `JSON.stringify`, which show what is only declared private. */
  readonly #authorization: Record<string, string>;

  /** TypeError for a credential that cannot be one. */
  constructor(
    private readonly address: string,
    credential: string,
    settings: Settings,
  ) {
    this.#authorization = authorization(credential);
    this.retryFor = settings.retryFor ?? 60_000;
    this.timeout = settings.timeout ?? 15_000;
    this.pollSeconds = Math.min(MAX_POLL_SECONDS, Math.floor(this.timeout / 1500));
    this.fetcher = settings.fetch ?? ((input, init) => globalThis.fetch(input, init));
    this.newKey = settings.newKey ?? randomKey;
  }

  /** Give the JSON of the answer; undefined where there is nothing new (304) or nothing (204). TypeError for what is no path. */
  async send(method: string, path: string, asked: Asked): Promise<unknown> {
    return (await this.answer(method, path, asked)).value;
  }

  /** Give the JSON of the answer with its entity tag, as `send` gives it alone. */
  async answer(method: string, path: string, asked: Asked): Promise<Answer> {
    requirePath(path);
    const signal = asked.signal ?? (asked.query?.["signal"] as AbortSignal | undefined);
    const pauses = new Pauses(this.retryFor);
    for (;;) {
      signal?.throwIfAborted();
      const { trouble, value, etag = "", ...why } = await this.once(method, path, asked, signal);
      if (trouble === undefined) return { value, etag };
      await pauses.wait(`${method} ${path}: ${trouble}`, why, signal);
    }
  }

  /** Open a request as it is, for streams. */
  open(method: string, path: string, asked: Omit<Asked, "repeatable">, signal: AbortSignal): Promise<Response> {
    const headers: Record<string, string> = { ...asked.headers, ...this.#authorization };
    const init: RequestInit = { method, headers, signal, cache: "no-store" };
    if (asked.body !== undefined) {
      headers["Content-Type"] = "application/json";
      init.body = JSON.stringify(asked.body);
    }
    return this.fetcher(this.address.replace(/\/+$/, "") + withSaid(path, asked.query), init);
  }

  private async once(method: string, path: string, asked: Asked, signal: AbortSignal | undefined): Promise<Tried> {
    let response: Response;
    let text: string;
    const connection = new AbortController();
    const forget = [AbortSignal.timeout(this.timeout), signal].map((each) => passOn(each, connection));
    try {
      response = await this.open(method, path, asked, connection.signal);
      text = await response.text();
    } catch (cause) {
      signal?.throwIfAborted();
      if (asked.repeatable) return { trouble: String(cause), cause };
      throw new Unreachable(`${method} ${path}: ${String(cause)}; it may have been carried out`, { cause });
    } finally {
      for (const each of forget) each();
    }
    if (response.status === 304 || response.status === 204) return { value: undefined };
    if (response.ok) return { value: read(text, response), etag: response.headers.get("ETag") ?? "" };
    if ((asked.repeatable ? PASSING : NOT_CARRIED_OUT).has(response.status)) {
      return { trouble: String(response.status), retryAfter: response.headers.get("Retry-After") };
    }
    throw problemOf(response.status, text);
  }
}

/** Give the JSON of an answer; of one in lines, a list. */
function read(text: string, response: Response): unknown {
  if (!response.headers.get("Content-Type")?.startsWith("application/x-ndjson")) return JSON.parse(text);
  return text
    .split("\n")
    .filter((line) => line)
    .map((line) => JSON.parse(line) as unknown);
}

/** Let a signal abort a connection too; returns what ends that. (`AbortSignal.any` is not everywhere yet.) */
function passOn(signal: AbortSignal | undefined, connection: AbortController): () => void {
  const abort = () => connection.abort(signal?.reason);
  signal?.addEventListener("abort", abort);
  return () => signal?.removeEventListener("abort", abort);
}

/** What was answered: undefined where there is nothing new, and an empty tag where there is none. */
export interface Answer {
  value: unknown;
  etag: string;
}

interface Tried extends Trouble {
  value?: unknown;
  etag?: string;
  trouble?: string;
}

/** Add the parameters that are said to the query of a path, which may have one. */
function withSaid(path: string, query: Query = {}): string {
  const said = Object.entries(query).filter(([, value]) => value !== undefined && typeof value !== "object");
  if (said.length === 0) return path;
  return `${path}${path.includes("?") ? "&" : "?"}${new URLSearchParams(said.map(([name, value]) => [name, String(value)]))}`;
}

/** 128 random bits. `crypto.randomUUID` would want https. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
