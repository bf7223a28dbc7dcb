/** What goes into the head of a request, checked before it is sent: a header cannot carry everything. */

/**
 * Give the header that carries a credential, none for the empty one.
 *
 * TypeError for what no credential has, such as the end of the line of the file it was read from; the message does not
 * repeat it.
 */
export function authorization(credential: string): Record<string, string> {
  if (!/^[\x21-\x7e]*$/.test(credential)) {
    throw new TypeError("the credential has a blank, the end of a line or a letter that no credential has");
  }
  return credential === "" ? {} : { Authorization: `Bearer ${credential}` };
}

/** Give a request id as a String of Structured Fields (RFC 9651 §3.3.3); TypeError if it cannot be one. */
export function idempotencyKey(requestId: string): string {
  if (!/^[\x20-\x7e]+$/.test(requestId)) {
    throw new TypeError(`${JSON.stringify(requestId.slice(0, 80))} is no request id: it takes printable ASCII characters`);
  }
  return `"${requestId.replace(/["\\]/g, "\\$&")}"`;
}

/** A version as the entity tag it is. */
export function tag(version: number): string {
  return `"v:${version}"`;
}

/** Give the header that names what the caller has; none for an empty tag. TypeError for what is no entity tag. */
export function knownTag(etag: string): Record<string, string> {
  if (etag === "") return {};
  if (!/^(W\/)?"[\x21\x23-\x7e]*"$/.test(etag)) {
    throw new TypeError(`${JSON.stringify(etag.slice(0, 80))} is no entity tag: it stands in quotes`);
  }
  return { "If-None-Match": etag };
}
