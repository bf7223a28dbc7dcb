/** What the seat that looks may know of a match of Al-Rashid. */
import type { Schema } from "@foldtable/client";
import type { Scene } from "../../board/shapes";

export type View = Schema<"al_rashid.AlRashidView">;
export type SeatView = Schema<"al_rashid.SeatView">;
export type StackView = Schema<"al_rashid.StackView">;

export const viewOf = (scene: Scene): View => scene.table.view as View;

/** The goods, as the supply has them from left to right. */
export const GOODS = ["hardwood", "pottery", "metals", "spices", "silk"] as const;

/** Return what goods are worth: the first of each kind together, then the second of each, and so on (§6.3). */
export function worth(goods: SeatView["goods"]): number {
  let value = 0;
  for (let layer = 1; ; layer++) {
    const kinds = GOODS.filter((good) => (goods[good] ?? 0) >= layer).length;
    if (kinds === 0) return value;
    value += (kinds * (kinds + 1)) / 2;
  }
}

/** Return an area, whichever board it is on. */
export function areaOf(view: View, id: string): View["palaces"][number] | View["territories"][number] | undefined {
  return view.palaces.find((palace) => palace.id === id) ?? view.territories.find((territory) => territory.id === id);
}
