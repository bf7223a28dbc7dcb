/** How Al-Rashid looks. */
import type { Skin } from "../../board/shapes";
import { arrange } from "./arrange";
import { figures } from "./figures";
import { drawPiece } from "./pieces";
import { drawPlace } from "./places";
import { pointsOf } from "./points";
import { scenery } from "./scenery";
import { viewOf } from "./view";

export const skin: Skin = {
  scenery,
  place: drawPlace,
  piece: (piece, box, board, scene) => drawPiece(piece, box, board, scene),
  arrange,
  words: () => null,
  figures,
  points: (seat, scene) => {
    const own = viewOf(scene).seats[seat];
    return own && pointsOf(own);
  },
  size: (board) => (board.seat === undefined ? 1.5 : 0.6),
  least: (board) => (board.seat === undefined ? 410 : 780),
};
