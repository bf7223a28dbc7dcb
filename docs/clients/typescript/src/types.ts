/** The API's objects by their names. They are made from its OpenAPI document, those of the games included. */

import type { components } from "./schema.js";

type Schemas = components["schemas"];

/** An action of any game; `Schema<"river_dragons.Action">` is one of a single game. */
export type Action = Schemas["Action"];
export type CreateMatchRequest = Schemas["CreateMatchRequest"];
export type CreatedMatch = Schemas["CreatedMatch"];
export type Credential = Schemas["Credential"];
export type FeedMatch = Schemas["FeedMatch"];
export type FollowingMatch = Schemas["FollowingMatch"];
export type ForkRequest = Schemas["ForkRequest"];
export type GameDescription = Schemas["GameDescription"];
export type GameSummary = Schemas["GameSummary"];
export type JoinRequest = Schemas["JoinRequest"];
export type JoinedMatch = Schemas["JoinedMatch"];
export type LegalActionsAnswer = Schemas["LegalActionsAnswer"];
export type LegalActionsNow = Schemas["LegalActionsNow"];
export type Match = Schemas["Match"];
export type Move = Schemas["Move"];
export type MoveAnswer = Schemas["MoveAnswer"];
export type MoveRehearsed = Schemas["MoveRehearsed"];
export type Problem = Schemas["Problem"];
export type QuickJoinRequest = Schemas["QuickJoinRequest"];
export type UndoState = Schemas["UndoState"];
export type UpdateSeatRequest = Schemas["UpdateSeatRequest"];
export type Verification = Schemas["Verification"];
export type ViewAnswer = Schemas["ViewAnswer"];

/** Any object of the API by its name in the OpenAPI document. */
export type Schema<Name extends keyof Schemas> = Schemas[Name];

/** What happens in a match, as its stream tells it. A later snapshot replaces what was known. */
export type MatchEvent =
  | ({ event: "snapshot" } & Schemas["SnapshotData"])
  | ({ event: "move.applied" } & Schemas["MoveAppliedData"])
  | ({ event: "match.ended" } & Schemas["MatchEndedData"]);

/** What happens in the matches of a player, or of a tenant. */
export type FeedEvent =
  | ({ event: "snapshot" } & Schemas["FeedSnapshotData"])
  | ({ event: "match.updated" } & Schemas["FeedMatch"]);

/** For whose eyes: a seat (named with `seat`), anybody, or somebody who may see everything. */
export interface Eyes {
  seat?: number;
  audience?: "seat" | "public" | "referee";
}

/** For whom to play, and until when. */
export interface Playing {
  /** The seat; a seat token may leave it out. */
  seat?: number;
  /** How many legal actions to draw at random; 1. */
  samples?: number;
  /** Ends it early. */
  signal?: AbortSignal;
}

/** For whose turn to wait. */
export interface Waiting extends Playing {
  /** A version at which the seat has nothing to decide, if one is known; it saves a request. */
  since?: number;
}
