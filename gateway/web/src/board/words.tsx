/** Words in a drawing. */
import type { Box } from "./shapes";

interface Written extends Box {
  text: string;
  /** The width of the whole board: words are never larger than the board can bear, and become initials where they are too small. */
  whole: number;
  colour?: string;
  /** The largest size of the letters, in units of the board. */
  most?: number;
}

/** Words in as many lines as they need, centred in a box; initials where they could not be read. */
export function Words({ x, y, width, height, text, whole, colour, most = whole / 38 }: Written) {
  let { size, lines } = fitted(text, width, height, most);
  if (size < whole / 140) ({ size, lines } = fitted(initials(text), width, height, most));
  const first = y + height / 2 - ((lines.length - 1) * size * LINE) / 2;
  return (
    <text class="words" x={x + width / 2} font-size={round(size)} fill={colour}>
      {lines.map((line, at) => (
        <>
          {at > 0 && <tspan font-size={0}> </tspan>}
          <tspan x={round(x + width / 2)} y={round(first + at * size * LINE)}>
            {line}
          </tspan>
        </>
      ))}
    </text>
  );
}

const LINE = 1.08;
/** The width of an average letter, in parts of its size. */
const LETTER = 0.56;

const round = (value: number) => Math.round(value * 100) / 100;
const initials = (text: string) => text.split(/\s+/).map((word) => word[0]).join("");

/** Return the lines of a text and the largest size at which they fit into a box. */
export function fitted(text: string, width: number, height: number, most: number): { size: number; lines: string[] } {
  const words = text.split(/\s+/);
  let best = { size: 0, lines: [text] };
  for (let count = 1; count <= Math.min(words.length, 6); count++) {
    const lines = broken(words, count);
    const longest = Math.max(...lines.map((line) => line.length));
    const size = Math.min(most, (width * 0.94) / (longest * LETTER), (height * 0.94) / (lines.length * LINE));
    if (size > best.size * 1.001) best = { size, lines };
  }
  return best;
}

/** Return the words in at most so many lines, the longest as short as a greedy filling makes it. */
function broken(words: readonly string[], count: number): string[] {
  let room = Math.max(Math.ceil(words.join(" ").length / count), ...words.map((word) => word.length));
  for (;;) {
    const lines: string[] = [];
    for (const word of words) {
      const last = lines.at(-1);
      if (last !== undefined && last.length + 1 + word.length <= room) lines[lines.length - 1] = `${last} ${word}`;
      else lines.push(word);
    }
    if (lines.length <= count) return lines;
    room += 1;
  }
}
