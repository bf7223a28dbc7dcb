/** How a visitor gets a session: by a link that only the platform can give; on one's own machine, by a command. */
import { t } from "../i18n";

const IS_OWN_MACHINE = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(location.hostname);

export function HowToSignIn() {
  return (
    <>
      <p>{t("signIn")}</p>
      {IS_OWN_MACHINE && <p class="quiet">{withCommands(t("signInHere"))}</p>}
    </>
  );
}

/** Show what is between `backticks` as something to type. */
function withCommands(text: string) {
  return text.split("`").map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part));
}
