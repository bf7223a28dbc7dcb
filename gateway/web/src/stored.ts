/** What the browser remembers: between visits, or until a window is closed. */

/** Where it is remembered. Asking for it already fails in browsers that were told to store nothing. */
type Where = () => Storage;

const between: Where = () => localStorage;
const inThisWindow: Where = () => sessionStorage;

/** Return what is stored under a name between visits; `fallback` if there is nothing, or the browser stores nothing. */
export const stored = <Value>(name: string, fallback: Value): Value => read(between, name, fallback);

/** Store a value between visits; undefined removes it. Without storage the page still works, until it is closed. */
export const store = (name: string, value: unknown): void => write(between, name, value);

/** Return what this window has stored under a name. */
export const storedHere = <Value>(name: string, fallback: Value): Value => read(inThisWindow, name, fallback);

/** Store a value until this window is closed. */
export const storeHere = (name: string, value: unknown): void => write(inThisWindow, name, value);

function read<Value>(where: Where, name: string, fallback: Value): Value {
  try {
    const text = where().getItem(`foldtable.${name}`);
    return text === null ? fallback : (JSON.parse(text) as Value);
  } catch {
    return fallback; // storage is switched off, or somebody wrote something else there
  }
}

function write(where: Where, name: string, value: unknown): void {
  try {
    if (value === undefined) where().removeItem(`foldtable.${name}`);
    else where().setItem(`foldtable.${name}`, JSON.stringify(value));
  } catch {
    // private browsing may refuse
  }
}

/** Forget everything but what is stored between visits under these names. */
export function forgetAllBut(names: readonly string[]): void {
  const kept = new Set(names.map((name) => `foldtable.${name}`));
  for (const where of [between, inThisWindow]) {
    try {
      const stored = where();
      for (const key of Object.keys(stored)) if (key.startsWith("foldtable.") && !kept.has(key)) stored.removeItem(key);
    } catch {
      // nothing is stored there
    }
  }
}
