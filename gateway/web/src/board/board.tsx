/** A board of any game, drawn as SVG: its places, and the pieces that lie there. */
import { useCallback, useRef } from "preact/hooks";
import { lyingAt } from "./boards";
import { useClicked } from "./clicked";
import type { Board as Drawn, Lying, Scene } from "./shapes";
import { Exact, Scenery, Spot } from "./spot";
import { useThrough } from "./through";
import { LIT, LIT_PLACE, TOUCHED } from "./touchable";

/** What can be touched on a board, and what was touched already. */
export interface Touching {
  /** What to do when a place or a piece is touched, by its id. */
  lit: ReadonlyMap<string, () => void>;
  touched: readonly string[];
  /** If a point of this board is to be chosen: what to do with it, in whole units of the view box. */
  point?: (x: number, y: number) => void;
}

interface Props {
  board: Drawn;
  scene: Scene;
  touching?: Touching | undefined;
  label: string;
}

export function Board({ board, scene, touching, label }: Props) {
  const drawn = useRef<SVGSVGElement>(null);
  const { x, y, width, height } = board.view_box;
  const lying = lyingAt(scene.table.pieces);
  const point = touching?.point;
  const newest = useRef(touching); // places that are not drawn again do what is to be done now, not then
  newest.current = touching;
  const touch = useCallback((id: string) => newest.current?.lit.get(id)?.(), []);
  const { onTouchEnd, clicked } = useClicked(drawn);
  const choose = (event: MouseEvent) => {
    const { lit, x, y } = clicked(event, point !== undefined);
    if (lit !== null) touch(targetOf(lit, touching!.lit));
    else point?.(Math.round(x), Math.round(y));
  };
  useThrough(drawn, touching?.lit);
  const state = (id: string, at = "") => stateOf(touching, id, at);
  const exact = board.places.flatMap(({ id }) => lying.get(id) ?? NONE).filter((piece) => piece.x !== undefined && piece.x !== null);
  const isLong = (piece: Lying) => piece.x2 !== undefined && piece.x2 !== null;
  return (
    <svg
      ref={drawn}
      class={point ? "board aimed" : "board"}
      viewBox={`${x} ${y} ${width} ${height}`}
      data-board={board.id}
      role="group"
      aria-label={label}
      onTouchEnd={touching && onTouchEnd}
      onClick={touching && choose}
    >
      <Scenery board={board} scene={scene} />
      {board.places.map((place) => {
        const inside = lying.get(place.id) ?? NONE;
        const states = [state(place.id), ...inside.map(({ id }) => state(id, place.id))];
        return <Spot key={place.id} place={place} board={board} scene={scene} inside={inside} states={states} touch={touch} />;
      })}
      {[...exact.filter(isLong), ...exact.filter((piece) => !isLong(piece))].map((piece) => (
        <Exact key={piece.id} piece={piece} board={board} scene={scene} state={state(piece.id, piece.place)} touch={touch} />
      ))}
      {scene.aimed?.board === board.id && (
        <circle class="aim" cx={scene.aimed.x} cy={scene.aimed.y} r={width / 50} />
      )}
    </svg>
  );
}

/** Return what a lit thing is touched for: itself, or the place it lies at. */
function targetOf({ dataset }: SVGGElement, lit: Touching["lit"]): string {
  return lit.has(dataset["id"]!) ? dataset["id"]! : dataset["at"]!;
}

const NONE: readonly Lying[] = [];

function stateOf(touching: Touching | undefined, id: string, at: string): number {
  if (touching === undefined) return 0;
  const { lit, touched } = touching;
  return (lit.has(id) ? LIT : 0) + (lit.has(at) ? LIT_PLACE : 0) + (touched.includes(id) ? TOUCHED : 0);
}
