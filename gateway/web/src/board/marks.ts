/** How seats are told apart: by a colour and, for those who cannot tell colours apart, by a symbol. */
import type { Layout } from "@foldtable/client";

export interface Mark {
  colour: string;
  /** One character. */
  sign: string;
  /** Black or white: what can be read on the colour. */
  ink: string;
}

const SIGNS: Record<string, string> = { circle: "●", square: "■", triangle: "▲", diamond: "◆", star: "★", cross: "✚" };

/** Return the marks of the seats, for so many players. */
export function marksOf(layout: Layout, players: number): Mark[] {
  const marks = layout.seats_with.find((one) => one.players === players)?.marks ?? layout.seats;
  return marks.map(({ colour, symbol }) => ({ colour, sign: SIGNS[symbol] ?? "●", ink: inkOn(colour) }));
}

/** Return black or white, whichever contrasts more with a colour such as `#0072b2` (WCAG 2, relative luminance). */
export function inkOn(colour: string): string {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const share = parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? "#000" : "#fff";
}

/** Return a colour for a kind of thing, always the same, or of a hue in degrees; `lightness` in percent. */
export function tint(kind: string, lightness: number, hue?: number): string {
  const ofKind = () => [...kind].reduce((sum, letter) => (sum * 11 + letter.codePointAt(0)! * 72) % 360, 50);
  return `hsl(${hue ?? ofKind()} 42% ${lightness}%)`;
}
