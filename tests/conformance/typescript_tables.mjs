// Follows tables with the TypeScript client and compares each with the one that can be read; plays with sessions, and reads
// without a credential. Prints what came of it.
import { choices, Client, fill, patched } from "@foldtable/client";
import { isDeepStrictEqual } from "node:util";

const { GATEWAY, KEY } = process.env;
const tenant = new Client(GATEWAY, KEY);
const create = async (game = "al_rashid", more = {}) => (await tenant.createMatch({ game, seats: 2, ...more })).match.match_id;

/** Make a random move for a seat that must act; give the version. */
async function move(id) {
  const { to_act } = await tenant.match(id);
  const { samples, version } = await tenant.legalActions(id, { seat: to_act[0], samples: 1 });
  return (await tenant.move(id, samples[0], version, to_act[0])).version;
}

/** Read on until a table has a version. */
async function until(tables, version) {
  for (;;) {
    const { done, value } = await tables.next();
    if (done || value.version === version) return value;
  }
}

const told = { patched: [], replayed: [], shared: [] };
for (const game of ["al_rashid", "river_dragons", "river_of_gold"]) {
  const id = await create(game);
  const reading = { seat: 0, lang: "en" };
  const tables = tenant.followTable(id, reading);
  let equal = true;
  for (let version = 1, count = 0; count < 8; count += 1) {
    equal &&= isDeepStrictEqual(await until(tables, version), await tenant.table(id, reading));
    version = await move(id);
  }
  await tenant.resign(id, 1);
  let last;
  for await (const table of tables) last = table;
  told.patched.push(equal && isDeepStrictEqual(last, await tenant.table(id, reading)));

  const versions = [];
  for await (const version of tenant.replay(id, reading)) versions.push(version);
  let same = versions.length === last.version;
  for (const { version, move, table } of versions) {
    const { view } = await tenant.view(id, { seat: 0, at: version });
    same &&= move.version === version && isDeepStrictEqual([table.view, table.pending.length], [view, view.pending.length]);
  }
  told.replayed.push(same && isDeepStrictEqual(versions.at(-1).table.pieces, last.pieces));
  const [before, after] = versions.slice(-2).map(({ table }) => table.pieces);
  told.shared.push(Object.keys(after).some((id) => after[id] === before[id]));
}
const ended = await create();
await tenant.resign(ended, 0);
told.part_of_a_replay = [];
for await (const { version } of tenant.replay(ended, { first: 2 })) told.part_of_a_replay.push(version);

const several = [await create(), await create("river_dragons")];
const newest = new Map();
for await (const table of tenant.followTables(several)) {
  newest.set(table.match_id, table);
  if (table.version === 1) await tenant.resign(table.match_id, 0);
}
told.several = await Promise.all(several.map(async (id) => isDeepStrictEqual(newest.get(id), await tenant.table(id))));

const seated = await create();
const events = tenant.follow(seated);
told.seats = [(await events.next()).value.event];
const first = await tenant.newerTable(seated);
const same = await tenant.newerTable(seated, first.etag);
await tenant.updateSeat(seated, 1, { name: "Ada" });
told.seats.push((await events.next()).value.event);
await events.return();
const seen = await tenant.view(seated, { seat: 0 });
const repeated = [];
for (const version of [seen.version, seen.version, seen.version - 1]) repeated.push((await tenant.newerView(seated, version, { seat: 0 }))?.version);
told.newer_views = [String(repeated[0]), String(repeated[1]), repeated[2] === seen.version];
told.not_modified = [String(same), (await tenant.newerTable(seated, first.etag)).table.match.seats[1].name];

const dragons = await create("river_dragons");
const [program] = choices(await tenant.waitForTurn(dragons, { seat: 0 }));
const cards = [];
for (const { choices: offered } of program.hint.steps) cards.push(offered.find(({ value }) => !cards.includes(value)).value);
const made = await tenant.move(dragons, fill(program, cards), 1, 0, { includeTable: true });
told.with_the_move = isDeepStrictEqual(made.table, await tenant.table(dragons, { seat: 0 }));

