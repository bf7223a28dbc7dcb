// What the TypeScript client does when the network and the servers do what they sometimes do. Prints what it saw.
import { Client } from "@foldtable/client";

const MATCH = "0197f0c4-6f5e-7c1a-9f53-2b1f6c0a7d11";

/** A server that answers as told, one answer after the other, and remembers what it was asked. */
function scripted(...answers) {
  const asked = [];
  const fetch = async (url, { method, headers, body, signal }) => {
    asked.push({ url, method, headers, body });
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    return answer instanceof Function ? answer(signal) : answer;
  };
  return { asked, client: new Client("http://table.test/", "ft_dev_key", { fetch }), header: (name) => asked.map((one) => one.headers[name] ?? null) };
}

const json = (body, status = 200, headers = {}) => new Response(JSON.stringify(body), { status, headers });
const cutOff = () => new TypeError("cut off");

/** Pauses take no time here; they are remembered. */
const slept = [];
const truly = globalThis.setTimeout;
globalThis.setTimeout = (wake, pause, ...rest) => {
  if (pause >= 45_000) return truly(wake, pause, ...rest); // the watch over silence
  slept.push(pause);
  return truly(wake, 0, ...rest);
};

async function failure(promise) {
  try {
    await promise;
    return null;
  } catch (error) {
    return error;
  }
}

// ── requests ──────────────────────────────────────────────────────────────────────────────────────
const told = {};
const unsteady = scripted(json({}, 503, { "Retry-After": "7" }), cutOff(), json({}, 504), json({ version: 8 }));
await unsteady.client.move(MATCH, { type: "pass" }, 7);
told.keys_of_a_move_sent_four_times = new Set(unsteady.header("Idempotency-Key")).size;
told.versions_named = unsteady.header("If-Match");
told.waited_for_retry_after = slept[0] >= 7000;

const steady = scripted(json({}), json({}));
for (const version of [1, 2]) await steady.client.move(MATCH, { type: "pass" }, version);
told.keys_of_two_moves = new Set(steady.header("Idempotency-Key")).size;

const renamed = scripted(cutOff(), json({}, 503), json({ seats: [] }));
await renamed.client.updateSeat(MATCH, 1, { name: "Ada", data: null });
told.changes_of_a_name = renamed.asked.map(({ method, url, body }) => `${method} ${url} ${body}`);

told.start_after_a_cut = (await failure(scripted(cutOff()).client.start(MATCH))).name;
const proxy = await failure(scripted(new Response("<h1>no</h1>", { status: 403 })).client.games());
told.problem_of_a_proxy = [proxy.status, proxy.reason, proxy.document.detail];

const stale = { reason: "VERSION_CONFLICT", current_version: 9, missed: [{ version: 8 }, { version: 9 }] };
const conflict = await failure(scripted(json(stale, 412)).client.move(MATCH, { type: "pass" }, 7));
told.conflict = [conflict.name, conflict.currentVersion, conflict.missed.map((move) => move.version)];

const listed = scripted(json({ matches: [1, 2], next_page_token: "b" }), json({ matches: [3], next_page_token: "" }));
told.pages = [];
for await (const match of listed.client.matches()) told.pages.push(match);

// ── streams ───────────────────────────────────────────────────────────────────────────────────────
const bytes = (text) => new TextEncoder().encode(text);
const NAME = "Ñandú\u2028ñññ";
const event = (kind, version) => `id: ${version}\nevent: ${kind}\ndata: {"version":${version},"name":"${NAME}"}\n\n`;

/** A stream that tells something five bytes at a time, which is in the middle of letters, and then breaks or ends. */
function stream(text, broken = false) {
  const whole = typeof text === "string" ? bytes(text) : text;
  return new Response(
    new ReadableStream({
      start(controller) {
        for (let from = 0; from < whole.length; from += 5) controller.enqueue(whole.slice(from, from + 5));
      },
      pull(controller) {
        if (controller.desiredSize < 1) return; // not all of it was read yet
        if (broken) controller.error(cutOff());
        else controller.close();
      },
    }),
  );
}

