/** Words in drawings, names in sentences, and the page's own words in every language. */
import assert from "node:assert/strict";
import test from "node:test";
import type { Match } from "@foldtable/client";
import type { Game } from "../src/board/shapes";
import { fitted } from "../src/board/words";
import { named } from "../src/parts/names";
import { words as english } from "../src/words/en";
import { words as french } from "../src/words/fr";
import { words as italian } from "../src/words/it";
import { words as polish } from "../src/words/pl";

test("a text is broken into lines so that its letters are as large as they can be", () => {
  assert.deepEqual(fitted("Imperial Market", 60, 60, 40).lines, ["Imperial", "Market"]);
  assert.deepEqual(fitted("Imperial Market", 200, 20, 40).lines, ["Imperial Market"]);
  assert.equal(fitted("Port", 1_000, 1_000, 12).size, 12);
});

const game = { messages: { seat: "Seat {seat, number}" } } as unknown as Game;
const seats = [{ seat: 0, name: "Ada $1" }, { seat: 1, name: "", player: "bob" }] as unknown as Match["seats"];

test("sentences call players by their names, and other numbers stay", () => {
  const write = named({ seats }, game);
  assert.equal(write("Seat 0 gives Seat 1 a good; Seat 12 and Seat 0's hand stay."), "Ada $1 gives bob a good; Seat 12 and Ada $1's hand stay.");
});

test("seats of the same name are told apart, as in a fork where one person moves for all", () => {
  const mine = [0, 1].map((seat) => ({ seat, name: "", player: "ada" })) as unknown as Match["seats"];
  assert.equal(named({ seats: mine }, game)("Seat 0 pays Seat 1."), "ada 1 pays ada 2.");
});

for (const [language, words] of Object.entries({ french, italian, polish })) {
  test(`${language} has every text of the page, with the same values`, () => {
    const values = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();
    for (const [key, text] of Object.entries(english)) assert.deepEqual(values(words[key as keyof typeof words]), values(text), key);
    assert.deepEqual(Object.keys(words).sort(), Object.keys(english).sort());
  });
}
