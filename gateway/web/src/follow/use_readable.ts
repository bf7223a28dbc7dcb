/** A match in a component, read with the first of the browser's credentials that the server accepts for it. */
import { useEffect, useState } from "preact/hooks";
import { credentialsFor, seatingOf, session } from "../account";
import { forgetToken } from "../void_token";
import { language } from "../i18n";
import { end } from "../lobby/ended_session";
import { useObserved } from "../observed";
import type { Wish } from "./messages";
import { type Live, type Refused, useMatch } from "./use_match";

export interface Readable {
  live: Live;
  /** With what it is read. */
  wish: Wish;
  /** Whether that is the invite with which the page was opened. */
  isGuest: boolean;
  /** Why it cannot be read: what the server said to the credential that was tried first. */
  closed?: Refused | undefined;
  /** To be called when a seat was taken in this browser, or another one is played. */
  seated: () => void;
}

/** `invite`: an invite with which the page was opened; empty: none. It is of no use once its seat was taken here. */
export function useReadable(match: string, invite = ""): Readable {
  const lang = useObserved(language);
  const who = useObserved(session);
  const [refused, setRefused] = useState<readonly Refused[]>([]);
  const guest = invite !== "" && seatingOf(match) === undefined ? [invite] : [];
  const all = [...guest, ...credentialsFor(match)];
  const credential = all.find((one) => refused.every((refusal) => refusal.credential !== one));
  const player = credential === who?.token ? who?.player : undefined;
  const wish: Wish = { match, credential: credential ?? all.at(-1)!, language: lang, player };
  const followed = useMatch(wish);
  const { lost, show } = followed;
  // Who has just signed out is shown no hand any more, not even until the server has answered.
  const live: Live = wish.credential === "" && followed.credential !== "" ? { moves: [], lost, show } : followed;

  useEffect(() => {
    const { refused: refusal } = live;
    if (refusal === undefined) return;
    setRefused((known) => [...known.filter((one) => one.credential !== refusal.credential), refusal]);
    if (refusal.status !== 401) return;
    end(refusal.credential);
    forgetToken(match, refusal.credential);
  }, [live.refused, match]);

  return {
    live,
    wish,
    isGuest: guest.includes(wish.credential),
    closed: credential === undefined ? refused[0] : undefined,
    seated: () => setRefused([]), // it may be read with what was refused before
  };
}
