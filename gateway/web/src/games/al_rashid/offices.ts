/** What is printed on offices, services and favors. */

export interface Office {
  palace: string;
  /** Points at the end, as written on the tile: a number, or what can be reached by what the owner has. */
  points: string;
  /** Drawings and short texts in a row, as `Picture` reads them. */
  picture: string;
  /** Offices that count something: [at least, points], the highest first. */
  steps?: readonly (readonly [number, number])[];
}

const of =
  (palace: string) =>
  (points: string, picture: string, steps?: Office["steps"]): Office => ({ palace, points, picture, ...(steps ? { steps } : {}) });
const [spies, military, culture] = [of("spies"), of("military"), of("culture")];
const [mercantile, political, rashid] = [of("mercantile"), of("political"), of("al_rashid")];

export const OFFICES: Readonly<Record<string, Office>> = {
  smuggler: spies("1", "crate swap crate"),
  plotter: spies("1", "palace arrow palace"),
  informer: spies("1", "land arrow land"),
  impostor: spies("1", "jewel jewel"),
  strategist: military("2", "shield +1"),
  recruiter: military("1", "+1 shield"),
  raider: military("1", "shield arrow crate"),
  negotiator: military("1", "eye −1 shield"),
  loremaster: culture("1", "−3 merchant pasha"),
  enchanter: culture("0", "+1 merchant dishonor_marker"),
  diplomat: culture("2", "hourglass pasha merchant"),
  banker: culture("2", "credit_note =5"),
  trader: mercantile("1", "crate arrow crate crate"),
  hardwood_importer: mercantile("2", "+1 hardwood"),
  pottery_importer: mercantile("2", "+1 pottery"),
  metal_importer: mercantile("2", "+1 metals"),
  aide_to_the_qadi: political("0–5", "+1 influence_marker", [[6, 5], [5, 4]]),
  steward_of_the_city: political("0/6", "6× palace", [[6, 6]]),
  warehouse_keeper: political("0–6", "hardwood metals silk", [[5, 6], [4, 4]]),
  favorites_maiden: political("0/5", "3× spies", [[3, 5]]),
  weapon_master: political("3/6", "3× military", [[3, 6], [0, 3]]),
  dean_of_the_academy: political("0–7", "4× sage", [[6, 7], [5, 5], [4, 3]]),
  economist: political("0–5", "3× merchant", [[4, 5], [3, 3]]),
  counselor_of_the_caliph: political("0–5", "2× pasha", [[3, 5], [2, 3]]),
  treasurer: rashid("1", "+1 credit_note"),
  agha: rashid("1", "+4 shield"),
  silk_monopolist: rashid("1", "+1 silk"),
  spice_monopolist: rashid("1", "+1 spices"),
  astrologist: rashid("0", "sage arrow influence_marker"),
  law_expert: rashid("1", "+1 influence_marker"),
  quartermaster: rashid("0", "+2 crate"),
  alchemist: rashid("0", "sage arrow merchant"),
};

interface Offer {
  picture: string;
  /** Coins to pay, for ranks 1, 2 and 3; a favor costs everybody the same. */
  costs?: readonly number[];
  /** How many moves or tiles ranks 1, 2 and 3 get. */
  gains?: readonly number[];
}

export const OFFERS: Readonly<Record<string, Offer>> = {
  spy_moves: { picture: "eye land", gains: [3, 2, 1] },
  recruit_mercenaries: { picture: "+ shield", gains: [3, 2, 1] },
  train_sage: { picture: "+1 sage", costs: [5, 7, 9] },
  train_merchant: { picture: "+1 merchant", costs: [8, 10, 12] },
  train_pasha: { picture: "+1 pasha", costs: [11, 13, 15] },
  favorite: { picture: "jewel", costs: [1] },
  general: { picture: "crate arrow shield", costs: [0] },
  court_scholar: { picture: "+1 credit_note", costs: [2] },
  vizier: { picture: "crate swap crate", costs: [0] },
  qadi: { picture: "+1 influence_marker", costs: [1] },
  benevolence: { picture: "+1 crate 1·2·3" },
};
