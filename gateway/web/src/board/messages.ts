/** What a game calls its things, and what else it says, in the page's language. */
import type { Game } from "./shapes";

/** Return what a place, a group or a component is called; undefined if it has no name. */
export function nameOf({ messages }: Pick<Game, "messages">, id: string): string | undefined {
  return messages[`component.${id.split("@")[0]}`];
}

/** Return a plain message of the game with values in place of `{name}` and `{name, number}`; undefined if there is none. */
export function message({ messages }: Pick<Game, "messages">, key: string, values: Record<string, string | number> = {}): string | undefined {
  return messages[key]?.replace(/\{(\w+)(?:, number)?\}/g, (whole, name: string) => String(values[name] ?? whole));
}
