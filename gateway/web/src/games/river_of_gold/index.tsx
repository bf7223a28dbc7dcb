/** River of Gold, drawn with simple shapes of our own. */
import type { Skin } from "../../board/shapes";
import { arrangedIn, leastOf, sizeOf } from "./arranged";
import { figuresOf, pointsOf } from "./figures";
import { pieceOf } from "./pieces";
import { placeOf } from "./places";
import { sceneryOf } from "./scenery";
import { seen } from "./seen";

/** The kinds of places that have a name to show while they are empty. */
const NAMED = new Set(["discard_pile", "clan"]);

export const skin: Skin = {
  scenery: sceneryOf,
  place: (place, _board, scene) => placeOf(place, scene),
  piece: pieceOf,
  arrange: arrangedIn,
  words: ({ kind }) => (NAMED.has(kind) ? undefined : null),
  figures: figuresOf,
  points: pointsOf,
  hides: (board, scene) => board.id.startsWith("patrons_") && seen(scene).offers.length === 0,
  size: sizeOf,
  least: leastOf,
};
