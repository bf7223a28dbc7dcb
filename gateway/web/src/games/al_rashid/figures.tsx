/** What is shown beside the name of a seat. */
import { nameOf } from "../../board/messages";
import type { Figure, Scene } from "../../board/shapes";
import { drawn } from "./glyphs";
import { viewOf, worth } from "./view";

/** People are drawn in the colour of their seat. */
const PEOPLE = new Set(["pasha", "merchant", "sage"]);

export function figures(seat: number, scene: Scene): Figure[] {
  const own = viewOf(scene).seats[seat];
  if (own === undefined) return [];
  const colour = scene.marks[seat]?.colour;
  const figure = (id: string, glyph: string, value: number): Figure => ({
    name: nameOf(scene.game, id) ?? id,
    value,
    icon: drawn(glyph, PEOPLE.has(glyph) ? colour : undefined),
  });
  const { family, hand } = own;
  const rare = [
    figure("credit_note", "credit_note", own.notes),
    figure("influence_marker", "influence_marker", own.influence),
    figure("dishonor_marker", "dishonor_marker", own.dishonor),
  ];
  return [
    figure("pasha", "pasha", family.pashas),
    figure("merchant", "merchant", family.merchants),
    figure("sage", "sage", family.sages),
    figure("gold", "gold", worth(own.goods)),
    figure("red_mercenary", "red", hand.red),
    figure("blue_mercenary", "blue", hand.blue),
    ...rare.filter(({ value }) => value !== 0),
  ];
}
