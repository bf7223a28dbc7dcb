/** Sessions that the server no longer accepts. */
import { type Client, ProblemError } from "@foldtable/client";
import { forgetSession, type Session, session, signIn } from "../account";
import { client } from "../api";
import { Observed } from "../observed";
import { stored } from "../stored";

/** Whether the last session ended by itself; not if somebody signed out. */
export const hasEnded = new Observed(false);
session.listen(() => session.value && (hasEnded.value = false));

/** Sign out if an answer to a session's own token says that it is void; return whether it does. */
export function endedBy(error: unknown, token: string): boolean {
  if (!(error instanceof ProblemError) || error.status !== 401) return false;
  end(token);
  return true;
}

/** Sign out if a token that the server no longer accepts is that of the session. */
export function end(token: string): void {
  if (session.value?.token !== token) return;
  const kept = stored<Session | undefined>("session", undefined); // another tab may have signed in since
  const next = kept?.token === token ? undefined : kept;
  if (next) signIn(next);
  else forgetSession();
  hasEnded.value = next === undefined;
}

/** Ask something with the session's token, and sign out if it is void. Rejects as the client does. */
export async function asSession<Answer>(ask: (api: Client) => Promise<Answer>): Promise<Answer> {
  const token = session.value?.token ?? "";
  try {
    return await ask(client(undefined, token));
  } catch (error) {
    endedBy(error, token);
    throw error;
  }
}
