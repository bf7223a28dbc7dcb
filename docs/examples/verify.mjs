// Checks an exported match with nothing of Foldtable's: its commitment, its hash chain, every die and every shuffle.
//
//     node verify.mjs match.json
//     node verify.mjs match.json jwks.json     and who vouches for it, by the keys of /.well-known/jwks.json
//
// It knows no rules: what the events say was drawn is drawn again (draws.mjs) and compared.
// docs/trust/verify.md tells how it all works. Needs node 20 or newer and no package.
import { createHash, createHmac, createPublicKey, verify } from "node:crypto";
import { readFileSync, realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { DRAWN, Luck } from "./draws.mjs";

// rows that draw nothing
const COMMANDS = [
  ..."undo redo answer_undo abort answer_abort return_to_seat".split(" "),
  ..."pause answer_pause resume add_time begin_vacation end_vacation".split(" "),
  ..."ask_to_replace answer_replace".split(" "),
];
const hmac = (secret, ...parts) => createHmac("sha256", secret).update(Buffer.concat(parts)).digest();
const uint = (value, bytes = 8) => Buffer.from(BigInt(value).toString(16).padStart(2 * bytes, "0"), "hex");
const sized = (part) => Buffer.concat([uint(Buffer.byteLength(part)), Buffer.from(part)]);
const hex = (text) => Buffer.from(text.replaceAll("-", ""), "hex");
const microseconds = (moment) => {
  const [seconds, fraction = ""] = moment.replace("Z", "").split(".");
  return uint(BigInt(Date.parse(`${seconds}Z`)) * 1000n + BigInt(fraction.padEnd(6, "0")));
};

/** Which rows count, and the number each draws with: its own, or that of the row taken back which it repeats. */
class Course {
  constructor() {
    Object.assign(this, { heads: [{ luck: 0, table: {} }], undone: new Map(), redoable: [] });
  }
  next(move) {
    const [before, asked] = [this.heads.at(-1), JSON.stringify([move.seat, move.request])];
    const luck = this.undone.get(`${before.luck} ${asked}`) ?? move.seq;
    const place = { before, asked, luck, table: structuredClone(before.table) };
    this.heads.push(place);
    this.redoable = [];
    return place;
  }
  turn(events) {
    let head = this.heads.at(-1);
    for (const event of events) {
      const from = head;
      if (event.type === "move_undone") this.redoable.push(from);
      if (event.type === "move_undone") head = this.heads[event.to];
      if (event.type === "move_redone") head = this.redoable.pop();
      const kept = new Set();
      for (let place = head; place; place = place.before) kept.add(place);
      for (let place = from; !kept.has(place); place = place.before)
        this.undone.set(`${place.before.luck} ${place.asked}`, place.luck);
    }
    this.heads.push(head);
  }
}

/** Gives what does not agree, in words; nothing if all does. */
export function faults(match) {
  const found = [];
  const must = (agrees, what) => agrees || found.push(what);
  if (!match.secret) return ["the match runs: its secret is not out yet"];
  const [secret, id] = [hex(match.secret), hex(match.match_id)];
  must(createHash("sha256").update(secret).digest("hex") === match.commitment, "the secret is not the one promised");
  const beginning = [sized(match.game), sized(match.rules_version), uint(match.seats, 4), sized(JSON.stringify(match.options))];
  const made = [sized(hex(match.commitment)), microseconds(match.created_at)];
  let hash = hmac(secret, Buffer.from("foldtable.genesis.v1"), id, ...beginning, ...made);
  const course = new Course();
  for (const [index, move] of match.moves.entries()) {
    const name = `move ${index + 1}`;
    must(move.seq === index + 1 && move.previous_hash === hash.toString("hex"), `${name}: does not follow the one before`);
    const row = [uint(index + 1), uint(move.seat ?? 0xffffffff, 4), microseconds(move.recorded_at), sized(move.request_id)];
    const said = [sized(JSON.stringify(move.request)), sized(JSON.stringify(move.events))];
    hash = hmac(secret, Buffer.from("foldtable.row.v1"), hash, id, ...row, ...said);
    must(move.hash === hash.toString("hex"), `${name}: is not what was hashed`);
    hash = hex(move.hash); // so that one altered row is named once
    if (COMMANDS.includes(move.request.type)) course.turn(move.events);
    else drawnAgain(match, move, course.next(move), (what) => found.push(`${name}: ${what}`));
  }
  must(match.version === match.moves.length, `${match.moves.length} moves, yet the match says version ${match.version}`);
  for (const one of persons(match))
    must(one.erased === undefined || (!one.player && !one.name && one.salt === undefined), "a player is erased, yet named");
  must(!match.players || playersHash(match, secret, id) === match.players_hash, "the players are others");
  return found;
}

/** Everybody who had a seat, in order. */
const persons = (match) => (match.players ?? []).flatMap((one) => [one, ...(one.replaced ?? [])]);

/** The hash of the players: over a commitment to each, which stays when a player is erased; in old documents over themselves. */
function playersHash(match, secret, id) {
  const of = (domain, covered) => hmac(secret, Buffer.from(domain), id, sized(JSON.stringify(covered))).toString("hex");
  if (persons(match).every((one) => one.salt === undefined && one.erased === undefined))
    return of("foldtable.players.v1", match.players);
  const said = (seat, { player, name, salt, erased }) => {
    if (erased !== undefined || salt === undefined) return erased ?? "";
    const named = [sized(hex(salt)), id, uint(seat, 4), sized(player), sized(name)];
    return createHash("sha256").update(Buffer.concat([Buffer.from("foldtable.player.v1"), ...named])).digest("hex");
  };
  const covered = match.players.map(({ seat, replaced, ...one }) => ({
    seat,
    commitment: said(seat, one),
    replaced: replaced?.map(({ until_version, replaced_at, ...before }) => ({
      commitment: said(seat, before),
      until_version,
      replaced_at,
    })),
  }));
  return of("foldtable.players.v2", covered);
}

/** Says who vouches for the document: `fits`, or why nobody does. Without it whoever knows the secret can make another. */
export function vouched(match, keys) {
  const { signature, ...signed } = match;
  if (!signature) return "not signed";
  const [head, payload, made] = signature.split(".");
  const read = (part) => JSON.parse(Buffer.from(part, "base64url"));
  const { typ, alg, kid } = read(head);
  const key = keys.find((one) => one.kid === kid && one.kty === "OKP" && one.crv === "Ed25519");
  if (typ !== "foldtable-export+jwt" || alg !== "EdDSA") return "not the signature of an export";
  if (!key) return `signed with another key: ${kid}`;
  const bytes = Buffer.from(made, "base64url");
  const holds = bytes.toString("base64url") === made && // no spare bit may differ
    verify(null, Buffer.from(`${head}.${payload}`), createPublicKey({ key, format: "jwk" }), bytes);
  if (!holds) return "not signed with the key it names";
  const over = createHash("sha256").update(JSON.stringify(signed)).digest("hex");
  return read(payload).document === over ? "fits" : "the document is not what was signed";
}

/** Draws again what the events of a row say was drawn, and brings forward what is left to draw from. */
function drawnAgain(match, move, place, tell) {
  const luck = new Luck(hex(match.secret), place.luck);
  for (const [number, event] of move.events.entries()) {
    const draw = DRAWN[match.game][event.type];
    if (event.type === "forked") place.table = draw?.(event.state) ?? {}; // dealt from a match that is not here
    if (event.type === "forked" || !draw) continue;
    for (const [field, value] of Object.entries(draw(event, luck, place.table, match) ?? {}))
      if (!isDeepStrictEqual(event[field], value))
        return tell(`events[${number}].${field} is ${JSON.stringify(event[field])}, drawn was ${JSON.stringify(value)}`);
  }
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const [match, jwks] = process.argv.slice(2).map((name) => JSON.parse(readFileSync(name, "utf-8")));
  const found = faults(match);
  console.log(found.length ? found.join("\n") : `${match.moves.length} moves: commitment, hashes, dice and shuffles agree`);
  const erased = persons(match).filter((one) => one.erased !== undefined).length;
  if (erased) console.log(`${erased} of the players erased; the hash of the players agrees`);
  const word = jwks ? vouched(match, jwks.keys) : "not checked: name the server's keys";
  console.log(`signature: ${word}`);
  process.exitCode = found.length ? 1 : jwks && word !== "fits" ? 3 : 0;
}
