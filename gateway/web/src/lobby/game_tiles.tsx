/** The games, as large tiles: play one at once, or set a match up. */
import type { GameSummary } from "@foldtable/client";
import { t } from "../i18n";
import { colourOf, EmblemOf } from "./emblems";

interface Props {
  games: readonly GameSummary[];
  /** Absent for those who may only look. */
  doing?: {
    againstBots: (game: GameSummary) => void;
    findOthers: (game: GameSummary) => void;
    setUp: (game: GameSummary) => void;
    /** The game that is being set up. */
    settingUp: string | undefined;
    isBusy: boolean;
  };
}

export function GameTiles({ games, doing }: Props) {
  return (
    <ul class="tiles">
      {games.map((game) => {
        const { game: id, title, seat_counts: counts } = game;
        const least = Math.min(...counts);
        const most = Math.max(...counts);
        return (
          <li key={id} class="tile" style={{ "border-color": colourOf(id) }} data-game={id} aria-label={title}>
            <EmblemOf game={id} />
            <h3>{title}</h3>
            <p class="quiet">{t("lobbyPlayers", { counts: least === most ? least : `${least}–${most}` })}</p>
            {doing && (
              <div class="doing">
                {game.bot_levels.length > 0 && (
                  <button
                    type="button"
                    class="primary"
                    disabled={doing.isBusy}
                    onClick={() => doing.againstBots(game)}
                    aria-label={`${title}: ${t("lobbyBots")}`}
                  >
                    {t("lobbyBots")}
                  </button>
                )}
                <button type="button" disabled={doing.isBusy} onClick={() => doing.findOthers(game)} aria-label={`${title}: ${t("lobbyPeople")}`}>
                  {t("lobbyPeople")}
                </button>
                <button
                  type="button"
                  aria-expanded={doing.settingUp === id}
                  onClick={() => doing.setUp(game)}
                  aria-label={`${title}: ${t("lobbySetUp")}`}
                >
                  {t("lobbySetUp")}
                </button>
              </div>
            )}
          </li>
        );
      })}
    </ul>
  );
}
