/** The players: who sits where, whose turn it is, what they have, and how much time is left. */
import type { Table } from "@foldtable/client";
import type { Scene } from "../board/shapes";
import { t } from "../i18n";
import { ClockOf } from "./clock";
import { seatName } from "./names";

interface Props {
  scene: Scene;
  clocks?: Table["clocks"];
  own?: number | undefined;
}

export function Seats({ scene, clocks, own }: Props) {
  const { match } = scene.table;
  return (
    <ul class="seats" tabindex={0} aria-label={t("seats")}>
      {match.seats.map((seat) => {
        const mark = scene.marks[seat.seat];
        const acts = match.to_act.includes(seat.seat);
        const points = scene.table.view ? scene.game.skin.points?.(seat.seat, scene) : undefined;
        const figures = scene.table.view ? (scene.game.skin.figures?.(seat.seat, scene) ?? []) : [];
        return (
          <li key={seat.seat} class={acts ? "acts" : ""} style={{ "border-color": mark?.colour }} data-seat={seat.seat}>
            <span class="badge" style={{ background: mark?.colour, color: mark?.ink }} aria-hidden="true">
              {mark?.sign}
            </span>
            <span class="name">
              {seatName(seat.seat, match.seats, scene.game)}
              {seat.seat === own && <small> {t("yours")}</small>}
            </span>
            {points !== undefined && <b class="points">{points}</b>}
            {figures.map(({ name, value, icon }) => (
              <span class="figure" key={name} title={name}>
                {icon ? (
                  <svg viewBox="0 0 16 16" role="img" aria-label={name}>
                    {icon}
                  </svg>
                ) : (
                  <small>{name}</small>
                )}
                {value}
              </span>
            ))}
            <ClockOf clocks={clocks ?? null} seat={seat.seat} />
          </li>
        );
      })}
    </ul>
  );
}
