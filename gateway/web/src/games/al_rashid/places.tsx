/** The looks of places. */
import { boxOf } from "../../board/boards";
import { nameOf } from "../../board/messages";
import type { Board, Place, Scene } from "../../board/shapes";
import { Words } from "../../board/words";
import { CAPTION, hasCaption, spotsOf } from "./arrange";
import { Banner, type BannerState, bannerState } from "./banner";
import { Coin, told } from "./cards";
import { coloursOf, INK, LINE, PAPER } from "./colours";
import { Digits, Glyph, Picture } from "./glyphs";
import { OFFERS, OFFICES } from "./offices";
import { areaOf, GOODS, type StackView, type View, viewOf } from "./view";

export function drawPlace(place: Place, board: Board, scene: Scene) {
  return drawing(place, board, scene, nowAt(place, scene));
}

/** What changes at a place in the course of a match. */
interface Now {
  stack?: StackView | undefined;
  banner?: BannerState;
  isSold?: boolean;
  missing?: string[];
}

function nowAt(place: Place, scene: Scene): Now {
  const view = viewOf(scene);
  switch (place.kind) {
    case "palace":
    case "territory":
      return { banner: bannerState(place.id, view) };
    case "slot":
      return { stack: areaOf(view, place.group)?.stacks.find(({ slot }) => String(slot) === place.label) };
    case "office":
      return { isSold: !view.palaces.some(({ offices }) => offices.some(({ office, copies }) => office === place.id && copies > 0)) };
    case "goods":
    case "markers":
      return { missing: missing(place, view) };
    default:
      return {};
  }
}

function drawing(place: Place, board: Board, scene: Scene, now: Now) {
  switch (place.kind) {
    case "palace":
    case "territory":
      return <Banner place={place} board={board} scene={scene} state={now.banner!} />;
    case "slot":
      return <Slot place={place} scene={scene} stack={now.stack} />;
    case "service":
    case "favor":
    case "benevolence":
      return <Offer place={place} board={board} scene={scene} />;
    case "office":
      return <ForSale place={place} board={board} scene={scene} isSold={now.isSold!} />;
    case "good":
      return <Supply place={place} />;
    case "turn":
    case "order":
      return <Step place={place} />;
    default:
      return <Ground place={place} board={board} scene={scene} missing={now.missing ?? []} />;
  }
}

interface Props {
  place: Place;
  board: Board;
  scene: Scene;
}

const MEDALS = ["", "#f0c443", "#ccd3d8", "#d79a62"];

/** A slot: its number while it is free, else rank and dominance of who stands there. */
function Slot({ place, scene, stack }: Omit<Props, "board"> & { stack: StackView | undefined }) {
  const box = boxOf(place);
  const right = box.x + box.width - 11;
  const rank = stack?.rank ?? undefined;
  return (
    <>
      <rect class="outline" {...box} rx={8} fill="#ffffffb8" stroke={coloursOf(place.group).dark} stroke-opacity={0.45} />
      {!stack && <Digits text={place.label} x={place.x} y={place.y} size={26} colour="#00000026" />}
      {rank !== undefined && (
        <g pointer-events="none">
          <circle cx={right} cy={box.y + 13} r={9.5} fill={MEDALS[rank] ?? "#fff"} stroke={INK} stroke-width={0.8} />
          <Digits text={rank} x={right} y={box.y + 13} size={14} />
          <title>{`${nameOf(scene.game, "rank")} ${rank}`}</title>
        </g>
      )}
      {stack && (
        <g>
          <rect x={right - 9} y={box.y + box.height - 23} width={18} height={19} rx={3} fill={INK} />
          <Digits text={stack.dominance} x={right} y={box.y + box.height - 13} size={14} colour="#fff" />
          <title>{`${nameOf(scene.game, "dominance")} ${stack.dominance}`}</title>
        </g>
      )}
    </>
  );
}

