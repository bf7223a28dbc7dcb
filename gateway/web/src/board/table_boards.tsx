/** All boards of a match: what belongs to nobody, the own mat pinned where it stays in view, and the mats of the others. */
import type { ComponentChildren } from "preact";
import { useMemo, useRef } from "preact/hooks";
import { Board, type Touching } from "./board";
import { boardsOf } from "./boards";
import { useGlide } from "./glide";
import { nameOf } from "./messages";
import type { Board as Drawn, Scene } from "./shapes";

export interface BoardTouching extends Omit<Touching, "point"> {
  point?: { board: string; take: (x: number, y: number) => void };
}

interface Props {
  scene: Scene;
  /** The seat whose mat is pinned; undefined: none. */
  own?: number | undefined;
  /** Return what a seat is called. */
  called: (seat: number) => string;
  touching?: BoardTouching | undefined;
  /** Whether pieces glide to their new places. */
  glides?: boolean;
}

export function TableBoards({ scene, own, called, touching, glides = true }: Props) {
  const inside = useRef<HTMLDivElement>(null);
  const { layout } = scene.game;
  const { match } = scene.table;
  const boards = useMemo(() => boardsOf(layout, match), [layout, JSON.stringify(match.options), match.seats.length]);
  useGlide(inside, scene.table, glides);
  const isOwn = (board: Drawn) => board.seat !== undefined && board.seat === own;
  const shown = (board: Drawn): ComponentChildren => {
    const isMat = board.seat !== undefined;
    const title = isOwn(board) ? "" : isMat ? called(board.seat!) : (nameOf(scene.game, board.id) ?? "");
    const point = touching?.point;
    const local: Touching | undefined = touching && {
      lit: touching.lit,
      touched: touching.touched,
      ...(point?.board === board.id ? { point: point.take } : {}),
    };
    return (
      <figure key={`${board.id}@${board.seat}`} style={flexOf(board, scene, isOwn(board))} data-seat={board.seat}>
        {title !== "" && <figcaption>{title}</figcaption>}
        <div class="scroll" tabindex={0} role="group" aria-label={title || board.id}>
          <Board board={board} scene={scene} touching={local} label={title || (isMat ? called(board.seat!) : board.id)} />
        </div>
      </figure>
    );
  };
  const mine = boards.filter(isOwn);
  return (
    <div ref={inside} class="boards">
      <div class={scene.game.skin.beside ? "common beside" : "common"}>{boards.filter((board) => !isOwn(board) && !scene.game.skin.hides?.(board, scene)).map(shown)}</div>
      {mine.length > 0 && (
        <details class="own" open>
          <summary>{called(own!)}</summary>
          <div>{mine.map(shown)}</div>
        </details>
      )}
    </div>
  );
}

/** How much wider a figure is than its board, in pixels. */
const FRAME = 16;

/** Return how wide a board is beside others: in proportion to its shape, and never so small that its places cannot be touched. */
function flexOf(board: Drawn, scene: Scene, isOwn: boolean): Record<string, string> {
  const { skin } = scene.game;
  const { width, height } = board.view_box;
  const size = skin.size?.(board, scene, isOwn) ?? 1;
  const smallest = Math.min(...board.places.flatMap((place) => [place.width, place.height]));
  const needed = skin.least?.(board, scene) ?? Math.min(640, Math.round((17 * width) / smallest));
  const isMat = board.seat !== undefined;
  const wide = (high: number) => Math.round((high * width * size) / height);
  return {
    "--needed": `${needed}px`,
    "flex": `${((isMat ? 1 : 3) * size * width) / height} 1 ${Math.max(wide(isMat ? 180 : 330), needed + FRAME)}px`,
    "max-width": `${wide(isMat ? 300 : 760)}px`,
  };
}
