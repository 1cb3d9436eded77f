import "culori/css";
import { formatHex, interpolate, wcagContrast } from "culori/fn";

/*
 * One colour that an administrator chose, as light and dark pages can use it: drawn as it is where text in it can be read,
 * else made darker or lighter until it can (4.5 : 1, as WCAG asks of text).
 */

export const papers = { light: "#fbfaf6", dark: "#161412" } as const;
const enough = 4.5;

/** How well one colour is read on the other, from 1 to 21. */
export const contrast = wcagContrast;

const mixed = (color: string, other: string, share: number): string =>
  formatHex(interpolate([color, other], "rgb")(share));

/** The colour moved towards `end` until it can be read on every one of these. */
function readable(color: string, end: string, grounds: string[]): string {
  for (let share = 0; share < 1; share += 0.02) {
    const tried = mixed(color, end, share);
    if (grounds.every((ground) => contrast(tried, ground) >= enough)) return tried;
  }
  return end;
}

export interface Accent {
  light: string;
  dark: string;
}

/** The colour as it is drawn on light and on dark pages: by day white stands on it, by night black. */
export const accentOf = (color: string): Accent => ({
  light: readable(color, "#000000", [papers.light, "#ffffff"]),
  dark: readable(color, "#ffffff", [papers.dark]),
});

/** The style sheet that gives the site this accent. */
export function accentSheet(color: string): string {
  const { light, dark } = accentOf(color);
  const pair = (day: string, night: string) => `light-dark(${day},${night})`;
  return `:root{--accent:${pair(light, dark)};--accent-strong:${pair(mixed(light, "#000000", 0.18), mixed(dark, "#ffffff", 0.25))};--accent-wash:${pair(mixed(papers.light, light, 0.1), mixed(papers.dark, dark, 0.16))};--on-accent:${pair("#ffffff", "#120b08")}}`;
}
