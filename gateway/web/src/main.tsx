/** The page: signs in if it was opened by a link for that, and shows the screen that the address names. */
import { type ComponentType, render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { session, signOut, visitWith } from "./account";
import { Boundary } from "./boundary";
import { type Language, language, LANGUAGES, speak, t } from "./i18n";
import { Observed, useObserved } from "./observed";
import { reloadOnce } from "./renewal";
import { replaceAddress, type Route, route } from "./route";

const SCREENS: Record<Route["screen"], () => Promise<ComponentType<Route>>> = {
  lobby: async () => (await import("./screens/lobby")).Lobby,
  table: async () => (await import("./screens/table")).Table,
  replay: async () => (await import("./screens/replay")).Replay,
};

/** Why signing in by a link failed; empty: it did not. */
const trouble = new Observed("");

function Page() {
  const where = useObserved(route);
  const spoken = useObserved(language);
  const who = useObserved(session);
  const refusal = useObserved(trouble);
  const [shown, setShown] = useState<{ name: string; Screen: ComponentType<Route> }>();
  useEffect(() => {
    let isGone = false;
    const show = (Screen: ComponentType<Route>) => isGone || setShown({ name: where.screen, Screen });
    SCREENS[where.screen]().then(show, () => isGone || reloadOnce());
    return () => {
      isGone = true;
    };
  }, [where.screen]);
  return (
    <>
      <header class="top">
        <a class="brand" href="#/" aria-label={`Foldtable: ${t("home")}`}>
          <img src="/web/icon.svg" alt="" width={24} height={24} /> Foldtable
        </a>
        <span class="who">
          {who ? t("account", { player: who.player }) : t("anonymous")}
          {who && (
            <button type="button" class="link" onClick={signOut}>
              {t("signOut")}
            </button>
          )}
        </span>
        <select aria-label={t("language")} value={spoken} onChange={({ currentTarget }) => void speak(currentTarget.value as Language)}>
          {Object.entries(LANGUAGES).map(([code, name]) => (
            <option key={code} value={code} lang={code}>
              {name}
            </option>
          ))}
        </select>
      </header>
      <main>
        {refusal && <p class="refusal" role="alert">{refusal}</p>}
        <Boundary key={`${where.screen} ${where.match}`}>
          {shown?.name === where.screen ? <shown.Screen key={where.match} {...where} /> : <p class="message" role="status">{t("loading")}</p>}
        </Boundary>
      </main>
    </>
  );
}

/** Keep the token of a match in the fragment, as `foldtable replay` passes it: it leaves the address at once. */
function takeToken(): void {
  const { match, query } = route.value;
  const token = query.get("token");
  if (match === "" || token === null) return;
  visitWith(match, token);
  query.delete("token");
  const [path] = location.hash.split("?");
  replaceAddress(query.size > 0 ? `${path}?${query}` : path!);
}

/**
 * Exchange the code of a login link for a session. The code works once and leaves the address, in which stays the screen that the
 * link names: what follows `&next=` is always a fragment, so no link leads to another page.
 */
async function login(): Promise<void> {
  const [from, next = "/"] = location.hash.split("&next=");
  const [, code] = from!.split("#login=");
  if (code === undefined) return;
  replaceAddress(`#${next}`);
  trouble.value = "";
  const { player } = session.value ?? {};
  if (player !== undefined && !confirm(t("signInInstead", { player }))) return;
  trouble.value = await import("./login_code").then(({ redeem }) => redeem(code), () => t("failed", { why: t("unreachable") }));
}

takeToken();
await speak(language.value);
route.listen(() => {
  takeToken();
  void login();
});
await login();
render(<Page />, document.getElementById("page")!);
