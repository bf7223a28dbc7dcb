import assert from "node:assert/strict";
import test from "node:test";
import { optionFields, optionsInWords } from "../src/lobby/options";

const SCHEMA = {
  $ref: "#/$defs/HarbourOptions",
  $defs: {
    HarbourOptions: {
      properties: {
        side: { $ref: "#/$defs/Side", default: "north" },
        rounds: { anyOf: [{ type: "integer", minimum: 1, maximum: 9 }, { $ref: "#/$defs/NoLimit" }] },
        storms: { type: "boolean", default: true },
        flags: { type: "array", items: { $ref: "#/$defs/Side" }, default: [] },
      },
    },
    Side: { enum: ["north", "south"] },
    NoLimit: { enum: ["none"] },
  },
};

test("words, numbers and yes-or-no have fields; lists keep their defaults", () => {
  assert.deepEqual(optionFields(SCHEMA), [
    { kind: "choice", name: "side", initial: "north", values: ["north", "south"] },
    { kind: "number", name: "rounds", initial: undefined, least: 1, most: 9, words: ["none"] },
    { kind: "flag", name: "storms", initial: true },
  ]);
});

test("a game without options has no fields", () => {
  assert.deepEqual(optionFields({ $ref: "#/$defs/None", $defs: { None: { properties: {} } } }), []);
});

test("options are said in the game's words, with ids where it has none; empty lists say nothing", () => {
  const messages = { "option.side": "Side", "option.side.south": "South shore" };
  assert.deepEqual(optionsInWords({ messages }, { side: "south", rounds: 3, flags: [] }), [
    { name: "Side", value: "South shore" },
    { name: "rounds", value: "3" },
  ]);
});
