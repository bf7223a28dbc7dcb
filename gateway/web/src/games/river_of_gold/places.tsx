/** The looks of all places, by kind. */
import { boxOf } from "../../board/boards";
import type { Place, Scene } from "../../board/shapes";
import { EDGE, PAPER, regionColours, regionOf } from "./colours";
import { face } from "./customers";
import { icon, label, line, numbered } from "./icons";
import { pips } from "./pieces";
import { seen } from "./seen";

export function placeOf(place: Place, scene: Scene) {
  switch (place.kind) {
    case "river":
      return riverSpace(place);
    case "shore":
    case "imperial_shore":
      return shore(place, scene);
    case "merchant_space":
      return framed(place, "merchant", "#d7e6ea");
    case "region_tile":
      return plain(place, regionColours(regionOf(place.id)).light, regionColours(regionOf(place.id)).dark);
    case "artisan_space":
      return framed(place, "artisan", regionColours(regionOf(place.id)).light);
    case "elder_space":
      return framed(place, "elder", regionColours(regionOf(place.id)).light);
    case "track_space":
    case "track_reward":
    case "imperial_flower":
      return trackSpace(place);
    case "row_slot":
      return rowSlot(place, scene);
    case "mastery_slot":
      return masterySlot(place);
    case "die_face":
      return dieFace(place);
    case "koku":
    case "goods":
    case "favor":
    case "favor_limit":
    case "vp":
      return framed(place, place.id.split("@")[0]!, PAPER);
    case "ship":
      return framed(place, "royal", PAPER);
    case "hand":
      return framed(place, "hand", "#efe4cb");
    case "delivered":
      return framed(place, "done", "#e4ead6");
    default:
      return plain(place, "#efe4cb", "#c9b78f");
  }
}

function plain(place: Place, fill: string, stroke: string, round = 8) {
  const { x, y, width, height } = boxOf(place);
  return <rect class="outline" x={x} y={y} width={width} height={height} rx={Math.min(width, height) / round} fill={fill} stroke={stroke} />;
}

/** A place with a pale drawing of what belongs there. */
function framed(place: Place, name: string, fill: string) {
  const size = Math.min(place.width, place.height) * 0.6;
  return (
    <>
      {plain(place, fill, "#b9a77f")}
      <g opacity={0.35}>{icon(name, place.x - size / 2, place.y - size / 2, size)}</g>
    </>
  );
}

function riverSpace(place: Place) {
  const { x, y } = boxOf(place);
  return (
    <>
      {plain(place, "#ffffff30", "#ffffffb0", 6)}
      <circle cx={x + 17} cy={y + 17} r={13} fill="#ffffffb0" />
      {label(place.label, x + 17, y + 18, place.label.length > 1 ? 15 : 18, "#1d4a5c")}
    </>
  );
}

/** A shore space with its region; while it is empty, with what building there costs. */
function shore(place: Place, scene: Scene) {
  const { x, y } = boxOf(place);
  const region = regionOf(place.group);
  const { light, dark } = regionColours(region);
  const view = seen(scene).shores.find(({ id }) => id === place.id);
  const isEmpty = view?.building === null;
  const mine = view?.your_cost ?? undefined;
  const isCheaper = isEmpty && mine !== undefined && view?.cost !== null && view !== undefined && mine < view.cost;
  const size = Math.min(place.width, place.height) * 0.52;
  return (
    <>
      {plain(place, light, dark, 10)}
      {(isEmpty || Math.abs(place.width - place.height) > 40) && face(region, x + 5, y + 5, 21)}
      {isEmpty && view?.cost !== null && (
        <>
          <g opacity={0.22}>{icon(`region_${region}`, place.x - 38, place.y - 38, 76)}</g>
          {numbered("koku", isCheaper ? mine : place.label, place.x - size / 2, place.y - size / 2, size)}
          {isCheaper && icon("artisan", place.x + size * 0.3, place.y - size * 0.8, size * 0.5)}
        </>
      )}
    </>
  );
}

const GOOD_OF_REGION = ["", "p1", "r1", "s1", "p1", "r1", "s1"];
const REWARDS: Record<number, string> = { 5: "k2", 9: "f1", 11: "imperial_flower", 13: "v3", 18: "v3 g1" };

function trackSpace(place: Place) {
  const { x, y, width, height } = boxOf(place);
  const region = regionOf(place.group);
  const space = Number(place.label);
  const { light, dark } = regionColours(region);
  const reward = space === 2 ? GOOD_OF_REGION[region] : REWARDS[space];
  return (
    <>
      {plain(place, reward === undefined ? light : PAPER, dark, 5)}
      {label(place.label, x + 13, y + height / 2 + 1, height * 0.42, dark)}
      {reward !== undefined && line(reward, { x: x + 28, y: y + 5, width: width - 34, height: height - 10 })}
    </>
  );
}

function rowSlot(place: Place, scene: Scene) {
  const { x, y, width, height } = boxOf(place);
  const slot = seen(scene).row.find((one) => `row_${one.slot}` === place.id);
  const low = y + height - 23;
  return (
    <>
      {plain(place, "#efe4cb", EDGE)}
      {slot?.favor ? (
        line(`+ f${slot.favor}`, { x, y: low, width, height: 20 })
      ) : (
        <path d={`M${place.x - 14} ${low + 7}h16v-5l12 8-12 8v-5h-16z`} fill={EDGE} />
      )}
    </>
  );
}

function masterySlot(place: Place) {
  const size = place.height * 0.95;
  return (
    <>
      {plain(place, "#efe4cb", EDGE, 4)}
      {numbered("vp", place.label, place.x + place.width / 2 - size - 4, place.y - size / 2, size)}
    </>
  );
}

/** A face that the die may show, in the colour of its region. */
function dieFace(place: Place) {
  const { light, dark } = regionColours(Number(place.label));
  const { x, y, width, height } = boxOf(place);
  const inner = { x: x + 10, y: y + 10, width: width - 20, height: height - 20 };
  return (
    <>
      {plain(place, light, dark, 6)}
      <g opacity={0.55}>{pips(Number(place.label), inner, dark)}</g>
    </>
  );
}

