// Plays several matches at the same moment over one Play stream, all seats on it, each call with its own token.
import assert from "node:assert/strict";
import { as, call, connect, stream } from "./grpc_connection.mjs";

const { GATEWAY, RULES, KEY, GAME, MATCHES } = process.env;
const form = "PAYLOAD_FORM_TYPED";
const { matches, details } = await connect({ gateway: GATEWAY, rules: RULES });
const play = stream(matches, "Play", as(KEY));

async function begin() {
  const { match, tokens } = await call(matches, "CreateMatch", { game: GAME, seats: 2 }, as(KEY));
  const { match_id, version, to_act, status } = match;
  return { match_id, tokens: tokens.map(({ token }) => token), version, to_act, status };
}

async function nextCall({ match_id, tokens, version, to_act }) {
  const seat = to_act[0];
  const request = { match_id, form, samples: 1 };
  const { samples } = await call(matches, "GetLegalActions", request, as(tokens[seat]));
  const action = { typed: { "@type": samples.typed["@type"].replace(/Actions$/, "Action"), ...samples.typed.actions[0] } };
  return {
    authorization: `Bearer ${tokens[seat]}`,
    act: { match_id, request_id: `move-${version}`, expected_version: version, action, form },
  };
}

const tables = await Promise.all(Array.from({ length: Number(MATCHES) }, begin));
let messages = 0;
let first;
for (;;) {
  const running = tables.filter(({ status }) => status === "MATCH_STATUS_RUNNING");
  if (running.length === 0) break;
  const calls = await Promise.all(running.map(nextCall));
  first ??= calls[0];
  const replies = await play.send(...calls); // one message of ours, one call for each match
  messages += 1;
  replies.forEach(({ accepted, refused }, n) => {
    assert.ok(accepted, JSON.stringify(refused));
    assert.equal(accepted.match_id, running[n].match_id);
    assert.equal(accepted.version, running[n].version + 1);
    Object.assign(running[n], { version: accepted.version, to_act: accepted.to_act ?? [], status: accepted.status });
  });
}

// The first move once more gets its first answer; under a name of its own it comes too late.
const late = { ...first, act: { ...first.act, request_id: "another" } };
const [again, tooLate] = await play.send(first, late);
assert.equal(again.accepted.replayed, true);
assert.equal(again.accepted.version, first.act.expected_version + 1);
const reasons = tooLate.refused.details.filter((detail) => detail["@type"].endsWith("google.rpc.ErrorInfo"));
await play.close();

// The same over a unary call: the details stand in the trailers.
const error = await call(matches, "Act", late.act, as(late.authorization.slice("Bearer ".length))).catch((e) => e);
const [trailer] = error.metadata.get("grpc-status-details-bin");

console.log(
  JSON.stringify({
    matches: tables.map(({ match_id, version, status }) => ({ match_id, version, status })),
    messages,
    refused: { code: tooLate.refused.code, reason: reasons[0]?.reason, details: tooLate.refused.details.map((d) => d["@type"]) },
    unary: { code: error.code, details: details(trailer).map((d) => d["@type"]) },
  }),
);
process.exit(0);
