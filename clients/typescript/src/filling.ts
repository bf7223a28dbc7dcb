/** Making an action of a template, step by step, with its hint alone. */

import type { TemplateChoice } from "./choices.js";
import { put } from "./pointers.js";
import type { Action, Schema, TemplateHint } from "./types.js";

type Step = TemplateHint["steps"][number];

/** What is chosen in one step; of a point, x and y. */
export type Value = string | number | boolean | null | readonly [x: number, y: number];

/**
 * Give the action with a value for each step, in the order of the steps.
 *
 * TypeError if a value is not among those of its step, or they break a limit together. Steps and limits cannot say
 * everything: `client.rehearse` asks the rules.
 */
export function fill({ template, hint }: Pick<TemplateChoice, "template" | "hint">, values: readonly Value[]): Action {
  if (values.length !== hint.steps.length) throw new TypeError(`${values.length} values for ${hint.steps.length} steps`);
  let action: unknown = { type: template.type };
  const used = new Set<Value>();
  const counted = new Map<string, number>();
  hint.steps.forEach((step, at) => {
    const value = values[at]!;
    for (const [pointer, part] of parts(step, value, used)) action = put(action, pointer, part);
    const { limit, count } = counts(step, value);
    counted.set(limit, (counted.get(limit) ?? 0) + count);
  });
  for (const limit of hint.limits) keep(limit, counted.get(limit.name) ?? 0);
  return action as Action;
}

/** Give where in the action the parts of a value go; TypeError for a value that the step does not allow. */
function parts(step: Step, value: Value, used: Set<Value>): [string, unknown][] {
  switch (step.type) {
    case "choose":
      if (!step.choices.some((one) => one.value === value)) throw wrong(step.field, value, "is not among the choices");
      if (step.different && used.has(value)) throw wrong(step.field, value, "has been chosen already");
      if (step.different) used.add(value);
      return [[step.field, value]];
    case "number":
      if (!isNumber(value) || value < step.least || value > step.most) {
        throw wrong(step.field, value, `is not a number from ${step.least} to ${step.most}`);
      }
      return [[step.field, value]];
    case "point":
      if (!Array.isArray(value) || value.length !== 2 || !value.every(isNumber)) {
        throw wrong(`${step.field_x}, ${step.field_y}`, value, "is no pair of whole numbers");
      }
      return [
        [step.field_x, value[0]],
        [step.field_y, value[1]],
      ];
  }
}

/** Give the limit that a value counts against, and how much. */
function counts(step: Step, value: Value): { limit: string; count: number } {
  if (step.type === "number") return { limit: step.limit, count: Number(value) };
  if (step.type === "point") return { limit: "", count: 0 };
  return { limit: step.choices.find((one) => one.value === value)?.limit ?? "", count: 1 };
}

function keep({ name, least, most }: Schema<"Limit">, count: number): void {
  if (count >= least && (most === null || count <= most)) return;
  throw new TypeError(`${name}: ${count} is not ${most === null ? `at least ${least}` : `from ${least} to ${most}`}`);
}

function isNumber(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

function wrong(where: string, value: Value, why: string): TypeError {
  return new TypeError(`${where}: ${JSON.stringify(value)} ${why}`);
}
