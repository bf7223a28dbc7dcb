/** Which version of a replay is shown: as the address says at first, and the address follows. */
import { useEffect, useRef, useState } from "preact/hooks";
import { replaceAddress, replayOf } from "../route";
import type { Eyes } from "./eyes";

/** Milliseconds without another version after which the address is changed. */
const SETTLED = 300;

export interface Place {
  at: number;
  /** Whether pieces may glide: the last change was one step, and nobody is scrubbing. */
  glides: boolean;
  go: (version: number) => void;
  /** Go to a version as one of many in a row. */
  scrub: (version: number) => void;
}

interface Asked {
  match: string;
  /** What the address says; 0: nothing. */
  said: number;
  eyes: Eyes | undefined;
  /** The last version that is there. */
  last: number;
  /** Whether the match goes on: then the newest version is shown until another one is chosen. */
  isLive: boolean;
  /** Whether `last` is the last one for now. */
  isLoaded: boolean;
}

const START = 1;
/** Later than every version: the newest one, whichever it is. */
const NEWEST = Infinity;

export function usePlace({ match, said, eyes, last, isLive, isLoaded }: Asked): Place {
  const [wanted, setWanted] = useState<number>(said);
  const [isScrubbing, setScrubbing] = useState(false);
  const settled = useRef<ReturnType<typeof setTimeout>>(undefined);
  const written = useRef(said);
  const first = isLive ? NEWEST : START; // where one begins who names no version
  const chosen = wanted === 0 ? first : wanted;
  const at = Math.max(START, Math.min(chosen, last));

  useEffect(() => {
    if (said !== written.current) setWanted(said); // somebody has changed the address
    written.current = said;
  }, [said]);
  useEffect(() => {
    if (!isLoaded || last === 0) return undefined;
    const isFollowing = isLive && chosen === NEWEST;
    const timer = setTimeout(() => {
      if (!location.hash.startsWith(replayOf(match))) return; // the page is about to leave: it must not be called back
      written.current = isFollowing ? 0 : at;
      replaceAddress(replayOf(match, isFollowing ? undefined : at, eyes));
    }, SETTLED);
    return () => clearTimeout(timer);
  }, [at, eyes, isLoaded, chosen === NEWEST]);
  useEffect(() => () => clearTimeout(settled.current), []);

  const go = (version: number) => setWanted(isLive && version >= last ? NEWEST : Math.max(START, version));
  const scrub = (version: number) => {
    clearTimeout(settled.current);
    settled.current = setTimeout(() => setScrubbing(false), SETTLED);
    setScrubbing(true);
    go(version);
  };
  return { at, glides: !isScrubbing, go, scrub };
}
