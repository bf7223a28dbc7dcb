/** The looks of places. */
import { boxOf } from "../../board/boards";
import { nameOf } from "../../board/messages";
import type { Board, Place, Scene } from "../../board/shapes";
import { Words } from "../../board/words";
import { colourOf, GOLD, INK, viewOf } from "./colours";
import { Face } from "./cards";
import { WAVES } from "./scenery";
import { Crown } from "./symbols";
import { Village } from "./village";

export function placeOf(place: Place, board: Board, scene: Scene) {
  const { x, y, width } = place;
  switch (place.kind) {
    case "water":
      return (
        <>
          <polygon class="outline" points={place.corners.map((corner) => `${corner.x},${corner.y}`).join(" ")} fill="#8cc4d4" stroke="#6aa7b9" />
          <path d={WAVES} fill="none" stroke="#b9dfe8" stroke-width={18} stroke-linecap="round" pointer-events="none" />
        </>
      );
    case "island":
      return (
        <>
          <circle class="outline" cx={x} cy={y} r={width / 2} fill="#ecdcae" stroke="#b79f63" />
          <g pointer-events="none">
            <path
              d={`M${x - 130} ${y + 20}q-10-110 80-125 90-40 160 40 60 90-20 160-90 60-160 20-50-30-60-95z`}
              fill="#a9c77f"
            />
            <text class="sign" x={x} y={y} font-size={112} font-weight="600" fill={INK}>
              {place.label}
            </text>
          </g>
        </>
      );
    case "village":
      return <Village place={place} colour={colourOf(place.id)} scene={scene} />;
    case "program_slot":
      return <Slot place={place} seat={board.seat!} scene={scene} />;
    case "plank_slot":
      return <Room place={place} fill="#e6d6b4" text={place.label} size={34} />;
    case "hand":
      return <Room place={place} fill="#f4ecd9" />;
    case "supply":
    case "lost_planks":
    case "order":
      return (
        <>
          <Room place={place} fill="#f4ecd9" />
          <Words {...boxOf(place)} y={place.y - place.height / 2 + 15} height={150} text={nameOf(scene.game, place.id) ?? ""} whole={7000} most={125} />
        </>
      );
    case "first_player":
      return (
        <>
          <Room place={place} fill="#f4ecd9" />
          <g opacity={0.25}>
            <Crown x={x} y={y} size={80} fill="none" />
          </g>
        </>
      );
    default:
      return <Room place={place} fill="#f4ecd9" />;
  }
}

interface RoomProps {
  place: Place;
  fill: string;
  /** What stands in it while it is empty. */
  text?: string;
  size?: number;
}

/** A place that has no more than an edge. */
function Room({ place, fill, text, size }: RoomProps) {
  const { x, y, width, height } = place;
  return (
    <>
      <rect
        class="outline"
        x={x - width / 2}
        y={y - height / 2}
        width={width}
        height={height}
        rx={Math.min(width, height) / 9}
        fill={fill}
        stroke="#bfae86"
      />
      {text && (
        <text class="sign" x={x} y={y} font-size={size} fill="#6b5d48">
          {text}
        </text>
      )}
    </>
  );
}

/** A position of the program: gold while it is carried out, with the card that is about to be put there. */
function Slot({ place, seat, scene }: { place: Place; seat: number; scene: Scene }) {
  const view = viewOf(scene);
  const isNow = view.stage === "executing" && String(view.slot) === place.label;
  const chosen = scene.touched?.filter((id) => id.startsWith(`card:${seat}:`))[Number(place.label) - 1];
  return (
    <>
      <Room place={place} fill={isNow ? GOLD : "#e6d6b4"} text={chosen ? "" : place.label} size={80} />
      {chosen && (
        <g opacity={0.75} pointer-events="none">
          <Face card={chosen.slice(`card:${seat}:`.length)} box={boxOf(place)} mark={scene.marks[seat]!} scene={scene} named />
        </g>
      )}
    </>
  );
}
