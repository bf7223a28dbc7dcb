/** Asking the server again and again, and going on after trouble. */
import { ProblemError } from "@foldtable/client";

const FIRST_PAUSE = 5_000;
const MAX_PAUSE = 120_000;
/** Trouble after all went well for as long begins with short pauses anew. */
const LONG = 60_000;

export interface Repeated {
  /** Resolves to how many milliseconds to wait before the next time. */
  act: () => Promise<number>;
  /** Called after each time; undefined: all is well. */
  fail: (error: unknown) => void;
}

/** Return whether asking again with the same credential is no use. */
export function isFinal(error: unknown): boolean {
  return error instanceof ProblemError && [401, 403].includes(error.status);
}

/** Return how long to wait after trouble that came `times` times in a row. */
export function pauseAfter(times: number): number {
  return Math.min(FIRST_PAUSE * 2 ** (times - 1), MAX_PAUSE);
}

/** Do something until the signal ends it, or the credential is refused; after any other trouble try again, with growing pauses. */
export async function repeat({ act, fail }: Repeated, signal: AbortSignal, wait = pause): Promise<void> {
  let troubles = 0;
  while (!signal.aborted) {
    const begun = Date.now();
    try {
      const next = await act();
      if (signal.aborted) return;
      troubles = 0;
      fail(undefined);
      await wait(next, signal);
    } catch (error) {
      if (signal.aborted) return;
      fail(error);
      if (isFinal(error)) return;
      troubles = Date.now() - begun > LONG ? 1 : troubles + 1;
      await wait(pauseAfter(troubles), signal);
    }
  }
}

/** Wait; less if the page is looked at again, or the signal ends it. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", wake);
      signal.removeEventListener("abort", wake);
      resolve();
    };
    const timer = setTimeout(wake, milliseconds);
    document.addEventListener("visibilitychange", wake);
    signal.addEventListener("abort", wake);
  });
}
