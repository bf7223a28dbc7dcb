/** What the drawings read from a view of the match. */
import type { Scene } from "../../board/shapes";

export interface SeatSeen {
  clan: string | null;
  patron: string | null;
  koku: number;
  goods: { silk: number; rice: number; porcelain: number };
  favor: number;
  favor_limit: number;
  vp: number;
  die: number | null;
  hand_size: number;
  delivered: readonly { customer: string }[];
}

interface Seen {
  offers: readonly string[];
  shores: readonly { id: string; region: number; building: string | null; cost: number | null; your_cost: number | null }[];
  regions: readonly { tile: string; values: readonly number[] }[];
  row: readonly { slot: number; favor: number }[];
  seats: readonly SeatSeen[];
  outcome: { results: readonly { seat: number; score: number | null }[] } | null;
}

/** Return the view of a scene. */
export function seen({ table }: Scene): Seen {
  return table.view as unknown as Seen;
}

/** Return the seat whose mat a place is part of, such as 2 for `hand@2`. */
export function seatAt(place: string, scene: Scene): SeatSeen | undefined {
  return seen(scene).seats[Number(place.split("@")[1])];
}
