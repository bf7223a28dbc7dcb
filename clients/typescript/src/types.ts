/** The API's objects by their names. They are made from its OpenAPI document, those of the games included. */

import type { components } from "./schema.js";

type Schemas = components["schemas"];

/** An action of any game; `Schema<"river_dragons.Action">` is one of a single game. */
export type Action = Schemas["Action"];
export type ActionHint = Schemas["ActionHint"];
export type AnnounceVacationRequest = Schemas["AnnounceVacationRequest"];
export type CancelledVacation = Schemas["CancelledVacation"];
export type CreateMatchRequest = Schemas["CreateMatchRequest"];
export type CreateMatchesRequest = Schemas["CreateMatchesRequest"];
export type CreatedMatch = Schemas["CreatedMatch"];
export type CreatedMatches = Schemas["CreatedMatches"];
export type Credential = Schemas["Credential"];
export type FeedMatch = Schemas["FeedMatch"];
export type FollowingMatch = Schemas["FollowingMatch"];
export type ForkRequest = Schemas["ForkRequest"];
export type GameDescription = Schemas["GameDescription"];
export type GameSummary = Schemas["GameSummary"];
export type JoinRequest = Schemas["JoinRequest"];
export type JoinedMatch = Schemas["JoinedMatch"];
export type Layout = Schemas["Layout"];
export type LegalActionsAnswer = Schemas["LegalActionsAnswer"];
export type LegalActionsNow = Schemas["LegalActionsNow"];
export type LoginCode = Schemas["LoginCode"];
export type Match = Schemas["Match"];
export type Move = Schemas["Move"];
export type MoveAnswer = Schemas["MoveAnswer"];
export type MoveRehearsed = Schemas["MoveRehearsed"];
/** A change of a table. */
export type PatchOperation = Schemas["TablePatchedData"]["patch"][number];
export type Piece = Schemas["Piece"];
export type PlayerSession = Schemas["PlayerSession"];
export type Problem = Schemas["Problem"];
export type QuickJoinRequest = Schemas["QuickJoinRequest"];
export type ReplacePlayerRequest = Schemas["ReplacePlayerRequest"];
export type ReplayStep = Schemas["ReplayStep"];
/** What a page draws of one version of a replay. */
export type ReplayTable = Schemas["ReplayTable"];
export type RevokedPlayer = Schemas["RevokedPlayer"];
export type ErasedPlayer = Schemas["ErasedPlayer"];
/** What it has besides depends on its `kind`. */
export type PlayerRecord = Schemas["PlayerRecord"] & Record<string, unknown>;
export type RevokedSessions = Schemas["RevokedSessions"];
export type Table = Schemas["Table"];
export type Template = Schemas["Template"];
export type TemplateHint = Schemas["TemplateHint"];
export type Text = Schemas["Text"];
export type Todo = Schemas["Todo"];
export type UndoState = Schemas["UndoState"];
export type UpdateSeatRequest = Schemas["UpdateSeatRequest"];
export type Vacation = Schemas["Vacation"];
export type Verification = Schemas["Verification"];
export type ViewAnswer = Schemas["ViewAnswer"];

/** Any object of the API by its name in the OpenAPI document. */
export type Schema<Name extends keyof Schemas> = Schemas[Name];

/** A game of the server whose document the types are made of. */
export type GameName = { [Name in keyof Schemas]: Name extends `${infer Game}.View` ? Game : never }[keyof Schemas];

type Legal = NonNullable<Table["legal"]>;

/** The table of one game, with its own view, actions and templates; `isOf` tells it from others. */
export type TableOf<Game extends GameName> = Omit<Table, "match" | "view" | "legal"> & {
  match: Match & { game: Game };
  view: Schemas[`${Game}.View`] | null;
  legal:
    | (Omit<Legal, "actions" | "templates"> & {
        actions: Schemas[`${Game}.Action`][];
        templates: Schemas[`${Game}.Template`][];
      })
    | null;
};

/**
 * What happens in a match, as its stream tells it. A later snapshot replaces what was known; so does a later table, which
 * only streams with `includeTable` have: `patched(table, patch)` is the newest one.
 */
export type MatchEvent = { match_id: string } & (
  | ({ event: "snapshot" } & Schemas["SnapshotData"])
  | ({ event: "move.applied" } & Schemas["MoveAppliedData"])
  | { event: "table"; version: number; table: Table }
  | ({ event: "table.patched" } & Schemas["TablePatchedData"])
  | ({ event: "seats.updated" } & Schemas["SeatsUpdatedData"])
  | ({ event: "revoked" } & Schemas["RevokedData"])
  | ({ event: "match.ended" } & Schemas["MatchEndedData"])
);

/** What happens in the matches of a player, or of a tenant. */
export type FeedEvent =
  | ({ event: "snapshot" } & Schemas["FeedSnapshotData"])
  | ({ event: "match.updated" } & Schemas["FeedMatch"]);

/** In which language the texts are, or `keys`; without one there are no texts. */
export type Language = "en" | "it" | "fr" | "pl" | "keys";

/** Until when to wait. */
export interface Ending {
  /** Ends it early, in whatever it waits for, with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** For whose eyes: a seat (named with `seat`), anybody, or somebody who may see everything. */
export interface Eyes extends Ending {
  seat?: number;
  audience?: "seat" | "public" | "referee";
}

/** For whose eyes, and in which language. */
export interface Reading extends Eyes {
  lang?: Language;
}

/** A table with its entity tag, by which the API knows whether the caller has the newest one. */
export interface TaggedTable {
  table: Table;
  etag: string;
}

/** One version of a match: the move that led to it, and what a page draws after it. */
export interface ReplayedVersion {
  version: number;
  move: Move;
  table: ReplayTable;
}

/** What to replay: all versions, or `first` to `last`. */
export interface Replaying extends Reading {
  first?: number;
  last?: number;
}

/** With what a move is answered. */
export interface Answering extends Ending {
  /** With the table as the seat sees it then; null if it could not be read. */
  includeTable?: boolean;
  lang?: Language;
}

/** How to follow matches. */
export interface Following extends Ending {
  /** With tables, and what changes in them, in place of snapshots. */
  includeTable?: boolean;
  lang?: Language;
}

/** For whom to play, and until when. */
export interface Playing extends Ending {
  /** The seat; a seat token may leave it out. */
  seat?: number;
  lang?: Language;
}

/** For whose turn to wait. */
export interface Waiting extends Playing {
  /** A version at which the seat has nothing to decide, if one is known; it saves a request. */
  since?: number;
}
