/** For visitors whom nobody has signed in: how that is done, and the way in with an invitation. */
import { t } from "../i18n";
import { useObserved } from "../observed";
import { hasEnded } from "./ended_session";
import { HowToSignIn } from "./how_to_sign_in";
import { Pasting } from "./pasting";

export function SignedOut() {
  const reason = useObserved(hasEnded);
  return (
    <section class="panel signed-out">
      <h1>{t("lobbyWelcome")}</h1>
      {reason && <p class="notice" role="alert">{t("lobbyEnded")}</p>}
      <HowToSignIn />
      <Pasting />
    </section>
  );
}
