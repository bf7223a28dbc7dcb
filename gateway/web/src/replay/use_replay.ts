/** All versions of a match in a component, as they arrive, and those that come while it is watched. */
import type { ReplayedVersion, Replaying } from "@foldtable/client";
import { useEffect, useRef, useState } from "preact/hooks";
import { client, said } from "../api";
import type { Wish } from "../follow/messages";
import { t } from "../i18n";
import { type Eyes } from "./eyes";
import { shared } from "./sharing";

/** Milliseconds between two drawings while versions arrive. */
const PACE = 120;
/** Milliseconds that moves of a running match are gathered before they are asked for. */
const GATHERED = 200;

export interface Replayed {
  /** Version 1 first; empty until it has come. */
  steps: readonly ReplayedVersion[];
  /** With whose eyes these are seen; undefined: with those of whoever looks. */
  eyes: Eyes | undefined;
  isLoading: boolean;
  /** Why it could not be loaded, in words. */
  refusal: string;
}

/**
 * Return what has arrived of a replay. `eyes`: undefined for those of whoever looks; `newest`: the version the match has, as far
 * as is known, and 0 to wait. With other eyes the versions known so far stay until as many have come again.
 */
export function useReplay(wish: Wish, eyes: Eyes | undefined, newest: number): Replayed {
  const { match, credential, language } = wish;
  const key = [match, credential, language, eyes].join(" ");
  const [replayed, setReplayed] = useState<Replayed>({ steps: [], eyes, isLoading: true, refusal: "" });
  const loaded = useRef({ key, steps: [] as ReplayedVersion[] });

  useEffect(() => {
    if (loaded.current.key !== key) loaded.current = { key, steps: [] };
    const { steps } = loaded.current;
    if (newest === 0 || steps.length >= newest) return undefined;
    const connection = new AbortController();
    const timer = setTimeout(() => void load(connection.signal), steps.length === 0 ? 0 : GATHERED);
    return () => {
      clearTimeout(timer);
      connection.abort();
    };

    async function load(signal: AbortSignal): Promise<void> {
      let shown = -Infinity;
      const show = (isLoading: boolean, refusal = "") => {
        shown = performance.now();
        setReplayed((known) => {
          const isShort = isLoading && steps.length < known.steps.length;
          return isShort ? { ...known, isLoading } : { steps: [...steps], eyes, isLoading, refusal };
        });
      };
      show(true);
      shown = -Infinity;
      try {
        for await (const step of client(match, credential).replay(match, asked(steps.at(-1)?.version, signal))) {
          // The first step of an answer has a whole table: what it has in common with the one before is known already.
          const before = steps.at(-1)?.table;
          const table = before ? shared(before, step.table) : step.table;
          if (step.version === steps.length + 1) steps.push({ ...step, table });
          if (performance.now() - shown > PACE) show(true);
        }
        show(false);
      } catch (error) {
        if (!signal.aborted) show(false, said(error, t("unreachable")));
      }
    }

    function asked(last: number | undefined, signal: AbortSignal): Replaying {
      const whose: Pick<Replaying, "seat" | "audience"> =
        eyes === undefined ? {} : typeof eyes === "number" ? { audience: "seat", seat: eyes } : { audience: eyes };
      return { ...whose, lang: language, signal, ...(last === undefined ? {} : { first: last + 1 }) };
    }
  }, [key, newest]);
  return replayed;
}
