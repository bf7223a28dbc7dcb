/** The points of all seats over a match. Touching it goes to a version; the slider does the same for the keyboard. */
import { kept } from "../board/kept";
import type { Mark } from "../board/marks";
import { t } from "../i18n";
import type { Line } from "../replay/points";

const [WIDTH, HEIGHT] = [320, 130];
const [LEFT, RIGHT, TOP, BOTTOM] = [26, 302, 8, 118];
/** The least distance between the signs at the ends of the lines. */
const APART = 13;

interface Props {
  lines: readonly Line[];
  at: number;
  last: number;
  marks: readonly Mark[];
  names: readonly string[];
  scrub: (version: number) => void;
}

export function Graph({ lines, at, last, marks, names, scrub }: Props) {
  if (lines.length === 0) return null;
  const span = Math.max(1, last - 1);
  const x = (version: number) => LEFT + ((RIGHT - LEFT) * (version - 1)) / span;
  const now = lines.map((line, seat) => `${names[seat]}: ${line[at - 1] ?? "–"}`).join(", ");
  const touch = ({ currentTarget, clientX, buttons, type }: MouseEvent) => {
    if (type === "pointermove" && buttons === 0) return;
    const { left, width } = (currentTarget as SVGElement).getBoundingClientRect();
    const share = (((clientX - left) / width) * WIDTH - LEFT) / (RIGHT - LEFT);
    scrub(1 + Math.round(Math.max(0, Math.min(1, share)) * span));
  };
  return (
    <section class="panel graph">
      <h2>{t("score")}</h2>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={now} onPointerDown={touch} onPointerMove={touch}>
        <Lines lines={lines} last={last} marks={marks} />
        <line class="now" x1={x(at)} x2={x(at)} y1={TOP - 4} y2={BOTTOM} />
      </svg>
    </section>
  );
}

const Lines = kept(({ lines, last, marks }: Pick<Props, "lines" | "last" | "marks">) => {
  const values = lines.flat().filter((value) => value !== undefined);
  const [least, most] = [Math.min(0, ...values), Math.max(1, ...values)];
  const x = (version: number) => round(LEFT + ((RIGHT - LEFT) * (version - 1)) / Math.max(1, last - 1));
  const y = (value: number) => round(BOTTOM - ((BOTTOM - TOP) * (value - least)) / (most - least));
  const ends = spread(lines.map((line) => y(line.findLast((value) => value !== undefined) ?? least)));
  return (
    <>
      {[least, most].map((value) => (
        <g key={value}>
          <line class="scale" x1={LEFT} x2={RIGHT} y1={y(value)} y2={y(value)} />
          <text x={LEFT - 4} y={y(value)}>
            {value}
          </text>
        </g>
      ))}
      {lines.map((line, seat) => (
        <g key={seat}>
          <path d={pathOf(line, x, y)} stroke={marks[seat]?.colour} />
          <text class="sign outlined" x={RIGHT + 9} y={ends[seat]} fill={marks[seat]?.colour}>
            {marks[seat]?.sign}
          </text>
        </g>
      ))}
    </>
  );
});

const round = (value: number) => Math.round(value * 10) / 10;

/** Return the steps of a line: points stay until they change. */
function pathOf(line: Line, x: (version: number) => number, y: (value: number) => number): string {
  let path = "";
  let known: number | undefined;
  line.forEach((value, at) => {
    if (value === undefined || value === known) return;
    path += known === undefined ? `M${x(at + 1)} ${y(value)}` : `H${x(at + 1)}V${y(value)}`;
    known = value;
  });
  return known === undefined ? "" : `${path}H${x(line.length)}`;
}

/** Return heights like the given ones, none too near to another and none below the last. */
export function spread(heights: readonly number[]): number[] {
  const spreaded = [...heights];
  const order = heights.map((_, at) => at).sort((a, b) => heights[b]! - heights[a]!);
  let free = BOTTOM;
  for (const at of order) {
    spreaded[at] = Math.min(heights[at]!, free);
    free = spreaded[at]! - APART;
  }
  return spreaded;
}
