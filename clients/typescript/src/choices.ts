/** What a seat may choose from at a table: each action with its hint and its words. */

import type { Action, ActionHint, Table, Template, TemplateHint, Text } from "./types.js";

/** An action, to be made as it is. */
export interface ActionChoice {
  kind: "action";
  action: Action;
  hint: ActionHint;
  /** What to call it; undefined unless a language was asked for. */
  text: Text | undefined;
}

/** A set of actions too large to list: `fill` makes one of them. */
export interface TemplateChoice {
  kind: "template";
  template: Template;
  hint: TemplateHint;
  /** What to call it; undefined unless a language was asked for. */
  text: Text | undefined;
}

export type Choice = ActionChoice | TemplateChoice;

/** Give all that the seat may do, the actions first; nothing if it has nothing to decide. */
export function choices({ legal }: Pick<Table, "legal">): Choice[] {
  if (legal === null) return [];
  const { actions, action_hints, action_texts = [], templates, template_hints, template_texts = [] } = legal;
  return [
    ...actions.map((action, at): Choice => ({ kind: "action", action, hint: action_hints[at]!, text: action_texts[at] })),
    ...templates.map(
      (template, at): Choice => ({ kind: "template", template, hint: template_hints[at]!, text: template_texts[at] }),
    ),
  ];
}
