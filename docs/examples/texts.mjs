// Sentences of a game's texts, with the catalogue of GET /v1/games/{game}/texts/{lang}: npm install intl-messageformat
import { IntlMessageFormat } from "intl-messageformat";

const compiled = new Map();

function format(language, message, args) {
  const key = `${language} ${message}`;
  if (!compiled.has(key)) compiled.set(key, new IntlMessageFormat(message, language, undefined, { ignoreTag: true }));
  return compiled.get(key).format(args);
}

// Return the sentence of a text, such as {"key": "seat", "args": {"seat": 2}}. `names` are the players' names by seat.
export function sentence(catalogue, text, names = []) {
  if (text.key === "seat" && names[text.args.seat]) return names[text.args.seat];
  const args = {};
  for (const [name, arg] of Object.entries(text.args ?? {})) {
    if (Array.isArray(arg)) args[name] = arg.map((one) => sentence(catalogue, one, names)).join(", ");
    else args[name] = typeof arg === "object" ? sentence(catalogue, arg, names) : arg;
  }
  return format(catalogue.language, catalogue.messages[text.key], args);
}
