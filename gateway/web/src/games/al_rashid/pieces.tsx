/** Which drawing each kind of piece has. */
import { pieceName } from "../../board/piece";
import type { Board, Box, Lying, Scene } from "../../board/shapes";
import { Words } from "../../board/words";
import { Crisis, OfficeTile } from "./cards";
import { GOLD, INK } from "./colours";
import { Glyph } from "./glyphs";
import { Disc, Mercenary, Person, Token } from "./tokens";
import { viewOf } from "./view";

export function drawPiece(piece: Lying, box: Box, board: Board, scene: Scene) {
  const extra = piece.kind === "crisis_tile" ? isNewest(piece.component, scene) : isSecret(piece.id, scene);
  return drawing(piece, box, board, scene, extra);
}

/** `extra`: for a tile on a territory, whether it is face down; for a crisis tile, whether it is the newest. */
function drawing(piece: Lying, box: Box, board: Board, scene: Scene, extra: boolean) {
  const mark = scene.marks[piece.seat ?? -1];
  switch (piece.kind) {
    case "pasha":
    case "merchant":
    case "sage":
      return mark && <Person piece={piece} box={box} mark={mark} />;
    case "order_marker":
      return mark && <Disc box={box} mark={mark} />;
    case "good":
    case "credit_note":
    case "influence_marker":
    case "dishonor_marker":
      return <Token piece={piece} box={box} glyph={piece.component} />;
    case "red_mercenary":
    case "blue_mercenary":
      return <Mercenary piece={piece} box={box} isSecret={extra} />;
    case "office_tile":
    case "used_office_tile":
      return <OfficeTile piece={piece} box={box} scene={scene} whole={board.view_box.width} />;
    case "crisis_tile":
      return <Crisis piece={piece} box={box} scene={scene} isNewest={extra} />;
    case "marker":
      return <Marker piece={piece} box={box} scene={scene} whole={board.view_box.width} />;
    default:
      return undefined;
  }
}

/** Return whether a tile on a territory lies face down. If its value is shown all the same, this seat has looked at it. */
function isSecret(id: string, scene: Scene): boolean {
  if (!id.startsWith("mercenary:")) return false;
  const number = Number(id.slice("mercenary:".length));
  return viewOf(scene).territories.some(({ mercenaries }) => mercenaries.some(({ id, face_up }) => id === number && !face_up));
}

const isNewest = (crisis: string, scene: Scene) => viewOf(scene).crises.at(-1) === crisis;

/** The marker of the turn, what was resolved, and what happens in the area that is being resolved. */
function Marker({ piece, box, scene, whole }: { piece: Lying; box: Box; scene: Scene; whole: number }) {
  const { x, y, width, height } = box;
  const size = Math.min(width, height);
  const [left, top] = [x + (width - size) / 2, y + (height - size) / 2];
  if (piece.component === "turn_marker" || piece.component === "resolved" || piece.component === "negotiator") {
    const glyph = { turn_marker: "crescent", resolved: "check", negotiator: "eye" }[piece.component];
    const ground = piece.component === "turn_marker" ? "#24496b" : "#fffdf8";
    return (
      <>
        <circle class="outline" cx={left + size / 2} cy={top + size / 2} r={size * 0.48} fill={ground} stroke={INK} />
        <Glyph name={glyph} x={left + size * 0.16} y={top + size * 0.16} size={size * 0.68} />
      </>
    );
  }
  return (
    <>
      <rect class="outline" x={x} y={y + height * 0.16} width={width} height={height * 0.68} rx={height * 0.34} fill={GOLD} stroke={INK} />
      <Words x={x + 6} y={y} width={width - 12} height={height} text={pieceName(piece, scene)} whole={whole} most={17} />
    </>
  );
}
