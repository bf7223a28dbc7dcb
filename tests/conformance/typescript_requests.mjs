// What the TypeScript client asks for: ids from anywhere stay where they belong, and so does the credential. Prints what it saw.
import { inspect } from "node:util";
import { Client } from "@foldtable/client";

const MATCH = "0197f0c4-6f5e-7c1a-9f53-2b1f6c0a7d11";

/** A server that has nothing to say, and remembers what it was asked. */
function server() {
  const asked = [];
  const fetch = async (url, { headers }) => {
    asked.push({ url, headers });
    return url.endsWith("/stream") ? new Response(null, { status: 204 }) : new Response('{"moves":[],"next_page_token":""}');
  };
  return { asked, client: new Client("http://table.test/", "ft_dev_key", { fetch }) };
}

const failure = (promise) => promise.then(() => null, (error) => error);
const told = {};
const OF_A_MATCH = {
  match: [], join: [], leave: [], updateSeat: [0, { name: "Ada" }], replacePlayer: [0, { player: "ada" }], askToReplace: [0], answerReplacement: [true, 2], start: [], rematch: [], fork: [{}], legalActions: [],
  move: [{ type: "pass" }, 1], rehearse: [{ type: "pass" }, 1], resign: [], abort: [], answerAbort: [true, 2], pause: [], answerPause: [true, 2], resume: [], addTime: [[1], 60], undoState: [],
  undo: [1, 2], answerUndo: [true, 2], redo: [2], view: [], newerView: [1], moves: [], follow: [], verify: [], delete: [],
  table: [], newerTable: [], followTable: [], replay: [],
  waitForTurn: [], play: [() => ({ type: "pass" })], poll: [1],
};
const NO_IDS = ["", ".", "..", "../../v1/webhooks/x", `${MATCH}/seats/0`, "..\\webhooks"];
const ELSEWHERE = ["https://elsewhere.test/v1/token", "//elsewhere.test/", "@elsewhere.test/", ""];
const done = (answer) => (answer instanceof Promise ? answer : answer.next()); // lists and streams begin when they are read
const kinds = async (tries) => [...new Set((await Promise.all(tries.map(failure))).map((error) => `${error?.name}: ${error?.message.replace(/^".*" /, "")}`))];

const careful = server();
told.no_ids = await kinds([
  ...Object.entries(OF_A_MATCH).flatMap(([does, said]) => NO_IDS.map((name) => done(careful.client[does](name, ...said)))),
  ...NO_IDS.map((name) => careful.client.game(name)),
  ...NO_IDS.map((name) => careful.client.layout(name)),
  ...[...NO_IDS, `${MATCH},${MATCH}`].map((name) => done(careful.client.followMatches([MATCH, name]))),
  ...NO_IDS.map((seat) => careful.client.updateSeat(MATCH, seat, { name: "Ada" })),
]);
told.elsewhere = await kinds(ELSEWHERE.map((path) => careful.client.get(path)));
told.no_request_ids = await kinds(["", "Größe", "a\r\nX-Other: b"].map((request_id) => careful.client.createMatch({ request_id })));
told.no_credentials = await kinds(["\n", " ", "é"].map(async (ending) => new Client("http://table.test", `ft_dev_key${ending}`)));
told.no_tags = await kinds(["v:1", '"v:1', '"v:1", "v:2"'].map((etag) => careful.client.newerTable(MATCH, etag)));
told.asked_for_nothing = careful.asked.length === 0;
const methods = (prototype) =>
  prototype === Object.prototype ? [] : [...Object.getOwnPropertyNames(prototype), ...methods(Object.getPrototypeOf(prototype))];
told.methods = methods(Client.prototype).length;
told.methods_not_tried = methods(Client.prototype)
  .filter((name) => name !== "players" && /^[\w\s*]*\(match\b/.test(Client.prototype[name].toString()) && !(name in OF_A_MATCH));

const quoting = server();
await quoting.client.leave("m?seat=1#top %2e");
await quoting.client.rehearse("m", { type: "pass" }, 1);
await quoting.client.get("/v1/matches?game=al_rashid", { page_size: 1, status: undefined });
told.quoted = quoting.asked.map(({ url }) => url);
await quoting.client.createMatch({ request_id: 'C:\\the "big" one' });
told.key_of_a_request_id = quoting.asked[3].headers["Idempotency-Key"];
told.shows_its_credential = [inspect(quoting.client, { depth: null, showHidden: true }), JSON.stringify(quoting.client)].some((shown) =>
  shown.includes("ft_dev_key"),
);

console.log(JSON.stringify(told));
