/** What is said to somebody to whom a match is not open, and to a player whose session has ended. */
import type { Refused } from "../follow/use_match";
import { reasonInWords, t } from "../i18n";
import { hasEnded } from "../lobby/ended_session";
import { HowToSignIn } from "../lobby/how_to_sign_in";
import { useObserved } from "../observed";

interface Props {
  refused: Refused;
  /** The invite with which the page was opened; empty: none. */
  invite?: string;
}

export function Closed({ refused: { credential, status, reason, detail }, invite = "" }: Props) {
  const ended = useObserved(hasEnded);
  const why = () => {
    if (ended) return t("lobbyEnded");
    if (invite !== "" && credential === invite) return t("closedInvite");
    if (status === 401) return credential === "" ? t("closedVisitor") : t("closedToken");
    return reasonInWords(reason) ?? (detail || t("MATCH_NOT_FOUND"));
  };
  return (
    <div class="message">
      <p role="alert">{why()}</p>
      {status === 401 && <HowToSignIn />}
      <a class="button" href="#/">
        {t("home")}
      </a>
    </div>
  );
}

/** Shown where a player goes on as a visitor, because the server no longer accepts the session. */
export function EndedSession() {
  const ended = useObserved(hasEnded);
  return ended ? <p class="notice" role="alert">{t("lobbyEnded")}</p> : null;
}
