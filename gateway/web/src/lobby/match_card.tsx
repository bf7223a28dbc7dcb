/** A match in a list of the lobby: one link with all that helps to choose it. */
import type { GameSummary, Match } from "@foldtable/client";
import { language, t } from "../i18n";
import { tableOf } from "../route";
import { ago } from "./clocks";
import { colourOf, EmblemOf } from "./emblems";

type Seat = Match["seats"][number];

interface Props {
  match: Match;
  games: readonly GameSummary[];
  myTurn?: boolean;
}

export function MatchCard({ match, games, myTurn = false }: Props) {
  const { game, match_id: id, seats, title } = match;
  const called = games.find((one) => one.game === game)?.title ?? game;
  return (
    <li>
      <a class="card" href={tableOf(id)} style={{ "border-color": colourOf(game) }} data-match={id}>
        <EmblemOf game={game} />
        <span class="about">
          <span>
            <b>{called}</b> {title && <span class="title">{title}</span>}
          </span>
          <span class="people">{seats.filter(({ taken }) => taken).map(nameOfSeat).join(", ")}</span>
          <small>{ago(match.updated_at, language.value)}</small>
        </span>
        <Status match={match} myTurn={myTurn} />
      </a>
    </li>
  );
}

function nameOfSeat({ seat, name, player }: Seat): string {
  return name || player || t("lobbySeat", { number: seat + 1 });
}

function Status({ match, myTurn }: { match: Match; myTurn: boolean }) {
  const { status, seats, outcome, paused_by: pausedBy } = match;
  if (myTurn) return <strong class="status turn">{t("yourTurn")}</strong>;
  if (status === "waiting") {
    const free = seats.filter(({ taken }) => !taken).length;
    return <span class="status waiting">{free > 0 ? t("lobbyFree", { free, all: seats.length }) : t("lobbyWaiting")}</span>;
  }
  if (status === "running") return <span class="status">{t(pausedBy === null ? "lobbyRunning" : "lobbyPaused")}</span>;
  const names = (outcome?.winners ?? []).map((seat) => nameOfSeat(seats[seat]!)).join(", ");
  return <span class="status over">{names ? t("lobbyWinner", { names }) : t("lobbyOver")}</span>;
}
