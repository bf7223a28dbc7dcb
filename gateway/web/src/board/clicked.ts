/**
 * Where a board was clicked, and on what.
 *
 * Chromium moves the click of a tap by up to 16 pixels, to the middle of the box of the element that it takes for the target, where
 * another piece may lie. So a tap counts where the finger was. If nothing lit is there, the element that the browser chose counts.
 */
import type { RefObject } from "preact";
import { useRef } from "preact/hooks";

/** A point of the window, in CSS pixels. */
interface WindowPoint {
  clientX: number;
  clientY: number;
}

export interface Clicked {
  /** The lit thing that was clicked, if one was. */
  lit: SVGGElement | null;
  /** The point, in units of the board's view box. */
  x: number;
  y: number;
}

/** Return what to listen with for the finger, and what tells of a click where it was; `exactly`: ignore what lies nearby. */
export function useClicked(board: RefObject<SVGSVGElement | null>): { onTouchEnd: (event: TouchEvent) => void; clicked: (event: MouseEvent, exactly: boolean) => Clicked } {
  const finger = useRef<WindowPoint | undefined>(undefined);
  const onTouchEnd = ({ changedTouches }: TouchEvent) => {
    finger.current = changedTouches[0];
  };
  const clicked = (event: MouseEvent, exactly: boolean) => {
    const byFinger = (event as PointerEvent).pointerType === "touch" && finger.current;
    const { clientX, clientY } = byFinger || event;
    const under = byFinger ? document.elementFromPoint(clientX, clientY) : null;
    const lit = litOf(under) ?? (byFinger && exactly ? null : litOf(event.target));
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(board.current!.getScreenCTM()!.inverse());
    return { lit, x, y };
  };
  return { onTouchEnd, clicked };
}

/** Return the lit thing that something drawn belongs to. */
function litOf(drawn: EventTarget | null): SVGGElement | null {
  return (drawn as Element | null)?.closest<SVGGElement>("g.lit") ?? null;
}
