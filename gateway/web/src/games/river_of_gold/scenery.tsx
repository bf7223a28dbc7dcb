/** What lies under the places: the river between its hills, and plain wood elsewhere. */
import type { Board } from "../../board/shapes";
import { DEEP, WATER, WOOD } from "./colours";
import { icon } from "./icons";

const waves = (x: number, y: number) => `M${x} ${y}q10-9 20 0t20 0t20 0`;
const WAVES = [
  ...[80, 330, 560, 820, 1000, 1190].flatMap((x) => [waves(x, 160), waves(x + 40, 215)]),
  ...[60, 300, 500, 760, 940, 1140].flatMap((x) => [waves(x, 520), waves(x + 40, 575)]),
  ...[275, 330, 385, 440].map((y) => waves(1218, y)),
].join("");

export function sceneryOf(board: Board) {
  const { x, y, width, height } = board.view_box;
  if (board.id !== "river") return <rect x={x} y={y} width={width} height={height} rx={10} fill={board.seat === undefined ? WOOD : "#e7d8b6"} />;
  return (
    <>
      <rect x={x} y={y} width={width} height={height} rx={14} fill="#d9d3a4" />
      <g opacity={0.5}>
        {icon("region_1", 24, 22, 84)}
        {icon("region_1", 100, 50, 60)}
        {icon("region_6", 26, 624, 76)}
        {icon("region_4", 1318, 40, 70)}
        {icon("region_2", 1312, 580, 84)}
        {icon("region_2", 1364, 620, 52)}
      </g>
      <path d="M0 183H1247V541H0" fill="none" stroke={DEEP} stroke-width={122} stroke-linejoin="round" />
      <path d="M0 183H1247V541H0" fill="none" stroke={WATER} stroke-width={112} stroke-linejoin="round" />
      <path d={WAVES} fill="none" stroke="#ffffff90" stroke-width={3} stroke-linecap="round" />
      <path d="M62 480V440M62 290V250" fill="none" stroke={DEEP} stroke-width={7} stroke-dasharray="10 7" />
      <path d="M44 256L62 236L80 256z" fill={DEEP} />
    </>
  );
}
