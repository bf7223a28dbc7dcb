// Draws what docs/draw-vectors.json asks for: the file on standard input, what was drawn on standard output.
import { text } from "node:stream/consumers";
import { Luck } from "../../docs/examples/draws.mjs";

const given = JSON.parse(await text(process.stdin));
const luck = (vector) => new Luck(Buffer.from(vector.secret, "hex"), vector.move);
const drawn = (vector) => {
  const chance = luck(vector);
  const value = chance.exactlyBelow(BigInt(vector.bound)).toString();
  return { value, draw: chance.draw - 1 };
};
console.log(
  JSON.stringify({
    draws: given.draws.map(drawn),
    edges: given.edges.map(drawn),
    shuffles: given.shuffles.map((vector) => luck(vector).shuffled(Array(vector.items).keys())),
  }),
);
