/** What the server did not like about a form, beside the field that it names. */
import { ProblemError } from "@foldtable/client";

/** Sentences by JSON pointer; those without a field are under the empty pointer. */
export type Problems = ReadonlyMap<string, string>;

export const NO_PROBLEMS: Problems = new Map();

/**
 * Return the problems of a request, each under the field of `fields` that its pointer is in; `sentence`: the problem as a whole;
 * `write` says what is wrong with a part.
 */
export function problemsOf(
  error: unknown,
  fields: readonly string[],
  sentence: string,
  write: (pointer: string, detail: string) => string = (_, detail) => detail,
): Problems {
  const problems = new Map<string, string>();
  for (const [pointer, detail] of pointed(error, sentence)) {
    const field = fields.find((one) => pointer === one || pointer.startsWith(`${one}/`)) ?? "";
    problems.set(field, [problems.get(field), write(pointer, detail)].filter(Boolean).join(" "));
  }
  return problems;
}

function pointed(error: unknown, sentence: string): [pointer: string, detail: string][] {
  if (!(error instanceof ProblemError)) return [["", sentence]];
  const { errors = [], field } = error.document;
  const named = errors.flatMap(({ pointer, detail }): [string, string][] => (pointer === undefined ? [] : [[pointer, detail]]));
  if (named.length > 0) return named;
  return [[field === undefined ? "" : `/options/${field}`, sentence]]; // the rules name an option
}
