/** Small drawings of 100 × 100 units: what cards do, and what stands on the board. The first shape of each is its outline. */
import type { ComponentChildren } from "preact";
import type { Mark } from "../../board/marks";
import { Sign } from "../../board/piece";
import { GOLD, INK, PAINT, STONE, type Colour } from "./colours";

const PAWN = "M50 2a20 20 0 0 1 13 35c10 9 18 31 21 50q2 11-11 11H27q-13 0-11-11c3-19 11-41 21-50A20 20 0 0 1 50 2z";
const HEAD =
  "M8 92C3 60 12 36 32 28L24 3l20 19L54 1l8 22c17 3 30 13 34 27l-2 10-13-2-5 9-6-9-10 2c-2 10 6 16 19 16l9-3-4 13c-12 8-32 6-42-6-1 10-6 17-14 18l-4-10-7 9z";
const CROWN = "M14 82L4 24l27 22L50 8l19 38 27-22-10 58z";

interface At {
  /** The middle of the drawing. */
  x: number;
  y: number;
  size: number;
}

/** Return the transformation of a drawing to where it belongs. */
export function placed({ x, y, size }: At): string {
  return `translate(${x - size / 2} ${y - size / 2}) scale(${size / 100})`;
}

export function Pawn({ x, y, size, mark }: At & { mark: Mark }) {
  return (
    <>
      <path class="outline" d={PAWN} transform={placed({ x, y, size })} fill={mark.colour} stroke={mark.ink === "#fff" ? "#fff" : INK} />
      <Sign mark={mark} x={x} y={y + size * 0.2} size={size * 0.38} />
    </>
  );
}

/** A dragon's head in a colour, with the symbol of the player whose card it cancels. */
export function Dragon({ x, y, size, colour, mark }: At & { colour: Colour; mark: Mark | undefined }) {
  return (
    <>
      <path class="outline" d={HEAD} transform={placed({ x, y, size })} fill={PAINT[colour]} stroke={INK} />
      <circle cx={x + size * 0.13} cy={y - size * 0.12} r={size * 0.055} fill={colour === "black" ? GOLD : INK} />
      {mark && <Sign mark={mark} x={x - size * 0.2} y={y + size * 0.12} size={size * 0.34} />}
    </>
  );
}

/** The crown of who is first. */
export function Crown({ x, y, size, fill }: At & { fill: string }) {
  return <path d={CROWN} transform={placed({ x, y, size })} fill={fill} stroke={INK} stroke-width={6} stroke-linejoin="round" />;
}

/** What each card but the dragons shows. */
export function Deed({ card, x, y, size, paint }: At & { card: string; paint: string }) {
  return <g transform={placed({ x, y, size })}>{deed(card, paint)}</g>;
}

const pebble = (x: number, y: number, size = 1) => (
  <g transform={`translate(${x} ${y}) scale(${size})`}>
    <ellipse rx={27} ry={21} fill={STONE} stroke={INK} stroke-width={3} />
    <path d="M-15-6q6-9 18-8" fill="none" stroke="#fff" stroke-width={5} stroke-linecap="round" />
  </g>
);
const board = (x: number, y: number, turn = -24, length = 84) => (
  <g transform={`translate(${x} ${y}) rotate(${turn})`}>
    <rect x={-length / 2} y={-11} width={length} height={22} rx={4} fill="#b98650" stroke={INK} stroke-width={3} />
    <path d={`M${-length / 2 + 8}-3h${length - 26}M${-length / 2 + 18} 4h${length - 26}`} stroke="#7a5128" stroke-width={2.5} />
  </g>
);
const walker = (x: number, y: number, size: number, fill: string) => (
  <path d={PAWN} transform={placed({ x, y, size })} fill={fill} stroke={INK} stroke-width={300 / size} />
);
const arrow = (x: number, y: number) => (
  <path d={`M${x} ${y - 10}h14v-12l20 22-20 22v-12h-14z`} fill="#c2410c" stroke={INK} stroke-width={2.5} stroke-linejoin="round" />
);
const arc = (
  <g fill="none" stroke="#c2410c" stroke-width={8} stroke-linecap="round" stroke-linejoin="round">
    <path d="M12 62C14 2 84 2 87 58" />
    <path d="M74 48l13 13 11-15" />
  </g>
);

function deed(card: string, paint: string): ComponentChildren {
  switch (card) {
    case "stone1":
      return pebble(50, 52, 1.25);
    case "stone2":
      return [pebble(34, 36), pebble(64, 66)];
    case "plank1":
      return board(50, 50, -24, 92);
    case "plank2":
      return [board(46, 33), board(54, 67)];
    case "remove":
      return [
        board(42, 70, -10, 70),
        pebble(72, 36, 0.75),
        <circle cx={27} cy={32} r={21} fill="#b3261e" stroke={INK} stroke-width={3} />,
        <path d="M16 32h22" stroke="#fff" stroke-width={8} />,
      ];
    case "move1":
      return [walker(34, 50, 76, paint), arrow(60, 52)];
    case "move2":
      return [walker(26, 50, 66, paint), arrow(42, 52), arrow(66, 52)];
    case "jump":
      return [walker(50, 68, 56, STONE), arc];
    default:
      return null;
  }
}
