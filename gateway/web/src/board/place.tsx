/** The usual look of a place. */
import { tint } from "./marks";
import type { Board, Place } from "./shapes";

export function PlainPlace({ place, board }: { place: Place; board: Board }) {
  const { shape, x, y, width, height, corners, kind, group } = place;
  const at = board.groups.findIndex(({ id }) => id === group);
  const hue = at < 0 ? undefined : (at * 360) / board.groups.length + 25;
  const look = { class: "outline", fill: tint(kind, 89, hue), stroke: tint(kind, 60, hue) };
  if (shape === "circle") return <circle {...look} cx={x} cy={y} r={width / 2} />;
  if (shape === "polygon") return <polygon {...look} points={corners.map((corner) => `${corner.x},${corner.y}`).join(" ")} />;
  return <rect {...look} x={x - width / 2} y={y - height / 2} width={width} height={height} rx={Math.min(width, height) / 8} />;
}
