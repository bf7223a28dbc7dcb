/** A slider over all versions of a match, with the turns of each seat. */
import { kept } from "../board/kept";
import type { Mark } from "../board/marks";
import { t } from "../i18n";
import type { Turn } from "../replay/steps";

interface Props {
  at: number;
  last: number;
  /** The shown move in words. */
  words: string;
  turns: readonly Turn[];
  /** The versions at which rounds begin. */
  rounds: readonly number[];
  marks: readonly Mark[];
  scrub: (version: number) => void;
}

export function Scrubber({ at, last, words, turns, rounds, marks, scrub }: Props) {
  return (
    <div class="scrubber">
      <Turns turns={turns} rounds={rounds} last={last} marks={marks} />
      <input
        type="range"
        min={1}
        max={Math.max(2, last)}
        value={at}
        disabled={last < 2}
        aria-label={t("slider")}
        aria-valuetext={`${t("moveOf", { at, last })}. ${words}`}
        onInput={({ currentTarget }) => scrub(currentTarget.valueAsNumber)}
      />
    </div>
  );
}

const LANE = 5;

interface TurnsProps {
  turns: readonly Turn[];
  rounds: readonly number[];
  last: number;
  marks: readonly Mark[];
}

/** Each seat has a lane of its own, so that turns are told apart without colours. */
const Turns = kept(({ turns, rounds, last, marks }: TurnsProps) => {
  const height = marks.length * LANE;
  const span = Math.max(1, last - 1);
  return (
    <svg class="ribbon" viewBox={`0 0 ${span} ${height}`} preserveAspectRatio="none" aria-hidden="true">
      {rounds.map((version) => (
        <line key={`round ${version}`} x1={version - 1} x2={version - 1} y2={height} />
      ))}
      {turns.map(({ seat, first, last: end }) => {
        if (seat === null) return null;
        return <rect key={first} x={first - 1.5} y={seat * LANE + 0.5} width={end - first + 1} height={LANE - 1} fill={marks[seat]?.colour} />;
      })}
    </svg>
  );
});
