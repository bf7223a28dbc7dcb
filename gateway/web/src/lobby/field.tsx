/** A field of a form with its label, and beside it what the server did not like about it. */
import type { ComponentChildren } from "preact";

interface Props {
  label: string;
  problem?: string | undefined;
  children: ComponentChildren;
}

export function Field({ label, problem, children }: Props) {
  return (
    <label class={problem ? "field wrong" : "field"}>
      <span>{label}</span>
      {children}
      {problem && <span class="refusal" role="alert">{problem}</span>}
    </label>
  );
}

interface ChoiceProps {
  /** The field of the request that it fills in. */
  name: string;
  label: string;
  problem?: string | undefined;
  value: string;
  /** Values with what they are called. */
  values: readonly (readonly [value: string, name: string])[];
  choose: (value: string) => void;
}

export function Choice({ name, label, problem, value, values, choose }: ChoiceProps) {
  return (
    <Field label={label} problem={problem}>
      <select name={name} value={value} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        {values.map(([each, words]) => (
          <option key={each} value={each}>
            {words}
          </option>
        ))}
      </select>
    </Field>
  );
}
