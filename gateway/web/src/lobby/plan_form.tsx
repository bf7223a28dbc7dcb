/** Setting a match up: who plays, with which options, and under which conditions. */
import type { GameSummary } from "@foldtable/client";
import { useEffect, useState } from "preact/hooks";
import { client, partSaid, said } from "../api";
import { message } from "../board/messages";
import type { Game } from "../board/shapes";
import { t } from "../i18n";
import { Conditions, CONDITIONS } from "./conditions";
import { Choice, Field } from "./field";
import { OptionInputs } from "./option_inputs";
import { type OptionField, optionFields } from "./options";
import { MAX_NAME } from "./own_name";
import { type Guest, guestsOf, type Plan } from "./plan";
import { NO_PROBLEMS, type Problems, problemsOf } from "./problems";
import { useWordsOf } from "./use_games";

interface Props {
  game: GameSummary;
  plan: Plan;
  change: (plan: Plan) => void;
  create: (plan: Plan) => Promise<void>;
}

export function PlanForm({ game, plan, change, create }: Props) {
  const words = useWordsOf(game.game) ?? { messages: {} };
  const [fields, setFields] = useState<readonly OptionField[]>([]);
  const [problems, setProblems] = useState<Problems>(NO_PROBLEMS);
  const [isSending, setSending] = useState(false);
  useEffect(() => {
    client(undefined, "")
      .game(game.game)
      .then(({ options_schema: schema }) => setFields(optionFields(schema)))
      .catch((error: unknown) => setProblems(new Map([["", said(error, t("unreachable"))]])));
  }, [game.game]);

  const set = (part: Partial<Plan>) => change({ ...plan, ...part });
  const setOption = (name: string, value: Plan["options"][string] | undefined) => {
    const { [name]: _, ...others } = plan.options;
    set({ options: value === undefined ? others : { ...others, [name]: value } });
  };
  const send = async () => {
    setSending(true);
    setProblems(NO_PROBLEMS);
    try {
      await create(plan);
    } catch (error) {
      const seats = Array.from({ length: plan.seats }, (_, seat) => `/seating/${seat}`);
      const shown = ["/seats", ...seats, ...fields.map(({ name }) => `/options/${name}`), ...CONDITIONS];
      setProblems(problemsOf(error, shown, said(error, t("unreachable")), partSaid));
      setSending(false);
    }
  };
  return (
    <form
      class="plan"
      aria-label={`${t("lobbyNew")}: ${game.title}`}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <Players game={game} plan={plan} set={set} problems={problems} words={words} />
      {fields.length > 0 && (
        <fieldset>
          <legend>{t("lobbyOptions")}</legend>
          <OptionInputs fields={fields} game={words} values={plan.options} problems={problems} set={setOption} />
        </fieldset>
      )}
      <Conditions plan={plan} set={set} problems={problems} />
      <p class="sending">
        {problems.has("") && <span class="refusal" role="alert">{problems.get("")}</span>}
        <button type="submit" class="primary" disabled={isSending}>
          {t("lobbyCreate")}
        </button>
      </p>
    </form>
  );
}

interface PlayersProps {
  game: GameSummary;
  plan: Plan;
  set: (part: Partial<Plan>) => void;
  problems: Problems;
  words: Pick<Game, "messages">;
}

function Players({ game, plan, set, problems, words }: PlayersProps) {
  const kinds: [Guest, string][] = [
    ...game.bot_levels.map((level): [Guest, string] => [`bot:${level}`, message(words, `bot.${level}`) ?? level]),
    ["invited", t("lobbyInvited")],
    ["open", t("lobbyOpenSeat")],
  ];
  const seat = (at: number, guest: Guest) => set({ guests: plan.guests.map((one, other) => (other === at ? guest : one)) });
  return (
    <fieldset>
      <legend>{t("seats")}</legend>
      <Choice
        name="seats"
        label={t("lobbySeats")}
        problem={problems.get("/seats")}
        value={String(plan.seats)}
        values={game.seat_counts.map((count) => [String(count), String(count)])}
        choose={(count) => set({ seats: Number(count) })}
      />
      <Field label={t("lobbyName")} problem={problems.get("/seating/0")}>
        <input
          value={plan.name}
          maxLength={MAX_NAME}
          autocomplete="nickname"
          onInput={({ currentTarget }) => set({ name: currentTarget.value })}
        />
      </Field>
      {guestsOf(plan).map((guest, at) => (
        <Choice
          key={at}
          name={`seating/${at + 1}`}
          label={t("lobbySeat", { number: at + 2 })}
          problem={problems.get(`/seating/${at + 1}`)}
          value={guest}
          values={kinds}
          choose={(next) => seat(at, next as Guest)}
        />
      ))}
    </fieldset>
  );
}
