/** Lets pieces glide from where they lay to where they lie now. */
import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { calm } from "../motion";

const MILLISECONDS = 400;
const LEAST_PIXELS = 2;

/** Let the pieces inside an element glide whenever `moment` changes. `isOn`: false while somebody scrubs. */
export function useGlide(inside: RefObject<HTMLElement | null>, moment: unknown, isOn = true): void {
  const before = useRef(new Map<string, DOMRect>());
  useLayoutEffect(() => {
    if (!isOn || calm() || inside.current === null) return before.current.clear();
    const from = before.current;
    const now = new Map<string, DOMRect>();
    const [left, top] = [scrollX, scrollY];
    for (const piece of inside.current.querySelectorAll<SVGGElement>("g[data-at]")) {
      const box = piece.getBoundingClientRect();
      const place = new DOMRect(box.x + left, box.y + top, box.width, box.height);
      now.set(piece.dataset["id"]!, place);
      const old = from.get(piece.dataset["id"]!);
      if (old === undefined) continue;
      const [x, y] = [old.x - place.x, old.y - place.y];
      if (Math.hypot(x, y) < LEAST_PIXELS) continue;
      const scale = piece.getScreenCTM()?.a ?? 1;
      const way = [{ transform: `translate(${x / scale}px, ${y / scale}px)` }, { transform: "none" }];
      piece.animate(way, { duration: MILLISECONDS, easing: "ease-out" });
    }
    before.current = now;
  }, [moment, isOn]);
}
