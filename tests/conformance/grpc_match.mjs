// Plays a whole match over gRPC with typed messages: whatever a seat does is one of its legal actions.
import assert from "node:assert/strict";
import { as, call, connect } from "./grpc_connection.mjs";

const { GATEWAY, RULES, KEY, GAME } = process.env;
const typed = "PAYLOAD_FORM_TYPED";
const { matches, rules } = await connect({ gateway: GATEWAY, rules: RULES });

const { summary, proto_package: package_ } = await call(rules, "DescribeGame", { game: GAME });
const type = (name) => `type.googleapis.com/${package_}.${name}`;
const seats = summary.seat_counts[0];
const created = await call(
  matches,
  "CreateMatch",
  { game: GAME, seats, options: { typed: { "@type": type("Options") } } },
  as(KEY),
);
const players = created.tokens.map(({ token }) => as(token));
const match_id = created.match.match_id;

let { version = 0, to_act, status } = created.match;
const kinds = new Set();
while (status === "MATCH_STATUS_RUNNING") {
  const seat = to_act[0];
  const legal = await call(matches, "GetLegalActions", { match_id, form: typed, samples: 1 }, players[seat]);
  assert.equal(legal.samples.typed["@type"], type("Actions"));
  const [action] = legal.samples.typed.actions;
  const answer = await call(
    matches,
    "Act",
    {
      match_id,
      request_id: `move-${version}`,
      expected_version: version,
      action: { typed: { "@type": type("Action"), ...action } },
      form: typed,
    },
    players[seat],
  );
  assert.equal(answer.version, version + 1);
  assert.equal(answer.events.typed["@type"], type("Events"));
  for (const event of answer.events.typed.events) kinds.add(Object.keys(event)[0]);
  ({ version, to_act = [], status } = answer);
}

const { view } = await call(matches, "GetView", { match_id, form: typed }, players[0]);
assert.equal(view.typed["@type"], type("View"));
console.log(JSON.stringify({ match_id, seats, version, status, kinds: [...kinds].sort() }));
process.exit(0);
