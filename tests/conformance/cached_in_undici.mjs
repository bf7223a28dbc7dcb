// The same reads with undici, whose cache obeys RFC 9111. Prints status and body of every read. TYPE: private or shared.
import { Agent, cacheStores, fetch, interceptors } from "undici";

const { GATEWAY, VISITS, TYPE } = process.env;
const cache = interceptors.cache({ store: new cacheStores.MemoryCacheStore(), methods: ["GET"], type: TYPE });
const agent = new Agent();
const dispatcher = agent.compose(cache);
const answers = [];
for (const { target, headers } of JSON.parse(VISITS)) {
  const answer = await fetch(GATEWAY + target, { headers, dispatcher });
  answers.push([answer.status, await answer.text()]);
}
await agent.close();
console.log(JSON.stringify({ answers }));
