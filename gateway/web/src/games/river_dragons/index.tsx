/** River Dragons: a river with villages, islands, stones and planks, and programs of cards. */
import { boxOf } from "../../board/boards";
import type { Board, Box, Lying, Place, Skin } from "../../board/shapes";
import { figures } from "./figures";
import { pieceOf } from "./pieces";
import { placeOf } from "./places";
import { scenery } from "./scenery";
import { pawnsIn } from "./village";

/** The width of a card in a hand, and how far the next one is. */
const [CARD, PITCH] = [130, 145];

export const skin: Skin = {
  scenery,
  place: placeOf,
  piece: pieceOf,
  arrange,
  words: () => null,
  figures,
  size: (board, _scene, isOwn) => (board.seat === undefined ? 2 : isOwn ? 1 : 0.5),
  beside: true,
};

function arrange(place: Place, pieces: readonly Lying[], _board: Board): Box[] | undefined {
  const { x, y, width, height } = boxOf(place);
  switch (place.kind) {
    case "village":
      return pawnsIn(place, pieces.length);
    case "supply":
      return pieces.map(() => ({ x: x + 80, y: y + 180, width: width - 160, height: height - 240 }));
    case "hand": {
      const pitch = Math.min(PITCH, (width - CARD) / Math.max(1, pieces.length - 1));
      return pieces.map((_, at) => ({ x: x + at * pitch, y, width: CARD, height }));
    }
    case "lost_planks": {
      const columns = pieces.length > 10 ? 3 : pieces.length > 4 ? 2 : 1;
      const rows = Math.ceil(pieces.length / columns);
      const [wide, high] = [(width - 100) / columns, (height - 250) / Math.max(rows, 4)];
      return pieces.map((_, at) => ({
        x: x + 50 + (at % columns) * wide + wide * 0.05,
        y: y + 200 + Math.floor(at / columns) * high + high * 0.2,
        width: wide * 0.9,
        height: high * 0.6,
      }));
    }
    case "program_slot":
    case "first_player":
    case "start":
    case "destination":
      return pieces.map(() => ({ x, y, width, height }));
    default:
      return undefined;
  }
}
