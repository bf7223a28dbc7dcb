/** The time a seat has left, counted down on the screen. */
import type { Table } from "@foldtable/client";
import { useEffect, useState } from "preact/hooks";
import { t } from "../i18n";

interface Props {
  clocks: Table["clocks"];
  seat: number;
}

export function ClockOf({ clocks, seat }: Props) {
  const clock = clocks?.seats.find((one) => one.seat === seat);
  const runs = Boolean(clock?.deadline);
  const [read] = [clocks?.as_of];
  const [passed, setPassed] = useState(0);
  useEffect(() => {
    setPassed(0);
    if (!runs) return undefined;
    const begun = performance.now(); // the clocks of client and server may differ: only the time that passes counts
    const timer = setInterval(() => setPassed((performance.now() - begun) / 1000), 500);
    return () => clearInterval(timer);
  }, [read, runs]);
  if (!clock) return null;
  const left = Math.max(0, clock.left_seconds - (runs ? passed : 0));
  return (
    <span class={left < 30 && runs ? "clock short" : "clock"}>
      {clock.on_vacation ? t("onVacation") : clock.away ? t("away") : written(left)}
    </span>
  );
}

/** Return seconds as `2:05`, or `3 d` for times that nobody counts in minutes. */
export function written(seconds: number): string {
  if (seconds >= 172_800) return `${Math.floor(seconds / 86_400)} d`;
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, Math.floor(seconds % 60)];
  const two = (value: number) => String(value).padStart(2, "0");
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}
