/** Which screen is shown: the fragment of the address, which browsers never send to a server. */
import { Observed } from "./observed";

export interface Route {
  screen: "lobby" | "table" | "replay";
  match: string;
  /** What follows the `?` of the fragment. */
  query: URLSearchParams;
}

/** Return the route of a fragment such as `#/m/<match>/replay?at=12`. */
export function readRoute(fragment: string): Route {
  const [path = "", query = ""] = fragment.replace(/^#/, "").split("?", 2);
  const [, area, match = "", part] = path.split("/");
  const screen = area !== "m" || match === "" ? "lobby" : part === "replay" ? "replay" : "table";
  return { screen, match, query: new URLSearchParams(query) };
}

export const tableOf = (match: string) => `#/m/${match}`;
/** Return where a match is replayed; `as`: with whose eyes. */
export function replayOf(match: string, at?: number, as?: number | string): string {
  const query = Object.entries({ at, as }).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]));
  return `#/m/${match}/replay${query.length === 0 ? "" : `?${query.join("&")}`}`;
}
/** Return the whole address of an invitation, to be sent to somebody. */
export const invitation = (match: string, invite: string) => `${location.origin}/${tableOf(match)}?invite=${invite}`;

export const route = new Observed<Route>(readRoute(location.hash));
addEventListener("hashchange", () => (route.value = readRoute(location.hash)));

/** Change the address without a new entry in the browser's history. */
export function replaceAddress(fragment: string): void {
  history.replaceState(null, "", fragment);
  route.value = readRoute(fragment);
}
