/** Villages: huts in their colour, the symbol of who starts there, and the flag of who must get there. */
import { type Mark } from "../../board/marks";
import { Sign } from "../../board/piece";
import type { Box, Place, Scene } from "../../board/shapes";
import { type Colour, INK, PAINT, seatOf, viewOf } from "./colours";

/** How far the ring around the village that you must get to lies beyond it; the ring takes the click as well. */
const RING = 85;
const RING_WIDTH = 60;

interface Props {
  place: Place;
  colour: Colour;
  scene: Scene;
}

export function Village({ place, colour, scene }: Props) {
  const { x, y, width, id } = place;
  const view = viewOf(scene);
  const home = seatOf(colour, scene);
  const coming = view.seats.filter((one) => one.destination === id && !one.left);
  const goalOf = coming.find(({ seat }) => seat === scene.table.audience.seat);
  const reach = width / 2 + RING;
  return (
    <>
      <circle class="outline" cx={x} cy={y} r={width / 2} fill="#d9c08a" stroke={INK} />
      {goalOf && <rect class="reach" fill="none" pointer-events="none" x={x - reach} y={y - reach} width={2 * reach} height={2 * reach} rx={reach / 4} />}
      <g pointer-events="none">
        {goalOf && (
          <circle
            cx={x}
            cy={y}
            r={reach - RING_WIDTH / 2}
            fill="none"
            stroke={scene.marks[goalOf.seat]!.colour}
            stroke-width={RING_WIDTH}
            stroke-dasharray="120 60"
          />
        )}
        <circle cx={x} cy={y} r={width / 2 - 75} fill="#ead9b0" stroke={PAINT[colour]} stroke-width={80} />
        <Hut x={x - 165} y={y - 50} size={190} colour={colour} />
        <Hut x={x + 165} y={y - 50} size={190} colour={colour} />
        <Hut x={x} y={y - 110} size={270} colour={colour} mark={home === undefined ? undefined : scene.marks[home]} />
        {coming.map(({ seat }) => (
          <Flag key={seat} x={x < 0 ? x - 285 : x + 235} y={y - 190} size={goalOf ? 330 : 270} mark={scene.marks[seat]!} />
        ))}
      </g>
    </>
  );
}

interface HutProps {
  x: number;
  y: number;
  size: number;
  colour: Colour;
  mark?: Mark | undefined;
}

/** A hut on stilts; `y` is its middle. */
export function Hut({ x, y, size, colour, mark }: HutProps) {
  const s = size / 100;
  return (
    <g>
      <path d={`M${x - 30 * s} ${y}v${45 * s}m${60 * s} 0v${-45 * s}`} stroke={INK} stroke-width={6 * s} />
      <rect x={x - 36 * s} y={y - 5 * s} width={72 * s} height={36 * s} fill="#b98650" stroke={INK} stroke-width={3 * s} />
      <path
        d={`M${x - 52 * s} ${y + 2 * s}L${x} ${y - 50 * s}L${x + 52 * s} ${y + 2 * s}z`}
        fill={PAINT[colour]}
        stroke={INK}
        stroke-width={3 * s}
        stroke-linejoin="round"
      />
      {mark && <Sign mark={mark} x={x} y={y - 15 * s} size={26 * s} />}
    </g>
  );
}

/** A flag with the symbol of a seat; `y` is its middle. */
export function Flag({ x, y, size, mark }: { x: number; y: number; size: number; mark: Mark }) {
  const s = size / 100;
  return (
    <g>
      <path d={`M${x - 30 * s} ${y + 60 * s}V${y - 50 * s}`} stroke={INK} stroke-width={8 * s} stroke-linecap="round" />
      <path
        d={`M${x - 28 * s} ${y - 48 * s}h${76 * s}l${-14 * s} ${29 * s} ${14 * s} ${29 * s}h${-76 * s}z`}
        fill={mark.colour}
        stroke={mark.ink === "#fff" ? "#fff" : INK}
        stroke-width={4 * s}
        stroke-linejoin="round"
      />
      <Sign mark={mark} x={x} y={y - 18 * s} size={44 * s} />
    </g>
  );
}

const ROOM_FOR_PAWNS = 3;

/** Return where the pawns in a village stand: in front of the huts, in a second row if they are many. */
export function pawnsIn({ x, y }: Place, number: number): Box[] {
  const rows = Math.ceil(number / ROOM_FOR_PAWNS);
  const size = rows > 1 ? 230 : 290;
  return Array.from({ length: number }, (_, at) => {
    const row = Math.floor(at / ROOM_FOR_PAWNS);
    const inRow = Math.min(ROOM_FOR_PAWNS, number - row * ROOM_FOR_PAWNS);
    const column = at % ROOM_FOR_PAWNS;
    const middle = x + (column - (inRow - 1) / 2) * size * 0.85;
    return { x: middle - size / 2, y: y + 190 + (row - (rows - 1) / 2) * size * 0.6 - size / 2, width: size, height: size };
  });
}
