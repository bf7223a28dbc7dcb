/** With whose eyes a match is replayed. */
import type { Match, Table } from "@foldtable/client";

/** A seat, everybody who may watch, or somebody who sees everything. */
export type Eyes = number | "public" | "referee";

/** Return the eyes that an address names; undefined if it names none that there are. */
export function readEyes(said: string | null): Eyes | undefined {
  if (said === "public" || said === "referee") return said;
  return said !== null && /^\d{1,2}$/.test(said) ? Number(said) : undefined;
}

/** Return the eyes of an audience. */
export function eyesOf({ kind, seat }: Table["audience"]): Eyes {
  return kind === "seat" ? (seat ?? "public") : kind;
}

/** Return the audience that sees with these eyes. */
export function audienceOf(eyes: Eyes): Table["audience"] {
  return typeof eyes === "number" ? { kind: "seat", seat: eyes } : { kind: eyes, seat: null };
}

/** Return the eyes that are open to somebody: once a match is over all, before that the own ones and everybody's. */
export function openEyes({ status, seats }: Pick<Match, "status" | "seats">, own: Eyes): Eyes[] {
  if (status === "ended" || own === "referee") return [...seats.map(({ seat }) => seat), "public", "referee"];
  return own === "public" ? ["public"] : [own, "public"];
}
