/** The public API, through the client that everybody can use. */
import { Client, ProblemError, Unreachable } from "@foldtable/client";
import { credentialFor, session } from "./account";
import { reasonInWords, t } from "./i18n";
import { Observed } from "./observed";

export interface Request {
  method: string;
  path: string;
  status: number;
  milliseconds: number;
}

const REQUESTS_SHOWN = 30;

/** The last requests of this page, the newest first: for the debug drawer. */
export const requests = new Observed<readonly Request[]>([]);

async function timed(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const begun = performance.now();
  const note = (status: number) => {
    const { pathname, search } = new URL(String(input), location.href);
    const request = { method: init?.method ?? "GET", path: pathname + search, status, milliseconds: performance.now() - begun };
    requests.value = [request, ...requests.value].slice(0, REQUESTS_SHOWN);
  };
  try {
    const response = await fetch(input, init);
    note(response.status);
    return response;
  } catch (error) {
    note(0);
    throw error;
  }
}

/** Return a client: with a credential of one's own, or with the one this browser has for a match. */
export function client(match?: string, credential = match === undefined ? (session.value?.token ?? "") : credentialFor(match)): Client {
  return new Client(location.origin, credential, { fetch: timed, retryFor: 15_000 });
}

/** Return what is wrong with a part of a request, by its JSON pointer: of names in the page's language, else as the API says it. */
export function partSaid(pointer: string, detail: string): string {
  return pointer.endsWith("/name") ? t("nameRefused") : detail;
}

/** Return why something failed, in words for people. */
export function said(error: unknown, unreachable: string): string {
  const [wrong, ...others] = error instanceof ProblemError ? (error.document.errors ?? []) : [];
  if (wrong && !others.length) return partSaid(wrong.pointer ?? "", wrong.detail);
  if (error instanceof ProblemError) return error.document.text?.sentence ?? reasonInWords(error.reason) ?? error.document.detail ?? error.message;
  if (error instanceof Unreachable) return unreachable;
  return String(error);
}
