/** How streams come back after an interruption, and when they give up. The server is a fake `fetch`. */
import { Client, Unreachable } from "@foldtable/client";
import assert from "node:assert/strict";
import test from "node:test";

/** More than the longest pause before a stream is opened again. */
const RETRY_FOR = 1_100;
/** Longer than a client goes on trying. */
const SLOW = RETRY_FOR + 300;
const FEED = 'id: 1\nevent: match.updated\ndata: {"n":1}\n\n';

const pause = (milliseconds: number) => new Promise<void>((wake) => setTimeout(wake, milliseconds));

/** Give an answer that brings one event, and breaks off when it is told to. */
function answer(): { response: Response; cut: () => void } {
  let cut = () => {};
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(FEED));
      cut = () => controller.error(new TypeError("cut"));
    },
  });
  return { response: new Response(body), cut };
}

test("a stream that is cut after a consumer was slower than the client is patient is opened again", async () => {
  const asked: (string | null)[] = [];
  let cut = () => {};
  const fetcher = async (_: unknown, init: RequestInit = {}) => {
    asked.push(new Headers(init.headers).get("Last-Event-ID"));
    if (asked.length > 1) return new Response(null, { status: 204 });
    const first = answer();
    cut = first.cut;
    return first.response;
  };
  const client = new Client("http://table.test", "", { retryFor: RETRY_FOR, fetch: fetcher as typeof fetch });
  const events: string[] = [];
  for await (const { event } of client.feed()) {
    events.push(event);
    await pause(SLOW);
    cut();
  }
  assert.deepEqual(events, ["match.updated"]);
  assert.deepEqual(asked, [null, "1"]);
});

test("a stream that was silent for longer than the client is patient is opened again when it breaks", async () => {
  const asked: (string | null)[] = [];
  const fetcher = async (_: unknown, init: RequestInit = {}) => {
    asked.push(new Headers(init.headers).get("Last-Event-ID"));
    if (asked.length > 1) return new Response(null, { status: 204 });
    const { response, cut } = answer();
    setTimeout(cut, SLOW);
    return response;
  };
  const client = new Client("http://table.test", "", { retryFor: RETRY_FOR, fetch: fetcher as typeof fetch });
  for await (const { event } of client.feed()) assert.equal(event, "match.updated");
  assert.deepEqual(asked, [null, "1"]);
});

test("connections that are refused after one that held are tried for as long as the client is patient, and no longer", async () => {
  let asked = 0;
  const fetcher = async () => {
    asked += 1;
    if (asked > 1) throw new TypeError("refused");
    const { response, cut } = answer();
    setTimeout(cut, SLOW);
    return response;
  };
  const begun = Date.now();
  const client = new Client("http://table.test", "", { retryFor: RETRY_FOR, fetch: fetcher as typeof fetch });
  await assert.rejects(async () => {
    for await (const { event } of client.feed()) assert.equal(event, "match.updated");
  }, Unreachable);
  assert.ok(asked > 1);
  assert.ok(Date.now() - begun < SLOW + RETRY_FOR + 500);
});
