// Draws every die, card and shuffle of a match again: from its secret, and from boxes.json, which says what lies in the
// boxes in the order draws count it. No rule of any game is here, only what of an event was drawn, and from what.
import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";

const BOX = JSON.parse(readFileSync(new URL("boxes.json", import.meta.url)));
const SPAN = 2n ** 64n;
const eight = (value) => Buffer.from(BigInt(value).toString(16).padStart(16, "0"), "hex");

/** The draws of one move, in order. */
export class Luck {
  constructor(secret, move, draw = 0) {
    Object.assign(this, { secret, move, draw });
  }
  exactlyBelow(bound) {
    for (;;) {
      const message = Buffer.concat([Buffer.from("foldtable.draw.v1"), eight(this.move), eight(this.draw++)]);
      const raw = createHmac("sha256", this.secret).update(message).digest().readBigUInt64BE();
      if (raw < SPAN - (SPAN % bound)) return raw % bound; // others would favour the low outcomes
    }
  }
  below(bound) {
    return Number(this.exactlyBelow(BigInt(bound)));
  }
  shuffled(items) {
    const deck = [...items];
    for (let last = deck.length - 1; last > 0; last--) {
      const other = this.below(last + 1);
      [deck[last], deck[other]] = [deck[other], deck[last]];
    }
    return deck;
  }
  taken(items, count) {
    const rest = [...items];
    return Array.from({ length: count }, () => rest.splice(this.below(rest.length), 1)[0]);
  }
}

// For each game and event: what was drawn for it. `table` holds what is still to be drawn from, and is brought forward.
const without = (items, item) => items.filter((one) => one !== item);
const seated = (match) => [...Array(match.seats).keys()];
const tile = (luck, table, colour) => {
  if (!table.stacks[colour].some(Boolean)) [table.stacks[colour], table.rebuilt] = [table.rebuilt, null];
  const left = table.stacks[colour];
  const total = left.reduce((sum, count) => sum + count, 0);
  let place = total > 1 ? luck.below(total) : 0;
  const kind = left.findIndex((count) => (place -= count) < 0);
  left[kind] -= 1;
  return BOX.al_rashid.tile_values[kind];
};
const stacks = (squad) => ({ red: Object.values(squad).slice(0, 3), blue: Object.values(squad).slice(3) });
export const DRAWN = {
  river_dragons: {
    match_started: (event, luck, table, match) => {
      const order = luck.shuffled(seated(match));
      return { order, first_player: order[luck.below(match.seats)] };
    },
  },
  al_rashid: {
    forked: (state) => ({ stacks: stacks(state.stacks), crises: state.crises }),
    match_started: (event, luck, table, match) => {
      Object.assign(table, { stacks: stacks(event.stacks), crises: [] });
      return { order: luck.shuffled(seated(match)) };
    },
    crisis_drawn: (event, luck, table) => {
      const { setup_crises: setup, turn_crises: turns } = BOX.al_rashid;
      const left = table.crises.length ? turns.filter((one) => !table.crises.includes(one)) : setup;
      const crisis = left[luck.below(left.length)];
      table.crises.push(crisis);
      return { crisis, tiles: event.tiles.map((one) => ({ ...one, value: tile(luck, table, one.colour) })) };
    },
    stack_rebuilt: (event, luck, table) => void (table.rebuilt = stacks(event.tiles)[event.colour]),
    mercenaries_drawn: (event, luck, table) => ({
      tiles: event.tiles.map((one) => ({ ...one, value: tile(luck, table, one.colour) })),
    }),
  },
  river_of_gold: {
    forked: (state) => ({ deck: state.deck, era_1: state.unseen_1, era_2: state.unseen_2 }),
    match_started: (event, luck, table, match) => {
      const box = BOX.river_of_gold;
      const first = luck.below(match.seats);
      const [row, [top]] = [luck.taken(box.era_1, event.row.length + 1), luck.taken(box.era_2, 1)];
      const offers = event.patrons === "draft" ? box.patrons.map((pair) => luck.taken(pair, 1)[0]) : [];
      const asked = match.options.clans?.length ? match.options.clans : null;
      const clans = event.patrons === "draft" ? [] : (asked ?? luck.taken(box.clans, match.seats));
      const markets = luck.shuffled(box.markets);
      const laid = [...markets, ...luck.taken(box.starting, event.buildings.length - markets.length)];
      Object.assign(table, { deck: box.customers, era_2: without(box.era_2, top) });
      table.era_1 = box.era_1.filter((one) => !row.includes(one));
      return {
        order: seated(match).map((place) => (first + place) % match.seats),
        offers,
        clans,
        buildings: event.buildings.map((one, place) => ({ ...one, building: laid[place] })),
        region_tiles: luck.shuffled(box.region_tiles),
        masteries: luck.taken(box.masteries, event.masteries.length),
        row: row.slice(0, -1),
        era_1: { ...event.era_1, top: row.at(-1) },
        era_2: { ...event.era_2, top },
      };
    },
    seat_set_up: (event, luck) => ({ upstream_roll: luck.below(6) + 1, midstream_roll: luck.below(6) + 1 }),
    die_rolled: (event, luck) => ({ face: luck.below(6) + 1 }),
    deck_reshuffled: (event, luck, table) => void (table.deck = [...table.deck, ...event.customers].sort()),
    customer_drawn: (event, luck, table) => {
      const customer = table.deck[table.deck.length > 1 ? luck.below(table.deck.length) : 0];
      table.deck = without(table.deck, customer);
      return { customer };
    },
    row_refilled: (event, luck, table) => {
      if (!event.stack?.left) return undefined; // nothing comes to light
      const top = table[event.era][luck.below(table[event.era].length)];
      table[event.era] = without(table[event.era], top);
      return { stack: { ...event.stack, top } };
    },
  },
};
