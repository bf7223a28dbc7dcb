/** Where pieces lie within their places. */
import { boxOf, cells } from "../../board/boards";
import type { Board, Box, Lying, Place, Scene } from "../../board/shapes";
import { tileIn } from "./buildings";

export function arrangedIn(place: Place, pieces: readonly Lying[]): Box[] | undefined {
  const box = boxOf(place);
  switch (place.kind) {
    case "shore":
    case "imperial_shore":
      return onShore(box, pieces);
    case "row_slot":
      return pieces.map(() => tileIn({ ...within(box, 3), height: box.height - 29 }));
    case "stack":
      return stack(box, pieces);
    case "track_space":
    case "track_reward":
    case "imperial_flower":
      return inLine(pieces.length > 3 ? within(box, 2) : { ...within(box, 2), x: box.x + 24, width: box.width - 26 }, pieces.length, 1);
    case "mastery_slot":
      return [{ ...within(box, 1), width: box.width * 0.6 }];
    case "river":
      return pieces.length > 2 ? cells(within(box, 3), pieces.length) : inLine(within(box, 3), pieces.length, 1);
    case "hand":
      return inLine(within(box, 5), pieces.length, 1);
    case "delivered":
      return inLine(within(box, 5), pieces.length, 0.72, 0.5);
    case "discard_pile":
      return inLine(within(box, 5), pieces.length, place.id === "discarded_tiles" ? 1 : 0.72);
    case "patron_offers":
      return inLine(within(box, 5), pieces.length, 2.3);
    case "merchant_space":
      return cells(box, 4);
    case "deck":
      return pieces.map(() => within(box, 3));
    case "koku":
    case "goods":
    case "favor":
    case "favor_limit":
    case "vp":
    case "clan":
    case "patron":
    case "mastery":
    case "region_tile":
      return pieces.map(() => box);
    default:
      return undefined;
  }
}

function within({ x, y, width, height }: Box, by: number): Box {
  return { x: x + by, y: y + by, width: width - 2 * by, height: height - 2 * by };
}

/** The tile, and its markers where the builder's bonus was. */
function onShore(box: Box, pieces: readonly Lying[]): Box[] {
  const tile = tileIn(within(box, 4));
  const markers = pieces.filter(({ kind }) => kind === "marker");
  const size = tile.width * (markers.length > 1 ? 0.33 : 0.42);
  return pieces.map((piece) => {
    const at = markers.indexOf(piece);
    if (at < 0) return tile;
    return { x: tile.x + tile.width * 0.97 - size * (markers.length - at), y: tile.y + tile.width * 0.03, width: size, height: size };
  });
}

/** The tile on top, and how many lie under it. */
function stack(box: Box, pieces: readonly Lying[]): Box[] {
  return pieces.map(({ component }) =>
    component === ""
      ? { x: box.x + 18, y: box.y + box.height - 30, width: box.width - 36, height: 28 }
      : tileIn({ ...within(box, 3), height: box.height - 29 }),
  );
}

/** Boxes of a shape, side by side; if there is no room for all, they become smaller to a part of their size, and then cover each other. */
function inLine({ x, y, width, height }: Box, number: number, shape: number, least = 0.9): Box[] {
  const wide = Math.min(height * shape, Math.max(width / number, height * shape * (number > 3 ? least : 0)));
  const step = number > 1 ? Math.min(wide * 1.04, (width - wide) / (number - 1)) : 0;
  const first = x + (width - wide - step * (number - 1)) / 2;
  const high = Math.min(height, wide / shape);
  return Array.from({ length: number }, (_, at) => ({ x: first + at * step, y: y + (height - high) / 2, width: wide * 0.97, height: high }));
}

/** How large a board is drawn, compared with its usual size. */
export function sizeOf(board: Board, { table }: Scene): number {
  if (board.seat !== undefined) return board.seat === table.audience.seat ? 0.52 : 0.4;
  if (board.id === "river") return 1;
  if (board.id === "influence") return 0.8; // with its title it is as high as the river beside it
  if (board.id === "building_row") return 0.37;
  return board.id.startsWith("patrons_") ? 0.3 : 0.45;
}

const LEAST: Record<string, number> = {
  patrons_draft: 760,
  patrons_choice_of_two: 760,
  river: 650,
  influence: 222,
  building_row: 500,
  clan_board: 440,
  customers: 440,
};

/** Return how many pixels wide a board is at least, so that what tiles and cards say can be read. */
export function leastOf(board: Board, { table }: Scene): number | undefined {
  return board.seat === undefined || board.seat === table.audience.seat ? LEAST[board.id] : undefined;
}
