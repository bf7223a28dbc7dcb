/** Who is at this page: a player with a session, and holders of the tokens of single seats. */
import { Observed } from "./observed";
import { forgetAllBut, store, stored, storedHere, storeHere } from "./stored";

export interface Session {
  token: string;
  player: string;
  expires_at: string;
}

/** The token of a seat of one match. */
export interface Seating {
  seat: number;
  token: string;
}

interface Kept extends Seating {
  /** All seats of somebody who plays several, as in a fork. */
  all?: readonly Seating[];
}

const SEATINGS = "seats";
const SEATINGS_KEPT = 100;

function validSession(): Session | undefined {
  const session = stored<Session | undefined>("session", undefined);
  return session && Date.parse(session.expires_at) > Date.now() ? session : undefined;
}

/** The session of this browser's player; undefined: nobody has signed in. */
export const session = new Observed<Session | undefined>(validSession());

export function signIn(next: Session): void {
  store("session", { token: next.token, player: next.player, expires_at: next.expires_at });
  session.value = next;
}

/** Forget a session that the server no longer accepts; seats that were taken with an invite stay. */
export function forgetSession(): void {
  store("session", undefined);
  session.value = undefined;
}

/** Forget who was here: the session, the tokens of seats and links, invites, and the name. The server still accepts the session until it ends. */
export function signOut(): void {
  forgetAllBut(["language", "ask", "pace"]);
  session.value = undefined;
}

globalThis.addEventListener?.("storage", ({ key }) => {
  if (key === "foldtable.session" || key === null) session.value = validSession(); // another tab has signed in or out
});

/** Keep the token of a seat that an invite gave, for those who have no session. */
export function keepSeat(match: string, seating: Seating): void {
  keepSeats(match, seating, []);
}

/** Keep the tokens of several seats, and play one of them. */
export function keepSeats(match: string, { seat, token }: Seating, all: readonly Seating[]): void {
  const others = Object.entries(keptSeats()).filter(([id]) => id !== match);
  const kept: Kept = { seat, token, ...(all.length > 1 ? { all } : {}) };
  store(SEATINGS, Object.fromEntries([...others.slice(1 - SEATINGS_KEPT), [match, kept]]));
}

/** Return the seats of a match among which this browser may change; none if it has only one. */
export function seatsToPlay(match: string): readonly Seating[] {
  return keptSeats()[match]?.all ?? [];
}

/** Forget the token of a seat that was given back, or is void. */
export function forgetSeat(match: string): void {
  const { [match]: _, ...others } = keptSeats();
  store(SEATINGS, others);
}

/** Return the seat of a match of which this browser has the token. */
export function seatingOf(match: string): Seating | undefined {
  return keptSeats()[match];
}

const keptSeats = () => stored<Record<string, Kept>>(SEATINGS, {});

/** Use the token of a link to a match until this window is closed. It says what the visitor may see there, also of an own match. */
export function visitWith(match: string, token: string): void {
  storeHere(`visit.${match}`, token);
}

/**
 * Return all credentials for a match, in the order in which they are used: that of the link by which it was opened, the token of
 * a seat, the session; and at last none, which is enough for public matches of some tenants.
 */
export function credentialsFor(match: string): string[] {
  const all = [storedHere(`visit.${match}`, ""), seatingOf(match)?.token, session.value?.token];
  return [...all.flatMap((one) => one || []), ""];
}

/** Return the credential for a match that is used first. */
export function credentialFor(match: string): string {
  return credentialsFor(match)[0]!;
}

/** Return the matches of which this browser has the token of a seat. */
export function seatedMatches(): string[] {
  return Object.keys(keptSeats()).reverse();
}
