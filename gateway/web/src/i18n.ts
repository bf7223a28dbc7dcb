/** The language of the page, and its own words. What a game calls things, the server says: see `game.ts`. */
import { Observed } from "./observed";
import { store, stored } from "./stored";
import type { Words } from "./words/en";

export type Language = "en" | "it" | "fr" | "pl";

/** How each language calls itself. */
export const LANGUAGES: Readonly<Record<Language, string>> = { en: "English", it: "Italiano", fr: "Français", pl: "Polski" };

const FILES: Record<Language, () => Promise<{ words: Words }>> = {
  en: () => import("./words/en"),
  it: () => import("./words/it"),
  fr: () => import("./words/fr"),
  pl: () => import("./words/pl"),
};

function first(): Language {
  const asked = new URLSearchParams(globalThis.location?.search).get("lang"); // unit tests have no address
  const wished = [asked, stored<string>("language", ""), ...(globalThis.navigator?.languages ?? [])];
  const known = wished.map((one) => (one ?? "").slice(0, 2)).find((one) => one in LANGUAGES);
  return (known ?? "en") as Language;
}

export const language = new Observed<Language>(first());
let words: Words;

/** Load the words of a language and speak it from then on. */
export async function speak(next: Language): Promise<void> {
  ({ words } = await FILES[next]());
  document.documentElement.lang = next;
  store("language", next);
  language.value = next;
}

/** Return a text of the page, with values in place of `{name}`. */
export function t(key: keyof Words, values: Record<string, string | number> = {}): string {
  return words[key].replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** Return what the reason of a problem means to a player; undefined for those that no player can do anything about. */
export function reasonInWords(reason: string): string | undefined {
  return (words as Partial<Record<string, string>>)[reason];
}

/** Return a moment as people write it here. */
export function moment(time: string | number | Date): string {
  return new Intl.DateTimeFormat(language.value, { dateStyle: "short", timeStyle: "short" }).format(new Date(time));
}
