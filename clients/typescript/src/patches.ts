/** Changes of a JSON document (RFC 6902), as the API sends them: only `add`, `remove` and `replace`. */

import { isObject, position, tokens } from "./pointers.js";
import type { PatchOperation, ReplayTable, Table } from "./types.js";

const OPERATIONS: readonly string[] = ["add", "remove", "replace"];

/**
 * Give the table after a patch; the given one stays as it is, and what has not changed is shared with it.
 *
 * TypeError if the patch is for another table, or none of these three operations.
 */
export function patched<AnyTable extends Table | ReplayTable>(table: AnyTable, patch: readonly PatchOperation[]): AnyTable {
  let changed: unknown = table;
  for (const operation of patch) {
    if (!OPERATIONS.includes(operation.op)) throw new TypeError(`${operation.op} is none of ${OPERATIONS.join(", ")}`);
    changed = changedAt(changed, tokens(operation.path), operation);
  }
  return changed as AnyTable;
}

function changedAt(node: unknown, way: string[], operation: PatchOperation): unknown {
  const [name, ...rest] = way;
  if (name === undefined) {
    if (operation.op === "remove") throw new TypeError("a whole table cannot be removed");
    return operation.value;
  }
  if (Array.isArray(node)) return changedList(node, name, rest, operation);
  if (isObject(node)) return changedObject(node, name, rest, operation);
  throw elsewhere(operation);
}

function changedObject(node: Record<string, unknown>, name: string, rest: string[], operation: PatchOperation): unknown {
  const last = rest.length === 0;
  if (!Object.hasOwn(node, name) && !(last && operation.op === "add")) throw elsewhere(operation);
  if (last && operation.op === "remove") {
    return Object.fromEntries(Object.entries(node).filter(([key]) => key !== name));
  }
  return { ...node, [name]: changedAt(node[name], rest, operation) };
}

function changedList(node: unknown[], name: string, rest: string[], operation: PatchOperation): unknown {
  const last = rest.length === 0;
  const adds = last && operation.op === "add";
  const place = adds && name === "-" ? node.length : position(name);
  if (place === undefined || place >= node.length + Number(adds)) throw elsewhere(operation);
  const [before, after] = [node.slice(0, place), node.slice(place + 1)];
  if (adds) return [...before, operation.value, ...node.slice(place)];
  if (last && operation.op === "remove") return [...before, ...after];
  return [...before, changedAt(node[place], rest, operation), ...after];
}

function elsewhere({ op, path }: PatchOperation): TypeError {
  return new TypeError(`the patch is for another table: it has no ${path} to ${op}`);
}
