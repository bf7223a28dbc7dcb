/** The game of a match in a component. */
import { useEffect, useState } from "preact/hooks";
import type { Game } from "./board/shapes";
import { loadGame } from "./games/load";
import { language } from "./i18n";
import { useObserved } from "./observed";
import { reloadOnce } from "./renewal";

/** Milliseconds between two tries. */
const PAUSE = 2_000;

/** Return the game of a match in the page's language; undefined until it is loaded. What fails is tried again. */
export function useGame(id: string | undefined): Game | undefined {
  const lang = useObserved(language);
  const [game, setGame] = useState<Game>();
  useEffect(() => {
    if (id === undefined) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isGone = false;
    const load = () =>
      loadGame(id, lang).then(
        (loaded) => isGone || setGame(loaded),
        (error: unknown) => {
          if (isGone) return;
          if (error instanceof TypeError) reloadOnce(); // a file of the page is not there any more
          timer = setTimeout(load, PAUSE);
        },
      );
    void load();
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [id, lang]);
  return game;
}
