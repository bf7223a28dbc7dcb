/** Small drawings of 16 × 16 units: goods, money, pieces of the family, and what offices do. */
import { BLUE, GOLD, INK, RED } from "./colours";

/** A path, its filling, and its line where that is not thin and dark. */
type Part = readonly [path: string, fill: string, line?: string, width?: number];

const ring = (x: number, y: number, r: number) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
const SHIELD = "M2.5 2h11v6q-.8 4.5-5.5 6.5Q3.3 12.5 2.5 8z";
const CARD = "M3.5 1.5h9v13h-9z";
const FACE = "#f0cfa0";
const ROBE = "#8f8062";
const open = (path: string, line = INK, width = 1.5): Part => [path, "none", line, width];

const PASHA = "M2.6 15.5Q2.6 8.6 8 8.2 13.4 8.6 13.4 15.5z";
const MERCHANT = "M3.4 15.5 5.4 8.6h5.2l2 6.9z";
const SAGE = "M3.8 15.5 6.5 8h3l2.7 7.5z";

const GLYPHS: Readonly<Record<string, readonly Part[]>> = {
  hardwood: [[ring(4.9, 11, 3.5), "#9a6236"], [ring(11.1, 11, 3.5), "#9a6236"], [ring(8, 5, 3.5), "#b07a48"], [ring(4.9, 11, 1.6), "#e0bb88"], [ring(11.1, 11, 1.6), "#e0bb88"], [ring(8, 5, 1.6), "#e9cb9e"]],
  pottery: [["M6.2 1.8h3.6L9.4 4q4 2 3.4 6-.6 3-3 3.6v1H6.2v-1Q3.8 13 3.2 10 2.6 6 6.6 4z", "#8e55ad"], open("M3.4 8.6q4.6 1.8 9.2 0", "#f3dff8", 1.3), open("M4.8 5.2Q2.8 3.4 5.9 2.7M11.2 5.2q2-1.8-1.1-2.5", INK, 0.8)],
  metals: [["M4.7 8 6 3.6h4L11.3 8z", "#c3ccd3"], ["M.9 13.4 2.3 8.6h4.2l1.3 4.8z", "#97a3ac"], ["M8.2 13.4 9.5 8.6h4.2l1.4 4.8z", "#97a3ac"]],
  spices: [["M2.6 8.6Q8-1 13.4 8.6z", "#ee7d24"], ["M1.6 8.6h12.8q-.4 4.6-4 5.8H5.6Q2 13.2 1.6 8.6z", "#9c5a33"], open("M7 5.4h.1M9.6 6.6h.1M6 7.2h.1", "#7a2f07", 1.2)],
  silk: [["M2 4.4q3-3 6 0t6 0v7.2q-3 3-6 0t-6 0z", "#fdf9f2"], open("M2 7q3-3 6 0t6 0M2 9.4q3-3 6 0t6 0", "#d98fae", 0.9)],
  crate: [["M2.5 5.4 8 2.6l5.5 2.8v6L8 14.2l-5.5-2.8z", "#d9b377"], open("M2.5 5.4 8 8.2l5.5-2.8M8 8.2v6", INK, 0.8)],
  gold: [[ring(8, 8, 6.4), GOLD], [ring(8, 8, 4.4), "#f8df8c"]],
  credit_note: [["M1.5 4h13v8.4h-13z", "#f6eed6"], open("M3.4 6.4h6M3.4 8.4h6M3.4 10.4h4", "#7c6d50", 0.9), [ring(11.6, 9.6, 1.7), "#c03a30"]],
  influence_marker: [["M8 1.2 9.9 5.6l4.8.4-3.6 3.2 1.1 4.8L8 11.4 3.8 14l1.1-4.8L1.3 6l4.8-.4z", "#18a39a"]],
  dishonor_marker: [[ring(8, 8, 6.4), "#37302c"], open("M5.3 5.3l5.4 5.4M10.7 5.3l-5.4 5.4", "#fff", 1.8)],
  shield: [[SHIELD, RED], ["M8 2h5.5v6q-.8 4.5-5.5 6.5z", BLUE]],
  red: [[SHIELD, RED], open("M11.6 4 6 9.9M4.6 8.3l3.2 3M5.4 10.6l-1.3 1.3", "#fff", 1.3)],
  blue: [[SHIELD, BLUE], ["M3.8 9.6h8.4L11 12H5zM8.6 3.4q3.4 2 3 5.2h-3zM7.6 4.4v4.2H5.2z", "#fff", "none"]],
  pasha: [[PASHA, ROBE], [ring(8, 6.3, 2.2), FACE], ["M4.4 5.2q0-4 3.6-4.2 3.6.2 3.6 4.2Q8 3.7 4.4 5.2z", "#fff"], [ring(8, 2.9, 0.8), "#c9302a"]],
  merchant: [[MERCHANT, ROBE], [ring(8, 6.3, 2.2), FACE], ["M6 4.9 6.5 2h3L10 4.9z", "#a4322c"], [ring(12.6, 13, 2.5), "#cf9f4e"]],
  sage: [[SAGE, ROBE], [ring(8, 6, 2), FACE], ["M5.6 5.2 8 .4l2.4 4.8z", "#e8e2f4"], ["M6.6 6.8h2.8L8 10.6z", "#fff"]],
  palace: [["M4 8q0-4.4 4-6.4 4 2 4 6.4z", "#58a7a0"], ["M2.5 8h11v6.4h-11z", "#e6d0a0"], ["M6.5 14.4v-3q1.5-1.8 3 0v3z", "#6b5d48"]],
  land: [["M.8 13.4 5.6 5l3 4.6L11 7l4.2 6.4z", "#93aa5c"], [ring(12, 4, 1.7), GOLD]],
  ship: [["M2 10h12l-2 4H4z", "#8a5a30"], ["M7.6 1.4v7.8H3q.4-4.6 4.6-7.8zM8.8 2.4q4 2.4 4.2 6.8H8.8z", "#fff"]],
  palm: [open("M8 14.6q1.2-5 0-8.4", "#6f4a22", 1.8), ["M8 6.4Q3-.2 1.4 6.2 5 4.2 8 6.4zM8 6.4q5-6.6 6.6-.2Q11 4.2 8 6.4zM8 6.4Q3 6 3.4 10.4 5.2 7.4 8 6.4zM8 6.4q5-.4 4.6 4Q10.8 7.4 8 6.4z", "#3f8a4c"]],
  book: [["M1.5 3.6q4-1.6 6.5.6 2.5-2.2 6.5-.6v9q-4-1.4-6.5.8-2.5-2.2-6.5-.8z", "#fdf6e3"], open("M8 4.2v9.2", INK, 0.8)],
  scales: [open("M8 2v12M4.5 14h7M2.6 4.6h10.8", INK, 1.3), ["M.8 9.4 2.8 5l2 4.4q-2 2-4 0zM11.2 9.4 13.2 5l2 4.4q-2 2-4 0z", GOLD]],
  crescent: [["M11.4 2.2A6.4 6.4 0 1 0 14 10.8 5.4 5.4 0 0 1 11.4 2.2z", GOLD]],
  jewel: [["M4.6 3h6.8L14.4 7 8 14 1.6 7z", "#e06a9a"], open("M1.6 7h12.8M6 7l2 7 2-7", INK, 0.6)],
  eye: [["M1 8q7-8.6 14 0-7 8.6-14 0z", "#fff"], [ring(8, 8, 2.7), "#2f6a7f"], [ring(8, 8, 1), INK]],
  hourglass: [["M4 1.8h8v1.8L9 8l3 4.4v1.8H4v-1.8L7 8 4 3.6z", "#e9d9a6"], ["M5 13.2 8 9.8l3 3.4z", "#c98a2b", "none"]],
  spies: [[CARD, "#4a4640"], ["M5 8q3-4 6 0-3 4-6 0z", "#fff"]],
  military: [[CARD, "#98302b"], ["M5.4 5.4h5.2v3.4Q10 10.6 8 11.6 6 10.6 5.4 8.8z", "#fff"]],
  arrow: [open("M2 8h10.6M9 4.2 12.8 8 9 11.8")],
  swap: [open("M2.5 5.2h9.6M9.2 2.4l3 2.8-3 2.8M13.5 11H3.9M6.8 8.2l-3 2.8 3 2.8")],
  check: [[ring(8, 8, 6.6), "#fff"], open("M4.6 8.4l2.4 2.6 4.6-5.4", "#2f7a3a", 1.9)],
  activate: [open("M12.6 5.4A5.2 5.2 0 1 0 13.2 9M13.4 2.6v3.2h-3.2", INK, 1.6)],
  continuous: [open("M8 8C6 5 2 5 2 8s4 3 6 0 6-3 6 0-4 3-6 0z", INK, 1.6)],
  one_shot: [["M9.4 1.4 3.6 9h3.6l-.8 5.6L12.4 7H8.6z", "#f6d44b"]],
};

