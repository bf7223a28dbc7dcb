/** The options of a game: the fields that its JSON schema asks for, and what was chosen, in the game's own words. */
import { message } from "../board/messages";
import type { Game } from "../board/shapes";

export type OptionValue = string | number | boolean;

/** A field of a form. Lists and objects have none: they keep their defaults. */
export type OptionField = { name: string; initial: OptionValue | undefined } & (
  | { kind: "choice"; values: readonly string[] }
  | { kind: "flag" }
  /** `words`: what may be chosen in place of a number. */
  | { kind: "number"; least: number | undefined; most: number | undefined; words: readonly string[] }
);

interface Schema {
  $ref?: string;
  $defs?: Record<string, Schema>;
  properties?: Record<string, Schema>;
  type?: string;
  enum?: unknown[];
  anyOf?: Schema[];
  default?: unknown;
  minimum?: number;
  maximum?: number;
}

/** Return the fields of an `options_schema`, in its order. */
export function optionFields(options: object): OptionField[] {
  const root = options as Schema;
  const resolved = (part: Schema): Schema => {
    const named = part.$ref === undefined ? undefined : root.$defs?.[part.$ref.replace("#/$defs/", "")];
    return named === undefined ? part : { ...resolved(named), ...part };
  };
  return Object.entries(resolved(root).properties ?? {}).flatMap(([name, property]) => fieldOf(name, resolved(property), resolved) ?? []);
}

function fieldOf(name: string, property: Schema, resolved: (part: Schema) => Schema): OptionField | undefined {
  const parts = (property.anyOf ?? [property]).map(resolved);
  const words = parts.flatMap((part) => (part.enum ?? []).filter((value) => typeof value === "string"));
  const number = parts.find(({ type }) => type === "integer");
  const initial = isPlain(property.default) ? property.default : undefined;
  if (number !== undefined) return { kind: "number", name, initial, least: number.minimum, most: number.maximum, words };
  if (words.length > 0) return { kind: "choice", name, initial, values: words };
  return property.type === "boolean" ? { kind: "flag", name, initial } : undefined;
}

function isPlain(value: unknown): value is OptionValue {
  return ["string", "number", "boolean"].includes(typeof value);
}

/** Return what an option is called; its id if the game has no word for it. */
export function optionName(game: Pick<Game, "messages">, name: string): string {
  return message(game, `option.${name}`) ?? name;
}

/** Return what a value of an option is called. Numbers are themselves. */
export function valueName(game: Pick<Game, "messages">, name: string, value: unknown): string {
  if (typeof value === "boolean") return value ? "✓" : "–";
  return message(game, `option.${name}.${String(value)}`) ?? String(value);
}

/** Return the options of a match in words; lists that are empty say nothing. */
export function optionsInWords(game: Pick<Game, "messages">, options: object): { name: string; value: string }[] {
  return Object.entries(options).flatMap(([name, value]) => {
    const values = (Array.isArray(value) ? value : [value]).filter((one) => isPlain(one));
    if (values.length === 0) return [];
    return [{ name: optionName(game, name), value: values.map((one) => valueName(game, name, one)).join(", ") }];
  });
}
