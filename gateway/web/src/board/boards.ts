/** Which boards a match uses, and what lies where on them. No drawing. */
import type { Layout, Match, Piece } from "@foldtable/client";
import type { Board, Box, LayoutBoard, Lying, Place } from "./shapes";

/** Return the boards of a match and every seat's mat, the mats in order of seats. The place `hand` of a mat is `hand@2` at seat 2. */
export function boardsOf({ boards, mats }: Layout, { options, seats }: Pick<Match, "options" | "seats">): Board[] {
  const chosen = options as Record<string, unknown>;
  const fits = (board: LayoutBoard) => Object.entries(board.options).every(([name, value]) => chosen[name] === value);
  const used = boards.filter((board) => fits(board) && (board.seats.length === 0 || board.seats.includes(seats.length)));
  const before = (seat: number): Board[] =>
    mats.map((mat) => ({
      ...mat,
      seat,
      places: mat.places.map((place) => ({ ...place, id: `${place.id}@${seat}` })),
      paths: mat.paths.map((path) => ({ ...path, a: `${path.a}@${seat}`, b: `${path.b}@${seat}` })),
    }));
  return [...used, ...seats.flatMap(({ seat }) => before(seat))];
}

const grouped = new WeakMap<object, ReadonlyMap<string, readonly Lying[]>>();
const withId = new WeakMap<Piece, Lying>();

/**
 * Return what lies at each place, in the order of ids: a table made from changes has its pieces in another order than the same
 * table at once. There is no list for empty places. The same piece is the same object at every version.
 */
export function lyingAt(pieces: Readonly<Record<string, Piece>>): ReadonlyMap<string, readonly Lying[]> {
  let lying = grouped.get(pieces);
  if (lying === undefined) {
    const ids = Object.keys(pieces).sort();
    const all = ids.map((id) => lyingPiece(id, pieces[id]!));
    grouped.set(pieces, (lying = Map.groupBy(all, ({ place }) => place)));
  }
  return lying;
}

function lyingPiece(id: string, piece: Piece): Lying {
  const known = withId.get(piece);
  if (known?.id === id) return known;
  const made = { ...piece, id };
  withId.set(piece, made);
  return made;
}

/** Return the box around a place. */
export function boxOf({ x, y, width, height }: Place): Box {
  return { x: x - width / 2, y: y - height / 2, width, height };
}

/** Return a grid of equal cells within a box, as large as they fit, none much longer than wide. */
export function cells({ x, y, width, height }: Box, number: number): Box[] {
  const smaller = (columns: number) => Math.min(width / columns, height / Math.ceil(number / columns));
  let across = 1;
  for (let columns = 2; columns <= number; columns++) if (smaller(columns) > smaller(across)) across = columns;
  const [wide, high] = [width / across, height / Math.ceil(number / across)];
  const [w, h] = [Math.min(wide * 0.92, high * 1.8), Math.min(high * 0.92, wide * 1.4)];
  return Array.from({ length: number }, (_, at) => ({
    x: x + wide * ((at % across) + 0.5) - w / 2,
    y: y + high * (Math.floor(at / across) + 0.5) - h / 2,
    width: w,
    height: h,
  }));
}

/** Return the box of a piece that lies at an exact point, or reaches from one point to another. */
export function exactBox({ x, y, x2, y2, width }: Lying, whole: number): Box {
  const size = width ?? whole / 40;
  const [left, top] = [Math.min(x!, x2 ?? x!), Math.min(y!, y2 ?? y!)];
  const [right, bottom] = [Math.max(x!, x2 ?? x!), Math.max(y!, y2 ?? y!)];
  return { x: left - size / 2, y: top - size / 2, width: right - left + size, height: bottom - top + size };
}