export const isGlyph = (name: string): boolean => Object.hasOwn(GLYPHS, name);

interface GlyphProps {
  name: string;
  x: number;
  y: number;
  size: number;
  /** The colour of the largest part, for pieces of the family. */
  colour?: string | undefined;
}

/** One drawing; `x` and `y` are its upper left corner. */
export function Glyph({ name, x, y, size, colour }: GlyphProps) {
  return (
    <g transform={`translate(${x} ${y}) scale(${size / 16})`} stroke-linejoin="round" stroke-linecap="round" pointer-events="none">
      {drawn(name, colour)}
    </g>
  );
}

/** Return the parts of a drawing. */
export function drawn(name: string, colour?: string) {
  return GLYPHS[name]?.map(([path, fill, line = INK, width = 0.7], at) => (
    <path key={at} d={path} fill={at === 0 && colour ? colour : fill} stroke={line} stroke-width={width} />
  ));
}

interface PictureProps {
  /** Names of drawings and short texts, with spaces between them. */
  of: string;
  /** The middle of the row, and the most it may take. */
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Drawings and short texts in a row, such as `crate swap crate` or `+1 silk`. */
export function Picture({ of, x, y, width, height }: PictureProps) {
  const parts = of.split(" ");
  const share = (part: string) => (isGlyph(part) ? 1 : 0.28 + 0.34 * part.length);
  const whole = parts.reduce((sum, part) => sum + share(part), 0);
  const size = Math.min(height, width / whole);
  let left = x - (whole * size) / 2;
  return (
    <>
      {parts.map((part, at) => {
        const from = left;
        left += share(part) * size;
        if (isGlyph(part)) return <Glyph key={at} name={part} x={from} y={y - size / 2} size={size} />;
        return <Digits key={at} text={part} x={(from + left) / 2} y={y} size={size * 0.66} />;
      })}
    </>
  );
}

interface DigitsProps {
  text: string | number;
  x: number;
  y: number;
  size: number;
  colour?: string;
}

/** A number or a few signs, in the middle of a point. */
export function Digits({ text, x, y, size, colour = INK }: DigitsProps) {
  return (
    <text x={x} y={y} font-size={size} font-weight={700} fill={colour} text-anchor="middle" dominant-baseline="central" pointer-events="none">
      {text}
    </text>
  );
}
