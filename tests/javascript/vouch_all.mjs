// Says of many documents in one process who vouches for them: `{keys, documents}` on standard input.
import { text } from "node:stream/consumers";
import { vouched } from "../../docs/examples/verify.mjs";

const { keys, documents } = JSON.parse(await text(process.stdin));
console.log(JSON.stringify(documents.map((document) => vouched(JSON.parse(document), keys))));
