/** JSON Pointers (RFC 6901): where something is in a JSON document. */

type Json = Record<string, unknown>;

/** Give the names on the way; none for the whole document. TypeError for what is no pointer. */
export function tokens(pointer: string): string[] {
  if (pointer !== "" && !pointer.startsWith("/")) throw new TypeError(`${JSON.stringify(pointer.slice(0, 80))} is no JSON Pointer`);
  return pointer.split("/").slice(1).map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Give a name as the position in a list; undefined if it is none. */
export function position(name: string): number | undefined {
  return /^(0|[1-9][0-9]{0,9})$/.test(name) ? Number(name) : undefined;
}

export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Give a document with a value where a pointer says; objects and lists are made on the way, and lists are filled from the
 * front. TypeError if there is no such place.
 */
export function put(document: unknown, pointer: string, value: unknown): unknown {
  return placed(document, tokens(pointer), value, pointer);
}

function placed(at: unknown, way: string[], value: unknown, pointer: string): unknown {
  const [name, ...rest] = way;
  if (name === undefined) return value;
  const place = position(name);
  const node = at ?? (place === undefined ? {} : []);
  if (Array.isArray(node) && place !== undefined && place <= node.length) {
    return [...node.slice(0, place), placed(node[place], rest, value, pointer), ...node.slice(place + 1)];
  }
  if (isObject(node)) {
    const before = Object.hasOwn(node, name) ? node[name] : undefined;
    return { ...node, [name]: placed(before, rest, value, pointer) };
  }
  throw new TypeError(`there is no place ${pointer}`);
}
