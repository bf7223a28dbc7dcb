/** Movement on the screen, for those who want any. */
const reduced = matchMedia("(prefers-reduced-motion: reduce)");

/** Whether the person asked their system for less movement. */
export const calm = (): boolean => reduced.matches;
