// Plays and follows a match with the TypeScript client, and says before each move which version it is at: whoever started
// this kills the gateway meanwhile. Prints the versions that were made and heard.
import { Client } from "@foldtable/client";

const { GATEWAY, KEY, LAST } = process.env;
const client = new Client(GATEWAY, KEY);
const { match } = await client.createMatch({ game: "al_rashid", seats: 2 });
const id = match.match_id;

const heard = [];
const listening = (async () => {
  for await (const happened of new Client(GATEWAY, KEY).follow(id, { afterVersion: 1, audience: "public" }))
    heard.push([happened.event, happened.version]);
})();

const made = [1];
while (made.at(-1) < Number(LAST)) {
  console.log(made.at(-1));
  const { to_act } = await client.match(id);
  const legal = await client.legalActions(id, { seat: to_act[0], samples: 1 });
  const { version } = await client.move(id, legal.samples[0], legal.version, to_act[0]);
  made.push(version);
}
made.push((await client.resign(id, 0)).version);
await listening;
console.log(JSON.stringify({ made, heard, verified: (await client.verify(id)).ok }));
