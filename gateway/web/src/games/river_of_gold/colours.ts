/** The colours of the table: calm grounds, and one pair for each region, light for areas and dark for what stands on them. */

export const WATER = "#a9cfdb";
export const DEEP = "#5f9bb3";
export const PAPER = "#fffaf0";
export const WOOD = "#dcc59c";
export const EDGE = "#8d7449";
export const INK = "#2b2620";

export interface Pair {
  light: string;
  dark: string;
}

const GREY: Pair = { light: "#ddd6c6", dark: "#5d5444" };

const REGIONS: readonly Pair[] = [
  { light: "#cdc8dc", dark: "#554b80" },
  { light: "#c0dab0", dark: "#37632c" },
  { light: "#eddf9f", dark: "#735d0e" },
  { light: "#f0cba8", dark: "#8a440f" },
  { light: "#aedbd0", dark: "#1b6354" },
  { light: "#ecc0c8", dark: "#8c2c46" },
];

/** Return the colours of a region, 1 to 6. */
export function regionColours(region: number): Pair {
  return REGIONS[region - 1] ?? GREY;
}

/** Return the number of the region in an id such as `region_3` or `elder_3`; 0 if there is none. */
export function regionOf(id: string): number {
  return Number(/_(\d)(?:_|$)/.exec(id)?.[1] ?? 0);
}

const TYPES: Record<string, Pair> = {
  port: { light: "#cfe3ee", dark: "#1f5f86" },
  shrine: { light: "#f6d5cc", dark: "#a3301c" },
  manor: { light: "#dbe5c8", dark: "#4c6420" },
  market: { light: "#e4d5ee", dark: "#6a3d8a" },
  artisan: { light: "#f1dfc6", dark: "#7d4a15" },
  elder: { light: "#dedede", dark: "#4a4a52" },
  merchant: { light: "#f5e6ad", dark: "#6b5200" },
  monk: { light: "#f3d3b5", dark: "#913d0a" },
  noble: { light: "#e0d3f0", dark: "#5a3290" },
};

/** Return the colours of a type of buildings or customers. */
export function typeColours(type: string): Pair {
  return TYPES[type] ?? GREY;
}
