/** After an upgrade of the server a page that is open still asks for the files of the last release. */
import { storedHere, storeHere } from "./stored";

const NAME = "reloaded";
/** Milliseconds within which a second reload would not help. */
const SOON = 60_000;

/** Load the page anew, which then names the files that are there; not twice within a minute. */
export function reloadOnce(): void {
  if (Date.now() - storedHere(NAME, 0) < SOON) return;
  storeHere(NAME, Date.now());
  location.reload();
}
