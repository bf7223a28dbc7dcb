/** Building tiles: the type, the builder's bonus, and in two lines what visitors and owners gain. */
import { message } from "../../board/messages";
import type { Box, Lying, Scene } from "../../board/shapes";
import { printedOn } from "./box";
import { EDGE, INK, PAPER, typeColours } from "./colours";
import { icon, label, line, numbered } from "./icons";

/** Return where the tile of a box lies: a square in its middle. */
export function tileIn({ x, y, width, height }: Box): Box {
  const size = Math.min(width, height);
  return { x: x + (width - size) / 2, y: y + (height - size) / 2, width: size, height: size };
}

export function building({ component }: Lying, box: Box, scene: Scene) {
  const { x, y, width: size } = tileIn(box);
  const { type, bonus, visitor, owner } = printedOn(component);
  const { light, dark } = typeColours(type);
  const unit = size / 100;
  const at = (left: number, top: number, width: number, height: number): Box => ({
    x: x + left * unit,
    y: y + top * unit,
    width: width * unit,
    height: height * unit,
  });
  const isImperial = component.startsWith("imperial");
  const isLate = component.startsWith("era2");
  return (
    <>
      <rect
        class="outline"
        x={x}
        y={y}
        width={size}
        height={size}
        rx={7 * unit}
        fill={isImperial ? "#f6dc8c" : light}
        stroke={isImperial ? "#a8790c" : dark}
      />
      {isLate && <path d={`M${x + 38 * unit} ${y}h${24 * unit}l${-12 * unit} ${11 * unit}z`} fill={dark} />}
      {icon(type, x + 6 * unit, y + 6 * unit, 36 * unit)}
      {isImperial && icon("imperial_flower", x + 62 * unit, y + 8 * unit, 30 * unit)}
      {bonus > 0 && numbered("influence", bonus, x + 59 * unit, y + 5 * unit, 37 * unit)}
      {owner === "" ? (
        <Reward box={at(4, 54, 92, 40)} mark="visit" text={visitor} />
      ) : (
        <>
          <Reward box={at(3, 44, 94, 26)} mark="visit" text={visitor} />
          <Reward box={at(3, 71.5, 94, 26)} mark="owner" text={owner} />
        </>
      )}
      <Full text={message(scene.game, `component.${component}.text`)} x={x} y={y} width={size} height={size} />
    </>
  );
}

function Reward({ box, mark, text }: { box: Box; mark: string; text: string }) {
  const { x, y, width, height } = box;
  const small = height * 0.62;
  return (
    <>
      <rect x={x} y={y} width={width} height={height} rx={height / 5} fill={PAPER} />
      {icon(mark, x + height * 0.12, y + (height - small) / 2, small)}
      {line(text, { x: x + height * 0.8, y: y + height * 0.03, width: width - height * 0.85, height: height * 0.94 })}
    </>
  );
}

/** What a tile or card says in full, shown by the pointer that rests on it. */
export function Full({ text, x, y, width, height }: Box & { text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <rect x={x} y={y} width={width} height={height} fill="transparent">
      <title>{text}</title>
    </rect>
  );
}

/** A pile that lies face down, with the number of its tiles or cards. */
export function faceDown({ count, kind }: Lying, { x, y, width, height }: Box) {
  const isCard = kind === "customer";
  const size = Math.min(width, height);
  const [across, down, rim] = [x + width / 2, y + height / 2, size * 0.08];
  const inner = { x: x + rim, y: y + rim, width: width - 2 * rim, height: height - 2 * rim };
  const plate = { x: across - size * 0.3, y: down - size * 0.22, width: size * 0.6, height: size * 0.44 };
  return (
    <>
      <rect class="outline" x={x} y={y} width={width} height={height} rx={size / 10} stroke={INK} fill={isCard ? "#6b4a2f" : "#7d6b52"} />
      <rect {...inner} rx={size / 14} fill="none" stroke="#c9a66b" stroke-width={size / 40} />
      <rect {...plate} rx={size * 0.1} fill={PAPER} stroke={EDGE} />
      {label(count, across, down, size * 0.36)}
    </>
  );
}
