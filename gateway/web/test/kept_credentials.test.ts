/** What becomes of kept tokens and sessions when the server refuses one. */
import { type Match, ProblemError } from "@foldtable/client";
import assert from "node:assert/strict";
import test from "node:test";
import { keepSeat, keepSeats, seatingOf, session, signIn, visitWith } from "../src/account";
import { endedBy, hasEnded } from "../src/lobby/ended_session";
import { SeatedMatches } from "../src/lobby/seated_matches";
import { store } from "../src/stored";

function storage() {
  const kept = new Map<string, string>();
  return {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
  };
}
const begin = () => void Object.assign(globalThis, { localStorage: storage(), sessionStorage: storage() });
const running = (id: string) => ({ match_id: id, status: "running" }) as Match;
const refusing = (status: number) => () => Promise.reject(new ProblemError(status, {}));

test("a match is read with the seat's own token, not with that of a link", async () => {
  begin();
  keepSeat("m", { seat: 1, token: "of the seat" });
  visitWith("m", "of a link");
  const used: string[] = [];
  const seated = new SeatedMatches(async (id, token) => {
    used.push(token);
    return running(id);
  });
  await seated.load();
  assert.deepEqual(used, ["of the seat"]);
  assert.deepEqual(seated.matches.map(({ match_id: id }) => id), ["m"]);
});

test("a seat is forgotten only if its token is void", async () => {
  for (const status of [403, 404, 500]) {
    begin();
    keepSeat("m", { seat: 1, token: "good" });
    await new SeatedMatches(refusing(status)).load().catch(() => undefined);
    assert.equal(seatingOf("m")?.token, "good", String(status));
  }
  begin();
  keepSeat("m", { seat: 1, token: "void" });
  await new SeatedMatches(refusing(401)).load();
  assert.equal(seatingOf("m"), undefined);
});

test("a token that was kept meanwhile stays, and so do those of the other seats", async () => {
  begin();
  keepSeat("m", { seat: 1, token: "void" });
  await new SeatedMatches(() => {
    keepSeat("m", { seat: 1, token: "new" });
    return refusing(401)();
  }).load();
  assert.equal(seatingOf("m")?.token, "new");
  const [one, other] = [{ seat: 0, token: "void" }, { seat: 1, token: "good" }];
  keepSeats("m", one, [one, other]);
  await new SeatedMatches(refusing(401)).load();
  assert.equal(seatingOf("m")?.token, "good");
});

test("one match with trouble does not hide the others, and the trouble is told", async () => {
  begin();
  for (const id of ["good", "bad"]) keepSeat(id, { seat: 0, token: id });
  const trouble = new ProblemError(500, {});
  const seated = new SeatedMatches(async (id) => {
    if (id === "bad") throw trouble;
    return running(id);
  });
  assert.equal(await seated.load().catch((error: unknown) => error), trouble);
  assert.deepEqual(seated.matches.map(({ match_id: id }) => id), ["good"]);
});

test("the newest twelve are read first, the others when they are asked for; those that are over once", async () => {
  begin();
  for (let number = 0; number < 15; number++) keepSeat(`m${number}`, { seat: 0, token: "t" });
  const asked: string[] = [];
  const seated = new SeatedMatches(async (id) => {
    asked.push(id);
    return { ...running(id), status: id === "m14" ? "ended" : "running" };
  });
  await seated.load();
  assert.deepEqual([asked.length, seated.more, asked[0]], [12, 3, "m14"]);
  seated.showAll();
  await seated.load();
  assert.deepEqual([asked.length, seated.more, seated.matches.length], [12 + 14, 0, 15]);
});

const signedIn = (token: string) => ({ token, player: "ada", expires_at: "2999-01-01T00:00:00Z" });

test("a session that the server refuses ends, and its player is told until somebody signs in", () => {
  begin();
  signIn(signedIn("old"));
  assert.equal(endedBy(new ProblemError(500, {}), "old"), false);
  assert.equal(endedBy(new ProblemError(403, {}), "old"), false);
  assert.equal(session.value?.token, "old");
  assert.ok(endedBy(new ProblemError(401, {}), "old"));
  assert.deepEqual([session.value, hasEnded.value], [undefined, true]);
  signIn(signedIn("new"));
  assert.equal(hasEnded.value, false);
});

test("a late answer to an earlier session ends no later one, nor what another tab has begun", () => {
  begin();
  signIn(signedIn("new"));
  assert.ok(endedBy(new ProblemError(401, {}), "old"));
  assert.equal(session.value?.token, "new");
  store("session", signedIn("of another tab"));
  endedBy(new ProblemError(401, {}), "new");
  assert.deepEqual([session.value?.token, hasEnded.value], ["of another tab", false]);
});
