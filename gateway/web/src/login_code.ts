/** The code of a login link, exchanged for a session. It is apart from main.tsx, so that the first page does not load the client. */
import { signIn } from "./account";
import { client, said } from "./api";
import { t } from "./i18n";

/** Sign in with a code, which works once. Return why that failed; empty: it did not. */
export async function redeem(code: string): Promise<string> {
  try {
    signIn(await client(undefined, "").players.redeem(code));
    return "";
  } catch (error) {
    return t("failed", { why: said(error, t("unreachable")) });
  }
}
