/** Lets the mouse through what lies over something lit and is not lit itself: a palace is touched anywhere, whoever stands in it. */
import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";
import type { Box } from "./boards";

/** Less of a lit thing, and of what lies over it, may stay covered. */
const SLIVER = 0.02;
const HALF = 0.5;

/** Mark what the mouse goes through on a board, after each drawing while something is `lit`. */
export function useThrough(board: RefObject<SVGSVGElement | null>, lit: ReadonlyMap<string, unknown> | undefined): void {
  useLayoutEffect(() => {
    const things = [...board.current!.querySelectorAll<SVGGElement>("g[data-id]")];
    for (const thing of things) thing.removeAttribute("data-through");
    if (lit === undefined || lit.size === 0) return;
    const below: Box[] = []; // what is drawn earlier lies below
    for (const thing of things) {
      if (lit.has(thing.dataset["id"]!)) below.push(thing.getBBox());
      else if (below.length > 0 && covers(thing.getBBox(), below)) thing.setAttribute("data-through", "");
    }
  });
}

function covers(box: Box, below: readonly Box[]): boolean {
  return below.some((lit) => {
    const common = commonArea(box, lit);
    return common > 0 && (common > SLIVER * lit.width * lit.height || common > HALF * box.width * box.height);
  });
}

function commonArea(one: Box, other: Box): number {
  const width = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
  const height = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  return Math.max(0, width) * Math.max(0, height);
}
