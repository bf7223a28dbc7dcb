/** The log of a match: what happened before the page was opened, and what comes. */
import { type Move, ProblemError } from "@foldtable/client";
import { useEffect, useRef, useState } from "preact/hooks";
import { client } from "../api";
import type { Wish } from "../follow/messages";
import type { Told } from "./log";

/** Milliseconds between two tries. */
const PAUSE = 3_000;

/** Return all moves up to a version, the newest first, as `eyes` see them. What the stream did not bring is fetched. */
export function useLog(wish: Wish, eyes: string, version: number, streamed: readonly Told[]): readonly Told[] {
  const { match, credential, language } = wish;
  const [moves, setMoves] = useState<readonly Told[]>([]);
  const known = useRef({ wish: "", moves: [] as Told[] });
  useEffect(() => {
    const key = `${match} ${language} ${credential} ${eyes}`;
    if (known.current.wish !== key) known.current = { wish: key, moves: [] };
    const state = known.current;
    let isGone = false;
    const last = () => state.moves.at(-1)?.version ?? 0;
    const add = (move: Told) => move.version === last() + 1 && state.moves.push(move);
    const show = () => !isGone && setMoves([...state.moves].reverse());
    streamed.filter((move) => move.version <= version).forEach(add);
    if (last() >= version) show();
    else void catchUpInTheEnd();
    return () => {
      isGone = true;
    };

    /** What fails is tried again, for as long as the version is shown. */
    async function catchUpInTheEnd(): Promise<void> {
      while (!isGone) {
        try {
          return await catchUp();
        } catch (error) {
          if (error instanceof ProblemError && error.status < 500) return; // it may not be read
          await new Promise((wake) => setTimeout(wake, PAUSE));
        }
      }
    }

    async function catchUp(): Promise<void> {
      const query = { after: last(), lang: language };
      const api = client(match, credential);
      for await (const move of api.pages<Move>(`/v1/matches/${encodeURIComponent(match)}/moves`, "moves", query)) {
        if (isGone) return;
        if (move.version <= version) add(move);
      }
      show();
    }
  }, [match, credential, language, eyes, version]);
  return moves;
}
