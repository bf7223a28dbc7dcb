/** A small drawing and a colour for each game; any other game has a pawn and a colour of its own. */
import type { ComponentChildren } from "preact";
import { tint } from "../board/marks";

interface Emblem {
  colour: string;
  drawing: ComponentChildren;
}

const GOLD = "#f2c14e";
const CREAM = "#fdf3dc";

const EMBLEMS: Record<string, Emblem> = {
  al_rashid: {
    colour: "#8a3b2a",
    drawing: (
      <>
        <circle cx="46" cy="17" r="7" fill={GOLD} />
        <path d="M14 48V32q0-11 10-17q10 6 10 17v16z" fill={CREAM} />
        <path d="M21 48V38q0-3 3-5q3 2 3 5v10z" fill="#8a3b2a" />
        <path d="M40 48V26l3-5 3 5v22z" fill={CREAM} />
        <path d="M0 52q16-9 32-3t32-3v18H0z" fill="#dd9a55" />
      </>
    ),
  },
  river_dragons: {
    colour: "#1d6478",
    drawing: (
      <>
        <path d="M0 40q8-5 16 0t16 0 16 0 16 0v24H0z" fill="#66b6c4" />
        <path d="M0 51q8-5 16 0t16 0 16 0 16 0v13H0z" fill="#a9dbe0" />
        <path d="M9 41l4-9h7l4 9zM41 41l4-9h7l4 9z" fill="#b9b3a6" />
        <path d="M9 26h46v6H9z" fill="#d8944a" />
        <circle cx="32" cy="12" r="5" fill={CREAM} />
        <path d="M24 26q1-10 8-10t8 10z" fill={CREAM} />
      </>
    ),
  },
  river_of_gold: {
    colour: "#2f5d3f",
    drawing: (
      <>
        <path d="M16 0q20 12 4 27T26 64h28Q30 46 44 30T34 0z" fill={GOLD} />
        <path d="M20 40h26q-2 9-10 9h-6q-8 0-10-9z" fill="#7a3325" />
        <path d="M32 14h2v26h-2z" fill="#4a2218" />
        <path d="M36 16q10 9 8 21h-8zM30 20q-7 8-6 17h6z" fill={CREAM} />
      </>
    ),
  },
};

/** Return the colour of a game, dark enough for white text. */
export function colourOf(game: string): string {
  return Object.hasOwn(EMBLEMS, game) ? EMBLEMS[game]!.colour : tint(game, 32);
}

export function EmblemOf({ game }: { game: string }) {
  const pawn = <path d="M20 54q0-14 8-20a11 11 0 1 1 8 0q8 6 8 20z" fill={CREAM} />;
  return (
    <svg class="emblem" viewBox="0 0 64 64" aria-hidden="true">
      <rect width="64" height="64" fill={colourOf(game)} />
      {Object.hasOwn(EMBLEMS, game) ? EMBLEMS[game]!.drawing : pawn}
    </svg>
  );
}
