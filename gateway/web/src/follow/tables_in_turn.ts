/** Shows the tables of a match one after the other, so that people can follow what others do. */

/** Milliseconds that a table stays before the next one is shown. */
export const PACE = 450;
/** With more tables than this waiting, some are left out. */
const MAX_WAITING = 6;

interface Versioned {
  version: number;
}

export class TablesInTurn<T extends Versioned> {
  private shown?: T;
  private waiting: T[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** `put` shows a table; `atOnce` says whether the next ones are shown without waiting. */
  constructor(
    private readonly put: (table: T) => void,
    private readonly atOnce: () => boolean,
  ) {}

  /** Show a table that the stream has brought, after those that wait. */
  enqueue(table: T): void {
    const newest = this.waiting.at(-1) ?? this.shown;
    if (newest !== undefined && table.version < newest.version) return; // the answer to a move was faster
    if (this.shown === undefined || newest?.version === table.version || this.atOnce()) {
      this.waiting = [];
      return this.putNow(table);
    }
    this.waiting.push(table);
    if (this.waiting.length > MAX_WAITING) this.waiting.shift();
    if (this.timer === undefined) this.next();
  }

  /**
   * Show at once what the answer to a move brought. The stream may have been faster: newer tables that wait stay, as it
   * brings none of them again.
   */
  show(table: T): void {
    if (table.version < (this.shown?.version ?? 0)) return;
    this.waiting = this.waiting.filter(({ version }) => version > table.version);
    this.putNow(table);
  }

  /** Show nothing any more. */
  end(): void {
    this.waiting = [];
    clearTimeout(this.timer);
  }

  private next(): void {
    const table = this.waiting.shift();
    this.timer = table && setTimeout(() => this.next(), PACE);
    if (table) this.putNow(table);
  }

  private putNow(table: T): void {
    this.shown = table;
    this.put(table);
  }
}
