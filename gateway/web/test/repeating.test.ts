/** How the lobby goes on asking after trouble. */
import { ProblemError, Unreachable } from "@foldtable/client";
import assert from "node:assert/strict";
import test from "node:test";
import { isFinal, pauseAfter, repeat } from "../src/lobby/repeating";

test("only a credential that is refused ends the asking", () => {
  for (const status of [401, 403]) assert.ok(isFinal(new ProblemError(status, {})));
  for (const status of [400, 404, 429, 500, 503]) assert.equal(isFinal(new ProblemError(status, {})), false);
  assert.equal(isFinal(new Unreachable("no answer")), false);
});

test("pauses grow, to two minutes at most", () => {
  assert.deepEqual([1, 2, 3].map(pauseAfter), [5_000, 10_000, 20_000]);
  assert.equal(pauseAfter(2_000), 120_000);
});

test("after trouble it is tried again, until the credential is refused", async () => {
  const steps = [new ProblemError(500, {}), new Unreachable("no answer"), undefined, new ProblemError(500, {}), new ProblemError(401, {})];
  const left = [...steps];
  const told: unknown[] = [];
  const pauses: number[] = [];
  const act = async () => {
    const trouble = left.shift();
    if (trouble) throw trouble;
    return 7;
  };
  const wait = async (milliseconds: number) => void pauses.push(milliseconds);
  await repeat({ act, fail: (trouble) => told.push(trouble) }, new AbortController().signal, wait);
  assert.deepEqual(told, steps);
  assert.deepEqual(pauses, [5_000, 10_000, 7, 5_000]);
});

test("what was ended tells nothing more", async () => {
  const end = new AbortController();
  const told: unknown[] = [];
  const act = async () => {
    end.abort();
    return 1;
  };
  await repeat({ act, fail: (trouble) => told.push(trouble) }, end.signal);
  assert.deepEqual(told, []);
});
