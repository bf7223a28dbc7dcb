/** What the seat may do now, as buttons by group; the step of a longer choice; and the question before a move is made. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { message, nameOf } from "../board/messages";
import type { Scene } from "../board/shapes";
import type { Chosen, Cost, Offer, Option, Progress } from "../choose/progress";
import { t } from "../i18n";

/** With more options than this, groups begin closed. */
const OPEN_AT_MOST = 24;

interface Props {
  scene: Scene;
  offer: Offer;
  progress: Progress;
  choose: (next: Progress) => void;
  confirm: (chosen: Chosen) => void;
  /** Writes a sentence with the names of the players. */
  write: (sentence: string) => string;
}

export function Actions({ scene, offer, progress, choose, confirm, write }: Props) {
  if (progress.chosen) return <Confirmation scene={scene} chosen={progress.chosen} confirm={confirm} write={write} />;
  const groups = Map.groupBy(offer.options, ({ group }) => group);
  return (
    <div class="actions">
      {offer.number && <NumberField key={offer.number.name} number={offer.number} scene={scene} choose={choose} />}
      {offer.point && <PointFields point={offer.point} choose={choose} />}
      {[...groups].map(([group, options]) => {
        const title = message(scene.game, `group.${group}`) ?? group;
        const buttons = options.map((option) => <OptionButton key={option.key} option={option} scene={scene} choose={choose} write={write} />);
        if (groups.size === 1 && offer.options.length <= OPEN_AT_MOST) return <div key={group}>{buttons}</div>;
        return (
          <details key={`${group} ${progress.touched.join(" ")}`} open={offer.options.length <= OPEN_AT_MOST || progress.touched.length > 0}>
            <summary>
              {title} <small>{options.length}</small>
            </summary>
            {buttons}
          </details>
        );
      })}
    </div>
  );
}

interface OptionProps {
  option: Option;
  scene: Scene;
  choose: (next: Progress) => void;
  write: (sentence: string) => string;
}

function OptionButton({ option, scene, choose, write }: OptionProps) {
  const { key, name, text, cost, next } = option;
  return (
    <button type="button" class="option" data-option={key} onClick={() => choose(next)}>
      <span>{(name && nameOf(scene.game, name)) || write(text)}</span>
      <Price cost={cost} scene={scene} />
    </button>
  );
}

function Price({ cost, scene }: { cost: Cost; scene: Scene }) {
  if (cost.length === 0) return null;
  return (
    <span class="cost">{cost.map(({ resource, amount }) => `−${amount} ${nameOf(scene.game, resource) ?? resource}`).join(", ")}</span>
  );
}

interface ConfirmationProps {
  scene: Scene;
  chosen: Chosen;
  confirm: (chosen: Chosen) => void;
  write: (sentence: string) => string;
}

/** The chosen action in words, with the button that makes it; it has the focus, so that Enter is enough. */
function Confirmation({ scene, chosen, confirm, write }: ConfirmationProps) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus({ preventScroll: true }), [chosen]);
  return (
    <div class="confirmation">
      <p>
        {write(chosen.text)} <Price cost={chosen.cost} scene={scene} />
      </p>
      <button ref={button} type="button" class="primary" data-confirm onClick={() => confirm(chosen)}>
        {t("confirm")}
      </button>
    </div>
  );
}

interface NumberProps {
  number: NonNullable<Offer["number"]>;
  scene: Scene;
  choose: (next: Progress) => void;
}

function NumberField({ number: { name, least, most, suggested, take }, scene, choose }: NumberProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <Fields choose={() => choose(take(input.current!.valueAsNumber))}>
      <label>
        {nameOf(scene.game, name) ?? name} <input ref={input} type="number" required min={least} max={most} step={1} value={suggested} />
      </label>
    </Fields>
  );
}

interface PointProps {
  point: NonNullable<Offer["point"]>;
  choose: (next: Progress) => void;
}

/** A point can be typed, too, by those who do not point. */
function PointFields({ point, choose }: PointProps) {
  const [x, y] = [useRef<HTMLInputElement>(null), useRef<HTMLInputElement>(null)];
  return (
    <Fields choose={() => choose(point.take(x.current!.valueAsNumber, y.current!.valueAsNumber))}>
      <label>
        x <input ref={x} type="number" required step={1} value={0} />
      </label>
      <label>
        y <input ref={y} type="number" required step={1} value={0} />
      </label>
    </Fields>
  );
}

function Fields({ choose, children }: { choose: () => void; children: ComponentChildren }) {
  const send = (event: Event) => {
    event.preventDefault();
    choose();
  };
  return (
    <form class="fields" onSubmit={send}>
      {children}
      <button type="submit">{t("next")}</button>
    </form>
  );
}
