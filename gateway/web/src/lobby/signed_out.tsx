/** For visitors whom nobody has signed in: how that is done, and the way in with an invitation. */
import { t } from "../i18n";
import { useObserved } from "../observed";
import { hasEnded } from "./ended_session";
import { Pasting } from "./pasting";

export function SignedOut() {
  const reason = useObserved(hasEnded);
  return (
    <section class="panel signed-out">
      <h1>{t("lobbyWelcome")}</h1>
      {reason && <p class="notice" role="alert">{t("lobbyEnded")}</p>}
      <p>{withCommands(t("signIn"))}</p>
      <Pasting />
    </section>
  );
}

/** Show what is between `backticks` as something to type. */
function withCommands(text: string) {
  return text.split("`").map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part));
}