/** A service, a favor or the benevolence: its name, what it gives, and what it costs ranks 1, 2 and 3. */
function Offer({ place, board, scene }: Props) {
  const { x, y, width, height } = boxOf(place);
  const { picture, costs, gains } = OFFERS[place.id]!;
  const values = costs ?? gains ?? [];
  const pitch = 25;
  const right = values.length * pitch;
  const middle = y + height * 0.68;
  return (
    <>
      <rect class="outline" x={x} y={y} width={width} height={height} rx={6} fill={PAPER} stroke={coloursOf(place.group).dark}>
        <title>{told(place.id, scene)}</title>
      </rect>
      <g pointer-events="none">
        <Words x={x + 2} y={y + 1} width={width - 4} height={22} text={nameOf(scene.game, place.id) ?? ""} whole={board.view_box.width} most={15} />
        <Picture of={picture} x={x + (width - right) / 2} y={middle} width={width - right - 12} height={29} />
        {values.map((value, at) => {
          const at_x = x + width - right + pitch * (at + 0.5) - 5;
          if (costs) return <Coin key={at} value={value} x={at_x} y={middle} radius={12} />;
          return (
            <g key={at}>
              <circle cx={at_x} cy={middle} r={12} fill={MEDALS[at + 1]} stroke={INK} stroke-width={0.8} />
              <Digits text={value} x={at_x} y={middle} size={15} />
            </g>
          );
        })}
      </g>
    </>
  );
}

/** Where an office lies while it is for sale; its name remains when it is sold. */
function ForSale({ place, board, scene, isSold }: Props & { isSold: boolean }) {
  const box = boxOf(place);
  const { dark } = coloursOf(OFFICES[place.id]?.palace ?? "");
  return (
    <>
      <rect class="outline" {...box} rx={6} fill="#ffffff66" stroke={dark} stroke-dasharray="4 4" stroke-opacity={0.5}>
        <title>{told(place.id, scene)}</title>
      </rect>
      {isSold && (
        <g opacity={0.6} pointer-events="none">
          <Words {...box} text={nameOf(scene.game, place.id) ?? ""} whole={board.view_box.width} most={13} />
        </g>
      )}
    </>
  );
}

function Supply({ place }: { place: Place }) {
  const box = boxOf(place);
  const size = Math.min(box.width, box.height) * 0.8;
  return (
    <>
      <rect class="outline" {...box} rx={8} fill={PAPER} stroke={LINE} />
      <Glyph name={place.id} x={place.x - size / 2} y={place.y - size / 2} size={size} />
    </>
  );
}

/** A space of a track, with its number. */
function Step({ place }: { place: Place }) {
  const box = boxOf(place);
  const isTurn = place.kind === "turn";
  return (
    <>
      <rect class="outline" {...box} rx={box.height / 2} fill={isTurn ? "#dce6ef" : "#f6eedb"} stroke={LINE} />
      <Digits text={place.label} x={place.x} y={place.y} size={26} colour="#00000055" />
    </>
  );
}

/** Where things lie: on a mat under their name, on a territory in a tray. What is missing there is shown faintly. */
function Ground({ place, board, scene, missing }: Props & { missing: readonly string[] }) {
  const box = boxOf(place);
  const name = hasCaption(place) ? nameOf(scene.game, place.id) : undefined;
  const ghosts = missing.length > 0 ? spotsOf(place, scene).filter(({ kind }) => missing.includes(kind)) : [];
  return (
    <>
      <rect class="outline" {...box} rx={7} fill={place.group === "" ? "#f6efdf" : "#ffffff8c"} stroke={LINE} stroke-opacity={0.7} />
      {name && <Words x={box.x} y={box.y} width={box.width} height={CAPTION} text={name} whole={board.view_box.width} most={13.5} />}
      <g opacity={0.2} pointer-events="none">
        {ghosts.map(({ kind, box: { x, y, width, height } }) => {
          const size = Math.min(width, height) * 0.72;
          return <Glyph key={kind} name={kind} x={x + (width - size) / 2} y={y + (height - size) / 2} size={size} />;
        })}
      </g>
    </>
  );
}

/** Return the kinds of goods or markers that could lie at a place and do not. */
function missing({ id, kind, group }: Place, { seats, territories }: View): string[] {
  const seat = seats[Number(id.split("@")[1])];
  if (kind === "markers") return seat ? [seat.influence ? "" : "influence_marker", seat.dishonor ? "" : "dishonor_marker"].filter(Boolean) : [];
  const there = seat ?? territories.find((territory) => territory.id === group);
  if (there === undefined) return [];
  const gone = GOODS.filter((good) => !there.goods[good]);
  return there.notes || (!seat && !NOTES.has(group)) ? gone : [...gone, "credit_note"];
}

/** The territories where a credit note lies at the beginning of a turn. */
const NOTES = new Set(["silk_road", "spice_road", "sarmatia", "mare_internum"]);
