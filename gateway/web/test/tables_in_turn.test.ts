/** The order in which the tables of a match are shown: none that is the newest may get lost. */
import assert from "node:assert/strict";
import test from "node:test";
import { PACE, TablesInTurn } from "../src/follow/tables_in_turn";

function told(atOnce = false) {
  const shown: number[] = [];
  const tables = new TablesInTurn<{ version: number }>(({ version }) => shown.push(version), () => atOnce);
  return { shown, tables };
}

test("tables that came before the answer to a move follow it, if they are newer", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { shown, tables } = told();
  for (const version of [1, 2, 3, 4, 5]) tables.enqueue({ version });
  assert.deepEqual(shown, [1, 2]);
  tables.show({ version: 3 }); // bots have answered the move 3 already
  assert.deepEqual(shown, [1, 2, 3]);
  for (let ticks = 0; ticks < 3; ticks++) t.mock.timers.tick(PACE);
  assert.deepEqual(shown, [1, 2, 3, 4, 5]);
});

test("an answer that is older than what is shown is not shown", () => {
  const { shown, tables } = told(true);
  tables.enqueue({ version: 4 });
  tables.show({ version: 3 });
  assert.deepEqual(shown, [4]);
});

test("after the end nothing more is shown", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { shown, tables } = told();
  for (const version of [1, 2, 3]) tables.enqueue({ version });
  tables.end();
  t.mock.timers.tick(2 * PACE);
  assert.deepEqual(shown, [1, 2]);
});
