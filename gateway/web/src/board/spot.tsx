/** A place with the pieces that lie in it, and a piece at an exact point: each is drawn again only when it has changed. */
import { nameOf } from "../game";
import type { Lying, Scene } from "../games/skins";
import { type Board as Drawn, boxOf, cells, exactBox, type Place } from "./boards";
import { watching } from "./kept";
import { PlainPiece, PlainToken, pieceName } from "./piece";
import { PlainPlace } from "./place";
import { Touchable } from "./touchable";
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
      <Touchable id={place.id} name={called ?? (place.label || place.id)} state={states[0]!} touch={touch}>
        {skin.place?.(place, board, scene) ?? <PlainPlace place={place} board={board} />}
        {text !== "" && !corner && <Words {...box} text={text} whole={whole} />}
      </Touchable>
      {loose.map((piece, at) => (
        <Touchable key={piece.id} id={piece.id} at={place.id} name={pieceName(piece, scene)} state={states[1 + inside.indexOf(piece)]!} touch={touch}>
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
    <Touchable id={piece.id} at={piece.place} name={pieceName(piece, scene)} state={state} touch={touch}>
      {scene.game.skin.piece?.(piece, exactBox(piece, whole), board, scene) ?? <PlainToken piece={piece} whole={whole} marks={scene.marks} />}
    </Touchable>
  );
});

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
