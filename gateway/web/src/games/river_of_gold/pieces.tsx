/** The looks of all pieces, by kind. */
import { message, nameOf } from "../../board/messages";
import { Sign } from "../../board/piece";
import type { Mark } from "../../board/marks";
import type { Board, Box, Lying, Scene } from "../../board/shapes";
import { Words } from "../../board/words";
import { building, faceDown, Full } from "./buildings";
import { EDGE, INK, PAPER, regionColours, regionOf } from "./colours";
import { customer } from "./customers";
import { icon, label, numbered } from "./icons";
import { seatAt, seen } from "./seen";
import { ship } from "./ships";

export function pieceOf(piece: Lying, box: Box, board: Board, scene: Scene) {
  const mark = piece.seat === undefined || piece.seat === null ? undefined : scene.marks[piece.seat];
  const whole = board.view_box.width;
  switch (piece.kind) {
    case "building":
      return piece.component === "" ? faceDown(piece, box) : building(piece, box, scene);
    case "customer":
      if (piece.component === "") return faceDown(piece, box);
      return customer(piece, box, whole, scene, piece.place.startsWith("delivered"));
    case "ship":
      return mark && ship(piece.component, mark, box);
    case "marker":
      return mark && marker(mark, box);
    case "die":
      return mark && die(seatAt(piece.place, scene)?.die ?? 1, mark, box);
    case "region_tile":
      return regionTile(piece, box, scene);
    case "mastery":
    case "patron":
    case "clan":
      return named(piece, box, whole, scene, mark);
    default:
      return token(piece, box, scene);
  }
}

function marker(mark: Mark, { x, y, width, height }: Box) {
  const r = Math.min(width, height) / 2;
  const [cx, cy] = [x + width / 2, y + height / 2];
  return (
    <>
      <circle class="outline" cx={cx} cy={cy} r={r} fill={mark.colour} stroke="#fff" />
      <circle cx={cx} cy={cy} r={r} fill="none" stroke={INK} stroke-width={r / 10} />
      <Sign mark={mark} x={cx} y={cy + r * 0.05} size={r * 1.2} />
    </>
  );
}

const PIPS: Record<number, readonly (readonly [number, number])[]> = {
  1: [[0, 0]],
  2: [[-1, -1], [1, 1]],
  3: [[-1, -1], [0, 0], [1, 1]],
  4: [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  5: [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]],
  6: [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]],
};

/** The pips of a face of the die. */
export function pips(number: number, { x, y, width, height }: Box, fill: string) {
  const size = Math.min(width, height);
  return (PIPS[number] ?? []).map(([across, down]) => (
    <circle cx={x + width / 2 + across * size * 0.26} cy={y + height / 2 + down * size * 0.26} r={size * 0.1} fill={fill} />
  ));
}

function die(number: number, mark: Mark, { x, y, width, height }: Box) {
  const size = Math.min(width, height);
  const box = { x: x + (width - size) / 2, y: y + (height - size) / 2, width: size, height: size };
  const inner = { x: box.x + size * 0.05, y: box.y + size * 0.05, width: size * 0.9, height: size * 0.9 };
  return (
    <>
      <rect class="outline" {...box} rx={size / 6} fill={mark.colour} stroke={INK} />
      <rect {...inner} rx={size / 7} fill="none" stroke={mark.ink} stroke-width={size / 40} />
      {pips(number, box, mark.ink)}
    </>
  );
}

/** The points for the first, the second and the third in a region, the first on top. */
function regionTile({ component, place }: Lying, { x, y, width, height }: Box, scene: Scene) {
  const region = regionOf(place);
  const values = seen(scene).regions[region - 1]?.values ?? [];
  const { dark } = regionColours(region);
  const most = Math.min(height * 0.6, width / (values.length > 2 ? 2.5 : 2));
  let left = x + (width - most * (1.02 * values.length - 0.09 * values.length * (values.length - 1))) / 2;
  return (
    <>
      <rect class="outline" x={x} y={y} width={width} height={height} rx={height / 10} fill={PAPER} stroke={dark} />
      {icon(`region_${region}`, x + width / 2 - height * 0.36, y + height * 0.05, height * 0.3)}
      {label(region, x + width / 2 + height * 0.2, y + height * 0.21, height * 0.3, dark)}
      {values.map((value, at) => {
        const size = most * (1 - at * 0.18);
        const drawn = numbered("vp", value, left, y + height * 0.38 + (height * 0.6 - size) / 2, size);
        left += size;
        return drawn;
      })}
      <Full text={message(scene.game, `component.${component}.text`)} x={x} y={y} width={width} height={height} />
    </>
  );
}

/** A mastery, a patron or a clan: its symbol above its name. */
function named(piece: Lying, box: Box, whole: number, scene: Scene, mark: Mark | undefined) {
  const { component } = piece;
  const { x, y, width, height } = box;
  const full = message(scene.game, `component.${component}.text`);
  const name = nameOf(scene.game, component) ?? "";
  const size = Math.min(height * 0.42, width * 0.6);
  const symbol = CLAN_OF[component] ?? component;
  const beside = { x: x + height * 0.36, y: y + height * 0.04, width: width - height * 0.4, height: height * 0.3 };
  return (
    <>
      <rect class="outline" {...box} rx={Math.min(width, height) / 9} fill={PAPER} stroke={mark?.colour ?? EDGE} />
      {full !== undefined && width > height * 1.5 ? (
        <>
          {icon(symbol, x + height * 0.07, y + height * 0.06, height * 0.27)}
          <Words {...beside} text={name} whole={whole} most={height * 0.19} />
          <Words x={x} y={y + height * 0.34} width={width} height={height * 0.62} text={full} whole={whole} most={height * 0.15} />
        </>
      ) : (
        <>
          {icon(symbol, x + (width - size) / 2, y + height * 0.06, size)}
          <Words x={x} y={y + height * 0.08 + size} width={width} height={height * 0.9 - size} text={name} whole={whole} most={whole / 44} />
        </>
      )}
      <Full {...box} text={full ?? name} />
    </>
  );
}

const CLAN_OF: Record<string, string> = {
  patron_kaiu_shihobu: "crab",
  patron_yasuki_taka: "crab",
  patron_yoritomo: "mantis",
  patron_kudaka: "mantis",
  patron_daidoji_uji: "crane",
  patron_kakita_ryoku: "crane",
  patron_shosuro_hyobu: "scorpion",
  patron_bayushi_kachiko: "scorpion",
};

/** What is counted: its drawing and the number beside it. */
function token({ component, count, place }: Lying, { x, y, width, height }: Box, scene: Scene) {
  const limit = component === "favor" ? seatAt(place, scene)?.favor_limit : undefined;
  const written = limit === undefined ? String(count) : `${count}/${limit}`;
  const size = Math.min(height * 0.66, width * 0.45);
  const room = width * 0.93 - size;
  return (
    <>
      <rect class="outline" x={x} y={y} width={width} height={height} rx={height / 8} fill={PAPER} stroke="#b9a77f" />
      {icon(component, x + width * 0.05, y + (height - size) / 2, size)}
      {label(written, x + width * 0.05 + size + room / 2, y + height * 0.53, Math.min(height * 0.5, room / (0.74 * written.length)))}
    </>
  );
}
