/** The buttons that move a replay: steps of a chosen length, to the ends, and by itself. */
import { t } from "../i18n";
import type { Unit } from "../replay/steps";
import { type Autoplay, PACES } from "../replay/use_autoplay";

const NAMES = { move: "unitMove", turn: "unitTurn", round: "unitRound", own: "unitOwn" } as const satisfies Record<Unit, string>;

interface Props {
  at: number;
  last: number;
  unit: Unit;
  units: readonly Unit[];
  setUnit: (unit: Unit) => void;
  step: (isForward: boolean) => void;
  end: (isLast: boolean) => void;
  autoplay: Autoplay;
  toggle: () => void;
}

export function Player({ at, last, unit, units, setUnit, step, end, autoplay, toggle }: Props) {
  const [isFirst, isLast] = [at <= 1, at >= last];
  const what = autoplay.isPlaying ? t("pause") : t("play");
  return (
    <div class="player">
      <Button name={t("toStart")} sign="⏮" isOff={isFirst} act={() => end(false)} />
      <Button name={t("stepBack")} sign="◀" isOff={isFirst} act={() => step(false)} />
      <button type="button" class="primary" aria-label={what} title={what} onClick={toggle}>
        <Sign of={autoplay.isPlaying ? "⏸" : "▶"} />
      </button>
      <Button name={t("stepOn")} sign="▶" isOff={isLast} act={() => step(true)} />
      <Button name={t("toEnd")} sign="⏭" isOff={isLast} act={() => end(true)} />
      <label>
        {t("stepBy")}{" "}
        <select value={unit} onChange={({ currentTarget }) => setUnit(currentTarget.value as Unit)}>
          {units.map((one) => (
            <option key={one} value={one}>
              {t(NAMES[one])}
            </option>
          ))}
        </select>
      </label>
      <label>
        {t("pace")}{" "}
        <select value={autoplay.pace} onChange={({ currentTarget }) => autoplay.setPace(Number(currentTarget.value))}>
          {PACES.map((pace) => (
            <option key={pace} value={pace}>
              {pace} / s
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

interface ButtonProps {
  name: string;
  sign: string;
  isOff: boolean;
  act: () => void;
}

/** `aria-disabled` in place of `disabled`, which would take the focus away at the ends. */
function Button({ name, sign, isOff, act }: ButtonProps) {
  return (
    <button type="button" aria-label={name} title={name} aria-disabled={isOff} onClick={() => isOff || act()}>
      <Sign of={sign} />
    </button>
  );
}

/** Drawn, because fonts disagree about these signs. */
function Sign({ of }: { of: string }) {
  return (
    <svg viewBox="0 0 16 16" class="control" aria-hidden="true">
      <path d={PATHS[of]} />
    </svg>
  );
}

const PATHS: Record<string, string> = {
  "⏮": "M2 2h2v12h-2zM14 2v12l-9-6z",
  "⏭": "M12 2h2v12h-2zM2 2v12l9-6z",
  "◀": "M12 2v12l-9-6z",
  "▶": "M4 2v12l9-6z",
  "⏸": "M3 2h4v12h-4zM9 2h4v12h-4z",
};
