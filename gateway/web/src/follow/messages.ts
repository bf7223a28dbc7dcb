/** What pages and the worker that follows matches for all of them say to each other. */
import type { MatchEvent, Table } from "@foldtable/client";
import type { Language } from "../i18n";

/** A match, with whose eyes and in which language. */
export interface Wish {
  match: string;
  credential: string;
  language: Language;
  /** Whose session the credential is; absent: it is none. */
  player?: string | undefined;
}

export type Move = Extract<MatchEvent, { event: "move.applied" }>;

export type News =
  | { kind: "table"; match: string; table: Table }
  | { kind: "move"; match: string; move: Move }
  /** The connection is lost, or there again. */
  | { kind: "connection"; match: string; lost: boolean }
  /** The match may no longer be read, or never could; `status` and `reason` are a problem's. */
  | { kind: "refused"; match: string; status: number; reason: string; detail: string };

export type Ask = { kind: "follow" | "forget"; key: number; wish: Wish };
export type Answer = { key: number; news: News };
