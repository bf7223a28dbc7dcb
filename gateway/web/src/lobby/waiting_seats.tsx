/** The seats of a match that waits for players: who is there, and who is still to come. */
import type { Match } from "@foldtable/client";
import type { Mark } from "../board/marks";
import { message } from "../board/messages";
import type { Game } from "../board/shapes";
import { t } from "../i18n";

type Seat = Match["seats"][number];

interface Props {
  match: Match;
  game: Game;
  marks: readonly Mark[];
  own: number | undefined;
  /** Whether the seat can be taken from this page. */
  isOffered: (seat: Seat) => boolean;
  take: (seat: Seat) => void;
  isBusy: boolean;
}

export function WaitingSeats({ match, game, marks, own, isOffered, take, isBusy }: Props) {
  return (
    <ol class="waiting-seats" aria-label={t("seats")} aria-live="polite">
      {match.seats.map((seat) => {
        const mark = marks[seat.seat];
        const number = t("lobbySeat", { number: seat.seat + 1 });
        return (
          <li key={seat.seat} class={seat.taken ? "" : "free"} style={{ "border-color": mark?.colour }} data-seat={seat.seat}>
            <span class="badge" style={{ background: mark?.colour, color: mark?.ink }} aria-hidden="true">
              {mark?.sign}
            </span>
            <span class="about">
              <b>{seat.taken ? seat.name || seat.player || number : number}</b>
              <small>{whatOf(seat, own, game)}</small>
            </span>
            {seat.ready && <span class="status">✓ {t("joinIsReady")}</span>}
            {isOffered(seat) && (
              <button type="button" class="primary" disabled={isBusy} onClick={() => take(seat)} aria-label={`${t("joinTake")}: ${number}`}>
                {t("joinTake")}
              </button>
            )}
          </li>
        );
      })}
    </ol>
  );
}

function whatOf({ seat, state, level, bot, player, name }: Seat, own: number | undefined, game: Game): string {
  if (seat === own) return t("joinYou");
  if (level !== null) return message(game, `bot.${level}`) ?? level;
  if (bot !== null) return bot;
  if (state === "open") return t("joinOpen");
  if (state === "invited") return t("joinInvited");
  return state === "reserved" ? t("joinReserved", { player: name || player }) : "";
}
