// Follows a match with npm's EventSource through a proxy that cuts the line at every event, and compares with the log.
import assert from "node:assert/strict";
import http from "node:http";
import { EventSource } from "eventsource";

const { GATEWAY, KEY, GAME } = process.env;
const json = { "content-type": "application/json" };

async function ask(path, credential, body) {
  const headers = { authorization: `Bearer ${credential}`, ...(body && json) };
  const answer = await fetch(`${GATEWAY}${path}`, { method: body ? "POST" : "GET", headers, body: body && JSON.stringify(body) });
  assert.ok(answer.ok, `${path}: ${answer.status} ${await answer.clone().text()}`);
  return answer.json();
}

// ── the proxy: one event and no more, or one and a half ──
const asked = []; // Last-Event-ID and status of each connection
const proxy = http.createServer(async (request, response) => {
  const { authorization, accept, "last-event-id": last } = request.headers;
  const headers = { authorization, accept, ...(last && { "last-event-id": last }) };
  const answer = await fetch(`${GATEWAY}${request.url}`, { headers });
  const midway = asked.push({ last, status: answer.status }) % 2 === 0;
  response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "text/plain" });
  let text = "";
  let sent = 0;
  for await (const chunk of answer.body ?? []) {
    // A reader waits as long as the server says before it comes back; the test would take a quarter of an hour.
    text += Buffer.from(chunk).toString().replace("retry: 3000", "retry: 5");
    const end = text.indexOf("\n\n", text.search(/^event:/m)) + 2;
    if (!/^event:/m.test(text) || end < 2) continue;
    if (midway && text.length === end && !text.includes("match.ended")) {
      response.write(text.slice(sent, end)); // the next one is to be cut in two; it is not there yet
      sent = end;
      continue;
    }
    const stop = midway ? end + Math.ceil((text.length - end) / 2) : end;
    response.write(text.slice(sent, stop), () => response.destroy());
    return; // which hangs up on the gateway as well
  }
  response.end();
});
await new Promise((ready) => proxy.listen(0, "127.0.0.1", ready));

// ── the reader: EventSource as it comes, with a header of ours ──
const created = await ask("/v1/matches", KEY, { game: GAME, seats: 2 });
const tokens = created.seat_tokens.map(({ token }) => token);
const path = `/v1/matches/${created.match.match_id}`;
const source = new EventSource(`http://127.0.0.1:${proxy.address().port}${path}/stream`, {
  fetch: (url, init) => fetch(url, { ...init, headers: { ...init.headers, authorization: `Bearer ${tokens[0]}` } }),
});
const heard = [];
for (const name of ["snapshot", "move.applied", "match.ended", "reset", "lagged", "revoked"]) {
  source.addEventListener(name, (event) => heard.push({ name, id: event.lastEventId, data: JSON.parse(event.data) }));
}
const over = new Promise((resolve) => {
  source.onerror = () => source.readyState === EventSource.CLOSED && resolve();
});

// ── the players ──
for (let { version, to_act, status } = created.match; status === "running"; ) {
  const seat = to_act[0];
  const legal = await ask(`${path}/legal-actions?samples=1`, tokens[seat]);
  const action = legal.samples[0];
  ({ version, to_act, status } = await ask(`${path}/moves`, tokens[seat], { action, expected_version: version }));
}
await over;

// ── what was heard is what is in the log ──
const logged = [];
for (let next = ""; ; ) {
  const page = await ask(`${path}/moves?page_size=1000${next && `&page_token=${next}`}`, tokens[0]);
  logged.push(...page.moves);
  next = page.next_page_token;
  if (!next) break;
}
const plain = ({ version, seat, events }) => ({ version, seat, events });
const moves = heard.filter(({ name }) => name === "move.applied");
const [snapshot] = heard;
assert.equal(snapshot.name, "snapshot");
assert.deepEqual(
  moves.map(({ data }) => plain(data)),
  logged.map(plain).filter(({ version }) => version > snapshot.data.version),
);
assert.ok(moves.every(({ id, data }) => id === String(data.version)));
proxy.closeAllConnections();
proxy.close();

console.log(
  JSON.stringify({
    names: [...new Set(heard.map(({ name }) => name))],
    snapshots: heard.filter(({ name }) => name === "snapshot").length,
    moves: moves.length,
    told_at_last: moves.at(-1).data.status,
    connections: asked.length,
    resumed: asked.filter(({ last }) => last !== undefined).length,
    statuses: [...new Set(asked.map(({ status }) => status))],
    stopped_by: asked.at(-1).status,
  }),
);
process.exit(0);
