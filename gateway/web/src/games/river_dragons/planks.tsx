/** Planks, wherever they lie: on the board, in a rack, out of the game. */
import { inkOn } from "../../board/marks";
import { Sign } from "../../board/piece";
import type { Box, Lying, Scene } from "../../board/shapes";
import { INK } from "./colours";

/** Where the number of a plank is: between what lies at its end and a pawn in its middle; at most in the middle. */
const numberAt = (length: number, width: number) => Math.min(0.5, Math.max(0.28, (2.2 * width) / length));

interface PlankProps {
  piece: Lying;
  box: Box;
  scene: Scene;
}

export function Plank({ piece, box, scene }: PlankProps) {
  const mark = scene.marks[piece.seat!]!;
  const { x, y, x2, y2, width } = endsOf(piece, box);
  const length = Math.hypot(x2 - x, y2 - y);
  const turn = (Math.atan2(y2 - y, x2 - x) * 180) / Math.PI;
  const grain = inkOn(mark.colour);
  const along = (part: number) => ({ x: x + (x2 - x) * part, y: y + (y2 - y) * part });
  const isLaid = piece.place === "water";
  const at = isLaid ? numberAt(length, width) : Math.min(0.3, width / length);
  const number = along(at);
  const badge = width * (isLaid ? 0.72 : 0.42);
  return (
    <>
      <rect
        class="outline"
        x={x}
        y={y - width / 2}
        width={length}
        height={width}
        rx={width / 7}
        transform={`rotate(${turn} ${x} ${y})`}
        fill={mark.colour}
        stroke={INK}
      />
      <g pointer-events="none">
        <path
          d={`M${x + width * 0.4} ${y - width * 0.2}h${length * 0.55}M${x + length * 0.3} ${y + width * 0.22}h${length * 0.6}`}
          transform={`rotate(${turn} ${x} ${y})`}
          stroke={grain}
          stroke-width={width / 18}
          opacity={0.4}
        />
        <circle cx={number.x} cy={number.y} r={badge} fill="#fff" stroke={INK} stroke-width={width / 14} />
        <text class="sign" {...number} font-size={badge * 1.5} font-weight="700" fill={INK}>
          {piece.component.slice("plank_".length)}
        </text>
        {at < 0.4 && <Sign mark={mark} {...along(1 - at)} size={width * 0.85} />}
      </g>
    </>
  );
}

/** Return the ends of a plank and its width. One without exact ends lies along its box. */
function endsOf({ x, y, x2, y2, width }: Lying, box: Box) {
  if (typeof x === "number" && typeof y === "number" && typeof x2 === "number" && typeof y2 === "number") {
    return { x, y, x2, y2, width: width ?? box.height };
  }
  const middle = box.y + box.height / 2;
  return { x: box.x, y: middle, x2: box.x + box.width, y2: middle, width: box.height };
}

/** The ends of the planks that lie on a stone, which is drawn above them. */
export function EndsOn({ stone, scene }: { stone: Lying; scene: Scene }) {
  const ends = Object.values(scene.table.pieces).flatMap((one) => {
    if (one.kind !== "plank" || one.place !== "water") return [];
    if (one.x === stone.x && one.y === stone.y) return [{ mark: scene.marks[one.seat!]!, x: one.x2!, y: one.y2!, width: one.width! }];
    if (one.x2 === stone.x && one.y2 === stone.y) return [{ mark: scene.marks[one.seat!]!, x: one.x!, y: one.y!, width: one.width! }];
    return [];
  });
  const [x, y] = [stone.x!, stone.y!];
  return (
    <g pointer-events="none">
      {ends.map((end) => (
        <rect
          key={`${end.x} ${end.y}`}
          x={x}
          y={y - end.width / 2}
          width={stone.width! * 0.52}
          height={end.width}
          rx={end.width / 7}
          transform={`rotate(${(Math.atan2(end.y - y, end.x - x) * 180) / Math.PI} ${x} ${y})`}
          fill={end.mark.colour}
        />
      ))}
    </g>
  );
}
