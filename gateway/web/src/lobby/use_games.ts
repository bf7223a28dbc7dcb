/** The games of the server. */
import type { GameSummary } from "@foldtable/client";
import { useEffect, useState } from "preact/hooks";
import { client } from "../api";
import type { Game } from "../board/shapes";
import { loadGame } from "../games/load";
import { language } from "../i18n";
import { useObserved } from "../observed";

let asked: Promise<GameSummary[]> | undefined;

function games(): Promise<GameSummary[]> {
  asked ??= client(undefined, "").games();
  asked.catch(() => (asked = undefined)); // the next screen asks again
  return asked;
}

/** Return all games; none until they are known, or while the server cannot be reached. */
export function useGames(): readonly GameSummary[] {
  const [known, setKnown] = useState<readonly GameSummary[]>([]);
  useEffect(() => {
    games().then(setKnown, () => undefined); // the lists of matches say what is wrong
  }, []);
  return known;
}

/** Return a game with its words; undefined until they are loaded. */
export function useWordsOf(id: string): Game | undefined {
  const lang = useObserved(language);
  const [game, setGame] = useState<Game>();
  useEffect(() => {
    let isWanted = true;
    loadGame(id, lang).then((loaded) => isWanted && setGame(loaded), () => undefined); // without words there are ids
    return () => void (isWanted = false);
  }, [id, lang]);
  return game;
}
