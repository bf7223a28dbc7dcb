/** What matters about a seat, for the bar of players. */
import { nameOf } from "../../board/messages";
import type { Figure, Scene } from "../../board/shapes";
import { paths } from "./icons";
import { seen } from "./seen";

export function figuresOf(seat: number, scene: Scene): Figure[] {
  const player = seen(scene).seats[seat];
  if (player === undefined) return [];
  const { clan, koku, goods, favor, favor_limit, hand_size, delivered } = player;
  const named = (id: string, drawing: string, value: string | number): Figure => ({
    name: nameOf(scene.game, id) ?? id,
    value,
    icon: paths(drawing),
  });
  return [
    ...(clan === null ? [] : [{ name: nameOf(scene.game, clan) ?? clan, value: "", icon: paths(clan) }]),
    named("koku", "koku", koku),
    named("silk", "silk", goods.silk),
    named("rice", "rice", goods.rice),
    named("porcelain", "porcelain", goods.porcelain),
    named("favor", "favor", `${favor}/${favor_limit}`),
    named("hand", "hand", hand_size),
    named("delivered", "done", delivered.length),
  ];
}

/** Return the points so far; once the match is over, the final score. */
export function pointsOf(seat: number, scene: Scene): number | undefined {
  const { outcome, seats } = seen(scene);
  return outcome?.results.find((one) => one.seat === seat)?.score ?? seats[seat]?.vp;
}
