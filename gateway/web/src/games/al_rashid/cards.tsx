/** Office tiles, and the tiles that say where mercenaries gather. */
import { message, nameOf } from "../../board/messages";
import type { Box, Lying, Scene } from "../../board/shapes";
import { Words } from "../../board/words";
import { BLUE, coloursOf, GOLD, INK, LINE, PAPER, RED } from "./colours";
import { Digits, Glyph, Picture } from "./glyphs";
import { OFFICES } from "./offices";
import { Count } from "./tokens";
import { type View, viewOf } from "./view";

/** What a name and its text say, to be read where there is no room for it. */
export function told(id: string, { game }: Pick<Scene, "game">): string {
  const text = message(game, `component.${id}.text`);
  return text ? `${nameOf(game, id)}. ${text}` : (nameOf(game, id) ?? id);
}

/** Coins to be paid. */
export function Coin({ value, x, y, radius }: { value: number; x: number; y: number; radius: number }) {
  return (
    <g pointer-events="none">
      <circle cx={x} cy={y} r={radius} fill={GOLD} stroke="#8a6a10" stroke-width={radius / 9} />
      <Digits text={value} x={x} y={y} size={radius * 1.25} />
    </g>
  );
}

/** Points at the end of the match. */
function Points({ text, x, y, height }: { text: string; x: number; y: number; height: number }) {
  const width = height * (text.length > 1 ? 1.75 : 1.1);
  return (
    <g pointer-events="none">
      <rect x={x - width} y={y - height / 2} width={width} height={height} rx={height / 4} fill={INK} />
      <Digits text={text} x={x - width / 2} y={y} size={height * 0.72} colour="#fff" />
    </g>
  );
}

interface OfficeProps {
  piece: Lying;
  box: Box;
  scene: Scene;
  whole: number;
}

/** An office tile: its name, what it does, when it does so, its cost while it is for sale, and its points. */
export function OfficeTile({ piece, box, scene, whole }: OfficeProps) {
  const office = OFFICES[piece.component];
  if (office === undefined) return undefined;
  const isUsed = piece.kind === "used_office_tile";
  const printed = printedOn(piece.component, viewOf(scene));
  const isForSale = !piece.place.includes("@");
  const { dark, light } = coloursOf(office.palace);
  const doubled = piece.count > 1 ? 3 : 0;
  const [x, y, width, height] = [box.x, box.y, box.width - doubled, box.height - doubled];
  const isLarge = height > 66;
  const name = isLarge ? height * 0.4 : 0;
  const foot = Math.min(height * 0.27, 24);
  const row = y + height - foot / 2 - 2;
  return (
    <>
      <rect class="outline" x={x} y={y} width={width} height={height} rx={6} fill={isUsed ? "#cfcac1" : light} stroke={dark}>
        <title>{told(piece.component, scene)}</title>
      </rect>
      {doubled > 0 && <path d={`M${x + 6} ${y + height + doubled}h${width - 6 + doubled - 6}q6 0 6 -6v${-height + 12}`} fill="none" stroke={dark} stroke-width={2.4} pointer-events="none" />}
      <g pointer-events="none" opacity={isUsed ? 0.5 : undefined}>
        <rect x={x + 1} y={y + 1} width={width - 2} height={isLarge ? 4 : 3} rx={2} fill={dark} />
        {isLarge && <Words x={x + 1} y={y + 4} width={width - 2} height={name - 4} text={nameOf(scene.game, piece.component) ?? ""} whole={whole} most={14} />}
        <Picture of={office.picture} x={x + width / 2} y={y + name + (height - name - foot) / 2} width={width * 0.9} height={(height - name - foot) * 0.92} />
        {isForSale && <Coin value={printed.cost} x={x + 3 + foot / 2} y={row} radius={foot / 2} />}
        {(!isForSale || office.points.length === 1) && <Glyph name={printed.kind} x={isForSale ? x + width / 2 - foot * 0.4 : x + 4} y={row - foot * 0.4} size={foot * 0.8} />}
        <Points text={office.points} x={x + width - 3} y={row} height={foot * 0.86} />
      </g>
      {isUsed && <Glyph name="check" x={x + width / 2 - height * 0.2} y={y + height * 0.3} size={height * 0.4} />}
      {doubled > 0 && <Count count={piece.count} x={x + width - 5} y={y + 7} size={17} />}
    </>
  );
}

/** Return what an office costs, and when it does something. Palaces list all of their offices, sold out or not. */
function printedOn(id: string, view: View): { cost: number; kind: string } {
  const listed = view.palaces.flatMap(({ offices }) => offices).find(({ office }) => office === id);
  return listed ?? { cost: 0, kind: "" };
}

/** Where the territories lie on the small map of a crisis tile, in columns and rows. */
const SPOTS: Readonly<Record<string, readonly [number, number]>> = {
  A: [0, 0], S: [2, 0], C: [1, 1], N: [0, 2], P: [2, 2], V: [0, 3], I: [2, 3],
};
/** The territories where red mercenaries gather, and those where blue ones do. */
const CRISES: Readonly<Record<string, readonly [red: string, blue: string]>> = {
  setup_1: ["S", "PI"], setup_2: ["SP", "I"], setup_3: ["SA", "PI"],
  turn_1: ["S", "PA"], turn_2: ["SV", "I"], turn_3: ["SA", "I"], turn_4: ["A", "P"],
  turn_5: ["SACV", ""], turn_6: ["", "ANPI"], turn_7: ["SP", "C"], turn_8: ["SP", "IN"],
};

/** A crisis tile: a small map of the territories, with a mark where mercenaries gather. */
export function Crisis({ piece, box, scene, isNewest }: { piece: Lying; box: Box; scene: Scene; isNewest: boolean }) {
  const [red, blue] = CRISES[piece.component] ?? ["", ""];
  const { x, y, width, height } = box;
  const [across, down] = [width / 3.4, height / 4.6];
  const radius = Math.min(across, down) * 0.46;
  return (
    <>
      <rect class="outline" x={x} y={y} width={width} height={height} rx={4} fill={PAPER} stroke={isNewest ? INK : LINE}>
        <title>{told(piece.component, scene)}</title>
      </rect>
      <g pointer-events="none" opacity={isNewest ? undefined : 0.55}>
        {Object.entries(SPOTS).map(([territory, [column, row]]) => {
          const fill = red.includes(territory) ? RED : blue.includes(territory) ? BLUE : "#e2d9c4";
          const [cx, cy] = [x + width / 2 + (column - 1) * across, y + height / 2 + (row - 1.5) * down];
          if (fill === BLUE) return <rect x={cx - radius} y={cy - radius} width={2 * radius} height={2 * radius} fill={fill} />;
          return <circle cx={cx} cy={cy} r={fill === RED ? radius * 1.1 : radius * 0.6} fill={fill} />;
        })}
      </g>
    </>
  );
}
