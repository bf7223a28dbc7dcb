/** The whole of a palace or territory: its ground, and its name on a banner. It is touched to choose the area. */
import { boxOf } from "../../board/boards";
import { nameOf } from "../../board/messages";
import type { Board, Box, Place, Scene } from "../../board/shapes";
import { Words } from "../../board/words";
import { told } from "./cards";
import { coloursOf, GOLD, RESTING } from "./colours";
import { Glyph } from "./glyphs";
import { areaOf, type View } from "./view";

const EMBLEMS: Readonly<Record<string, string>> = {
  spies: "eye", military: "shield", culture: "book", mercantile: "gold", political: "scales", al_rashid: "crescent",
  silk_road: "silk", spice_road: "spices", sarmatia: "land", mare_indianum: "ship", abbasid_caliphate: "palace", mare_internum: "ship", nilus_valley: "palm",
};
const MARGIN = 5;

/** A skyline of domes and towers, hills, or waves, 120 wide and 30 high, to be repeated. */
const DOMES = "M0 30V18h6V9l3-5 3 5v9h8q0-12 12-18 12 6 12 18h8v-6h10v6h8q0-9 9-14 9 5 9 14h6V11l3-5 3 5v7h13v12z";
const HILLS = "M0 30V20q14-14 30-4 14-18 34 0 14-10 26-2 14-10 30 6v10z";
const WAVES = "M0 30V17q7.5-8 15 0t15 0 15 0 15 0 15 0 15 0 15 0 15 0v13z";
const AT_SEA = new Set(["mare_indianum", "mare_internum"]);

const hulls = new WeakMap<Board, Map<string, Box>>();

/** Return the box around all places of a group; the same for a board as long as it is drawn. */
function hullOf(board: Board, group: string): Box {
  let known = hulls.get(board);
  if (known === undefined) hulls.set(board, (known = new Map()));
  let hull = known.get(group);
  if (hull === undefined) {
    const boxes = board.places.filter((place) => place.group === group).map(boxOf);
    const [x, y] = [Math.min(...boxes.map((box) => box.x)), Math.min(...boxes.map((box) => box.y))];
    const width = Math.max(...boxes.map((box) => box.x + box.width)) - x;
    hull = { x, y, width, height: Math.max(...boxes.map((box) => box.y + box.height)) - y };
    known.set(group, hull);
  }
  return hull;
}

/** What changes about an area. */
export interface BannerState {
  /** It is being resolved. */
  isHere: boolean;
  /** It was resolved in this turn. */
  rests: boolean;
  /** A marker lies on its banner. */
  isBusy: boolean;
}

export function bannerState(area: string, view: View): BannerState {
  const isHere = view.scene?.area === area;
  const isResolved = areaOf(view, area)?.resolved ?? false;
  return { isHere, rests: isResolved && !isHere, isBusy: isHere || isResolved || view.negotiating === area };
}

interface Props {
  place: Place;
  board: Board;
  scene: Scene;
  state: BannerState;
}

export function Banner({ place, board, scene, state: { isHere, rests, isBusy } }: Props) {
  const { x, y, width, height } = hullOf(board, place.group);
  const { dark, light } = rests ? RESTING : coloursOf(place.id);
  const skyline = place.kind === "palace" ? DOMES : AT_SEA.has(place.id) ? WAVES : HILLS;
  const box = boxOf(place);
  const all = { x: x - MARGIN, y: y - MARGIN, width: width + 2 * MARGIN, height: height + 2 * MARGIN };
  const size = box.height - 14;
  return (
    <>
      <rect class="outline" {...all} rx={12} fill={light} stroke={dark} />
      {isHere && <rect {...all} rx={12} fill="none" stroke={GOLD} stroke-width={5} pointer-events="none" />}
      <rect {...box} rx={8} fill={dark}>
        <title>{told(place.id, scene)}</title>
      </rect>
      <g pointer-events="none">
        {[0, 1, 2].map((at) => (
          <path key={at} d={skyline} transform={`translate(${box.x + 12 + at * 120} ${box.y + box.height - 30})`} fill="#ffffff1c" />
        ))}
        <circle cx={box.x + box.height / 2} cy={place.y} r={size / 2 + 2} fill={light} />
        <Glyph name={EMBLEMS[place.id] ?? "palace"} x={box.x + box.height / 2 - size * 0.36} y={place.y - size * 0.36} size={size * 0.72} />
        <Words
          x={box.x + box.height}
          y={box.y}
          width={box.width - box.height - (isBusy ? 112 : 12)}
          height={box.height}
          text={nameOf(scene.game, place.id) ?? place.id}
          whole={board.view_box.width}
          colour="#fff"
          most={21}
        />
      </g>
    </>
  );
}
