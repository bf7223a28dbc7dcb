/** The versions of a match as they arrive. Each is read once, however often a newer one is announced meanwhile. */
import type { ReplayedVersion } from "@foldtable/client";
import { shared } from "./sharing";

/** Milliseconds between two drawings while versions arrive. */
const PACE = 120;
/** Milliseconds that moves of a running match are gathered before they are asked for. */
export const GATHERED = 200;

/** Read the versions from one on; undefined: from the first. */
export type Read = (first: number | undefined) => AsyncIterable<ReplayedVersion>;

/** Show what has arrived. `error`: why no more arrives. */
export type Show = (steps: readonly ReplayedVersion[], isLoading: boolean, error?: unknown) => void;

export class Arriving {
  private readonly steps: ReplayedVersion[] = [];
  private newest = 0;
  private isReading = false;

  /** Nothing is read or shown once the signal is aborted. */
  constructor(
    private readonly read: Read,
    private readonly show: Show,
    private readonly signal: AbortSignal,
  ) {}

  /** Read until a version has arrived. What is being read is not asked for again: it may bring the version, too. */
  async reach(newest: number): Promise<void> {
    this.newest = newest;
    if (this.isReading || this.steps.length >= newest) return;
    this.isReading = true;
    try {
      this.tell(true);
      while (this.steps.length < this.newest && (await this.readOn()));
      this.tell(false);
    } catch (error) {
      this.tell(false, error);
    } finally {
      this.isReading = false;
    }
  }

  /** Read what there is; return whether something has arrived. */
  private async readOn(): Promise<boolean> {
    const before = this.steps.length;
    if (before > 0) await new Promise((wake) => setTimeout(wake, GATHERED));
    if (this.signal.aborted) return false;
    let shown = -Infinity;
    for await (const step of this.read(before === 0 ? undefined : before + 1)) {
      if (this.signal.aborted) return false;
      // The first step of an answer has a whole table: what it has in common with the one before is known already.
      const known = this.steps.at(-1)?.table;
      if (step.version === this.steps.length + 1) this.steps.push(known ? { ...step, table: shared(known, step.table) } : step);
      if (performance.now() - shown < PACE) continue;
      shown = performance.now();
      this.tell(true);
    }
    return this.steps.length > before;
  }

  private tell(isLoading: boolean, error?: unknown): void {
    if (!this.signal.aborted) this.show([...this.steps], isLoading, error);
  }
}
