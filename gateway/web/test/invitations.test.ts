import assert from "node:assert/strict";
import test from "node:test";
import { readPasted } from "../src/lobby/invitations";

const MATCH = "01a20969-c10b-733a-a280-697e5c13c7b8";

test("a link to a match is read wherever the page is", () => {
  assert.deepEqual(readPasted(`  https://play.example/#/m/${MATCH}?invite=a.b.c\n`), { fragment: `#/m/${MATCH}?invite=a.b.c` });
  assert.deepEqual(readPasted(`#/m/${MATCH}`), { fragment: `#/m/${MATCH}` });
});

test("the bare token of an invite is read", () => {
  assert.deepEqual(readPasted("eyJh.eyJp-c3_M.Wu29"), { token: "eyJh.eyJp-c3_M.Wu29" });
});

test("anything else is neither", () => {
  for (const text of ["", "hello", "https://play.example/", "#/m/<script>", "a b.c.d"]) assert.equal(readPasted(text), undefined);
});
