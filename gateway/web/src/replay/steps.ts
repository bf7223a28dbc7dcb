/** Where a replay can stop, as pure functions over its versions. */
import type { ReplayedVersion } from "@foldtable/client";

/** By what a replay is stepped: by moves, turns, rounds or the moves of the own seat. */
export type Unit = "move" | "turn" | "round" | "own";

type Step = Pick<ReplayedVersion, "version"> & { move: { seat: number | null }; table: { view: unknown } };

/** Consecutive moves of one seat. */
export interface Turn {
  /** Null: the start, or what nobody at the table did. */
  seat: number | null;
  first: number;
  last: number;
}

/** Return the turns of a match, in order. */
export function turnsOf(steps: readonly Step[]): Turn[] {
  const turns: Turn[] = [];
  for (const { version, move } of steps) {
    const turn = turns.at(-1);
    if (turn?.seat === move.seat) turn.last = version;
    else turns.push({ seat: move.seat, first: version, last: version });
  }
  return turns;
}

/** Return the number of the round, counted from 1; undefined before the first one and for games without rounds. */
export function roundOf({ table: { view } }: Step): number | undefined {
  const round = (view as { round?: unknown } | null)?.round;
  return typeof round === "number" && round > 0 ? round : undefined;
}

/** Return the versions at which each round begins; none for games without rounds. */
export function roundsOf(steps: readonly Step[]): number[] {
  const isNew = (step: Step, at: number) => roundOf(step) !== undefined && (at === 0 || roundOf(step) !== roundOf(steps[at - 1]!));
  return steps.filter(isNew).map(({ version }) => version);
}

/** Return the versions at which a replay stops: after moves and turns, and where rounds begin; always the first and the last. */
export function stopsOf(unit: Unit, steps: readonly Step[], own?: number): number[] {
  const versions = steps.map(({ version }) => version);
  const ends = [...versions.slice(0, 1), ...versions.slice(-1)];
  const stops = {
    move: () => versions,
    turn: () => turnsOf(steps).map(({ last }) => last),
    round: () => roundsOf(steps),
    own: () => ownMoves(steps, own),
  };
  return [...new Set([...stops[unit](), ...ends])].sort((a, b) => a - b);
}

/** Return the versions that a seat's own moves led to. */
export function ownMoves(steps: readonly Step[], own: number | undefined): number[] {
  return steps.filter(({ move }) => own !== undefined && move.seat === own).map(({ version }) => version);
}

/** Return the next stop after a version, or the one before it; the version itself if there is none. */
export function stepped(stops: readonly number[], at: number, isForward: boolean): number {
  const next = isForward ? stops.find((stop) => stop > at) : stops.findLast((stop) => stop < at);
  return next ?? at;
}
