/** The usual looks of pieces. */
import { type Mark, tint } from "./marks";
import { nameOf } from "./messages";
import type { Box, Lying, Scene } from "./shapes";
import { Words } from "./words";

/** Return what a piece is called, and how many there are. */
export function pieceName({ component, kind, count }: Lying, { game }: Scene): string {
  const name = nameOf(game, component || kind) ?? (component || "?");
  return count > 1 ? `${count} × ${name}` : name;
}

interface PieceProps {
  piece: Lying;
  box: Box;
  whole: number;
  scene: Scene;
}

/** A tile or card with its name and the mark of its seat; face down without a name. */
export function PlainPiece({ piece, box, whole, scene }: PieceProps) {
  const { x, y, width, height } = box;
  const mark = piece.seat === undefined || piece.seat === null ? undefined : scene.marks[piece.seat];
  const isHidden = !piece.component;
  const isSmall = Math.min(width, height) < whole / 24;
  const fill = isHidden ? tint(piece.kind, 42) : !mark ? tint(piece.kind, 82) : isSmall ? mark.colour : "#fffdf8";
  const top = mark && !isSmall ? height * 0.3 : 0;
  const colour = isHidden ? "#fff" : "#2b2620";
  return (
    <>
      <rect
        class="outline"
        x={x}
        y={y}
        width={width}
        height={height}
        rx={Math.min(width, height) / 7}
        fill={fill}
        stroke={mark?.colour ?? tint(piece.kind, 45)}
      />
      {mark && isSmall && <Sign mark={mark} x={x + width / 2} y={y + height / 2} size={Math.min(width, height) * 0.8} />}
      {mark && !isSmall && <Sign mark={mark} x={x + width / 2} y={y + top * 0.6} size={top} outlined />}
      {(!mark || !isSmall) && (
        <Words x={x} y={y + top} width={width} height={height - top} text={pieceName(piece, scene)} whole={whole} colour={colour} />
      )}
    </>
  );
}

interface TokenProps {
  piece: Lying;
  whole: number;
  marks: readonly Mark[];
}

/** A piece that lies at an exact point: round, or as long as from one point to another. */
export function PlainToken({ piece, whole, marks }: TokenProps) {
  const { seat, kind } = piece;
  const [x, y, width] = [piece.x!, piece.y!, piece.width ?? whole / 40];
  const mark = seat === undefined || seat === null ? undefined : marks[seat];
  const look = { class: "outline", fill: mark?.colour ?? tint(kind, 60), stroke: "#222" };
  if (piece.x2 === undefined || piece.x2 === null) {
    return (
      <>
        <circle {...look} cx={x} cy={y} r={width / 2} />
        {mark && <Sign mark={mark} x={x} y={y} size={width * 0.7} />}
      </>
    );
  }
  const [x2, y2] = [piece.x2, piece.y2!];
  const turn = (Math.atan2(y2 - y, x2 - x) * 180) / Math.PI;
  const length = Math.hypot(x2 - x, y2 - y);
  return (
    <>
      <rect {...look} x={x} y={y - width / 2} width={length} height={width} rx={width / 4} transform={`rotate(${turn} ${x} ${y})`} />
      {mark && <Sign mark={mark} x={(x + x2) / 2} y={(y + y2) / 2} size={width * 0.8} />}
    </>
  );
}

interface SignProps {
  mark: Mark;
  x: number;
  y: number;
  size: number;
  /** In the seat's colour with an edge, in place of ink on the colour. */
  outlined?: boolean;
}

/** The symbol of a seat. */
export function Sign({ mark, x, y, size, outlined }: SignProps) {
  return (
    <text class={outlined ? "sign outlined" : "sign"} x={x} y={y} font-size={size} fill={outlined ? mark.colour : mark.ink}>
      {mark.sign}
    </text>
  );
}
