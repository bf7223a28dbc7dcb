/** What a table says of a pause, and who is offered to end it. */
import assert from "node:assert/strict";
import test from "node:test";
import { type Language, LANGUAGES, speak } from "../src/i18n";
import { GoOn, pauseInWords } from "../src/parts/paused";

Object.assign(globalThis, { document: { documentElement: {} } });
const goOn = () => undefined;

for (const language of Object.keys(LANGUAGES) as Language[]) {
  test(`in ${language}, a table says by whom the match is paused`, async () => {
    await speak(language);
    const [agreed, ordered] = [pauseInWords({ paused_by: "consent" }), pauseInWords({ paused_by: "tenant" })];
    assert.ok(agreed && ordered && agreed !== ordered);
    assert.equal(pauseInWords({ paused_by: null }), undefined);
  });
}

test("a player ends a pause that the players agreed on, and nobody else's", async () => {
  await speak("en");
  assert.ok(GoOn({ match: { paused_by: "consent" }, own: 0, goOn }));
  assert.equal(GoOn({ match: { paused_by: "tenant" }, own: 0, goOn }), null);
  assert.equal(GoOn({ match: { paused_by: null }, own: 0, goOn }), null);
});

test("who watches ends no pause", async () => {
  await speak("en");
  assert.equal(GoOn({ match: { paused_by: "consent" }, own: undefined, goOn }), null);
});
