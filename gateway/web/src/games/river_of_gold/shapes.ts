/** The small drawings of 16 × 16 units, each a few filled paths. */

type Filled = readonly [path: string, fill: string];

/** Return the path of a circle. */
const disc = (x: number, y: number, r: number) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
const rays = Array.from({ length: 24 }, (_, at) => {
  const [angle, far] = [(at * Math.PI) / 12, at % 2 ? 5.2 : 8];
  return `${(8 + far * Math.sin(angle)).toFixed(1)} ${(8 - far * Math.cos(angle)).toFixed(1)}`;
});
const beads = [0, 1, 2, 3, 4, 5, 6, 7].map((at) => disc(+(8 + 5.2 * Math.sin(at * 0.785)).toFixed(1), +(7 - 5.2 * Math.cos(at * 0.785)).toFixed(1), 1.8));
const petals = [0, 1, 2, 3, 4].map((at) => disc(+(8 + 4 * Math.sin(at * 1.257)).toFixed(1), +(8 - 4 * Math.cos(at * 1.257)).toFixed(1), 3.3));

export const SHAPES: Record<string, readonly Filled[]> = {
  // what is held
  koku: [[disc(8, 8, 8), "#7a560a"], [disc(8, 8, 6.8), "#f4c851"]],
  silk: [["M1 4h10v9H1z", "#8e4aa8"], ["M1 6h10v1H1zM1 9h10v1H1z", "#c99adb"], ["M11 2.5h3.5a1 5.5 0 0 1 0 12H11a1 5.8 0 0 1 0-12z", "#6a2b84"]],
  rice: [["M2 8.5C2.5 3 5.5 1.5 8 1.5s5.5 1.5 6 7z", "#8c8c78"], ["M3 8.5C3.5 4 6 2.6 8 2.6s4.5 1.4 5 5.9z", "#fff"], ["M1 8h14c0 3-2 5.5-4 6v1.5H5V14C3 13.5 1 11 1 8z", "#3f7d3a"]],
  porcelain: [["M5.5.5h5v2l-1 1.5c4 2 4 7 1.5 10v1.5H5V14c-2.5-3-2.5-8 1.5-10l-1-1.5z", "#2c5f9e"], ["M6.6 1.5h2.8v1l-1 2c3.6 1.5 4 5.5 2 8.5H5.6c-2-3-1.6-7 2-8.5l-1-2z", "#e8f1fb"], ["M4.3 8h7.4v2H4.3z", "#2c5f9e"]],
  good: [[disc(8, 8, 8), "#5d5444"], ["M8 8V1a7 7 0 0 1 6 10.5z", "#a35fbd"], ["M8 8l6 3.5A7 7 0 0 1 2 11.5z", "#4d9447"], ["M8 8l-6 3.5A7 7 0 0 1 8 1z", "#5b8fd0"]],
  favor: [[`M${rays.join("L")}z`, "#b3500a"], [disc(8, 8, 4.6), "#ffbe3d"]],
  favor_limit: [[disc(8, 8, 8), "#39456b"], ["M10.5 2a6 6 0 1 0 3 8.5A5.5 5.5 0 0 1 10.5 2z", "#e9e6c8"]],
  vp: [["M8 0l7.2 4v8L8 16 .8 12V4z", "#8c1c13"]],
  influence: [["M8 0l8 7.5h-3.5V16h-9V7.5H0z", "#1d5c63"]],
  card: [["M3 0h10a1 1 0 0 1 1 1v14a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1V1a1 1 0 0 1 1-1z", "#6b4a2f"], ["M4 2h8v12H4z", "#c9a66b"], [disc(8, 8, 2.5), "#6b4a2f"]],
  ship: [["M7 1v9H1.5zM9 2l5 8H9z", "#4d4334"], ["M0 11h16l-3 4H3z", "#4d4334"]],
  royal: [["M7 1v9H1.5zM9 2l5 8H9z", "#d99a00"], ["M0 11h16l-3 4H3z", "#7a1f3d"]],
  owner: [["M8 1l7 6h-2v8H3V7H1z", "#4d4334"]],
  visit: [["M7 1v9H1.5zM9 2l5 8H9zM0 11h16l-3 4H3z", "#1f5f86"]],
  empty: [["M1 1h14v14H1zM3 3v10h10V3z", "#6b5d48"]],
  hand: [["M1 5l7-2 4 11-7 2z", "#8a6a45"], ["M6 1h8v13H6z", "#6b4a2f"], ["M7.5 2.5h5v10h-5z", "#c9a66b"]],
  done: [["M1 8l3-2.5 3 3.5 6-7.5 2.5 2L7.2 14z", "#2d6a2d"]],
  back: [["M5 1v3h4a5.5 5.5 0 0 1 0 11H3v-3h6a2.5 2.5 0 0 0 0-5H5v3L0 5.5z", "#4d4334"]],
  // buildings
  port: [["M7 4.5h2V13c2.5-.3 4-1.5 4.5-3.5H12l2.5-3 1.5 4c-1 3.5-4 5.5-8 5.5s-7-2-8-5.5l1.5-4 2.5 3H2.5C3 11.5 4.5 12.7 7 13z", "#1f5f86"], [`${disc(8, 3, 3)}${disc(8, 3, 1.2)}`, "#1f5f86"], ["M4 6h8v1.7H4z", "#1f5f86"]],
  shrine: [["M0 1c5 1.5 11 1.5 16 0v3H0zM1.5 5.5h13V8h-13zM3 4h2.5v12H3zM10.5 4H13v12h-2.5z", "#a3301c"]],
  manor: [["M8 0c1.5 3 4 4.5 8 5v2H0V5c4-.5 6.5-2 8-5z", "#4c6420"], ["M2 8h12v8H9.5v-5h-3v5H2z", "#7d9148"]],
  market: [["M1 1h14l1 5H0z", "#6a3d8a"], ["M4 1h3L6.5 6h-4zM10 1h3l1.5 5h-4z", "#e4d5ee"], ["M1.5 7H3v9H1.5zM13 7h1.5v9H13zM3 10h10v3H3z", "#6a3d8a"]],
  // customers
  artisan: [["M1 2.5L8 1l2 4-2.5 1L3 7.5z", "#4d4334"], ["M6.5 6l2-1 5.5 9-2.5 1.5z", "#9a6a34"]],
  elder: [[disc(7, 4.5, 3.8), "#d8b48c"], ["M3 4.5c0-6 8-6 8 0-2-2-6-2-8 0z", "#8a8a8a"], ["M4 6c2 1.5 4 1.5 6 0l-1 5-2 2.5L5 11z", "#bdbdbd"], ["M2 16c0-3 1-5 3-6l2 4 2-4c2 1 3 3 3 6z", "#4a4a52"], ["M13.5 4H15v12h-1.5z", "#7d4a15"]],
  merchant: [["M7.2 1h1.6v12h3V15H4.2v-2h3z", "#6b5200"], ["M1 2.5h14V4H1z", "#6b5200"], ["M3 4l3 6a3 2.5 0 0 1-6 0zM13 4l3 6a3 2.5 0 0 1-6 0z", "#c79a1b"]],
  monk: [[beads.join(""), "#913d0a"], ["M7 12h2v4H7z", "#913d0a"]],
  noble: [["M8 15L0 6a11 11 0 0 1 16 0z", "#7a4fb5"], ["M8 15L4.5 3.3h1zM8 15l2.5-11.7h1z", "#e0d3f0"], ["M7 13h2v3H7z", "#3a1f66"]],
  // masteries
  mastery_air: [["M0 5h9a2 2 0 1 0-2-2h-2a4 4 0 1 1 4 4H0zM0 9h12a3 3 0 1 1-3 3.5h2a1.2 1.2 0 1 0 1-1.5H0z", "#5b86a8"]],
  mastery_courts: [["M1 16V6l4 3 3-7 3 7 4-3v10z", "#a8790c"], [disc(8, 12, 2), "#fff3c4"]],
  mastery_earth: [["M0 15L5 4l3 5 2-3 6 9z", "#7d5a34"], ["M5 4l2 3.3-2-.5-1.6 1z", "#f3e8d8"]],
  mastery_fire: [["M8 0c1 4 5 5 5 10a5 5 0 0 1-10 0c0-2 1-3 2-4 0 2 1 2 1 2 1-2 0-5 2-8z", "#d4490e"], ["M8 8c1 2 2.5 2.5 2.5 4.5a2.5 2.5 0 0 1-5 0C5.5 11 7 10.5 8 8z", "#ffc83d"]],
  mastery_void: [[`${disc(8, 8, 8)}${disc(8, 8, 5)}`, "#3b3350"], [disc(8, 8, 2), "#8f7fc0"]],
  mastery_water: [["M8 0c2 4 5.5 6 5.5 10a5.5 5.5 0 0 1-11 0C2.5 6 6 4 8 0z", "#2b78a8"], ["M5 9c0 3 1 4 3 4.5-3 .5-5-2-3-4.5z", "#bfe1f2"]],
  imperial_flower: [[petals.join(""), "#d0487c"], [disc(8, 8, 2.6), "#ffd75e"]],
  // regions
  region_1: [["M0 14L5.5 3l3 5.5L11 5l5 9z", "#554b80"], ["M5.5 3l2 3.7-2-.7-1.6 1z", "#fff"]],
  region_2: [["M8 0l5 6h-2l4 6H9v4H7v-4H1l4-6H3z", "#37632c"]],
  region_3: [["M7.2 5h1.6v11H7.2zM8 0c2 2 2 4 0 5-2-1-2-3 0-5zM8 8c0-3 2-4 4.5-4C12.5 7 11 8 8 8zM8 8c0-3-2-4-4.5-4C3.5 7 5 8 8 8zM8 12c0-3 2-4 4.5-4 0 3-1.5 4-4.5 4zM8 12c0-3-2-4-4.5-4 0 3 1.5 4 4.5 4z", "#735d0e"]],
  region_4: [["M1 1l5 3h4l5-3-1 8-6 7-6-7z", "#8a440f"], ["M8 16l-3.5-5L8 12l3.5-1z", "#fff"]],
  region_5: [["M8 2c3 3 3 8 0 11-3-3-3-8 0-11zM1 5c4 0 6 3 7 8-4 0-7-3-7-8zM15 5c-4 0-6 3-7 8 4 0 7-3 7-8z", "#1b6354"], ["M3 14h10v1.5H3z", "#1b6354"]],
  region_6: [["M0 8c3-6 8-6 11-1.5L16 3v10l-5-3.5C8 14 3 14 0 8z", "#8c2c46"], [disc(3.5, 7, 1), "#fff"]],
  // clans
  crab: [[disc(8, 10, 5), "#3c5c86"], ["M1 8C-1 3 2 0 5 1L3.5 4 6 5 3 9zM15 8c2-5-1-8-4-7l1.5 3L10 5l3 4z", "#3c5c86"]],
  crane: [["M0 5c4-1 6 0 7 2 1-5 4-7 9-7-2 2-2 6-6 9l1 7-3-5C3 11 1 8 0 5z", "#3f7fae"]],
  mantis: [["M7 5l-6 6 1-9 6-2 6 2 1 9-6-6v11H7z", "#3c7a3c"]],
  scorpion: [["M3 16c-3-4-1-8 3-8h3c3 0 3-4 0-4H7l2-4c6 0 8 9 2 11H7c-2 0-2 2-1 5z", "#8c1c2c"]],
};
