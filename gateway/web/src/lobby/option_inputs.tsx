/** The options of a game as fields of a form. */
import type { Game } from "../board/shapes";
import { t } from "../i18n";
import { Choice, Field } from "./field";
import { type OptionField, optionName, type OptionValue, valueName } from "./options";
import type { Problems } from "./problems";

interface Props {
  fields: readonly OptionField[];
  game: Pick<Game, "messages">;
  values: Readonly<Record<string, OptionValue>>;
  /** Undefined: as the game has it if nothing is said. */
  set: (name: string, value: OptionValue | undefined) => void;
  problems: Problems;
}

const USUAL = "";
const NUMBER = "#"; // no option has a value of this name

export function OptionInputs({ fields, game, values, set, problems }: Props) {
  return (
    <>
      {fields.map((field) => {
        const { name, initial } = field;
        const label = optionName(game, name);
        const problem = problems.get(`/options/${name}`);
        const value = values[name] ?? initial;
        if (field.kind === "flag") {
          return (
            <Field key={name} label={label} problem={problem}>
              <input type="checkbox" checked={value === true} onChange={({ currentTarget }) => set(name, currentTarget.checked)} />
            </Field>
          );
        }
        const usual: [string, string][] = initial === undefined ? [[USUAL, t("lobbyUsual")]] : [];
        const words = (field.kind === "choice" ? field.values : field.words).map((word) => [word, valueName(game, name, word)] as [string, string]);
        if (field.kind === "choice") {
          const choose = (word: string) => set(name, word === USUAL ? undefined : word);
          return <Choice key={name} name={name} label={label} problem={problem} value={String(value ?? USUAL)} values={[...usual, ...words]} choose={choose} />;
        }
        const { least, most } = field;
        const first = typeof initial === "number" ? initial : (least ?? 0);
        const isNumber = typeof value === "number";
        const choose = (word: string) => set(name, word === USUAL ? undefined : word === NUMBER ? first : word);
        return (
          <div key={name} class="numbered">
            {(words.length > 0 || usual.length > 0) && (
              <Choice
                name={name}
                label={label}
                problem={isNumber ? undefined : problem}
                value={isNumber ? NUMBER : String(value ?? USUAL)}
                values={[...usual, ...words, [NUMBER, t("lobbyNumber")]]}
                choose={choose}
              />
            )}
            {isNumber && (
              <Field label={`${label} (${least ?? "…"}–${most ?? "…"})`} problem={problem}>
                <input
                  type="number"
                  required
                  min={least}
                  max={most}
                  value={value}
                  onInput={({ currentTarget }) => currentTarget.value !== "" && set(name, Number(currentTarget.value))}
                />
              </Field>
            )}
          </div>
        );
      })}
    </>
  );
}
