/** Telling the tables of the games apart. */

import type { GameName, Table, TableOf } from "./types.js";

/** Tell whether a table is of a game: then its view, its actions and its templates are that game's own types. */
export function isOf<Game extends GameName>(table: Table, game: Game): table is TableOf<Game> {
  return table.match.game === game;
}
