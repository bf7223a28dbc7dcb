/** A drawing with a name that becomes a button when it may be touched. */
import type { ComponentChildren } from "preact";
import type { Box } from "./shapes";

/** Whether a thing is lit itself, or through the place it lies at, and whether it was touched already: a sum of these. */
export const LIT = 1;
export const LIT_PLACE = 2;
export const TOUCHED = 4;

interface Props {
  id: string;
  /** Where it lies, if it is a piece. A piece counts for its place. */
  at?: string;
  name: string;
  /** A sum of the above. */
  state: number;
  /** What a key does; the board itself listens for clicks. */
  touch: (id: string) => void;
  /** What takes the click beside what is drawn: a figure stands in a box, and is touched anywhere in it. */
  area: Area;
  children: ComponentChildren;
}

/** A rectangle, perhaps with round corners, turned around a point. */
export interface Area extends Box {
  rx?: number;
  transform?: string;
}

/** What is written in the drawing is not read aloud: the name says it in words. */
export function Touchable({ id, at, name, state, touch, area, children }: Props) {
  const classes = [state & (LIT | LIT_PLACE) && "lit", state & TOUCHED && "touched"].filter(Boolean).join(" ");
  const press = (event: KeyboardEvent) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    touch(id);
  };
  const asButton = state & LIT ? { role: "button" as const, tabindex: 0, "aria-label": name, onKeyDown: press } : {};
  return (
    <g class={classes || undefined} data-id={id} data-at={at} {...asButton}>
      {(state & LIT) !== 0 && <rect class="hit" {...area} />}
      <g aria-hidden="true">{children}</g>
      <title>{name}</title>
    </g>
  );
}
