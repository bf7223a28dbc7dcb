/** What lies under the places: a round city at a river, and the lands between two seas. */
import { nameOf } from "../../board/messages";
import type { Board, Scene } from "../../board/shapes";
import { Words } from "../../board/words";

/** The tracks whose names are written above their spaces, by the space that comes first. */
const CAPTIONED: Readonly<Record<string, string>> = {
  turn_track_1: "turn_track",
  turn_order_1: "turn_order",
  next_order_1: "next_order",
  hardwood: "supply",
};
const WIDTH = 384;

export function scenery(board: Board, scene: Scene) {
  const { width, height } = board.view_box;
  if (board.seat !== undefined) return <rect width={width} height={height} fill="#e9dcc0" rx={8} />;
  if (board.id === "city") return <City width={width} height={height} />;
  return (
    <>
      <Lands width={width} height={height} />
      {board.places.map((place) => {
        const track = CAPTIONED[place.id];
        if (track === undefined) return null;
        const left = place.x - place.width / 2;
        return <Words x={left} y={place.y - place.height / 2 - 17} width={WIDTH} height={16} text={nameOf(scene.game, track) ?? ""} whole={width} most={14} />;
      })}
    </>
  );
}

interface Size {
  width: number;
  height: number;
}

/** Sand, the walls of the round city, and the Tigris. */
function City({ width, height }: Size) {
  const [x, y] = [width / 2, height / 2];
  return (
    <>
      <rect width={width} height={height} fill="#e6d2a4" rx={8} />
      {[0.62, 0.47].map((share) => (
        <ellipse key={share} cx={x} cy={y} rx={width * share} ry={height * share} fill="none" stroke="#c7a76a" stroke-width={9} stroke-dasharray="26 5" />
      ))}
      <path d={`M${x + 60} 0q-130 ${height * 0.25} -60 ${height * 0.5}t-60 ${height * 0.5}`} fill="none" stroke="#7fb4c9" stroke-width={22} />
    </>
  );
}

/** Steppe in the north, desert, the two rivers, and a sea on each side. */
function Lands({ width, height }: Size) {
  const [w, h] = [width / 100, height / 100];
  return (
    <>
      <rect width={width} height={height} fill="#e9d6a6" rx={8} />
      <path d={`M0 ${14 * h}Q${50 * w} ${8 * h} ${100 * w} ${14 * h}V${36 * h}Q${55 * w} ${44 * h} 0 ${37 * h}z`} fill="#cfd8a8" />
      <path d={`M0 ${50 * h}Q${26 * w} ${54 * h} ${48 * w} ${60 * h}T${30 * w} ${78 * h}L0 ${79 * h}z`} fill="#9cc6dc" />
      <path d={`M${100 * w} ${74 * h}Q${60 * w} ${72 * h} ${46 * w} ${100 * h}H${100 * w}z`} fill="#8fc3d6" />
      <path d={`M${64 * w} ${36 * h}Q${40 * w} ${56 * h} ${70 * w} ${78 * h}M${74 * w} ${36 * h}Q${54 * w} ${58 * h} ${72 * w} ${78 * h}`} fill="none" stroke="#7fb4c9" stroke-width={7} />
      <path d={`M${22 * w} ${76 * h}Q${30 * w} ${88 * h} ${24 * w} ${100 * h}`} fill="none" stroke="#7fb4c9" stroke-width={9} />
    </>
  );
}
