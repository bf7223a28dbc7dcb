/** The games: what is known of each beside its matches, fetched once, with how it looks beyond its layout. */
import { client } from "../api";
import type { Game, Skin } from "../board/shapes";
import type { Language } from "../i18n";

const SKINS: Record<string, () => Promise<{ skin: Skin }>> = {
  al_rashid: () => import("./al_rashid/index"),
  river_dragons: () => import("./river_dragons/index"),
  river_of_gold: () => import("./river_of_gold/index"),
};

const fetched = new Map<string, Promise<Game>>();

/** Return a game, in a language. Rejects as the client does. */
export function loadGame(id: string, language: Language): Promise<Game> {
  const key = `${id} ${language}`;
  let game = fetched.get(key);
  if (game === undefined) {
    game = load(id, language);
    fetched.set(key, game);
    game.catch(() => fetched.delete(key)); // the next try asks again
  }
  return game;
}

async function load(id: string, language: Language): Promise<Game> {
  const api = client(undefined, "");
  const [layout, { messages }, skin] = await Promise.all([
    api.layout(id),
    api.get<{ messages: Record<string, string> }>(`/v1/games/${encodeURIComponent(id)}/texts/${language}`),
    skinOf(id),
  ]);
  return { id, layout, messages, skin };
}

/** Return the skin of a game; an empty one for games that have none. */
async function skinOf(game: string): Promise<Skin> {
  const load = Object.hasOwn(SKINS, game) ? SKINS[game] : undefined;
  return load === undefined ? {} : (await load()).skin;
}
