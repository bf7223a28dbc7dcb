/** The keys of a replay, wherever the focus is: unless something has it that needs the key itself. */
import { useEffect, useRef } from "preact/hooks";

export interface Keys {
  /** One step on or back; `isFar`: by a turn in place of a move. */
  step: (isForward: boolean, isFar: boolean) => void;
  end: (isLast: boolean) => void;
  toggle: () => void;
}

/** What is typed into keeps all keys, and what Space presses keeps Space. The slider keeps none: it would step by itself. */
const TYPED = "input:not([type=range]), select, textarea";
const PRESSED = `${TYPED}, button, a, summary, [role=button]`;

/** Return whether an element is a frame that its keys scroll. */
function scrolls(on: Element): boolean {
  return on.matches(".scroll") && (on.scrollWidth > on.clientWidth || on.scrollHeight > on.clientHeight);
}

/** Return whether a key was used. */
function used({ key, shiftKey }: KeyboardEvent, on: Element, keys: Keys): boolean {
  if (on.matches(key === " " ? PRESSED : TYPED) || scrolls(on)) return false;
  if (key === "ArrowLeft" || key === "ArrowRight") keys.step(key === "ArrowRight", shiftKey);
  else if (key === "Home" || key === "End") keys.end(key === "End");
  else if (key === " ") keys.toggle();
  else return false;
  return true;
}

export function useKeys(keys: Keys): void {
  const newest = useRef(keys);
  newest.current = keys;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.altKey || event.ctrlKey || event.metaKey || !(event.target instanceof Element)) return;
      if (used(event, event.target, newest.current)) event.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}
