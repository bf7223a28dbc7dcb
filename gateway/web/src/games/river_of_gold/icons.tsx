/** Small drawings and lines of them. A line is written as `k3 s2 + favor`: what is counted with its number, and everything else by its name. */
import type { ComponentChildren } from "preact";
import type { Box } from "../../board/shapes";
import { INK } from "./colours";
import { SHAPES } from "./shapes";

const COUNTED: Record<string, string> = {
  k: "koku",
  s: "silk",
  r: "rice",
  p: "porcelain",
  g: "good",
  v: "vp",
  i: "influence",
  f: "favor",
  c: "card",
};
/** Those whose number is written into the drawing, with the colour of the number; of others there are as many drawings. */
const WRITTEN: Record<string, string> = { koku: "#3b2800", vp: "#fff", influence: "#fff" };

/** Draw something small in a square whose upper left corner and size are given. */
export function icon(name: string, x: number, y: number, size: number) {
  return <g transform={`translate(${round(x)} ${round(y)}) scale(${round(size / 16)})`}>{paths(name)}</g>;
}

/** Draw something small in 16 × 16 units. */
export function paths(name: string): ComponentChildren {
  return (SHAPES[name] ?? []).map(([d, fill]) => <path d={d} fill={fill} fill-rule="evenodd" />);
}

/** Draw something small with a number on it. */
export function numbered(name: string, number: number | string, x: number, y: number, size: number) {
  const low = name === "influence" ? 0.62 : 0.53;
  return (
    <>
      {icon(name, x, y, size)}
      {label(number, x + size / 2, y + size * low, size * (String(number).length > 1 ? 0.5 : 0.64), WRITTEN[name] ?? INK)}
    </>
  );
}

/** Write a number or a sign, centred at a point. */
export function label(text: number | string, x: number, y: number, size: number, fill: string = INK) {
  return (
    <text class="sign" x={round(x)} y={round(y)} font-size={round(size)} font-weight="700" fill={fill}>
      {text}
    </text>
  );
}

interface Part {
  wide: number;
  draw: (x: number, y: number, size: number) => ComponentChildren;
}

/** Return the parts of a line; the width of each in parts of its height. */
function partsOf(line: string): Part[] {
  return line.split(" ").flatMap((word): Part[] => {
    const [, kind, count] = /^([ksrpgvifc])(\d+)$/.exec(word) ?? [];
    const name = kind === undefined ? word : COUNTED[kind]!;
    if (SHAPES[name] === undefined) {
      const wide = 0.3 + 0.42 * word.length;
      return [{ wide, draw: (x, y, size) => label(word, x + (wide * size) / 2, y + size * 0.53, size * 0.8) }];
    }
    if (count !== undefined && name in WRITTEN) return [{ wide: 1.06, draw: (x, y, size) => numbered(name, count, x, y, size) }];
    return Array.from({ length: Number(count ?? 1) }, () => ({ wide: 1.06, draw: (x, y, size) => icon(name, x, y, size) }));
  });
}

/** Draw a line into a box, as large as it fits. */
export function line(text: string, { x, y, width, height }: Box, where: "middle" | "start" = "middle") {
  const parts = partsOf(text);
  const whole = parts.reduce((sum, { wide }) => sum + wide, 0);
  const size = Math.min(height, width / whole);
  let left = where === "start" ? x : x + (width - size * whole) / 2;
  const top = y + (height - size) / 2;
  return parts.map(({ wide, draw }) => {
    const drawn = draw(left, top, size);
    left += wide * size;
    return drawn;
  });
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
