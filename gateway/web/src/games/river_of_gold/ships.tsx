/** Ships, in the colour of the seat: upstream ships have a pointed sail, midstream ships a square one, royal ships a golden crown. */
import type { Mark } from "../../board/marks";
import { Sign } from "../../board/piece";
import type { Box } from "../../board/shapes";

const SAILS: Record<string, string> = {
  upstream: "M50 4C80 16 92 40 88 68H12C8 40 22 16 50 4z",
  midstream: "M12 10C36 16 64 16 88 10C82 30 82 48 88 68H12C18 48 18 30 12 10z",
  royal_ship: "M8 20C36 26 64 26 92 20C86 36 86 50 92 68H8C14 50 14 36 8 20z",
};

export function ship(kind: string, mark: Mark, { x, y, width, height }: Box) {
  const size = Math.min(width, height);
  const place = `translate(${x + (width - size) / 2} ${y + (height - size) / 2}) scale(${size / 100})`;
  const isRoyal = kind === "royal_ship";
  return (
    <>
      <path class="outline" transform={place} d={`${SAILS[kind] ?? SAILS["upstream"]!}M2 72H98L84 96H16z`} fill={mark.colour} stroke="#2b2620" />
      <g transform={place}>
        <path d="M2 72H98L84 96H16z" fill="#6b4423" />
        <path d="M5 77H95L93 81H7z" fill="#c9a66b" />
        {isRoyal && <path d="M30 20L26 0l12 8L50-4l12 12L74 0l-4 20z" fill="#f4c851" stroke="#7a560a" stroke-width="2" />}
      </g>
      <Sign mark={mark} x={x + width / 2} y={y + height / 2 - size * 0.06} size={size * 0.46} />
    </>
  );
}
