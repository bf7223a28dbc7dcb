/** What can go wrong, as exceptions. */

import type { LegalActionsNow, Move, Problem } from "./types.js";

/** The API did not answer, or was not ready, for longer than the client's `retryFor`. `cause` is the last error, if there was one. */
export class Unreachable extends Error {
  override name = "Unreachable";
}

/** The API refused, with a problem document (RFC 9457). Program against `reason`; `message` is for people. */
export class ProblemError extends Error {
  override name = "ProblemError";

  constructor(
    readonly status: number,
    readonly document: Partial<Problem>,
  ) {
    super(`${status} ${document.reason ?? "without a reason"}: ${document.detail ?? ""}`);
  }

  /** Stable; empty where something on the way answered instead of the API. */
  get reason(): string {
    return this.document.reason ?? "";
  }

  /** What the seat may do now, where the refusal of a move tells it. */
  get legalActions(): LegalActionsNow | undefined {
    return this.document.legal_actions;
  }

  /** The match's version, where the refusal of a move tells it. */
  get currentVersion(): number | undefined {
    return this.document.current_version;
  }
}

/** The move was decided on a version that is no longer the newest: look again. */
export class VersionConflict extends ProblemError {
  override name = "VersionConflict";

  /** The moves since the version the request was made on. */
  get missed(): Move[] {
    return this.document.missed ?? [];
  }
}

/** The rulebook forbids the move; `reason` is the game's own code. */
export class RefusedByTheRules extends ProblemError {
  override name = "RefusedByTheRules";

  /** Paragraph of the rules, such as `7.2`. */
  get rule(): string {
    return this.document.rule ?? "";
  }

  /** The part of the action that is wrong; empty where no single part is. */
  get field(): string {
    return this.document.field ?? "";
  }
}

/** Give the exception for an answer that is not a success. */
export function problemOf(status: number, body: string): ProblemError {
  const document = readDocument(body);
  if (document.reason === "VERSION_CONFLICT") return new VersionConflict(status, document);
  if (document.rule !== undefined) return new RefusedByTheRules(status, document);
  return new ProblemError(status, document);
}

function readDocument(body: string): Partial<Problem> {
  try {
    const read: unknown = JSON.parse(body);
    if (typeof read === "object" && read !== null && !Array.isArray(read)) return read;
  } catch {
    // not JSON: a proxy on the way answered
  }
  return { detail: body.slice(0, 200) };
}
