/** What matters about each seat: where it must go, its planks, and whether its program is ready. */
import { nameOf } from "../../board/messages";
import type { Figure, Scene } from "../../board/shapes";
import { colourOf, INK, PAINT, viewOf } from "./colours";

export function figures(seat: number, scene: Scene): Figure[] {
  const { game } = scene;
  const { seats, stage } = viewOf(scene);
  const { destination, reserve, submitted, left } = seats[seat]!;
  if (left) return [];
  const goal: Figure = {
    name: `${nameOf(game, "destination") ?? ""}: ${nameOf(game, destination) ?? destination}`,
    value: "",
    icon: (
      <>
        <path d="M0 7h2.5V4.5L6 8.5 2.5 12.5V10H0z" fill="#c2410c" />
        <path d="M7.5 8v6.5h7V8" fill="#b98650" stroke={INK} stroke-width={0.8} />
        <path d="M5.8 8.5L11 2l5 6.5z" fill={PAINT[colourOf(destination)]} stroke={INK} stroke-width={0.8} />
      </>
    ),
  };
  const planks: Figure = {
    name: nameOf(game, "reserve") ?? "reserve",
    value: reserve.length,
    icon: (
      <path d="M1 11L13 3l2 3L3 14z" fill="#b98650" stroke={INK} stroke-width={1} stroke-linejoin="round" />
    ),
  };
  const program: Figure = {
    name: nameOf(game, "program") ?? "program",
    value: submitted ? "✓" : "…",
    icon: <rect x={3} y={1} width={10} height={14} rx={1.5} fill={submitted ? "#2f5563" : "#fff"} stroke={INK} />,
  };
  return stage === "programming" ? [goal, planks, program] : [goal, planks];
}
