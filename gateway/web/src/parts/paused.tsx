/** A match that is paused: why it waits for nobody, and the way on for those who agreed on that. */
import type { Match } from "@foldtable/client";
import { t } from "../i18n";

const PAUSED = { consent: "pausedByConsent", tenant: "pausedByTenant" } as const;

/** Return by whom a match is paused, in words; undefined if it is not. */
export function pauseInWords({ paused_by: by }: Pick<Match, "paused_by">): string | undefined {
  return by === null ? undefined : t(PAUSED[by]);
}

interface Props {
  match: Pick<Match, "paused_by">;
  own: number | undefined;
  /** To be done at any version: others may go on, too. */
  goOn: () => void;
}

/** What the organizer has paused, only the organizer continues. */
export function GoOn({ match, own, goOn }: Props) {
  if (own === undefined || match.paused_by !== "consent") return null;
  return (
    <p>
      <button type="button" class="primary" onClick={goOn}>
        {t("goOn")}
      </button>
    </p>
  );
}
