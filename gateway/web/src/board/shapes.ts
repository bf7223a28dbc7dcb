/** What boards, pieces and games are, for all that draw them: types alone, of which nothing is left in JavaScript. */
import type { Layout, Piece, Schema, Table } from "@foldtable/client";
import type { ComponentChildren } from "preact";
import type { Mark } from "./marks";

export type LayoutBoard = Layout["boards"][number];
export type Place = Schema<"Place">;

/** A board, or the mat before a seat, as it is drawn once. */
export interface Board extends Pick<LayoutBoard, "id" | "view_box" | "groups" | "places" | "paths"> {
  /** Whose mat it is; undefined for what belongs to nobody. */
  seat?: number;
}

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** What is known of a game beside its matches: where its things are, what they are called, and how they look. */
export interface Game {
  id: string;
  layout: Layout;
  messages: Readonly<Record<string, string>>;
  skin: Skin;
}

/** Everything that drawing may depend on. */
export interface Scene {
  game: Game;
  table: Pick<Table, "view" | "pieces" | "pending" | "match" | "audience">;
  marks: readonly Mark[];
  /** The places and pieces that were touched for the choice that is being made, in order. */
  touched?: readonly string[];
  /** The point that was chosen last, in the units of its board. */
  aimed?: { board: string; x: number; y: number } | undefined;
}

/** A piece with its id. */
export type Lying = Piece & { id: string };

/** A number that matters about a seat: money, cards in hand, … */
export interface Figure {
  /** What it counts, in words. */
  name: string;
  value: string | number;
  /** A small drawing of 16 × 16 units; without one the name is shown. */
  icon?: ComponentChildren;
}

/**
 * Each part may be left out, and each function may return undefined: then the usual drawing is used.
 *
 * Whatever a skin draws is SVG inside the group that the board makes for it, which has the name, the focus and the events.
 */
export interface Skin {
  /** What is drawn under all places of a board, in the units of its view box. */
  scenery?(board: Board, scene: Scene): ComponentChildren;
  /** The look of a place. What is drawn should fill its shape. */
  place?(place: Place, board: Board, scene: Scene): ComponentChildren;
  /** The look of a piece. `box` is where it lies, in the units of the board; for pieces with exact points it encloses them. */
  piece?(piece: Lying, box: Box, board: Board, scene: Scene): ComponentChildren;
  /** How the pieces that lie in a place are arranged: a box for each. */
  arrange?(place: Place, pieces: readonly Lying[], board: Board, scene: Scene): Box[] | undefined;
  /** Words written into a place; null: none. Without this, its label, or its name while it is empty. */
  words?(place: Place, board: Board, scene: Scene): string | null | undefined;
  /** What is shown beside the name of a seat. */
  figures?(seat: number, scene: Scene): Figure[];
  /** The points of a seat so far; undefined where the game has none before the end. */
  points?(seat: number, scene: Scene): number | undefined;
  /** Whether a board is left out now, because there is nothing to be seen or done on it. */
  hides?(board: Board, scene: Scene): boolean;
  /** How many times its usual size a board takes; 1 by default. `isOwn`: it is the mat that is pinned. */
  size?(board: Board, scene: Scene, isOwn: boolean): number;
  /** Whether the mats of the others stand beside the first board where there is room, in place of around and below it. */
  beside?: boolean;
  /** How many pixels a board is wide at least; on narrow screens it scrolls in its frame. By default its smallest place can be touched. */
  least?(board: Board, scene: Scene): number | undefined;
}
