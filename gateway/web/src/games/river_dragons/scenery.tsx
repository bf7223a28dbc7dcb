/** What is drawn under the places: the river with its banks, and how far the round is. */
import { nameOf } from "../../board/messages";
import type { Board, Scene } from "../../board/shapes";
import { Words } from "../../board/words";
import { GOLD, INK, PAPER, viewOf } from "./colours";

const SLOTS = [1, 2, 3, 4, 5];

/** Where the corner of the picture begins that no place takes. */
const CORNER = { x: 2120, y: 1970, width: 1300, height: 1100 };

export function scenery(board: Board, scene: Scene) {
  const { x, y, width, height } = board.view_box;
  if (board.seat !== undefined) return <rect x={x} y={y} width={width} height={height} rx={20} fill="#fbf5e6" />;
  const water = board.places.find(({ kind }) => kind === "water")!;
  return (
    <g>
      <rect x={x} y={y} width={width} height={height} rx={120} fill="#c9d6a0" />
      <path d={GRASS} fill="none" stroke="#8ea763" stroke-width={22} stroke-linecap="round" />
      <polygon
        points={water.corners.map((corner) => `${corner.x},${corner.y}`).join(" ")}
        fill="#e6d6a8"
        stroke="#e6d6a8"
        stroke-width={260}
        stroke-linejoin="round"
      />
      <Progress scene={scene} />
    </g>
  );
}

/** Waves, above the water and under what stands in it. */
export const WAVES = [...Array(60).keys()]
  .map((at) => ({ x: -2500 + ((at * 1297) % 5000), y: -2450 + ((at * 811) % 4900) }))
  .filter(({ x, y }) => Math.abs(y) < 2500 && Math.abs(x) < 2900 - Math.abs(y) / 1.73)
  .map(({ x, y }) => `M${x} ${y}q40-45 80 0t80 0`)
  .join("");

const GRASS = [...Array(46).keys()]
  .map((at) => ({ x: -3350 + ((at * 1931) % 6700), y: -3020 + ((at * 1373) % 6040) }))
  .filter(({ x, y }) => Math.abs(x) > 3300 - Math.abs(y) / 1.9)
  .map(({ x, y }) => `M${x} ${y}l-30-60m30 60v-75m0 75l30-60`)
  .join("");

/** The number of the round, and which position is carried out. */
function Progress({ scene }: { scene: Scene }) {
  const { game } = scene;
  const { round, round_limit: limit, slot, stage } = viewOf(scene);
  const { x, y, width, height } = CORNER;
  return (
    <g>
      <rect x={x} y={y} width={width} height={height} rx={120} fill="#f4ecd9" stroke="#bfae86" stroke-width={12} />
      <Words x={x} y={y + 15} width={width} height={150} text={nameOf(game, "round") ?? ""} whole={7000} most={125} />
      <text class="sign" x={x + width / 2} y={y + 400} font-size={330} font-weight="700" fill={INK}>
        {round}
        {limit > 0 && <tspan font-size={150}> / {limit}</tspan>}
      </text>
      {SLOTS.map((number) => {
        const isNow = stage === "executing" && number === slot;
        const isPast = stage !== "programming" && number < slot;
        const left = x + 70 + (number - 1) * 236;
        return (
          <g key={number} opacity={isPast ? 0.45 : 1}>
            <rect x={left} y={y + 700} width={216} height={310} rx={28} fill={isNow ? GOLD : PAPER} stroke={INK} stroke-width={isNow ? 22 : 10} />
            <text class="sign" x={left + 108} y={y + 855} font-size={160} font-weight="600" fill={INK}>
              {number}
            </text>
          </g>
        );
      })}
    </g>
  );
}
