/** Pieces that are tokens: goods, notes, markers, mercenary tiles, and the people of a family. */
import { Sign } from "../../board/piece";
import type { Mark } from "../../board/marks";
import type { Box, Lying } from "../../board/shapes";
import { BLUE, INK, LINE, PAPER, RED } from "./colours";
import { Digits, Glyph } from "./glyphs";

interface CountProps {
  count: number;
  x: number;
  y: number;
  size: number;
}

/** How many there are, white on dark. */
export function Count({ count, x, y, size }: CountProps) {
  const wide = size * (count > 9 ? 1.5 : 1);
  return (
    <>
      <rect x={x - wide / 2} y={y - size / 2} width={wide} height={size} rx={size / 2} fill={INK} stroke="#fff" stroke-width={size / 14} />
      <Digits text={count} x={x} y={y} size={size * 0.74} colour="#fff" />
    </>
  );
}

/** A good, a credit note or a marker, with how many of them there are: beside it where there is room, else on its corner. */
export function Token({ piece, box, glyph }: { piece: Lying; box: Box; glyph: string }) {
  const { x, y, width, height } = box;
  const size = Math.min(height, width) * 0.94;
  const isWide = width > height * 1.45;
  const middle = isWide ? x + size / 2 + (width - size * 1.75) / 2 : x + width / 2;
  const plate = isWide ? { x, width } : { x: middle - size / 2, width: size };
  return (
    <>
      <rect class="outline" {...plate} y={y + (height - size) / 2} height={size} rx={size / 5} fill={PAPER} stroke={LINE} />
      <Glyph name={glyph} x={middle - size * 0.4} y={y + height / 2 - size * 0.4} size={size * 0.8} />
      {isWide && <Digits text={piece.count} x={middle + size * 0.82} y={y + height / 2} size={size * 0.6} />}
      {!isWide && piece.count > 1 && <Count count={piece.count} x={middle + size * 0.36} y={y + height / 2 + size * 0.34} size={size * 0.48} />}
    </>
  );
}

/** A mercenary tile; without a value it lies face down. `isSecret`: it lies face down, but this seat has seen its value. */
export function Mercenary({ piece, box, isSecret }: { piece: Lying; box: Box; isSecret: boolean }) {
  const { x, y, width, height } = box;
  const [colour, value] = piece.component.split("_");
  const isKnown = Number.isFinite(Number(value));
  const kind = piece.kind.startsWith("blue") ? "blue" : "red";
  const ground = kind === "blue" ? BLUE : RED;
  const size = Math.min(width * 0.86, height * 0.86);
  const [middle, centre] = [x + width / 2, y + height / 2];
  const badge = Math.min(width, height) * 0.4;
  return (
    <>
      <rect class="outline" x={x} y={y} width={width} height={height} rx={Math.min(width, height) / 8} fill={isKnown && !isSecret ? PAPER : ground} stroke={INK} />
      {isKnown ? (
        <>
          <rect x={x} y={y} width={width} height={height * 0.16} fill={ground} pointer-events="none" />
          <Glyph name={colour!} x={x + width * 0.27 - size * 0.26} y={centre + height * 0.06 - size * 0.3} size={size * 0.6} />
          <Digits text={value!} x={x + width * 0.7} y={centre + height * 0.09} size={Math.min(height * 0.66, width * 0.6)} colour={isSecret ? "#fff" : ground} />
          {isSecret && <Glyph name="eye" x={x + width - badge} y={y} size={badge} />}
        </>
      ) : (
        <>
          <rect x={x + width * 0.08} y={y + height * 0.08} width={width * 0.84} height={height * 0.84} rx={Math.min(width, height) / 12} fill="none" stroke="#fff" stroke-width={Math.min(width, height) / 30} stroke-dasharray={`${height / 14} ${height / 18}`} pointer-events="none" />
          <Glyph name={kind} x={middle - size * 0.3} y={centre - size * 0.3} size={size * 0.6} />
        </>
      )}
      {piece.count > 1 && <Count count={piece.count} x={x + width - badge * 0.55} y={y + height - badge * 0.5} size={badge} />}
    </>
  );
}

/** Pashas, merchants or sages of a seat. */
export function Person({ piece, box, mark }: { piece: Lying; box: Box; mark: Mark }) {
  const size = Math.min(box.width, box.height);
  const [x, y] = [box.x + (box.width - size) / 2, box.y + (box.height - size) / 2];
  const badge = size * 0.38;
  return (
    <>
      <ellipse class="outline" cx={x + size / 2} cy={y + size * 0.95} rx={size * 0.46} ry={size * 0.07} fill="#00000030" stroke="none" />
      <Glyph name={piece.kind} x={x} y={y} size={size} colour={mark.colour} />
      <Sign mark={mark} x={x + size / 2} y={y + size * 0.78} size={size * 0.32} />
      {piece.count > 1 && <Count count={piece.count} x={x + size - badge * 0.4} y={y + badge * 0.6} size={badge} />}
    </>
  );
}

/** A disc of a seat, on a track. */
export function Disc({ box, mark }: { box: Box; mark: Mark }) {
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const radius = Math.min(box.width, box.height) * 0.46;
  return (
    <>
      <circle class="outline" cx={x} cy={y} r={radius} fill={mark.colour} stroke={INK} />
      <circle cx={x} cy={y} r={radius * 0.78} fill="none" stroke={mark.ink} stroke-opacity={0.45} stroke-width={radius * 0.08} pointer-events="none" />
      <Sign mark={mark} x={x} y={y} size={radius * 1.05} />
    </>
  );
}
