/** What is printed on tiles and cards, in the short form of `icons.tsx`. The game's description in the API has it at length. */

export interface Printed {
  type: string;
  /** The influence for the builder. */
  bonus: number;
  visitor: string;
  /** Empty for buildings that nobody owns. */
  owner: string;
}

const VISITOR: Record<string, string> = {
  era1_port: "k3",
  era1_shrine: "v2",
  era1_manor: "i2",
  era2_port: "k5",
  era2_shrine: "v3",
  era2_manor: "i3",
  era2_market: "g1",
  start_port: "k3",
  start_shrine: "v2",
  start_manor: "i2",
  imperial_market_silk: "s1 card",
  imperial_market_rice: "r1 f1",
  imperial_market_porcelain: "p1 f1",
};
/** For each tile of an era its number among those of its type gives the building bonus, then what its owner gains. */
const TILES: Record<string, readonly string[]> = {
  era1_port: ["1 r1", "0 k1 p1", "4 f1", "3 k1 / port", "3 v1", "1 f1 v1"],
  era1_market: ["4 k2", "1 f1 v1", "2 k1 v1", "3 v1", "4 f1", "3 k1 / market"],
  era1_manor: ["1 s1", "0 k1 r1", "4 f1", "3 k1 / manor", "4 k1 / done", "3 v1"],
  era1_shrine: ["1 p1", "0 k1 s1", "4 f1", "3 k1 / shrine", "2 k1 v1", "3 v1"],
  era2_port: ["3 v2", "4 g1", "4 r1 f1", "2 v3"],
  era2_market: ["5 f1", "5 i1", "2 v3", "3 v2"],
  era2_manor: ["5 i1", "4 p1 f1", "3 v2", "2 v3"],
  era2_shrine: ["5 i1", "5 s1", "4 g1", "5 f1"],
};

/** Return what is printed on a building. */
export function printedOn(building: string): Printed {
  const [, kind = building, number = "1"] = /^(.+)_(\d)$/.exec(building) ?? [];
  const type = kind.split("_")[1] ?? kind;
  const [bonus = "0", ...owner] = TILES[kind]?.[Number(number) - 1]?.split(" ") ?? [];
  const market = `${"srp"[(Number(number) - 1) % 3]}1`;
  return { type, bonus: Number(bonus), visitor: VISITOR[kind] ?? market, owner: owner.join(" ") };
}

const ORDERS: Record<string, string> = {
  artisan: "p2 p2 s2 s2 r2 r2",
  elder: "s2r1p2 s2r2p1 s2r1p2 s2r2p1 s2r1p2 s2r1p2",
  merchant: "p3 r3 s3 s2r1 r2p1 s1r2",
  monk: "s1r2p1 s3r2 s2r1p1 s1r1p3 s1r2p1 s1r2p2",
  noble: "s1r1p2 s2p2 s2r1p1 s2r2 r2p2 s1r2p1",
};
/** What a type of customers brings when it is delivered to. */
const DELIVERED: Record<string, string> = { artisan: "i2", elder: "", merchant: "i3", monk: "favor_limit f2", noble: "i2 + royal" };
const ONGOING: Record<string, readonly string[]> = {
  artisan: Array<string>(6).fill("artisan −2 koku"),
  elder: Array<string>(6).fill("vp ×2"),
  merchant: ["i1 / owner", "v1 / done", "g1", "good → k5", "f1", "k3"].map((one) => `back ${one}`),
  monk: ["owner ×2", "owner + owner", "owner ×2", "owner + owner", "owner ×2", "owner + owner"],
  noble: ["market g1", "empty k1", "i1", "v1 ≠ owner", "±1", "v1 owner"].map((one) => `royal ${one}`),
};
const AT_THE_END: Record<string, readonly string[]> = {
  artisan: Array<string>(6).fill("v1 / g3"),
  merchant: Array<string>(6).fill("v1 / k5"),
  noble: ["market", "port", "manor", "shrine", "owner ≠", "owner 1–6"].map((one) => `v1 / ${one}`),
};

export interface Customer {
  type: string;
  region: number;
  order: string;
  delivered: string;
  ongoing: string;
  end: string;
}

/** Return what is printed on a customer card. */
export function customerOn(card: string): Customer {
  const [type = "", number = "1"] = card.split("_");
  const at = Number(number) - 1;
  return {
    type,
    region: Number(number),
    order: (ORDERS[type]?.split(" ")[at] ?? "").replace(/(\d)(?=\w)/g, "$1 "),
    delivered: DELIVERED[type] ?? "",
    ongoing: ONGOING[type]?.[at] ?? "",
    end: AT_THE_END[type]?.[at] ?? "",
  };
}