const names = ["ada", "bob"].map((name) => `${name}-${Math.random()}`);
const players = await Promise.all(names.map(async (name) => new Client(GATEWAY, (await tenant.players.session(name)).token)));
const { match, invites } = await players[0].createMatch({ game: "al_rashid", seats: 2, seating: [{ player: names[0] }, { kind: "invited" }] });
await players[1].join(match.match_id, { invite: invites[0].token });
const playing = players.map((player) =>
  player.play(match.match_id, async ({ legal }) => legal.actions[0] ?? (await player.legalActions(match.match_id, { samples: 1 })).samples[0]),
);
const leaving = setTimeout(() => tenant.resign(match.match_id, 0), 2_000);
const ends = (await Promise.all(playing)).map((table) => table.match.status);
clearTimeout(leaving);
const watching = new Client(GATEWAY, (await tenant.players.session(names[0], ["read"])).token);
told.session = [ends, await watching.createMatch({ game: "al_rashid", seats: 2 }).catch((error) => error.reason)];

const boards = [0, 1].map((board) => ({ game: "al_rashid", seats: 2, reference: `${match.match_id}/${board}` }));
const plan = { mode: "all", matches: boards, request_id: match.match_id };
const [{ results }, repeat] = [await tenant.createMatches(plan), await tenant.createMatches(plan)];
const { results: judged } = await tenant.createMatches({ mode: "each", matches: [...boards.slice(1), { game: "al_rashid", seats: 2 }] });
told.batch = [
  results.map(({ created }) => created.seat_tokens.length),
  isDeepStrictEqual(repeat.results.map(({ created }) => created.match), results.map(({ created }) => created.match)),
  judged.map(({ created, problem }) => problem?.reason ?? created.match.status),
  await tenant.createMatches({ mode: "all", matches: [...boards, { game: "al_rashid", seats: 9 }] }).catch((error) => error.reason),
];

const { code } = await tenant.players.loginCode(names[0], ["read"], { hours: 1, validSeconds: 60 });
const page = new Client(GATEWAY);
const { player: signedIn, scopes } = await page.players.redeem(code);
told.login_code = [signedIn === names[0], scopes, await page.players.redeem(code).catch((error) => error.reason)];

const day = 86_400_000;
const inDays = (days) => new Date(Date.now() + days * day).toISOString();
const away = await tenant.announceVacation({ player: names[0], since: inDays(40), until: inDays(41) });
const own = async (filters) => {
  const found = [];
  for await (const vacation of watching.vacations(filters)) found.push(vacation.vacation_id);
  return found;
};
const announced = await own();
const removed = await tenant.cancelVacation(away.vacation_id);
const begun = await tenant.announceVacation({ player: names[0], until: inDays(1) });
const left = await tenant.cancelVacation(begun.vacation_id);
told.vacations = [
  announced[0] === away.vacation_id && announced.length,
  removed,
  left.until < begun.until,
  [await own(), await own({ include_ended: true })].map((list) => list.length),
  await players[0].announceVacation({ until: inDays(1) }).catch((error) => error.reason),
  await players[0].cancelVacation(begun.vacation_id).catch((error) => error.reason),
];

const open = await create("al_rashid", { visibility: "public" });
await tenant.patch("/v1/tenant", { anonymous_read: true });
told.without_a_credential = (await new Client(GATEWAY).table(open)).audience.kind;
await tenant.patch("/v1/tenant", { anonymous_read: false });

const table = { version: 7, pending: ["a"] };
const number = { type: "number", field: "/n", least: 0, most: 3, suggested: 1, name: "", limit: "all" };
const chosen = { template: { type: "pay" }, hint: { group: "pay", steps: [number, { ...number, field: "/m" }], limits: [{ name: "all", least: 2, most: 4 }] } };
const wrong = [
  () => patched(table, [{ op: "replace", path: "/view", value: 1 }]),
  () => patched(table, [{ op: "remove", path: "/pending/1" }]),
  () => patched(table, [{ op: "move", from: "/version", path: "/view" }]),
  () => patched(table, [{ op: "remove", path: "" }]),
  () => fill(chosen, [1]),
  () => fill(chosen, [4, 0]),
  () => fill(chosen, [1, 0]),
  () => fill(chosen, [[1, 2], 0]),
];
told.refused = wrong.map((work) => {
  try {
    return JSON.stringify(work());
  } catch (error) {
    return error.name;
  }
});
console.log(JSON.stringify(told));
