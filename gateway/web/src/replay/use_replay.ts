/** All versions of a match in a component, as they arrive, and those that come while it is watched. */
import type { ReplayedVersion, Replaying } from "@foldtable/client";
import { useEffect, useRef, useState } from "preact/hooks";
import { client, said } from "../api";
import type { Wish } from "../follow/messages";
import { t } from "../i18n";
import { Arriving, type Read, type Show } from "./arriving";
import { type Eyes } from "./eyes";

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
  const arriving = useRef<Arriving>(undefined);

  useEffect(() => {
    const connection = new AbortController();
    const whose: Pick<Replaying, "seat" | "audience"> =
      eyes === undefined ? {} : typeof eyes === "number" ? { audience: "seat", seat: eyes } : { audience: eyes };
    const reading: Replaying = { ...whose, lang: language, signal: connection.signal };
    const read: Read = (first) => client(match, credential).replay(match, first === undefined ? reading : { ...reading, first });
    const show: Show = (steps, isLoading, error) =>
      setReplayed((known) => {
        const isShort = isLoading && steps.length < known.steps.length;
        const refusal = error === undefined ? "" : said(error, t("unreachable"));
        return isShort ? { ...known, isLoading } : { steps, eyes, isLoading, refusal };
      });
    arriving.current = new Arriving(read, show, connection.signal);
    return () => connection.abort();
  }, [key]);
  useEffect(() => void arriving.current?.reach(newest), [key, newest]);
  return replayed;
}
