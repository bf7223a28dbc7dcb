/** The colours of areas: a dark one for banners and edges, which white can be read on, and a light one for grounds. */

export interface Colours {
  dark: string;
  light: string;
}

const COLOURS: Readonly<Record<string, Colours>> = {
  spies: { dark: "#4a4640", light: "#e3dfd8" },
  military: { dark: "#98302b", light: "#f4deda" },
  culture: { dark: "#6b3f8c", light: "#e9def1" },
  mercantile: { dark: "#2b5893", light: "#dae5f3" },
  political: { dark: "#10706a", light: "#d3ebe8" },
  al_rashid: { dark: "#2f6b2d", light: "#dcead6" },
  silk_road: { dark: "#8a5f1f", light: "#f4e6cb" },
  spice_road: { dark: "#a0451a", light: "#f8e1d2" },
  sarmatia: { dark: "#54702e", light: "#e5edd6" },
  mare_indianum: { dark: "#1b6787", light: "#d6eaf1" },
  abbasid_caliphate: { dark: "#7a6720", light: "#f2ebcf" },
  mare_internum: { dark: "#2a5a96", light: "#dae7f5" },
  nilus_valley: { dark: "#2f7350", light: "#daeee1" },
};

const PLAIN: Colours = { dark: "#6b5d48", light: "#f3ead6" };
/** What was resolved rests in grey until the next turn. */
export const RESTING: Colours = { dark: "#77716a", light: "#eeebe4" };

export const INK = "#2b2620";
export const LINE = "#a8987a";
export const PAPER = "#fffdf8";
export const GOLD = "#f0c443";

export function coloursOf(area: string): Colours {
  return COLOURS[area] ?? PLAIN;
}

/** Mercenaries: red fight on land, blue at sea. */
export const RED = "#b8332c";
export const BLUE = "#2a62ad";
