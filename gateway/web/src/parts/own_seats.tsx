/** For whom to move, for somebody who has several seats of a match, as in a fork. It changes to the seat whose turn it is. */
import { useEffect } from "preact/hooks";
import { keepSeats, seatsToPlay } from "../account";
import type { Scene } from "../board/shapes";
import { t } from "../i18n";
import { seatName } from "./names";

interface Props {
  scene: Scene;
  own: number | undefined;
  /** To be called when another seat is played. */
  seated: () => void;
}

/** The version of a match at which the seat was changed by itself: at the same one, who chooses another seat keeps it. */
const changedAt = new Map<string, number>();

export function OwnSeats({ scene: { table, marks, game }, own, seated }: Props) {
  const { match_id, status, seats, to_act, version } = table.match;
  const all = seatsToPlay(match_id);
  const sit = (seat: number) => {
    const chosen = all.find((one) => one.seat === seat);
    if (chosen === undefined || seat === own) return;
    keepSeats(match_id, chosen, all);
    seated();
  };
  const [next] = to_act;
  const waits = status === "running" && next !== undefined && own !== undefined && !to_act.includes(own);
  useEffect(() => {
    if (!waits || all.length === 0 || changedAt.get(match_id) === version) return;
    changedAt.set(match_id, version);
    sit(next!);
  }, [waits, next, version]);
  if (all.length === 0) return null;
  return (
    <label class="quiet">
      {t("moveFor")}{" "}
      <select value={own} onChange={({ currentTarget }) => sit(Number(currentTarget.value))}>
        {all.map(({ seat }) => (
          <option key={seat} value={seat}>
            {marks[seat]?.sign} {seatName(seat, seats, game)}
          </option>
        ))}
      </select>
    </label>
  );
}
