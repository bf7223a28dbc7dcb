// Aborts calls of the TypeScript client in everything they can wait for. Prints how each ended, and after how long.
import { Client } from "@foldtable/client";

const { GATEWAY, KEY, SILENT, NOWHERE } = process.env;
const SETTLE = 300; // milliseconds until a call waits for what it is to wait for
const MATCH = "0197f0c4-6f5e-7c1a-9f53-2b1f6c0a7d11";
const tenant = new Client(GATEWAY, KEY);
const silent = (way) => new Client(`http://${SILENT}/${way}`);

const { match } = await tenant.createMatch({ game: "al_rashid", seats: 2 });
const { match_id: name, version } = match;
const [seat] = match.to_act;
const each = async (items) => {
  for await (const _ of items);
};
const forever = () => new Promise(() => {});
const STATES = {
  connecting: (signal) => new Client(NOWHERE).games({ signal }),
  "TLS handshake": (signal) => new Client(`https://${SILENT}`).games({ signal }),
  "waiting for an answer": (signal) => silent("silent").games({ signal }),
  "reading an answer": (signal) => silent("half").games({ signal }),
  replaying: (signal) => each(silent("half").replay(MATCH, { signal })),
  "pause between tries": (signal) => silent("later").games({ signal }),
  "pause of a stream": (signal) => each(silent("later").follow(MATCH, { signal })),
  "pause of a replay": (signal) => each(silent("later").replay(MATCH, { signal })),
  "long poll": (signal) => tenant.poll(name, version, signal),
  "reading a stream": (signal) => each(tenant.follow(name, { seat, signal })),
  "following a table": (signal) => each(tenant.followTable(name, { seat, signal })),
  "reading a feed": (signal) => each(tenant.feed(undefined, signal)),
  "waiting for a turn": (signal) => tenant.waitForTurn(name, { seat: 1 - seat, signal }),
  "a callback thinks": (signal) => tenant.play(name, forever, { seat, signal }),
};

const ended = [];
for (const [state, call] of Object.entries(STATES)) {
  const [controller, reason] = [new AbortController(), new Error("enough")];
  let over;
  const calling = call(controller.signal).then(
    () => "it returned",
    (error) => ((over = performance.now()), error === reason ? "" : String(error)),
  );
  await new Promise((wake) => setTimeout(wake, SETTLE));
  if (over !== undefined) ended.push({ state, milliseconds: -1, wrong: `it did not wait: ${await calling}` });
  const begun = performance.now();
  controller.abort(reason);
  const wrong = await Promise.race([calling, new Promise((wake) => setTimeout(wake, 20_000, "it went on"))]);
  ended.push({ state, milliseconds: over - begun, wrong });
}
await tenant.abort(name);

