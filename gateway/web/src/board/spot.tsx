/** A place with the pieces that lie in it, and a piece at an exact point: each is drawn again only when it has changed. */
import { boxOf, cells, exactBox } from "./boards";
import { watching } from "./kept";
import { nameOf } from "./messages";
import { PlainPiece, PlainToken, pieceName } from "./piece";
import { PlainPlace } from "./place";
import type { Board as Drawn, Box, Lying, Place, Scene } from "./shapes";
import { type Area, Touchable } from "./touchable";
import { Words } from "./words";

interface SpotProps {
  place: Place;
  board: Drawn;
  scene: Scene;
  /** What lies in the place, in whatever way. */
  inside: readonly Lying[];
  /** How far the place, and then each of the pieces, can be touched. */
  states: readonly number[];
  touch: (id: string) => void;
}

/** A place, and the pieces that lie anywhere in it. */
export const Spot = watching(({ place, board, scene, inside, states, touch }: SpotProps) => {
  const { skin } = scene.game;
  const whole = board.view_box.width;
  const called = nameOf(scene.game, place.id);
  const loose = inside.filter((piece) => piece.x === undefined || piece.x === null);
  const boxes = skin.arrange?.(place, loose, board, scene) ?? cells(boxOf(place), loose.length);
  const usual = place.label || (inside.length === 0 && place.shape !== "polygon" ? (called ?? "") : "");
  const written = skin.words?.(place, board, scene);
  const text = written === undefined ? usual : (written ?? "");
  const corner = place.label !== "" && text === place.label;
  const box = boxOf(place);
  return (
    <>
      <Touchable id={place.id} name={called ?? (place.label || place.id)} state={states[0]!} touch={touch} area={rounded(box, place.shape === "circle")}>
        {skin.place?.(place, board, scene) ?? <PlainPlace place={place} board={board} />}
        {text !== "" && !corner && <Words {...box} text={text} whole={whole} />}
      </Touchable>
      {loose.map((piece, at) => (
        <Touchable
          key={piece.id}
          id={piece.id}
          at={place.id}
          name={pieceName(piece, scene)}
          state={states[1 + inside.indexOf(piece)]!}
          touch={touch}
          area={boxes[at]!}
        >
          {skin.piece?.(piece, boxes[at]!, board, scene) ?? <PlainPiece piece={piece} box={boxes[at]!} whole={whole} scene={scene} />}
        </Touchable>
      ))}
      {corner && (
        <text class="corner" x={box.x + whole / 170} y={box.y + whole / 170} font-size={Math.min(place.height * 0.28, whole / 42)}>
          {text}
        </text>
      )}
    </>
  );
});

interface ExactProps {
  piece: Lying;
  board: Drawn;
  scene: Scene;
  state: number;
  touch: (id: string) => void;
}

/** A piece that lies at an exact point, or reaches from one point to another. */
export const Exact = watching(({ piece, board, scene, state, touch }: ExactProps) => {
  const whole = board.view_box.width;
  return (
    <Touchable id={piece.id} at={piece.place} name={pieceName(piece, scene)} state={state} touch={touch} area={areaOf(piece, whole)}>
      {scene.game.skin.piece?.(piece, exactBox(piece, whole), board, scene) ?? <PlainToken piece={piece} whole={whole} marks={scene.marks} />}
    </Touchable>
  );
});

/** A long piece is touched at least in so large a part of its board. */
const LEAST_THICK = 1 / 28;

/** Return what takes the click of a piece at an exact point: a round one in its box, a long one all along, however it lies. */
function areaOf(piece: Lying, whole: number): Area {
  const { x, y, x2, y2, width } = piece;
  if (x2 === undefined || x2 === null) return rounded(exactBox(piece, whole), true);
  const [right, down] = [x2 - x!, y2! - y!];
  const thick = Math.max(width ?? 0, whole * LEAST_THICK);
  const turn = `rotate(${(Math.atan2(down, right) * 180) / Math.PI} ${x} ${y})`;
  return { x: x!, y: y! - thick / 2, width: Math.hypot(right, down), height: thick, transform: turn };
}

/** Return a box without its outermost corners, where something round takes no click. */
function rounded(box: Box, isRound: boolean): Area {
  return isRound ? { ...box, rx: Math.min(box.width, box.height) / 6 } : box;
}

/** What is drawn under all places. */
export const Scenery = watching(({ board, scene }: Pick<SpotProps, "board" | "scene">) => {
  return <>{scene.game.skin.scenery?.(board, scene) ?? <Paths board={board} />}</>;
});

function Paths({ board }: { board: Drawn }) {
  const places = new Map(board.places.map((place) => [place.id, place]));
  return (
    <g class="paths" stroke-width={board.view_box.width / 200}>
      {board.paths.map(({ a, b }) => {
        const [from, to] = [places.get(a)!, places.get(b)!];
        return <line key={`${a} ${b}`} x1={from.x} y1={from.y} x2={to.x} y2={to.y} />;
      })}
    </g>
  );
}
