// Checks many documents in one process: a JSON array of them on standard input, an array of what was found on standard output.
import { text } from "node:stream/consumers";
import { faults } from "../../docs/examples/verify.mjs";

console.log(JSON.stringify(JSON.parse(await text(process.stdin)).map(faults)));