// Every method takes a signal: with one that is aborted, it throws the reason, and nothing is sent.
const asked = [];
const nobody = new Client("http://table.test", "", { fetch: async (url) => (asked.push(url), new Response("{}")) });
const gone = { signal: AbortSignal.abort("gone") };
const CALLS = {
  games: () => nobody.games(gone),
  game: () => nobody.game("g", gone),
  layout: () => nobody.layout("g", gone),
  createMatch: () => nobody.createMatch({ game: "g", seats: 2 }, gone),
  createMatches: () => nobody.createMatches({ mode: "all", matches: [] }, gone),
  match: () => nobody.match("m", gone),
  matches: () => nobody.matches(gone).next(),
  join: () => nobody.join("m", {}, gone),
  quickJoin: () => nobody.quickJoin({}, gone),
  leave: () => nobody.leave("m", 0, gone),
  updateSeat: () => nobody.updateSeat("m", 0, {}, gone),
  replacePlayer: () => nobody.replacePlayer("m", 0, { player: "p" }, gone),
  askToReplace: () => nobody.askToReplace("m", 0, gone),
  answerReplacement: () => nobody.answerReplacement("m", true, 2, 0, gone),
  start: () => nobody.start("m", gone),
  rematch: () => nobody.rematch("m", gone),
  fork: () => nobody.fork("m", {}, gone),
  announceVacation: () => nobody.announceVacation({ until: "t" }, gone),
  vacations: () => nobody.vacations(gone).next(),
  cancelVacation: () => nobody.cancelVacation("v", gone),
  legalActions: () => nobody.legalActions("m", gone),
  move: () => nobody.move("m", {}, 1, 0, gone),
  waitForTurn: () => nobody.waitForTurn("m", gone),
  play: () => nobody.play("m", forever, gone),
  poll: () => nobody.poll("m", 1, gone.signal),
  rehearse: () => nobody.rehearse("m", {}, 1, 0, gone),
  resign: () => nobody.resign("m", 0, gone),
  abort: () => nobody.abort("m", 0, gone),
  answerAbort: () => nobody.answerAbort("m", true, 2, 0, gone),
  pause: () => nobody.pause("m", 0, gone),
  answerPause: () => nobody.answerPause("m", true, 2, 0, gone),
  resume: () => nobody.resume("m", 0, gone),
  addTime: () => nobody.addTime("m", [1], 60, 0, gone),
  undoState: () => nobody.undoState("m", 0, gone),
  undo: () => nobody.undo("m", 1, 2, 0, gone),
  answerUndo: () => nobody.answerUndo("m", true, 2, 0, gone),
  redo: () => nobody.redo("m", 2, 0, gone),
  table: () => nobody.table("m", gone),
  newerTable: () => nobody.newerTable("m", "", gone),
  view: () => nobody.view("m", gone),
  newerView: () => nobody.newerView("m", 1, gone),
  moves: () => nobody.moves("m", gone).next(),
  verify: () => nobody.verify("m", gone),
  follow: () => nobody.follow("m", gone).next(),
  followMatches: () => nobody.followMatches(["m"], gone).next(),
  followTable: () => nobody.followTable("m", gone).next(),
  followTables: () => nobody.followTables(["m"], gone).next(),
  replay: () => nobody.replay("m", gone).next(),
  feed: () => nobody.feed("p", gone.signal).next(),
  credential: () => nobody.credential(gone),
  get: () => nobody.get("/v1/x", gone),
  pages: () => nobody.pages("/v1/x", "x", gone).next(),
  post: () => nobody.post("/v1/x", {}, gone),
  patch: () => nobody.patch("/v1/x", {}, gone),
  "players.session": () => nobody.players.session("p", [], 1, gone),
  "players.loginCode": () => nobody.players.loginCode("p", [], gone),
  "players.redeem": () => nobody.players.redeem("c", gone),
  "players.revokeEverything": () => nobody.players.revokeEverything("p", "", gone),
  "players.erase": () => nobody.players.erase("p", gone),
  "players.kept": () => nobody.players.kept("p", gone),
  delete: () => nobody.delete("m", gone),
  "players.revoke": () => nobody.players.revoke("p", gone),
};
const deaf = [];
for (const [method, call] of Object.entries(CALLS)) {
  const thrown = await call().then(() => "nothing", (error) => error);
  if (thrown !== "gone") deaf.push(`${method}: ${String(thrown)}`);
}
const named = new Set(Object.keys(CALLS).map((method) => method.replace(/^players\./, "")));
const methods = [];
for (let of = nobody; of !== Object.prototype; of = Object.getPrototypeOf(of)) methods.push(...Object.getOwnPropertyNames(of));
methods.push(...Object.getOwnPropertyNames(Object.getPrototypeOf(nobody.players)));
const untried = methods.filter((method) => !named.has(method) && !["constructor", "players", "sender", "views"].includes(method));

// The last error is the cause of giving up.
const broken = new TypeError("cut off");
const patience = new Client("http://table.test", "", { retryFor: 0, fetch: () => Promise.reject(broken) });
const given = async (call) => call.then(() => undefined, (error) => [error.name, error.cause === broken]);
const causes = [await given(patience.games()), await given(patience.start("m")), await given(patience.follow("m").next()), await given(patience.replay("m").next())];
const asParameters = [];
const listening = new Client("http://table.test", "", { fetch: async (url) => (asParameters.push(url), new Response("{}")) });
await listening.legalActions("m", { seat: 1, signal: new AbortController().signal });

console.log(JSON.stringify({ ended, deaf, untried, asked, causes, asParameters }));
