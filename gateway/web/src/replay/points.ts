/** The points of every seat at every version. */
import type { ReplayedVersion } from "@foldtable/client";
import type { Scene } from "../board/shapes";

/** The points of one seat, by version from the first on; undefined where there are none. */
export type Line = readonly (number | undefined)[];

const counted = new WeakMap<ReplayedVersion["table"], (number | undefined)[]>();

/** Return a line for each seat; none if the game has no points before the end. `sceneOf` makes the scene of a version. */
export function linesOf(steps: readonly ReplayedVersion[], seats: number, sceneOf: (step: ReplayedVersion) => Scene): Line[] {
  const points = steps.map((step) => {
    let known = counted.get(step.table);
    if (known === undefined) {
      const scene = sceneOf(step);
      known = Array.from({ length: seats }, (_, seat) => (step.table.view ? scene.game.skin.points?.(seat, scene) : undefined));
      counted.set(step.table, known);
    }
    return known;
  });
  if (!points.some((version) => version.some((value) => value !== undefined))) return [];
  return Array.from({ length: seats }, (_, seat) => points.map((version) => version[seat]));
}
