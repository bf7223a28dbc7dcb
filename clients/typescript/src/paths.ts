/** Paths of the API, made of ids that may come from anywhere: an id names one thing and never another route. */

/** Give the path of a match; TypeError as `segment`. */
export function at(match: string): string {
  return `/v1/matches/${segment(match)}`;
}

/**
 * Quote an id as one segment of a path (RFC 3986 §3.3).
 *
 * TypeError for what no quoting keeps in its place: nothing, the dots that lead elsewhere (§5.2.4), and slashes, which
 * the servers on the way unquote before they route.
 */
export function segment(name: string | number): string {
  const told = String(name);
  if (["", ".", ".."].includes(told) || /[/\\]/.test(told)) {
    throw new TypeError(`${JSON.stringify(told.slice(0, 80))} is not an id`);
  }
  return encodeURIComponent(told);
}

/** Give the ids of matches as one parameter; TypeError as `segment`, and without any match. */
export function listed(matches: readonly string[]): string {
  if (matches.length === 0) throw new TypeError("name at least one match");
  for (const name of matches) {
    if (name.includes(",")) throw new TypeError(`${JSON.stringify(name.slice(0, 80))} is not an id`);
    segment(name);
  }
  return matches.join(",");
}

/** Refuse with TypeError what is no path of this API, such as a whole URL: the credential must not go elsewhere. */
export function requirePath(path: string): void {
  if (!path.startsWith("/") || path.startsWith("//")) {
    throw new TypeError(`${JSON.stringify(path.slice(0, 80))} is not a path: it begins with one slash`);
  }
}
