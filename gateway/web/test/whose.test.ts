import type { Match } from "@foldtable/client";
import assert from "node:assert/strict";
import test from "node:test";
import { inOrder, isMyTurn, joinableFirst, updated } from "../src/lobby/whose";

type Seat = Match["seats"][number];

const seat = (number: number, part: Partial<Seat> = {}): Seat => ({
  ...{ seat: number, taken: true, player: "", state: "taken", name: "", level: null, bot: null, data: null, ready: false },
  ...part,
});

const match = (part: Partial<Match>): Match =>
  ({
    ...{ match_id: "m", status: "running", version: 4, to_act: [0], paused_by: null, updated_at: "2026-01-01T00:00:00Z" },
    seats: [seat(0, { player: "ada" }), seat(1)],
    ...part,
  }) as Match;

test("a match waits for the player of a seat that must act", () => {
  assert.ok(isMyTurn(match({}), { player: "ada" }));
  assert.equal(isMyTurn(match({ to_act: [1] }), { player: "ada" }), false);
  assert.equal(isMyTurn(match({}), { player: "bob" }), false);
});

test("nobody is the player of the seats that have none", () => {
  assert.equal(isMyTurn(match({ to_act: [1] }), { player: "" }), false);
  assert.equal(isMyTurn(match({ to_act: [1] }), {}), false);
});

test("whoever has the token of a seat has its turn", () => {
  assert.ok(isMyTurn(match({ to_act: [1] }), { seat: 1 }));
});

test("a seat where a bot stands in waits for nobody, nor does one of a match that is over", () => {
  const seats = [seat(0, { player: "ada", level: "greedy" }), seat(1)];
  assert.equal(isMyTurn(match({ seats }), { player: "ada" }), false);
  assert.equal(isMyTurn(match({ status: "ended" }), { player: "ada" }), false);
});

const turns = { to_act: [1], waiting_for: [], waiting_for_me: null };
const match_of_news = { title: "", visibility: "private", deadline: null } as const;
const news: Parameters<typeof updated>[1] = { match_id: "m", game: "harbour", version: 5, status: "running", ...turns, ...match_of_news, players: [] };

test("news of a move are enough to update a match; changed seats or a new status are not", () => {
  assert.deepEqual(updated(match({}), news)?.to_act, [1]);
  assert.equal(updated(match({}), { ...news, status: "ended" }), undefined);
  assert.equal(updated(match({ status: "waiting" }), { ...news, status: "waiting" }), undefined);
});

test("a match is read again when it is paused, and when it goes on; not while it stays as it is", () => {
  const paused = { ...news, to_act: [] };
  assert.equal(updated(match({}), paused), undefined);
  assert.equal(updated(match({ paused_by: "consent", to_act: [] }), news), undefined);
  assert.equal(updated(match({ paused_by: "consent", to_act: [] }), paused)?.version, 5);
});

const MATCHES = [
  match({ match_id: "over", status: "ended", updated_at: "2026-01-09T00:00:00Z" }),
  match({ match_id: "waits", status: "waiting" }),
  match({ match_id: "old" }),
  match({ match_id: "new", updated_at: "2026-01-02T00:00:00Z" }),
];
const idsOf = (matches: readonly Match[]) => matches.map(({ match_id: id }) => id);

test("own matches in play come first, then those that wait, and in each the newest", () => {
  assert.deepEqual(idsOf(inOrder(MATCHES)), ["new", "old", "waits", "over"]);
});

test("of other people's matches, those come first that can still be joined", () => {
  assert.deepEqual(idsOf(joinableFirst(MATCHES)), ["waits", "new", "old", "over"]);
});
