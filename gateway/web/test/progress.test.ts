/** Choosing an action: by touching, by buttons, and step by step through a template. */
import assert from "node:assert/strict";
import test from "node:test";
import type { Table } from "@foldtable/client";
import { NOTHING, offer, type Progress } from "../src/choose/progress";

type Legal = NonNullable<Table["legal"]>;

const hint = (group: string, ...targets: string[]) => ({ group, targets, cost: [] });
const legal = (parts: object) =>
  ({ actions: [], action_hints: [], action_texts: [], templates: [], template_hints: [], template_texts: [], ...parts }) as unknown as Legal;
const SAILS = legal({
  actions: [{ type: "sail", ship: "a", to: 1 }, { type: "sail", ship: "a", to: 2 }, { type: "sail", ship: "b", to: 1 }, { type: "rest" }],
  action_hints: [hint("sail", "a", "one"), hint("sail", "a", "two"), hint("sail", "b", "one"), hint("rest")],
  action_texts: ["a to one", "a to two", "b to one", "rest"].map((sentence) => ({ key: "k", sentence })),
});
const touch = (given: Legal, progress: Progress, id: string) => offer(given, progress).lit.get(id)!;

test("given nothing touched, the first targets are lit and every action has a button", () => {
  const { lit, options } = offer(SAILS, NOTHING);
  assert.deepEqual([...lit.keys()], ["a", "b"]);
  assert.deepEqual(options.map(({ text }) => text), ["a to one", "a to two", "b to one", "rest"]);
});

test("when a ship with two ways is touched, its ways are lit and other actions are gone", () => {
  const { lit, options } = offer(SAILS, touch(SAILS, NOTHING, "a"));
  assert.deepEqual([...lit.keys()], ["one", "two"]);
  assert.equal(options.length, 2);
});

test("when the last target is touched, the action is chosen and waits to be confirmed", () => {
  const { chosen } = touch(SAILS, touch(SAILS, NOTHING, "a"), "two");
  assert.deepEqual(chosen?.action, { type: "sail", ship: "a", to: 2 });
  assert.equal(offer(SAILS, touch(SAILS, touch(SAILS, NOTHING, "a"), "two")).options.length, 0);
});

test("an action whose targets begin another one's is chosen with its button only", () => {
  const both = legal({ actions: [{ type: "x" }, { type: "y" }], action_hints: [hint("g", "a"), hint("g", "a", "b")] });
  assert.equal(touch(both, NOTHING, "a").chosen, undefined);
  assert.equal(offer(both, touch(both, NOTHING, "a")).options.length, 2);
});

const choice = (value: string, limit = "") => ({ value, name: value, target: `${value}@0`, limit });
const program = (...steps: object[]) =>
  legal({
    templates: [{ type: "program" }],
    template_hints: [{ group: "program", steps, limits: [{ name: "two", least: 0, most: 2 }] }],
    template_texts: [{ key: "k", sentence: "Choose" }],
  });

test("a template alone begins at once; a card that was chosen cannot be chosen again", () => {
  const step = (at: number) => ({ type: "choose", field: `/cards/${at}`, different: true, choices: [choice("jump"), choice("move")] });
  const cards = program(step(0), step(1));
  assert.deepEqual([...offer(cards, NOTHING).lit.keys()], ["jump@0", "move@0"]);
  const one = touch(cards, NOTHING, "jump@0");
  assert.deepEqual(one.touched, ["jump@0"]);
  assert.deepEqual(offer(cards, one).options.map(({ name }) => name), ["move"]);
  assert.deepEqual(touch(cards, one, "move@0").chosen?.action, { type: "program", cards: ["jump", "move"] });
});

test("a number is bounded by what the limit leaves", () => {
  const number = (field: string) => ({ type: "number", field, name: "silk", least: 0, most: 5, suggested: 3, limit: "two" });
  const pay = program(number("/a"), number("/b"));
  const first = offer(pay, NOTHING).number!;
  assert.equal(first.most, 2);
  assert.equal(first.suggested, 2);
  const second = offer(pay, first.take(1)).number!;
  assert.equal(second.most, 1);
  assert.deepEqual(second.take(1).chosen?.action, { type: "program", a: 1, b: 1 });
});

test("a point is touched on its board", () => {
  const place = program({ type: "point", board: "islands", field_x: "/at/x", field_y: "/at/y" });
  const { point } = offer(place, NOTHING);
  assert.equal(point?.board, "islands");
  assert.deepEqual(point?.take(3, -4).chosen?.action, { type: "program", at: { x: 3, y: -4 } });
});

test("beside other actions a template is one of the buttons", () => {
  const step = { type: "choose", field: "/card", different: false, choices: [choice("jump")] };
  const mixed = { ...program(step), actions: SAILS.actions, action_hints: SAILS.action_hints } as Legal;
  const { options } = offer(mixed, NOTHING);
  assert.equal(options.at(-1)?.text, "Choose …");
  assert.deepEqual([...offer(mixed, options.at(-1)!.next).lit.keys()], ["jump@0"]);
});
