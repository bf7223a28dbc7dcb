/** Lets the mouse through what lies over something lit and is not lit itself: a palace is touched anywhere, whoever stands in it. */
import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";
import type { Box } from "./shapes";

/** Less of a lit thing, and of what lies over it, may stay covered. */
const SLIVER = 0.02;
const HALF = 0.5;

/** Something that the mouse goes through. */
interface Passed {
  box: Box;
  thing: SVGGElement;
}

/** Mark what the mouse goes through on a board, after each drawing while something is `lit`. What it is stays told beside the mouse. */
export function useThrough(board: RefObject<SVGSVGElement | null>, lit: ReadonlyMap<string, unknown> | undefined): void {
  useLayoutEffect(() => {
    const drawn = board.current!;
    const things = [...drawn.querySelectorAll<SVGGElement>("g[data-id]")];
    for (const thing of things) thing.removeAttribute("data-through");
    if (lit === undefined || lit.size === 0) return undefined;
    const below: Box[] = []; // what is drawn earlier lies below
    const passed: Passed[] = [];
    for (const thing of things) {
      const box = thing.getBBox();
      if (lit.has(thing.dataset["id"]!)) below.push(box);
      else if (covers(box, below)) passed.push({ box, thing });
    }
    for (const { thing } of passed) thing.setAttribute("data-through", "");
    const before = new Map<Text, string>();
    const tell = (event: PointerEvent) => tellPassed(drawn, passed, before, event);
    drawn.addEventListener("pointermove", tell);
    return () => {
      drawn.removeEventListener("pointermove", tell);
      for (const [text, said] of before) text.data = said;
    };
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

/** Add to the title of the lit thing under the mouse that of what lies over it there; `before` keeps what the titles said. */
function tellPassed(drawn: SVGSVGElement, passed: readonly Passed[], before: Map<Text, string>, { target, clientX, clientY }: PointerEvent): void {
  const lit = (target as Element).closest(".lit[role=button]");
  const text = lit?.lastElementChild?.firstChild as Text | null | undefined;
  if (!lit || !text) return;
  const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(drawn.getScreenCTM()!.inverse());
  const isIn = ({ box }: Passed) => x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height;
  const over = passed.findLast(isIn)?.thing.querySelector("title")?.textContent;
  if (!before.has(text)) before.set(text, text.data);
  const told = [before.get(text), over].filter(Boolean).join("\n");
  if (text.data !== told) text.data = told;
}
