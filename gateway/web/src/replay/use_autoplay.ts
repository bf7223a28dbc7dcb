/** A replay that goes on by itself. */
import { useEffect, useState } from "preact/hooks";
import { store, stored } from "../stored";

/** How fast, in moves a second. */
export const PACES = [0.25, 0.5, 1, 2, 4] as const;

export interface Autoplay {
  isPlaying: boolean;
  play: (isPlaying: boolean) => void;
  pace: number;
  setPace: (pace: number) => void;
}

/** Return an autoplay that calls `next` from version to version, and stops at the last one. */
export function useAutoplay(at: number, last: number, next: () => void): Autoplay {
  const [isPlaying, play] = useState(false);
  const [pace, setPace] = useState(() => stored<number>("pace", 1));
  useEffect(() => {
    if (!isPlaying) return undefined;
    if (at >= last) {
      play(false);
      return undefined;
    }
    const timer = setTimeout(next, 1000 / pace);
    return () => clearTimeout(timer);
  }, [isPlaying, pace, at, last]);
  const keep = (chosen: number) => {
    store("pace", chosen);
    setPace(chosen);
  };
  return { isPlaying, play, pace, setPace: keep };
}
