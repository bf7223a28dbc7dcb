/** Following matches: one connection for all, and what those are told who come late. The server is a fake `fetch`. */
import assert from "node:assert/strict";
import test from "node:test";
import { Groups } from "../src/follow/groups";
import type { News } from "../src/follow/messages";

interface Stream {
  matches: string[];
  /** With whose eyes it began. */
  eyes: string;
  send: (event: string, data: object) => void;
  cut: () => void;
}

const pause = (milliseconds: number) => new Promise<void>((wake) => setTimeout(() => wake(), milliseconds));
const problem = (reason: string, status: number) => new Response(JSON.stringify({ status, reason, detail: reason }), { status });

/** Return a table that somebody sees, with these players at it. */
const tableOf = (kind: string, players: readonly string[]) => ({
  version: 1,
  audience: { kind, seat: null },
  match: { status: "running", seats: players.map((player, seat) => ({ seat, player, taken: true })) },
});

/** Replace `fetch` by a server that streams every match but those that begin with `bad`. */
function server(): { streams: Stream[]; isUp: boolean; seated: string[]; isBehind: boolean } {
  const state = { streams: [] as Stream[], isUp: true, seated: [] as string[], isBehind: false };
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
        const eyes = state.seated.includes("ada") && !state.isBehind ? "seat" : "public";
        for (const match_id of matches) send("table", { match_id, ...tableOf(eyes, state.seated) });
        state.streams.push({ matches, eyes, send, cut });
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

const asAda = (match: string) => ({ ...wish(match), credential: "session", player: "ada" });
const eyesOf = (news: readonly News[]) => news.flatMap((one) => (one.kind === "table" ? [one.table.audience.kind] : []));

test("a player who takes a seat is shown what the seat sees, in every tab, and never again what everybody sees", async () => {
  const state = server();
  const groups = new Groups("http://table.test");
  const [first, second]: [News[], News[]] = [[], []];
  groups.follow(asAda("one"), (news) => first.push(news));
  groups.follow(asAda("one"), (news) => second.push(news));
  await pause(150);
  assert.deepEqual([eyesOf(first), eyesOf(second)], [["public"], ["public"]]);
  state.seated = ["bob"];
  state.streams.at(-1)!.send("table", { match_id: "one", ...tableOf("public", ["bob"]) });
  await pause(150);
  assert.equal(state.streams.length, 1, "somebody else's seat changes nothing");
  state.seated = ["bob", "ada"];
  state.streams.at(-1)!.send("table", { match_id: "one", ...tableOf("public", ["bob", "ada"]) });
  await pause(150);
  assert.deepEqual([eyesOf(first), eyesOf(second)], [["public", "public", "seat"], ["public", "public", "seat"]]);
  assert.deepEqual(state.streams.map(({ eyes }) => eyes), ["public", "seat"]);
});

test("a server that lets no seat see is asked once more, not for ever, and what it shows is shown", async () => {
  const state = server();
  Object.assign(state, { seated: ["ada"], isBehind: true });
  const groups = new Groups("http://table.test");
  const told: News[] = [];
  groups.follow(asAda("one"), (news) => told.push(news));
  await pause(200);
  for (let number = 0; number < 3; number++) {
    state.streams.at(-1)!.send("table", { match_id: "one", ...tableOf("public", ["ada"]) });
    await pause(60);
  }
  assert.equal(state.streams.length, 2);
  assert.deepEqual(eyesOf(told), ["public", "public", "public", "public"]);
});

test("a player whose seat was taken away goes on as a visitor, if the match may still be read, and may take it again", async () => {
  const state = server();
  state.seated = ["ada"];
  const groups = new Groups("http://table.test");
  const told: News[] = [];
  groups.follow(asAda("one"), (news) => told.push(news));
  groups.follow(asAda("two"), () => undefined);
  await pause(150);
  state.seated = [];
  state.streams.at(-1)!.send("revoked", { match_id: "one", reason: "SEAT_FORBIDDEN" });
  await pause(1_300);
  assert.deepEqual(eyesOf(told), ["seat", "public"]);
  assert.equal(kinds(told).includes("refused"), false);
  state.seated = ["ada"];
  state.streams.at(-1)!.send("table", { match_id: "one", ...tableOf("public", ["ada"]) });
  await pause(150);
  assert.deepEqual(eyesOf(told), ["seat", "public", "seat"]);
});
