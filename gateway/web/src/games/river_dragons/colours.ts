/** The colours of the game, and what a scene knows of it. */
import type { Schema } from "@foldtable/client";
import type { Scene } from "../../board/shapes";

type View = Schema<"river_dragons.View">;
export type Colour = Schema<"river_dragons.Colour">;

/** The colours of villages and planks; players of a colour have the same one from the layout. */
export const PAINT: Readonly<Record<Colour, string>> = {
  blue: "#0072b2",
  green: "#009e73",
  red: "#d55e00",
  yellow: "#f0e442",
  black: "#000000",
  pink: "#cc79a7",
};

export const INK = "#2b2620";
export const PAPER = "#fffdf8";
export const GOLD = "#f5b700";
export const STONE = "#8b9094";

/** Return the view of a scene. A table has one from the start of its match on, and boards are drawn only then. */
export function viewOf({ table }: Scene): View {
  return table.view as View;
}

/** Return the seat of a colour; undefined for a colour that nobody plays. */
export function seatOf(colour: Colour, scene: Scene): number | undefined {
  return viewOf(scene).seats.find((one) => one.colour === colour)?.seat;
}

/** Return the colour of a village, such as `V-red`. */
export function colourOf(village: string): Colour {
  return village.slice("V-".length) as Colour;
}
