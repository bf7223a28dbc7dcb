/** The entity tags of views: by a tag, the API knows what the caller has, and for whom it was. */

/** Views whose tags are remembered. Of the others a whole view is transferred once more. */
const MAX_VIEWS = 1000;

/** Remembers of each view its newest version and tag. */
export class SeenViews {
  readonly #seen = new Map<string, { version: number; etag: string }>();

  /** Give the tag of a version; empty if it is not remembered. */
  tagOf(whose: string, version: number): string {
    const known = this.#seen.get(whose);
    return known?.version === version ? known.etag : "";
  }

  /** Remember the tag of a view that was received, and forget the oldest one if there are too many. */
  remember(whose: string, version: number, etag: string): void {
    this.#seen.delete(whose);
    this.#seen.set(whose, { version, etag });
    if (this.#seen.size > MAX_VIEWS) this.#seen.delete(this.#seen.keys().next().value!);
  }
}
