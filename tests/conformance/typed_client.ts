// Plays a match with openapi-fetch; every type comes from the published OpenAPI document, none is written here.
import createClient from "openapi-fetch";
import type { components, paths } from "./foldtable.js";

type Schemas = components["schemas"];
type Action = Schemas["river_dragons.Action"];

declare const process: { env: { GATEWAY: string; KEY: string } };
const { GATEWAY, KEY } = process.env;
const as = (credential: string) =>
  createClient<paths>({ baseUrl: GATEWAY, headers: { authorization: `Bearer ${credential}` } });

// A union told apart by `type`: forget a kind of action, and this no longer compiles.
function told(action: Action): string {
  switch (action.type) {
    case "submit_program":
      return `programs ${action.cards.join(", ")}`;
    case "place_stone":
      return `puts a stone on ${action.island}`;
    case "place_stone_at":
      return `puts a stone at ${action.x}, ${action.y}`;
    case "choose_plank":
      return `takes a plank of ${action.size}`;
    case "lay_plank":
      return `lays a plank from ${action.a} to ${action.b}`;
    case "remove_plank":
    case "remove_stone":
      return `removes: ${action.type}`;
    case "step":
    case "jump":
      return `goes: ${action.type}`;
    default:
      return action satisfies never;
  }
}

const isOfRiverDragons = (action: Schemas["Action"]): action is Action => "type" in action;

const platform = as(KEY);
const created = await platform.POST("/v1/matches", { body: { game: "river_dragons", seats: 2 } });
if (created.error) throw new Error(created.error.reason);
const { match, seat_tokens } = created.data;
const players = seat_tokens.map(({ token }) => as(token));
const params = { path: { match_id: match.match_id } };

const story: string[] = [];
let { version, to_act, status }: Pick<Schemas["MoveAnswer"], "version" | "to_act" | "status"> = match;
while (status === "running") {
  const player = players[to_act[0] ?? 0];
  if (!player) throw new Error("a seat without a token");
  const legal = await player.GET("/v1/matches/{match_id}/legal-actions", { params: { ...params, query: { samples: 1 } } });
  const [action] = legal.data?.samples ?? [];
  if (!action || !isOfRiverDragons(action)) throw new Error("nothing to do");
  const moved = await player.POST("/v1/matches/{match_id}/moves", { params, body: { action, expected_version: version } });
  if (moved.error) throw new Error(`${moved.error.reason}: ${moved.error.detail}`);
  if (!("events" in moved.data)) throw new Error("it was meant");
  ({ version, to_act, status } = moved.data);
  story.push(told(action));
}

// A refusal is typed as well.
const refused = await players[0]!.POST("/v1/matches/{match_id}/resign", { params, body: {} });
const reason: string | undefined = refused.error?.reason;

// What the types forbid: unknown fields, routes and statuses. tsc complains of each line that it lets through.
export const forbidden = [
  // @ts-expect-error
  (): Schemas["MoveRequest"] => ({ action: { type: "step", to: "i1" }, colour: "red" }),
  // @ts-expect-error
  (): Action => ({ type: "choose_plank", size: "long" }),
  // @ts-expect-error
  () => platform.GET("/v1/nothing"),
  // @ts-expect-error
  (): Schemas["Match"]["status"] => "paused",
];

console.log(JSON.stringify({ match_id: match.match_id, version, status, reason, story: story.length }));
