/** A match that is about to be created: what the form holds, and the request that it becomes. */
import type { CreateMatchRequest, GameSummary, Schema } from "@foldtable/client";
import type { OptionValue } from "./options";

/** For whom a seat is: `bot:<level>`, `invited`, or `open` to everybody. */
export type Guest = `bot:${string}` | "invited" | "open";
export type Visibility = NonNullable<CreateMatchRequest["visibility"]>;
export type UndoRule = NonNullable<CreateMatchRequest["undo"]>;

export interface Plan {
  game: string;
  name: string;
  seats: number;
  /** The other seats; those beyond `seats` are remembered in case the number grows again. */
  guests: readonly Guest[];
  options: Readonly<Record<string, OptionValue>>;
  /** Absent: as the seats want it. */
  visibility?: Visibility;
  start: NonNullable<CreateMatchRequest["start"]>;
  undo: UndoRule;
  clock: Schema<"ClockSettings"> | null;
  pace: number;
  title: string;
}

const USUAL_SEATS = 3;
const USUAL_PACE = 1;

/** Return the level of bots for somebody who did not choose one: neither the first, the simplest, nor the last, the slowest. */
export function usualLevel({ bot_levels: levels }: Pick<GameSummary, "bot_levels">): string {
  return levels[Math.floor(levels.length / 2)] ?? "";
}

/** Return a plan against bots that can be played at once; `name`: what the player is called. */
export function firstPlan(game: Pick<GameSummary, "game" | "seat_counts" | "bot_levels">, name: string): Plan {
  const counts = game.seat_counts;
  const seats = counts.includes(USUAL_SEATS) ? USUAL_SEATS : counts[0]!;
  const level = usualLevel(game);
  const guest: Guest = level === "" ? "open" : `bot:${level}`;
  return {
    game: game.game,
    name,
    seats,
    guests: Array<Guest>(Math.max(...counts) - 1).fill(guest),
    options: {},
    start: "when_full",
    undo: "consent",
    clock: null,
    pace: USUAL_PACE,
    title: "",
  };
}

/** Return who takes the other seats. */
export function guestsOf({ guests, seats }: Plan): readonly Guest[] {
  return guests.slice(0, seats - 1);
}

/** Return who will find the match: with a seat for everybody it must be public, else nobody could take that. */
export function visibilityOf(plan: Plan): Visibility {
  return plan.visibility ?? (guestsOf(plan).includes("open") ? "public" : "private");
}

/** Return whether a seat waits for somebody who cannot find the match. */
export function isHidden(plan: Plan): boolean {
  return guestsOf(plan).includes("open") && visibilityOf(plan) !== "public";
}

/** Return the request that creates the match. */
export function requestOf(plan: Plan): CreateMatchRequest {
  let bots = 0;
  const seating = guestsOf(plan).map((guest) => {
    if (!guest.startsWith("bot:")) return { kind: guest as "invited" | "open" };
    return { kind: "bot" as const, level: guest.slice("bot:".length), name: `Bot ${++bots}` };
  });
  return {
    game: plan.game,
    seats: plan.seats,
    seating: [{ name: plan.name }, ...seating],
    options: plan.options as NonNullable<CreateMatchRequest["options"]>,
    visibility: visibilityOf(plan),
    start: plan.start,
    undo: plan.undo,
    title: plan.title,
    ...(plan.clock ? { clock: plan.clock } : {}),
    ...(bots > 0 ? { bot_pace_seconds: plan.pace } : {}),
  };
}
