/** What the player at this page wants to be called. */
import { session } from "../account";
import { store, stored } from "../stored";

export const MAX_NAME = 100;

export function ownName(): string {
  return stored("name", "") || (session.value?.player ?? "");
}

export function keepName(name: string): void {
  store("name", name || undefined);
}
