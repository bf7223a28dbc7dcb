// Waits for turns with the TypeScript client while things happen between its requests, and lets two bots play over a network
// that breaks. Prints what came of it. A turn that was lost shows as "lost".
import { choices, Client } from "@foldtable/client";

const { GATEWAY, KEY, MATCHES } = process.env;
const tenant = new Client(GATEWAY, KEY);
const any = ({ actions, samples }) => actions[Math.floor(Math.random() * actions.length)] ?? samples[0];
const listed = (table) => any({ actions: table.legal.actions });
const anyOf = (player, id) => async ({ legal: { actions } }) =>
  any(actions.length > 0 ? { actions } : await player.legalActions(id, { samples: 1 }));
const pause = (milliseconds, answer) => new Promise((done) => setTimeout(() => done(answer), milliseconds).unref());
const within = (milliseconds, work) => Promise.race([work, pause(milliseconds, "lost")]);

/** A `fetch` after whose n-th answer something happens before the client reads it. */
const after = (number, happens) => async (...request) => {
  const answer = await fetch(...request);
  const body = await answer.text();
  if (--number === 0) await happens();
  return new Response(body, answer);
};

/** A `fetch` that breaks at every second request: before it is sent, or after it was carried out. */
function breaking() {
  let asked = 0;
  return async (...request) => {
    asked += 1;
    if (asked % 4 === 1) throw new TypeError("no line");
    const answer = await fetch(...request);
    if (asked % 4 === 3) throw new TypeError(`cut off after ${(await answer.text()).length} characters`);
    return answer;
  };
}

/** A match of two, and a player at the seat that luck did not choose to begin. */
async function waiting(settings) {
  const { match, seat_tokens } = await tenant.createMatch({ game: "al_rashid", seats: 2 });
  const seat = 1 - match.to_act[0];
  return { id: match.match_id, seat, player: (fetch) => new Client(GATEWAY, seat_tokens[seat].token, { ...settings, fetch }) };
}

/** Make random moves for the other seat until one must decide; give the version. */
async function untilTurnOf(id, seat) {
  let { version, to_act } = await tenant.match(id);
  while (!to_act.includes(seat)) {
    const legal = await tenant.legalActions(id, { seat: to_act[0], samples: 1 });
    ({ version, to_act } = await tenant.move(id, any(legal), legal.version, to_act[0]));
  }
  return version;
}

const told = { noticed: [] };
for (const number of [1, 2, 3]) {
  const { id, seat, player } = await waiting({ timeout: 1_600 });
  let moved;
  const turn = await within(20_000, player(after(number, async () => (moved = await untilTurnOf(id, seat)))).waitForTurn(id));
  told.noticed.push(turn === "lost" ? turn : turn.version === moved && choices(turn).length > 0);
}

const ended = await waiting();
told.ended = await within(20_000, ended.player(after(1, () => tenant.resign(ended.id, 1 - ended.seat))).waitForTurn(ended.id).then((table) => table.match.status));
told.no_seat = await tenant.waitForTurn((await waiting()).id).catch((error) => error.name);

const leaving = new AbortController();
const left = await waiting();
setTimeout(() => leaving.abort(), 300);
told.left = await within(5_000, left.player(fetch).waitForTurn(left.id, { signal: leaving.signal }).catch((error) => error.name));

const late = await waiting();
const decided = [];
const alone = await within(
  20_000,
  tenant.play(late.id, async (table) => {
    decided.push(table.version);
    await tenant.resign(late.id, late.seat);
    return listed(table);
  }, { seat: 1 - late.seat }),
);
told.late = [alone.match.status, decided];

told.wrong = await tenant
  .createMatch({ game: "al_rashid", seats: 2 })
  .then(({ match }) => tenant.play(match.match_id, () => ({ type: "end_turn" }), { seat: match.to_act[0] }))
  .catch((error) => error.name);

const bots = await Promise.all(
  Array.from({ length: Number(MATCHES) }, async () => {
    const { match, seat_tokens } = await tenant.createMatch({ game: "al_rashid", seats: 2 });
    const players = seat_tokens.map(({ token }) => new Client(GATEWAY, token, { fetch: breaking() }));
    const playing = players.map((player) => player.play(match.match_id, anyOf(player, match.match_id)));
    return [(await Promise.all(playing)).map((table) => table.match.status).join(), (await tenant.verify(match.match_id)).ok].join();
  }),
);
told.bots = bots;
console.log(JSON.stringify(told));
