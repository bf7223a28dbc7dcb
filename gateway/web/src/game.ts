/** What is known of a game beside its matches: where its things are, and what they are called. Fetched once. */
import type { Layout } from "@foldtable/client";
import { client } from "./api";
import { type Language } from "./i18n";
import { type Skin, skinOf } from "./games/skins";

export interface Game {
  id: string;
  layout: Layout;
  messages: Readonly<Record<string, string>>;
  skin: Skin;
}

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

/** Return what a place, a group or a component is called; undefined if it has no name. */
export function nameOf({ messages }: Pick<Game, "messages">, id: string): string | undefined {
  return messages[`component.${id.split("@")[0]}`];
}

/** Return a plain message of the game with values in place of `{name}` and `{name, number}`; undefined if there is none. */
export function message({ messages }: Pick<Game, "messages">, key: string, values: Record<string, string | number> = {}): string | undefined {
  return messages[key]?.replace(/\{(\w+)(?:, number)?\}/g, (whole, name: string) => String(values[name] ?? whole));
}
