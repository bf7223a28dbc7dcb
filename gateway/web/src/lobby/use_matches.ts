/** The matches that the lobby shows, as they are now. */
import type { Match } from "@foldtable/client";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { session } from "../account";
import { client } from "../api";
import { useObserved } from "../observed";
import { endedBy } from "./ended_session";
import { OwnMatches } from "./own_matches";
import { repeat } from "./repeating";
import { SeatedMatches } from "./seated_matches";

const PUBLIC_PAUSE = 10_000;
/** It ends as soon as the page is looked at. */
const HIDDEN_PAUSE = 60_000;

export interface Shown {
  /** Undefined until they are known. */
  matches?: readonly Match[];
  trouble?: unknown;
}

export interface ShownSeated extends Shown {
  /** How many are left out until all are asked for. */
  more: number;
  showAll: () => void;
}

/** Return the matches of the session's player. */
export function useOwnMatches(): Shown {
  const token = useObserved(session)?.token;
  const [shown, setShown] = useState<Shown>({});
  useEffect(() => {
    setShown({});
    if (token === undefined) return undefined;
    const end = new AbortController();
    const told = {
      show: (matches: readonly Match[]) => setShown((before) => ({ ...before, matches })),
      fail: (trouble: unknown) => endedBy(trouble, token) || setShown((before) => ({ ...before, trouble })),
    };
    void new OwnMatches(client(undefined, token), told, end.signal).keepUp();
    return () => end.abort();
  }, [token]);
  return shown;
}

/** Return the public matches that are not over, asked for again while the page is looked at. */
export function usePublicMatches(): Shown {
  const token = useObserved(session)?.token;
  const [shown, setShown] = useState<Shown>({});
  useEffect(() => {
    setShown({});
    if (token === undefined) return undefined; // without a credential the API lists nothing
    const end = new AbortController();
    const api = client(undefined, token);
    const query = { visibility: "public", order: "-updated", page_size: 30 };
    const act = async () => {
      if (document.hidden) return PUBLIC_PAUSE;
      const { matches } = await api.get<{ matches: Match[] }>("/v1/matches", query);
      if (!end.signal.aborted) setShown((before) => ({ ...before, matches }));
      return PUBLIC_PAUSE;
    };
    const fail = (trouble: unknown) => endedBy(trouble, token) || setShown((before) => ({ ...before, trouble }));
    void repeat({ act, fail }, end.signal);
    return () => end.abort();
  }, [token]);
  return shown;
}

/** Return the matches of which this browser has a seat's token, asked for again while the page is looked at. */
export function useSeatedMatches(): ShownSeated {
  const [shown, setShown] = useState<Shown & { more: number }>({ more: 0 });
  const [round, setRound] = useState(0); // another one begins at once
  const { current: seated } = useRef(new SeatedMatches((id, token) => client(undefined, token).match(id)));
  useEffect(() => {
    const end = new AbortController();
    const act = () => (document.hidden ? Promise.resolve(HIDDEN_PAUSE) : seated.load());
    const fail = (trouble: unknown) => setShown({ matches: seated.matches, more: seated.more, trouble });
    void repeat({ act, fail }, end.signal);
    return () => end.abort();
  }, [round, seated]);
  const showAll = useCallback(() => {
    seated.showAll();
    setRound((count) => count + 1);
  }, [seated]);
  return { ...shown, showAll };
}
