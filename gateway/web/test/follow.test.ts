/** Following matches: one connection for all, and what those are told who come late. The server is a fake `fetch`. */
import assert from "node:assert/strict";
import test from "node:test";
import { Groups } from "../src/follow/groups";
import type { News } from "../src/follow/messages";

interface Stream {
  matches: string[];
  send: (event: string, data: object) => void;
  cut: () => void;
}

const pause = (milliseconds: number) => new Promise<void>((wake) => setTimeout(() => wake(), milliseconds));
const problem = (reason: string, status: number) => new Response(JSON.stringify({ status, reason, detail: reason }), { status });

/** Replace `fetch` by a server that streams every match but those that begin with `bad`. */
function server(): { streams: Stream[]; isUp: boolean } {
  const state = { streams: [] as Stream[], isUp: true };
  globalThis.fetch = async (input, init = {}) => {
    if (!state.isUp) throw new TypeError("down");
    const url = new URL(String(input));
    const [, single, part] = /^\/v1\/matches\/([^/]+)(\/\w+)?$/.exec(url.pathname) ?? [];
    const matches = single === undefined ? (url.searchParams.get("matches") ?? "").split(",") : [single];
    if (matches.some((match) => match.startsWith("bad"))) return problem("MATCH_NOT_FOUND", 404);
    if (single !== undefined && part === undefined) return new Response(JSON.stringify({ match_id: single }));
    const encoder = new TextEncoder();
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        const send = (event: string, data: object) => controller.enqueue(encoder.encode(`event: ${event}\nid: 1\ndata: ${JSON.stringify(data)}\n\n`));
        const cut = () => controller.error(new TypeError("cut"));
        init.signal?.addEventListener("abort", cut);
        for (const match_id of matches) send("table", { match_id, version: 1, match: { status: "running" } });
        state.streams.push({ matches, send, cut });
      },
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  };
  return state;
}

const wish = (match: string) => ({ match, credential: "", language: "en" as const });
const kinds = (news: News[]) => news.map((one) => (one.kind === "connection" ? `lost: ${one.lost}` : one.kind));

test("two matches share a connection, and a second tab gets the table at once", async () => {
  const { streams } = server();
  const groups = new Groups("http://table.test");
  const [first, second]: [News[], News[]] = [[], []];
  groups.follow(wish("one"), (news) => first.push(news));
  groups.follow(wish("two"), () => undefined);
  await pause(150);
  groups.follow(wish("one"), (news) => second.push(news));
  assert.deepEqual(streams.map(({ matches }) => matches), [["one", "two"]]);
  assert.deepEqual(kinds(first), ["table"]);
  assert.deepEqual(kinds(second), ["table"]);
});

test("a refused match is told to every tab that asks, and the others are followed", async () => {
  const { streams } = server();
  const groups = new Groups("http://table.test");
  const [first, second, good]: [News[], News[], News[]] = [[], [], []];
  groups.follow(wish("bad"), (news) => first.push(news));
  groups.follow(wish("good"), (news) => good.push(news));
  await pause(300);
  groups.follow(wish("bad"), (news) => second.push(news));
  await pause(300);
  assert.equal(kinds(first)[0], "refused");
  assert.deepEqual(kinds(second), ["refused"]);
  assert.equal(kinds(good)[0], "table");
  assert.deepEqual(streams.at(-1)?.matches, ["good"]);
});

test("with more matches than one connection carries, all are followed", async () => {
  const { streams } = server();
  const groups = new Groups("http://table.test");
  const told = new Set<string>();
  for (let number = 0; number < 40; number++) groups.follow(wish(`m${number}`), ({ match }) => told.add(match));
  await pause(200);
  assert.equal(told.size, 40);
  assert.deepEqual(streams.map(({ matches }) => matches.length), [32, 8]);
});

test("an event of a match that nobody follows any more harms no other", async () => {
  const { streams } = server();
  const groups = new Groups("http://table.test");
  const forgotten = () => undefined;
  const told: News[] = [];
  groups.follow(wish("gone"), forgotten);
  groups.follow(wish("kept"), (news) => told.push(news));
  await pause(150);
  const [stream] = streams;
  groups.forget(wish("gone"), forgotten);
  const patch = [{ op: "replace", path: "/version", value: 2 }];
  stream!.send("table.patched", { match_id: "gone", version: 2, patch });
  stream!.send("table.patched", { match_id: "kept", version: 2, patch });
  await pause(15);
  assert.equal((told.at(-1) as Extract<News, { kind: "table" }>).table.version, 2);
});

test("a connection that was lost is told as there again, also when another tab has opened it", async () => {
  const state = server();
  const groups = new Groups("http://table.test");
  const told: News[] = [];
  groups.follow(wish("one"), (news) => told.push(news));
  await pause(150);
  state.isUp = false;
  state.streams.find(({ matches }) => matches.includes("one"))!.cut();
  for (let waited = 0; kinds(told).at(-1) !== "lost: true" && waited < 5_000; waited += 50) await pause(50);
  assert.equal(kinds(told).at(-1), "lost: true");
  state.isUp = true;
  groups.follow(wish("two"), () => undefined);
  await pause(300);
  assert.equal(kinds(told).includes("lost: false"), true);
});