const events = [event("snapshot", 1), `: ping\n\n${event("move.applied", 2)}`, event("move.applied", 3), event("match.ended", 3)];
const ends = events.map((_, number) => bytes(events.slice(0, number + 1).join("")).length);
const whole = bytes(events.join(""));
told.cut_streams = 0;
told.wrong_streams = [];
for (let cut = 0; cut <= whole.length; cut += 3) {
  const seen = ends.filter((end) => end <= cut).length;
  const server = scripted(stream(whole.slice(0, cut), true), stream(events.slice(seen).join("")));
  const versions = [];
  for await (const happened of server.client.follow(MATCH)) {
    const whole = happened.event === "match.ended" || happened.name === NAME;
    versions.push(whole ? happened.version : happened.name);
  }
  const returned = server.asked.length === 1 || server.header("Last-Event-ID")[1] === (seen === 0 ? null : String(Math.min(seen, 3)));
  if (versions.join() !== "1,2,3,3" || !returned) told.wrong_streams.push([cut, versions]);
  told.cut_streams += 1;
}

const draining = scripted(
  stream(event("move.applied", 2) + "event: drain\ndata: {}\n\n"),
  json({}, 503),
  stream(event("move.applied", 3)),
  new Response(null, { status: 204 }),
);
told.after_a_drain = [];
for await (const { event, version } of draining.client.follow(MATCH, { afterVersion: 1 })) told.after_a_drain.push([event, version]);
told.returns_with = draining.header("Last-Event-ID");

const leaving = new AbortController();
const silent = scripted((signal) => new Promise((_, refuse) => signal.addEventListener("abort", () => refuse(signal.reason))));
const following = silent.client.follow(MATCH, { signal: leaving.signal }).next();
truly(() => leaving.abort(), 10);
told.aborted = (await failure(following)).name;

// ── replays ───────────────────────────────────────────────────────────────────────────────────────
const drawn = (count) => ({ view: { count, name: NAME }, pieces: {}, pending: [] });
const patch = (count) => [{ op: "replace", path: "/view/count", value: count }];
const line = (version, content) => `${JSON.stringify({ version, move: { version }, ...content })}\n`;
/** What a server answers that is asked for the versions from one on. */
const answered = (from) =>
  [1, 2, 3].filter((version) => version >= from).map((version) => line(version, version === from ? { table: drawn(version) } : { patch: patch(version) }));

told.cut_replays = 0;
told.wrong_replays = [];
const replay = bytes(answered(1).join(""));
const lines = answered(1).map((_, number) => bytes(answered(1).slice(0, number + 1).join("")).length);
for (let cut = 0; cut <= replay.length; cut += 3) {
  const seen = lines.filter((end) => end <= cut).length;
  const server = scripted(stream(replay.slice(0, cut), true), json({}, 503), stream(answered(Math.max(1, seen)).join("")));
  const versions = [];
  for await (const { version, table } of server.client.replay(MATCH, { lang: "en" })) {
    versions.push(table.view.count === version && table.view.name === NAME ? version : "wrong");
  }
  const from = new URL(server.asked.at(-1).url).searchParams.get("from");
  if (versions.join() !== "1,2,3" || from !== (seen === 0 ? null : String(seen))) told.wrong_replays.push([cut, versions, from]);
  told.cut_replays += 1;
}
const forbidden = scripted(json({ reason: "SEAT_FORBIDDEN" }, 403)).client.replay(MATCH, { seat: 1 });
told.refused_replay = (await failure(forbidden.next())).reason;
const stopping = new AbortController();
const stopped = scripted(stream(replay)).client.replay(MATCH, { signal: stopping.signal });
await stopped.next();
stopping.abort();
told.stopped_replay = (await failure(stopped.next())).name;

console.log(JSON.stringify(told));
