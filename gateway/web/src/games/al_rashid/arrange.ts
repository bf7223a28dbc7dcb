/** Where pieces lie within a place: goods and tiles of a kind always at the same spot, so that they are found without reading. */
import { boxOf, cells } from "../../board/boards";
import type { Board, Box, Lying, Place, Scene } from "../../board/shapes";
import { GOODS, viewOf } from "./view";

/** The height of the name above the places of a mat and above heaps. */
export const CAPTION = 17;
const WITH_CAPTIONS = new Set(["reserve", "held", "goods@", "hand", "markers", "offices", "discards", "crisis_tile"]);

/** Return whether a place has its name above what lies there. */
export const hasCaption = ({ id, kind }: Place): boolean => WITH_CAPTIONS.has(id.startsWith("goods@") ? "goods@" : kind);

const SUPPLIES: readonly string[] = [...GOODS, "credit_note"];
const MARKERS = ["influence_marker", "dishonor_marker"];
const TILES = ["red_2", "red_3", "red_4", "blue_2", "blue_3", "blue_4"];

/** Return the box where pieces lie, below the name if there is one. */
export function ground(place: Place): Box {
  const { x, y, width, height } = boxOf(place);
  const above = hasCaption(place) ? CAPTION : 3;
  return { x: x + 4, y: y + above, width: width - 8, height: height - above - 3 };
}

/** Return the boxes of a grid of fixed spots, row by row. */
export function grid({ x, y, width, height }: Box, columns: number, rows: number, gap = 4): Box[] {
  const [wide, high] = [(width - (columns - 1) * gap) / columns, (height - (rows - 1) * gap) / rows];
  return Array.from({ length: columns * rows }, (_, at) => ({
    x: x + (at % columns) * (wide + gap),
    y: y + Math.floor(at / columns) * (high + gap),
    width: wide,
    height: high,
  }));
}

/** A spot within a place, and the kind of piece that lies there. */
interface Spot {
  kind: string;
  box: Box;
}

/** Return the spots of a place for goods or markers: a mat has one for each kind, a territory one for what is printed on it. */
export function spotsOf(place: Place, scene: Scene): Spot[] {
  const box = ground(place);
  const [kinds, boxes] =
    place.kind === "markers" ? [MARKERS, grid(box, 1, 2)] : place.group === "" ? [SUPPLIES, grid(box, 3, 2)] : [printed(place, scene), grid(box, 5, 1)];
  return kinds.map((kind, at) => ({ kind, box: boxes[at]! }));
}

function printed(place: Place, scene: Scene): string[] {
  const territory = viewOf(scene).territories.find(({ id }) => id === place.group);
  return [...GOODS.filter((good) => territory?.printed[good]), "credit_note"];
}

export function arrange(place: Place, pieces: readonly Lying[], _board: Board, scene: Scene): Box[] | undefined {
  const box = ground(place);
  if (pieces.length === 0) return [];
  switch (place.kind) {
    case "slot":
      return people(place, pieces);
    case "palace":
    case "territory":
      return beside(place, pieces);
    case "goods":
    case "markers":
      return spots(pieces, spotsOf(place, scene));
    case "hand":
    case "discards": {
      const isKnown = pieces.every(({ component }) => TILES.includes(component));
      const boxes = grid(box, 3, 2);
      return isKnown ? spots(pieces, TILES.map((kind, at) => ({ kind, box: boxes[at]! }))) : grid(box, Math.max(2, pieces.length), 1);
    }
    case "mercenaries": {
      const columns = Math.max(2, pieces.length > 4 ? Math.ceil(pieces.length / 2) : pieces.length > 2 ? 3 : 2);
      return grid(box, columns, Math.max(1, Math.ceil(pieces.length / columns)), 2);
    }
    case "reserve":
      return grid(box, 3, 1, 0);
    case "crisis_tile":
      return grid(box, 5, 1).slice(0, pieces.length);
    case "office":
      return [boxOf(place)];
    case "stack":
      return stacked(box, pieces.length);
    case "offices": {
      const rows = pieces.length > 6 ? 2 : 1;
      return grid(box, Math.max(4, Math.ceil(pieces.length / rows)), rows);
    }
    default:
      return cells(box, pieces.length);
  }
}

/** Return for each piece the spot of its kind. */
function spots(pieces: readonly Lying[], known: readonly Spot[]): Box[] {
  return pieces.map(({ component }) => (known.find(({ kind }) => kind === component) ?? known[0]!).box);
}

/** Somebody of rank stands on the left, sages on the right; ranks and dominance are written beside them. */
function people(place: Place, pieces: readonly Lying[]): Box[] {
  const { x, y, width, height } = boxOf(place);
  const room = width - 21;
  if (pieces.length === 1) return [{ x: x + 2, y: y + 2, width: room, height: height - 5 }];
  return pieces.map((_, at) => ({ x: x + at * room * 0.42, y: y + 4 + at * 8, width: room * 0.62, height: height - 8 - at * 8 }));
}

/** What is said about an area lies at the right end of its banner. */
function beside(place: Place, pieces: readonly Lying[]): Box[] {
  const { x, y, width, height } = boxOf(place);
  let right = x + width - 6;
  return pieces.map(({ component }) => {
    const wide = component === "resolved" || component === "negotiator" ? height - 12 : 104;
    right -= wide + 4;
    return { x: right + 4, y: y + 6, width: wide, height: height - 12 };
  });
}

function stacked(box: Box, pieces: number): Box[] {
  if (pieces > 1) return cells(box, pieces);
  const [width, height] = [Math.min(box.width, box.height * 1.2), box.height - 6];
  return [{ x: box.x + (box.width - width) / 2, y: box.y + 3, width, height }];
}
