/** Under which conditions a new match is played: who finds it, when it begins, how much time there is. */
import { language, t } from "../i18n";
import { CLOCKS, clockInWords, duration } from "./clocks";
import { Choice, Field } from "./field";
import { guestsOf, isHidden, type Plan, type UndoRule, type Visibility, visibilityOf } from "./plan";
import type { Problems } from "./problems";
import { undoInWords, visibilityInWords } from "./terms";

interface Props {
  plan: Plan;
  set: (part: Partial<Plan>) => void;
  problems: Problems;
}

/** The fields, by their JSON pointers. */
export const CONDITIONS = ["/visibility", "/start", "/undo", "/clock", "/bot_pace_seconds", "/title"];

const MAX_TITLE = 100;
const PACES = [0, 1, 2, 5];
const VISIBILITIES: readonly Visibility[] = ["private", "unlisted", "public"];
const UNDO_RULES: readonly UndoRule[] = ["consent", "free", "none"];

export function Conditions({ plan, set, problems }: Props) {
  const starts = [["when_full", t("lobbyWhenFull")], ["on_demand", t("lobbyOnDemand")]] as const;
  const clocks = [["-1", clockInWords(null)], ...CLOCKS.map((clock, at) => [String(at), clockInWords(clock)] as const)] as const;
  const paces = PACES.map((pace) => [String(pace), pace === 0 ? t("lobbyAtOnce") : duration(pace, language.value)] as const);
  return (
    <fieldset>
      <legend>{t("lobbyMore")}</legend>
      <Choice
        name="visibility"
        label={t("lobbyVisibility")}
        problem={problems.get("/visibility")}
        value={visibilityOf(plan)}
        values={VISIBILITIES.map((one) => [one, visibilityInWords(one)])}
        choose={(one) => set({ visibility: one as Visibility })}
      />
      {isHidden(plan) && <p class="notice" role="status">{t("lobbyHidden")}</p>}
      <Choice
        name="start"
        label={t("lobbyStart")}
        problem={problems.get("/start")}
        value={plan.start}
        values={starts}
        choose={(one) => set({ start: one as Plan["start"] })}
      />
      <Choice
        name="undo"
        label={t("lobbyUndo")}
        problem={problems.get("/undo")}
        value={plan.undo}
        values={UNDO_RULES.map((one) => [one, undoInWords(one)])}
        choose={(one) => set({ undo: one as UndoRule })}
      />
      <Choice
        name="clock"
        label={t("lobbyClock")}
        problem={problems.get("/clock")}
        value={String(CLOCKS.findIndex((one) => one === plan.clock))}
        values={clocks}
        choose={(at) => set({ clock: CLOCKS[Number(at)] ?? null })}
      />
      {guestsOf(plan).some((guest) => guest.startsWith("bot:")) && (
        <Choice
          name="bot_pace_seconds"
        label={t("lobbyPace")}
          problem={problems.get("/bot_pace_seconds")}
          value={String(plan.pace)}
          values={paces}
          choose={(pace) => set({ pace: Number(pace) })}
        />
      )}
      <Field label={t("lobbyTitle")} problem={problems.get("/title")}>
        <input value={plan.title} maxLength={MAX_TITLE} onInput={({ currentTarget }) => set({ title: currentTarget.value })} />
      </Field>
    </fieldset>
  );
}
