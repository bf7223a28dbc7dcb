/** Clocks to choose from, and any clock in words. */
import type { Schema } from "@foldtable/client";
import { language, t } from "../i18n";

type Clock = Pick<Schema<"ClockSettings">, "kind" | "seconds" | "increment_seconds">;

/** For a quick match, for an evening, for matches by mail. */
export const CLOCKS: readonly Clock[] = [
  { kind: "per_move", seconds: 60 },
  { kind: "per_move", seconds: 300 },
  { kind: "budget", seconds: 1200, increment_seconds: 20 },
  { kind: "budget", seconds: 3600, increment_seconds: 30 },
  { kind: "per_move", seconds: 86_400 },
  { kind: "per_move", seconds: 3 * 86_400 },
];

const UNITS = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
] as const;

/** Return a time such as "5 minutes", in the largest unit that needs no fraction. */
export function duration(seconds: number, lang: string): string {
  const [unit, length] = UNITS.find(([, each]) => seconds >= each && seconds % each === 0) ?? UNITS[3];
  return new Intl.NumberFormat(lang, { style: "unit", unit, unitDisplay: "long" }).format(seconds / length);
}

/** Return a clock in the page's language. */
export function clockInWords(clock: Clock | null): string {
  if (clock === null) return t("lobbyNoClock");
  const time = duration(clock.seconds, language.value);
  if (clock.kind === "per_move") return t("lobbyEachMove", { time });
  const more = clock.increment_seconds ?? 0;
  return more === 0 ? t("lobbyBudget", { time }) : t("lobbyBudgetMore", { time, more: duration(more, language.value) });
}

const AGES = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
] as const;

/** Return how long ago something was, such as "5 minutes ago". */
export function ago(time: string, lang: string, now = Date.now()): string {
  const seconds = Math.max(0, (now - Date.parse(time)) / 1000);
  const [unit, length] = AGES.find(([, each]) => seconds >= each) ?? ["minute", 60];
  return new Intl.RelativeTimeFormat(lang, { numeric: "auto" }).format(-Math.floor(seconds / length), unit);
}
