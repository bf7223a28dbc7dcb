// Formats messages and whole texts with intl-messageformat, as docs/examples/texts.mjs does. TASK names a file of JSON:
// {"messages": [[language, message, args], ...], "texts": [[catalogue, text], ...], "catalogues": {name: catalogue}}.
// Prints one line of JSON: {"messages": [...], "texts": [...]}.
import { readFileSync } from "node:fs";
import { sentence } from "./texts.mjs";

const task = JSON.parse(readFileSync(process.env.TASK, "utf8"));
const one = ([language, message, args]) =>
  sentence({ language, messages: { message } }, { key: "message", args });
console.log(
  JSON.stringify({
    messages: task.messages.map(one),
    texts: task.texts.map(([name, text]) => sentence(task.catalogues[name], text)),
  }),
);
