/** The looks of pieces. */
import { Sign } from "../../board/piece";
import type { Board, Box, Lying, Scene } from "../../board/shapes";
import { Card } from "./cards";
import { colourOf, GOLD, INK, STONE, viewOf } from "./colours";
import { EndsOn, Plank } from "./planks";
import { Crown, Pawn } from "./symbols";
import { Flag, Hut } from "./village";

export function pieceOf(piece: Lying, box: Box, _board: Board, scene: Scene) {
  const mark = typeof piece.seat === "number" ? scene.marks[piece.seat] : undefined;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  switch (piece.kind) {
    case "card":
      return <Card piece={piece} box={box} scene={scene} />;
    case "plank":
      return <Plank piece={piece} box={box} scene={scene} />;
    case "pawn":
      return mark && (typeof piece.x === "number" ? <Pawn x={x} y={y - 55} size={310} mark={mark} /> : <Pawn x={x} y={y} size={box.width} mark={mark} />);
    case "stone":
      return piece.place === "supply" ? <Heap piece={piece} box={box} /> : <Stone piece={piece} scene={scene} />;
    case "turn_marker":
      return <Turn piece={piece} scene={scene} />;
    case "sign":
      return (
        <>
          <rect class="outline" {...box} rx={12} fill="#f4ecd9" stroke="#bfae86" />
          {piece.place.startsWith("start") ? (
            <Hut x={x} y={y} size={70} colour={colourOf(piece.component)} />
          ) : (
            <Goal x={x} y={y} piece={piece} scene={scene} />
          )}
        </>
      );
    case "first_player_card":
      return (
        <>
          <rect class="outline" {...box} rx={13} fill={GOLD} stroke={INK} />
          <Crown x={x} y={y} size={96} fill="#fff" />
        </>
      );
    default:
      return undefined;
  }
}

/** Where stones of a heap lie, to the right of its middle and above its foot. */
const HEAP = [[0, 140], [-300, 150], [300, 150], [-160, 300], [170, 305]] as const;

/** The stones of the supply, with their number. */
function Heap({ piece, box: { x, y, width, height } }: { piece: Lying; box: Box }) {
  const [middle, foot] = [x + width / 2, y + height];
  return (
    <>
      <rect class="outline" x={x} y={y} width={width} height={height} rx={90} fill="#e9dcbd" stroke="#bfae86" />
      <g pointer-events="none">
        {HEAP.slice(0, piece.count).map(([right, up]) => (
          <Pebble key={right} x={middle + right} y={foot - up} radius={165} />
        ))}
        <text class="sign outlined" x={middle} y={y + height * 0.5} font-size={330} font-weight="700" fill="#fff">
          {piece.count}
        </text>
      </g>
    </>
  );
}

function Pebble({ x, y, radius }: { x: number; y: number; radius: number }) {
  return (
    <>
      <ellipse cx={x} cy={y} rx={radius} ry={radius * 0.72} fill={STONE} stroke={INK} stroke-width={12} />
      <path
        d={`M${x - radius * 0.55} ${y - radius * 0.2}q${radius * 0.2}-${radius * 0.3} ${radius * 0.6}-${radius * 0.28}`}
        fill="none"
        stroke="#d5d9dc"
        stroke-width={26}
        stroke-linecap="round"
      />
    </>
  );
}

/** A stone in the water, with its number, and the ends of planks that lie on it. */
function Stone({ piece, scene }: { piece: Lying; scene: Scene }) {
  const [x, y, radius] = [piece.x!, piece.y!, piece.width! / 2];
  return (
    <>
      <circle class="outline" cx={x} cy={y} r={radius} fill={STONE} stroke={INK} />
      <g pointer-events="none">
        <path d={`M${x - 85} ${y - 60}q40-50 100-45`} fill="none" stroke="#d5d9dc" stroke-width={24} stroke-linecap="round" />
        <EndsOn stone={piece} scene={scene} />
        <text class="sign outlined" x={x} y={y} font-size={106} font-weight="700" fill="#fff">
          {piece.id.slice("stone:".length)}
        </text>
      </g>
    </>
  );
}

/** A seat's marker in the order of play: with a ring while it acts, with a crown if it is first. */
function Turn({ piece, scene }: { piece: Lying; scene: Scene }) {
  const [x, y, radius] = [piece.x!, piece.y!, piece.width! / 2];
  const mark = scene.marks[piece.seat!]!;
  const acts = scene.table.match.to_act.includes(piece.seat!);
  const isFirst = viewOf(scene).first_player === piece.seat;
  return (
    <>
      <circle class="outline" cx={x} cy={y} r={radius} fill={mark.colour} stroke={INK} />
      {acts && <circle cx={x} cy={y} r={radius + 16} fill="none" stroke={GOLD} stroke-width={36} />}
      <Sign mark={mark} x={x} y={y} size={radius * 1.15} />
      {isFirst && <Crown x={x} y={y - radius} size={160} fill={GOLD} />}
    </>
  );
}

/** The flag of a seat, on the colour of the village that it must reach. */
function Goal({ x, y, piece, scene }: { x: number; y: number; piece: Lying; scene: Scene }) {
  return (
    <>
      <Hut x={x - 22} y={y + 4} size={62} colour={colourOf(piece.component)} />
      <Flag x={x + 34} y={y} size={56} mark={scene.marks[piece.seat!]!} />
    </>
  );
}
