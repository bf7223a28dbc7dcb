/** Checks random draws with nothing but the browser: what a match drew must follow from the secret it had promised. */
import type { Schema } from "@foldtable/client";

export type Draw = Schema<"VerifiedDraw">;

const PREFIX = new TextEncoder().encode("foldtable.draw.v1");
const SPAN = 2n ** 64n;

/** Return whether a secret is the one whose SHA-256 was published before the first move. */
export async function isPromised(secret: string, commitment: string): Promise<boolean> {
  return hexOf(await crypto.subtle.digest("SHA-256", bytesOf(secret))) === commitment;
}

/**
 * Return whether a draw follows from the secret: its message names the move and the draw, its digest is the HMAC-SHA-256 of the
 * message, and its value is that of the digest's first eight bytes.
 */
export async function follows(draw: Draw, secret: string): Promise<boolean> {
  const message = bytesOf(draw.message);
  if (!isFor(draw, message)) return false;
  const key = await crypto.subtle.importKey("raw", bytesOf(secret), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const digest = await crypto.subtle.sign("HMAC", key, message);
  const [raw, bound] = [new DataView(digest).getBigUint64(0), BigInt(draw.bound)];
  const isFair = raw < SPAN - (SPAN % bound); // numbers above would favour the low values
  return isFair && hexOf(digest) === draw.digest && raw % bound === BigInt(draw.value);
}

function isFor({ move, number }: Draw, message: Uint8Array): boolean {
  if (message.length !== PREFIX.length + 16 || !PREFIX.every((byte, at) => message[at] === byte)) return false;
  const numbers = new DataView(message.buffer, message.byteOffset + PREFIX.length);
  return numbers.getBigUint64(0) === BigInt(move) && numbers.getBigUint64(8) === BigInt(number);
}

function bytesOf(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

function hexOf(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
