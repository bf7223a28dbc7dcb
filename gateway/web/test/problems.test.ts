import { ProblemError } from "@foldtable/client";
import assert from "node:assert/strict";
import test from "node:test";
import { problemsOf } from "../src/lobby/problems";

const FIELDS = ["/seating/1", "/options/side", "/title"];

test("a problem stands beside the field that its pointer is in", () => {
  const errors = [
    { code: "BOT_UNKNOWN", detail: "no such bot", pointer: "/seating/1/level" },
    { code: "TOO_LONG", detail: "too long", pointer: "/title" },
  ];
  assert.deepEqual(problemsOf(new ProblemError(400, { errors }), FIELDS, "refused"), new Map([["/seating/1", "no such bot"], ["/title", "too long"]]));
});

test("a pointer that only begins alike is another field", () => {
  const errors = [{ code: "X", detail: "which seat?", pointer: "/seating/10/level" }];
  assert.deepEqual(problemsOf(new ProblemError(400, { errors }), FIELDS, "refused"), new Map([["", "which seat?"]]));
});

test("the rules of a game name an option", () => {
  assert.deepEqual(problemsOf(new ProblemError(422, { field: "side" }), FIELDS, "refused"), new Map([["/options/side", "refused"]]));
});

test("what names no field stands at the end", () => {
  assert.deepEqual(problemsOf(new Error("no connection"), FIELDS, "refused"), new Map([["", "refused"]]));
});
