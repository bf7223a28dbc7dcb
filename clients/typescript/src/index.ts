/** A thin, typed client of the Foldtable REST interface, for browsers and node. `Client` is the whole of it. */

export { type ActionChoice, type Choice, choices, type TemplateChoice } from "./choices.js";
export { Client } from "./client.js";
export { fill, type Value } from "./filling.js";
export { isOf } from "./games.js";
export { patched } from "./patches.js";
export { ProblemError, RefusedByTheRules, Unreachable, VersionConflict } from "./problems.js";
export type { Query, Settings } from "./sending.js";
export type * from "./types.js";
