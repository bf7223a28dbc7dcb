/** A match that was called off before it began: there is nothing to draw. */
import type { Match } from "@foldtable/client";
import { message } from "../board/messages";
import type { Game } from "../board/shapes";
import { t } from "../i18n";

export function NeverBegan({ match, game }: { match: Match; game: Game }) {
  return (
    <div class="message" data-status={match.status}>
      <p>{match.outcome?.text?.sentence ?? message(game, `match.${match.status}`)}</p>
      <a class="button" href="#/">
        {t("home")}
      </a>
    </div>
  );
}
