/** A value that components draw again when it changes. */
import { useEffect, useState } from "preact/hooks";

export class Observed<Value> {
  private readonly listeners = new Set<() => void>();

  constructor(private current: Value) {}

  get value(): Value {
    return this.current;
  }

  set value(next: Value) {
    if (Object.is(next, this.current)) return;
    this.current = next;
    for (const tell of [...this.listeners]) tell();
  }

  /** Call `tell` after each change; return what ends that. */
  listen(tell: () => void): () => void {
    this.listeners.add(tell);
    return () => this.listeners.delete(tell);
  }
}

/** Return the value, and draw the component again when it changes. */
export function useObserved<Value>(observed: Observed<Value>): Value {
  const [, redraw] = useState(0);
  useEffect(() => observed.listen(() => redraw((count) => count + 1)), [observed]);
  return observed.value;
}
