import assert from "node:assert/strict";
import test from "node:test";
import { firstPlan, isHidden, type Plan, requestOf, visibilityOf } from "../src/lobby/plan";

const HARBOUR = { game: "harbour", seat_counts: [2, 3, 4], bot_levels: ["random", "greedy", "search"] };

const plan = (part: Partial<Plan> = {}): Plan => ({ ...firstPlan(HARBOUR, "Ada"), ...part });

test("the first plan is a match against two bots of the middle level, that only its player finds", () => {
  const request = requestOf(plan());
  assert.equal(request.seats, 3);
  assert.equal(request.visibility, "private");
  assert.equal(request.bot_pace_seconds, 1);
  assert.deepEqual(request.seating, [
    { name: "Ada" },
    { kind: "bot", level: "greedy", name: "Bot 1" },
    { kind: "bot", level: "greedy", name: "Bot 2" },
  ]);
});

test("a game that three cannot play begins with its smallest number, one without bots with open seats", () => {
  const { seats, guests } = firstPlan({ game: "duel", seat_counts: [2], bot_levels: [] }, "");
  assert.equal(seats, 2);
  assert.deepEqual(guests, ["open"]);
});

test("the request has as many seats as were chosen, and only what was chosen for them", () => {
  const request = requestOf(plan({ seats: 2, guests: ["invited", "open", "open"] }));
  assert.deepEqual(request.seating, [{ name: "Ada" }, { kind: "invited" }]);
  assert.equal("bot_pace_seconds" in request, false);
  assert.equal("clock" in request, false);
});

test("a seat for everybody makes the match public, unless somebody chose otherwise", () => {
  assert.equal(visibilityOf(plan({ guests: ["open", "invited", "invited"] })), "public");
  const hidden = plan({ guests: ["open", "invited", "invited"], visibility: "unlisted" });
  assert.equal(visibilityOf(hidden), "unlisted");
  assert.ok(isHidden(hidden));
  assert.equal(isHidden(plan({ visibility: "private" })), false);
});
