/** Choosing an action step by step, as pure functions: what can be touched now, and what is chosen by it. Knows no game. */
import { type Action, fill, type Schema, type Table, type Template, type TemplateHint, type Value } from "@foldtable/client";

type Legal = NonNullable<Table["legal"]>;
export type Cost = Schema<"ActionHint">["cost"];

/** How far a person has come with a choice. */
export interface Progress {
  /** Places and pieces that were touched, in order. */
  touched: readonly string[];
  /** The template that is being filled in, by its position, with a value for each step so far. */
  filling?: { template: number; values: readonly Value[] };
  /** What was chosen and waits to be confirmed. */
  chosen?: Chosen;
}

export interface Chosen {
  action: Action;
  text: string;
  cost: Cost;
}

export const NOTHING: Progress = { touched: [] };

/** A button, and where it leads. */
export interface Option {
  /** Stable while the decision is open. */
  key: string;
  group: string;
  text: string;
  /** The id of a component to be named, where there is no text. */
  name?: string;
  cost: Cost;
  next: Progress;
}

/** What can be done next. */
export interface Offer {
  options: Option[];
  /** What to touch, by the id of the place or piece. */
  lit: Map<string, Progress>;
  /** A number to be typed. */
  number?: { name: string; least: number; most: number; suggested: number; take: (value: number) => Progress };
  /** A point to be touched on a board. */
  point?: { board: string; take: (x: number, y: number) => Progress };
  /** The heading of the step, as the id of a component or group; empty: none. */
  group: string;
}

/** Return what can be done next. */
export function offer(legal: Legal, progress: Progress): Offer {
  if (progress.chosen) return { options: [], lit: new Map(), group: "" };
  const only = legal.actions.length === 0 && legal.templates.length === 1 ? { template: 0, values: [] } : undefined;
  const filling = progress.filling ?? only;
  return filling ? steps(legal, filling) : actions(legal, progress);
}

function actions({ actions, action_hints, action_texts = [], template_hints, template_texts = [] }: Legal, { touched }: Progress): Offer {
  const all = actions.map((action, at) => ({ at, action, ...action_hints[at]!, text: action_texts[at]?.sentence ?? "" }));
  const begun = (targets: readonly string[], ids: readonly string[]) => ids.every((id, position) => targets[position] === id);
  const open = all.filter(({ targets }) => begun(targets, touched));
  const options: Option[] = open.map(({ at, action, group, text, cost }) => ({
    key: `action ${at}`,
    group,
    text,
    cost,
    next: { touched, chosen: { action, text, cost } },
  }));
  if (touched.length === 0) {
    template_hints.forEach(({ group }, template) => {
      const text = `${template_texts[template]?.sentence ?? ""} …`;
      options.push({ key: `template ${template}`, group, text, cost: [], next: { touched, filling: { template, values: [] } } });
    });
  }
  const lit = new Map<string, Progress>();
  for (let from = touched; ; ) {
    for (const { targets } of open) {
      const id = targets[from.length];
      if (id === undefined || lit.has(id)) continue;
      const then = [...from, id];
      const left = open.filter((one) => begun(one.targets, then));
      const [single] = left;
      const isDecided = left.length === 1 && single!.targets.length === then.length;
      lit.set(id, isDecided ? { touched: then, chosen: { action: single!.action, text: single!.text, cost: single!.cost } } : { touched: then });
    }
    // What all that is left has in common need not be touched: a pawn that moves, if it is the only one that may.
    const [common, ...others] = new Set(open.map(({ targets }) => targets[from.length]));
    if (common === undefined || others.length > 0 || open.some(({ targets }) => targets.length === from.length + 1)) break;
    from = [...from, common];
  }
  return { options, lit, group: "" };
}

function steps(legal: Legal, { template: at, values }: NonNullable<Progress["filling"]>): Offer {
  const template = legal.templates[at]! as Template;
  const hint = legal.template_hints[at]!;
  const step = hint.steps[values.length];
  const text = legal.template_texts?.[at]?.sentence ?? "";
  const take = (value: Value): Progress => {
    const filling = { template: at, values: [...values, value] };
    if (filling.values.length < hint.steps.length) return { touched: touchedBy(hint, filling.values), filling };
    const action = fill({ template, hint }, filling.values);
    return { touched: touchedBy(hint, filling.values), filling, chosen: { action, text, cost: [] } };
  };
  if (step === undefined) return { options: [], lit: new Map(), group: hint.group };
  const left = (limit: string) => room(hint, values, limit);
  switch (step.type) {
    case "point":
      return { options: [], lit: new Map(), group: hint.group, point: { board: step.board, take: (x, y) => take([x, y]) } };
    case "number": {
      const most = Math.min(step.most, left(step.limit));
      const number = { name: step.name, least: step.least, most, suggested: Math.min(step.suggested, most), take };
      return { options: [], lit: new Map(), group: hint.group, number };
    }
    case "choose": {
      const taken = (value: Value) => step.different && values.some((one, position) => isDifferent(hint, position) && one === value);
      const open = step.choices.filter(({ value, limit }) => !taken(value as Value) && (!limit || left(limit) > 0));
      const options = open.map(
        ({ name, value }): Option => ({
          key: `step ${values.length} ${JSON.stringify(value)}`,
          group: hint.group,
          text: String(value),
          name,
          cost: [],
          next: take(value as Value),
        }),
      );
      const lit = new Map(open.flatMap(({ target, value }) => (target ? [[target, take(value as Value)] as const] : [])));
      return { options, lit, group: hint.group };
    }
  }
}

/** Return the point that was chosen last, and its board; undefined if none was. */
export function aimed({ template_hints }: Legal, { filling }: Progress): { board: string; x: number; y: number } | undefined {
  const points = filling?.values.flatMap((value, at) => {
    const step = template_hints[filling.template]!.steps[at]!;
    return step.type === "point" && Array.isArray(value) ? [{ board: step.board, x: Number(value[0]), y: Number(value[1]) }] : [];
  });
  return points?.at(-1);
}

function isDifferent(hint: TemplateHint, position: number): boolean {
  const step = hint.steps[position];
  return step?.type === "choose" && step.different;
}

/** Return how much of a limit the values so far leave. */
function room(hint: TemplateHint, values: readonly Value[], limit: string): number {
  const most = hint.limits.find(({ name }) => name === limit)?.most ?? Infinity;
  const used = values.reduce<number>((sum, value, at) => {
    const step = hint.steps[at]!;
    if (step.type === "number") return step.limit === limit ? sum + Number(value) : sum;
    if (step.type === "choose") return step.choices.find((one) => one.value === value)?.limit === limit ? sum + 1 : sum;
    return sum;
  }, 0);
  return most - used;
}

/** Return what was touched for the values so far. */
function touchedBy(hint: TemplateHint, values: readonly Value[]): string[] {
  return values.flatMap((value, at) => {
    const step = hint.steps[at]!;
    const target = step.type === "choose" ? step.choices.find((one) => one.value === value)?.target : undefined;
    return target ? [target] : [];
  });
}
