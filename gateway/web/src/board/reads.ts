/** Notes what is read of a document, so that it is known whether another one would be read the same. */

/** Whatever reads the document through `proxy` is noted: only the parts that were read count, and how deep. */
export class Read {
  readonly proxy: object;
  private readonly parts = new Map<PropertyKey, unknown>();
  private isWhole = false;

  constructor(private readonly document: object) {
    const whole = () => (this.isWhole = true); // whoever lists the names may use any of them
    this.proxy = new Proxy(document, {
      get: (_, name) => this.part(name),
      has: (_, name) => {
        this.part(name);
        return Reflect.has(document, name);
      },
      ownKeys: () => {
        whole();
        return Reflect.ownKeys(document);
      },
      getOwnPropertyDescriptor: (_, name) => {
        whole();
        return Reflect.getOwnPropertyDescriptor(document, name);
      },
    });
  }

  private part(name: PropertyKey): unknown {
    const value: unknown = Reflect.get(this.document, name);
    if (typeof value === "function") return value; // lists have methods; what these read is noted
    let part = this.parts.get(name);
    if (part === undefined && !this.parts.has(name)) {
      part = typeof value === "object" && value !== null ? new Read(value) : value;
      this.parts.set(name, part);
    }
    return part instanceof Read ? part.proxy : part;
  }

  /** Return whether everything that was read is the same in another document; so it is if nothing was. */
  agrees(other: unknown): boolean {
    if (other === this.document) return true;
    if (this.isWhole || typeof other !== "object" || other === null) return false;
    if (Array.isArray(other) !== Array.isArray(this.document)) return false;
    for (const [name, part] of this.parts) {
      const value: unknown = Reflect.get(other, name);
      if (part instanceof Read ? !part.agreesAsPart(value) : !Object.is(part, value)) return false;
    }
    return true;
  }

  /** A part of which nothing was read was asked for itself, as in `if (view.voyage)`. */
  private agreesAsPart(other: unknown): boolean {
    return this.parts.size === 0 ? other === this.document : this.agrees(other);
  }
}
