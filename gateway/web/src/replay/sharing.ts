/** Sharing of what is equal, so that what has not changed is known by its identity. */

type Json = Record<string, unknown>;

/** Return a document equal to `next`, in which every part that equals its counterpart in `known` is that counterpart. */
export function shared<Document>(known: unknown, next: Document): Document {
  if (Object.is(known, next)) return next;
  if (Array.isArray(next)) return sharedList(known, next) as Document;
  if (typeof next !== "object" || next === null) return next;
  if (typeof known !== "object" || known === null || Array.isArray(known)) return next;
  const before = known as Json;
  const names = Object.keys(next);
  const parts = names.map((name) => shared(Object.hasOwn(before, name) ? before[name] : undefined, (next as Json)[name]));
  const isSame = names.length === Object.keys(before).length && names.every((name, at) => Object.hasOwn(before, name) && Object.is(parts[at], before[name]));
  return (isSame ? known : Object.fromEntries(names.map((name, at) => [name, parts[at]]))) as Document;
}

function sharedList(known: unknown, next: readonly unknown[]): readonly unknown[] {
  if (!Array.isArray(known)) return next;
  const parts = next.map((part, at) => shared(known[at], part));
  return parts.length === known.length && parts.every((part, at) => Object.is(part, known[at])) ? known : parts;
}
