/** Cards: their faces, their backs, and what tells that a card is carried out, or cancelled. */
import type { Mark } from "../../board/marks";
import { message, nameOf } from "../../board/messages";
import { Sign } from "../../board/piece";
import type { Box, Lying, Scene } from "../../board/shapes";
import { Words } from "../../board/words";
import { type Colour, GOLD, INK, PAPER, seatOf, viewOf } from "./colours";
import { Deed, Dragon } from "./symbols";

/** How many times the width of its letters a mat is at least, so that they can be read. */
const MAT_WIDTH = 1910;

interface FaceProps {
  card: string;
  box: Box;
  mark: Mark;
  scene: Scene;
  /** Whether there is room to say what the card is called. */
  named: boolean;
}

/** The face of a card. */
export function Face({ card, box: { x, y, width, height }, mark, scene, named }: FaceProps) {
  const target = card.startsWith("dragon:") ? (card.slice("dragon:".length) as Colour) : undefined;
  const seat = target && seatOf(target, scene);
  const room = named ? height * 0.36 : 0;
  const size = Math.min(width * 0.86, height - room - width * 0.12);
  const middle = { x: x + width / 2, y: y + (height - room) / 2 + width * 0.03, size };
  return (
    <>
      <rect class="outline" x={x} y={y} width={width} height={height} rx={width / 10} fill={PAPER} stroke={mark.colour}>
        <title>{meaning(card, scene)}</title>
      </rect>
      <g pointer-events="none">
        <path d={`M${x + width * 0.1} ${y + width * 0.05}h${width * 0.8}`} stroke={mark.colour} stroke-width={width * 0.06} />
        {target ? (
          <Dragon {...middle} colour={target} mark={seat === undefined ? undefined : scene.marks[seat]} />
        ) : (
          <Deed {...middle} card={card} paint={mark.colour} />
        )}
        {named && (
          <Words
            x={x}
            y={y + height - room}
            width={width}
            height={room - width * 0.04}
            text={nameOf(scene.game, card) ?? card}
            whole={MAT_WIDTH}
            most={23}
          />
        )}
      </g>
    </>
  );
}

/** The back of a card. */
export function Back({ box: { x, y, width, height }, mark }: { box: Box; mark: Mark }) {
  const inset = width * 0.1;
  return (
    <>
      <rect class="outline" x={x} y={y} width={width} height={height} rx={width / 10} fill="#2f5563" stroke={mark.colour} />
      <g pointer-events="none">
        <rect
          x={x + inset}
          y={y + inset}
          width={width - 2 * inset}
          height={height - 2 * inset}
          rx={width / 14}
          fill="none"
          stroke="#8fb9c4"
          stroke-width={width / 40}
        />
        <path
          d={`M${x + width * 0.2} ${y + height * 0.2}q${width * 0.15}-${width * 0.12} ${width * 0.3} 0t${width * 0.3} 0M${x + width * 0.2} ${y + height * 0.8}q${width * 0.15}-${width * 0.12} ${width * 0.3} 0t${width * 0.3} 0`}
          fill="none"
          stroke="#8fb9c4"
          stroke-width={width / 28}
        />
        <circle cx={x + width / 2} cy={y + height / 2} r={width * 0.27} fill={mark.colour} stroke="#fff" stroke-width={width / 50} />
        <Sign mark={mark} x={x + width / 2} y={y + height / 2} size={width * 0.36} />
      </g>
    </>
  );
}

interface CardProps {
  piece: Lying;
  box: Box;
  scene: Scene;
}

/** A card in a hand or in a program. */
export function Card({ piece, box, scene }: CardProps) {
  const mark = scene.marks[piece.seat!]!;
  if (!piece.component) return <Back box={box} mark={mark} />;
  const named = piece.seat === scene.table.audience.seat;
  const order = scene.touched?.indexOf(piece.id) ?? -1;
  return (
    <>
      <Face card={piece.component} box={box} mark={mark} scene={scene} named={named} />
      {piece.place.startsWith("slot_") && <Fate piece={piece} box={box} scene={scene} />}
      {order >= 0 && <Position number={order + 1} box={box} />}
    </>
  );
}

/** The position that a card is to have in the program. */
function Position({ number, box: { x, y, width } }: { number: number; box: Box }) {
  return (
    <g pointer-events="none">
      <circle cx={x + width * 0.8} cy={y + width * 0.2} r={width * 0.19} fill={INK} />
      <text class="sign" x={x + width * 0.8} y={y + width * 0.2} font-size={width * 0.28} font-weight="700" fill="#fff">
        {number}
      </text>
    </g>
  );
}

/** What has become of a card of the program: a frame while it is carried out, bars over one that a dragon cancels, fading when it is over. */
function Fate({ piece, box: { x, y, width, height }, scene }: CardProps) {
  const { revealed, slot: now, stage, open_card: open } = viewOf(scene);
  const slot = Number(/\d/.exec(piece.place)![0]);
  const shown = revealed.find((one) => one.slot === slot)?.cards.find(({ seat }) => seat === piece.seat);
  if (shown?.cancelled_by?.length) {
    const marks = shown.cancelled_by.map((seat) => scene.marks[seat]!);
    return (
      <g pointer-events="none">
        <rect x={x} y={y} width={width} height={height} rx={width / 10} fill="#fff" opacity={0.55} />
        <path
          d={`M${x + width * 0.12} ${y + height * 0.1}L${x + width * 0.88} ${y + height * 0.9}M${x + width * 0.88} ${y + height * 0.1}L${x + width * 0.12} ${y + height * 0.9}`}
          stroke="#b3261e"
          stroke-width={width * 0.08}
          stroke-linecap="round"
        />
        {marks.map((mark, at) => (
          <Sign key={mark.sign} mark={mark} x={x + (width * (at + 1)) / (marks.length + 1)} y={y + height * 0.86} size={width * 0.28} outlined />
        ))}
      </g>
    );
  }
  if (slot < now) return <rect x={x} y={y} width={width} height={height} rx={width / 10} fill="#fff" opacity={0.5} pointer-events="none" />;
  if (stage !== "executing" || slot !== now || open?.seat !== piece.seat) return null;
  return (
    <rect
      x={x + 3}
      y={y + 3}
      width={width - 6}
      height={height - 6}
      rx={width / 12}
      fill="none"
      stroke={GOLD}
      stroke-width={8}
      pointer-events="none"
    />
  );
}

/** Return the name of a card, and what it does. */
function meaning(card: string, { game }: Scene): string {
  return [nameOf(game, card) ?? card, message(game, `component.${card}.text`)].filter(Boolean).join(": ");
}
