/** What the tests use of node; its own types would also give the page everything that only node has. */
declare module "node:test" {
  interface TestContext {
    mock: { timers: { enable(options: { apis: string[] }): void; tick(milliseconds: number): void } };
  }
  export default function test(name: string, run: (t: TestContext) => void | Promise<void>): void;
}
declare module "node:assert/strict" {
  const assert: {
    equal(actual: unknown, expected: unknown, message?: string): void;
    notEqual(actual: unknown, expected: unknown): void;
    deepEqual(actual: unknown, expected: unknown, message?: string): void;
    ok(value: unknown): void;
    rejects(work: () => Promise<unknown>, kind: new (...parts: never[]) => Error): Promise<void>;
  };
  export default assert;
}
declare module "node:timers" {
  export function setImmediate(call: (value: unknown) => void): void;
}
