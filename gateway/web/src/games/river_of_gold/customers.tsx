/** Customer cards: the region, the type, the goods of the order, and what the delivery brings now, from then on and at the end. */
import { message, nameOf } from "../../board/messages";
import type { Box, Lying, Scene } from "../../board/shapes";
import { Words } from "../../board/words";
import { customerOn } from "./box";
import { Full } from "./buildings";
import { PAPER, regionColours, typeColours } from "./colours";
import { icon, label, line } from "./icons";

export function customer({ component }: Lying, { x, y, width, height }: Box, whole: number, scene: Scene, isDelivered: boolean) {
  const { type, region, order, delivered, ongoing, end } = customerOn(component);
  const colours = regionColours(region);
  const own = typeColours(type);
  const head = Math.min(height * 0.24, width * 0.36);
  const lines = (isDelivered ? [ongoing, end] : [delivered, ongoing, end]).filter((text) => text !== "");
  const top = isDelivered ? y + head : y + head + height * 0.2;
  const room = (y + height - top) / Math.max(lines.length, 2);
  const isNarrow = width < head * 3.2;
  return (
    <>
      <rect class="outline" x={x} y={y} width={width} height={height} rx={width / 14} fill={PAPER} stroke={colours.dark} />
      <rect x={x + 1} y={y + 1} width={width - 2} height={head - 1} rx={width / 16} fill={colours.light} />
      {face(region, x + head * 0.12, y + head * 0.14, head * 0.72)}
      {!isNarrow && (
        <Words
          x={x + head * 0.9}
          y={y + head * 0.1}
          width={width - head * 1.85}
          height={head * 0.8}
          text={nameOf(scene.game, type) ?? ""}
          whole={whole}
          most={head * 0.4}
        />
      )}
      {icon(type, x + width - head * 0.92, y + head * 0.1, head * 0.8)}
      {!isDelivered && (
        <>
          <rect x={x + width * 0.03} y={y + head + height * 0.015} width={width * 0.94} height={height * 0.17} rx={width / 24} fill={own.light} />
          {line(order, { x: x + width * 0.06, y: y + head + height * 0.025, width: width * 0.88, height: height * 0.15 })}
        </>
      )}
      {lines.map((text, at) =>
        line(text, { x: x + width * 0.06, y: top + at * room + room * 0.14, width: width * 0.88, height: Math.min(room * 0.74, width * 0.24) }),
      )}
      <Full text={message(scene.game, `component.${component}.text`)} x={x} y={y} width={width} height={height} />
    </>
  );
}

/** The number of a region as the face of a die that names it. */
export function face(region: number, x: number, y: number, size: number) {
  const { dark } = regionColours(region);
  return (
    <>
      <rect x={x} y={y} width={size} height={size} rx={size / 5} fill={dark} />
      {label(region, x + size / 2, y + size * 0.53, size * 0.75, "#fff")}
    </>
  );
}
