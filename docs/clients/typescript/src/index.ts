/** A thin, typed client of the Foldtable REST interface, for browsers and node. `Client` is the whole of it. */

export { Client } from "./client.js";
export { ProblemError, RefusedByTheRules, Unreachable, VersionConflict } from "./problems.js";
export type { Query, Settings } from "./sending.js";
export type * from "./types.js";
