/** Invitations: those that a match made, and those that somebody pasted. */
import type { Schema } from "@foldtable/client";
import { storedHere, storeHere } from "../stored";

/** An invite of a match of one's own. */
export type Invite = Pick<Schema<"Invite">, "seat" | "token">;

/** Keep the invites of a match until the browser's window is closed: the server never shows them again. */
export function keepInvites(match: string, invites: readonly Invite[]): void {
  if (invites.length > 0) storeHere(`invites.${match}`, invites.map(({ seat, token }) => ({ seat, token })));
}

/** Return the invites of a match that this window created. */
export function invitesOf(match: string): readonly Invite[] {
  return storedHere<Invite[]>(`invites.${match}`, []);
}

/** What was pasted: a link to a match, or the bare token of an invite; undefined: neither. */
export type Pasted = { fragment: string } | { token: string } | undefined;

/** Read what somebody pasted into the field for invitations. */
export function readPasted(text: string): Pasted {
  const pasted = text.trim();
  const fragment = /#\/m\/[0-9a-f-]{36}(\?\S*)?$/i.exec(pasted)?.[0];
  if (fragment !== undefined) return { fragment };
  return /^[\w-]+\.[\w-]+\.[\w-]+$/.test(pasted) ? { token: pasted } : undefined;
}
