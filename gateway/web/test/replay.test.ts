/** Where a replay stops, whose eyes are open, and what is shared between versions. */
import assert from "node:assert/strict";
import test from "node:test";
import { Read } from "../src/board/reads";
import { follows, isPromised } from "../src/replay/draws";
import { eyesOf, openEyes, readEyes } from "../src/replay/eyes";
import { shared } from "../src/replay/sharing";
import { ownMoves, roundsOf, stepped, stopsOf, turnsOf } from "../src/replay/steps";

const played = (...moves: [seat: number | null, round?: number][]) =>
  moves.map(([seat, round], at) => ({ version: at + 1, move: { seat }, table: { view: { round } } }));
const STEPS = played([null, 1], [0, 1], [0, 1], [1, 1], [0, 2], [1, 2], [1, 2], [1, 3]);

test("a turn is what one seat does in a row", () => {
  assert.deepEqual(turnsOf(STEPS).map(({ seat, first, last }) => [seat, first, last]), [[null, 1, 1], [0, 2, 3], [1, 4, 4], [0, 5, 5], [1, 6, 8]]);
});

test("a replay stops after turns, where rounds begin, and after the own moves; at both ends always", () => {
  assert.deepEqual(stopsOf("turn", STEPS), [1, 3, 4, 5, 8]);
  assert.deepEqual(stopsOf("round", STEPS), [1, 5, 8]);
  assert.deepEqual(stopsOf("own", STEPS, 0), [1, 2, 3, 5, 8]);
  assert.deepEqual(stopsOf("own", STEPS), [1, 8]);
  assert.deepEqual(stopsOf("move", []), []);
});

test("games without rounds have none", () => {
  assert.deepEqual(roundsOf(played([null], [0])), []);
  assert.deepEqual(roundsOf(played([null, 0], [0, 1], [1, 0], [1, 1])), [2, 4]); // 0: between the rounds
  assert.deepEqual(ownMoves(played([null], [0]), undefined), []);
});

test("stepping goes to the next stop, and stays at the ends", () => {
  assert.deepEqual([stepped([1, 3, 8], 2, true), stepped([1, 3, 8], 3, true), stepped([1, 3, 8], 8, true)], [3, 8, 8]);
  assert.deepEqual([stepped([1, 3, 8], 3, false), stepped([1, 3, 8], 2, false), stepped([1, 3, 8], 1, false)], [1, 1, 1]);
});

test("while a match runs only the own eyes and everybody's are open", () => {
  const seats = [{ seat: 0 }, { seat: 1 }] as Parameters<typeof openEyes>[0]["seats"];
  assert.deepEqual(openEyes({ status: "running", seats }, 1), [1, "public"]);
  assert.deepEqual(openEyes({ status: "running", seats }, "public"), ["public"]);
  assert.deepEqual(openEyes({ status: "ended", seats }, "public"), [0, 1, "public", "referee"]);
  assert.deepEqual([readEyes("1"), readEyes("referee"), readEyes("x"), readEyes(null)], [1, "referee", undefined, undefined]);
  assert.equal(eyesOf({ kind: "seat", seat: 0 }), 0);
});

test("what is equal is shared, and what is not is as it was sent", () => {
  const known = { a: { x: 1 }, list: [{ y: 1 }, { y: 2 }], gone: 1 };
  const next = { a: { x: 1 }, list: [{ y: 1 }, { y: 3 }] };
  const made = shared(known, next);
  assert.deepEqual(made, next);
  assert.equal(made.a, known.a);
  assert.equal(made.list[0], known.list[0]);
  assert.ok(made.list !== known.list);
  assert.equal(shared(known, structuredClone(known)), known);
});

test("only what was read of a document counts", () => {
  type View = { shores: { id: string; built: boolean }[]; turn: number; voyage: object | null; seats: object };
  const view: View = { shores: [{ id: "a", built: false }, { id: "b", built: false }], turn: 1, voyage: { at: 1 }, seats: { one: 1 } };
  const read = new Read(view);
  const seen = read.proxy as View;
  assert.equal(read.agrees({}), true);
  assert.equal(seen.shores.find(({ id }) => id === "b")?.built, false);
  assert.equal(read.agrees({ ...view, turn: 2 }), true);
  assert.equal(read.agrees({ ...view, shores: [{ id: "a", built: true }, { id: "b", built: false }] }), true);
  assert.equal(read.agrees({ ...view, shores: [{ id: "a", built: false }, { id: "b", built: true }] }), false);
  assert.ok(seen.voyage);
  assert.equal(read.agrees({ ...view, voyage: null }), false);
  assert.deepEqual(Object.keys(seen.seats), ["one"]);
  assert.equal(read.agrees({ ...view, seats: { one: 1, two: 2 } }), false);
});


test("draws follow from the secret that was promised", async () => {
  const secret = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
  assert.equal(await isPromised(secret, "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"), true);
  assert.equal(await isPromised(secret.replace("00", "ff"), "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"), false);
  const draw = {
    move: 300,
    number: 7,
    bound: "6",
    value: "5",
    message: "666f6c647461626c652e647261772e7631000000000000012c0000000000000007",
    digest: "eef497d04092180d3aa5634af9e50ac07824aa9db8532d18841ddb01619fb11c",
  };
  assert.equal(await follows(draw, secret), true);
  for (const other of [{ value: "4" }, { move: 299 }, { number: 6 }, { digest: draw.digest.replace("e", "f") }, { message: "00" }, { bound: "7" }]) {
    assert.deepEqual([other, await follows({ ...draw, ...other }, secret)], [other, false]);
  }
  // The first draw of move 1 is thrown away below this bound, so its number is none that can have been drawn.
  const thrown = { move: 1, number: 0, bound: "9223372036854775809", value: "3244720691849544565", message: `${draw.message.slice(0, 34)}${"0".repeat(15)}1${"0".repeat(16)}` };
  const digest = "ad079047290d4376f5ee7df13f2f8dfb72e1a918be6bc86175559e62efa570db";
  assert.equal(await follows({ ...thrown, digest }, secret), false);
});
