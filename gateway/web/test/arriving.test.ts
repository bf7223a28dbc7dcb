/** The versions of a replay as they arrive, while the page learns of newer ones. */
import type { ReplayedVersion } from "@foldtable/client";
import assert from "node:assert/strict";
import test from "node:test";
import { setImmediate } from "node:timers";
import { Arriving, GATHERED } from "../src/replay/arriving";

const version = (number: number) => ({ version: number, move: {}, table: { number } }) as unknown as ReplayedVersion;
const turn = () => new Promise((wake) => setImmediate(wake));

/** A replay whose versions arrive when the test says so, and what a page was shown of it last. */
function replay() {
  const connection = new AbortController();
  const asked: (number | undefined)[] = [];
  const shown: { versions: number[]; isLoading: boolean; error?: unknown }[] = [];
  let wake = () => {};
  let waiting: (ReplayedVersion | Error | "end")[] = [];
  async function* read(first: number | undefined): AsyncGenerator<ReplayedVersion> {
    asked.push(first);
    for (;;) {
      const next = waiting.shift();
      if (next === "end") return;
      if (next instanceof Error) throw next;
      if (next) yield next;
      else await new Promise<void>((arrived) => (wake = arrived));
    }
  }
  const arriving = new Arriving(
    read,
    (steps, isLoading, error) => shown.push({ versions: steps.map(({ version }) => version), isLoading, ...(error ? { error } : {}) }),
    connection.signal,
  );
  const arrive = async (...parts: (number | Error | "end")[]) => {
    waiting.push(...parts.map((part) => (typeof part === "number" ? version(part) : part)));
    wake();
    await turn();
  };
  return { arriving, arrive, asked, shown, end: () => connection.abort() };
}

test("a version that is announced while an answer brings it is not asked for again, and nothing seems to load for ever", async () => {
  const { arriving, arrive, asked, shown } = replay();
  const first = arriving.reach(1);
  await arrive(1, 2);
  void arriving.reach(2);
  await arrive("end");
  await first;
  assert.deepEqual(asked, [undefined]);
  assert.deepEqual(shown.at(-1), { versions: [1, 2], isLoading: false });
});

test("a version that is announced in the middle of an answer is asked for after it, if the answer did not bring it", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { arriving, arrive, asked, shown } = replay();
  const first = arriving.reach(1);
  await arrive(1);
  void arriving.reach(3);
  await arrive(2, "end");
  assert.equal(shown.at(-1)?.isLoading, true);
  t.mock.timers.tick(GATHERED);
  await arrive(3, "end");
  await first;
  assert.deepEqual(asked, [undefined, 3]);
  assert.deepEqual(shown.at(-1), { versions: [1, 2, 3], isLoading: false });
});

test("what failed is said, and tried again when the next version is announced", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { arriving, arrive, asked, shown } = replay();
  const first = arriving.reach(2);
  const error = new Error("the server is gone");
  await arrive(1, error);
  await first;
  assert.deepEqual(shown.at(-1), { versions: [1], isLoading: false, error });
  const second = arriving.reach(3);
  t.mock.timers.tick(GATHERED);
  await arrive(2, 3, "end");
  await second;
  assert.deepEqual(asked, [undefined, 2]);
  assert.deepEqual(shown.at(-1), { versions: [1, 2, 3], isLoading: false });
});

test("an answer that brings nothing new ends the loading, and is not asked for again", async () => {
  const { arriving, arrive, asked, shown } = replay();
  const first = arriving.reach(2);
  await arrive("end");
  await first;
  assert.deepEqual(asked, [undefined]);
  assert.deepEqual(shown.at(-1), { versions: [], isLoading: false });
});

test("after the end nothing more is shown or asked for", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { arriving, arrive, asked, shown, end } = replay();
  const first = arriving.reach(3);
  await arrive(1);
  const before = shown.length;
  end();
  await arrive(2, new Error("aborted"));
  await first;
  assert.equal(shown.length, before);
  assert.deepEqual(asked, [undefined]);
});
