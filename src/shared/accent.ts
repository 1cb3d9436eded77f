import "culori/css";
import { formatHex, interpolate, wcagContrast } from "culori/fn";

/*
 * Derives the colours of light and dark pages from an administrator's colour: unchanged if text in it is readable, else darker
 * or lighter (4.5 : 1, the WCAG minimum for text).
 */

export const papers = { light: "#fbfaf6", dark: "#161412" } as const;
const minContrast = 4.5;

/** The contrast of two colours, from 1 to 21. */
export const contrast = wcagContrast;

const mixed = (color: string, other: string, share: number): string =>
  formatHex(interpolate([color, other], "rgb")(share));

/** Moves the colour towards `end` until it is readable on every ground. */
function readable(color: string, end: string, grounds: string[]): string {
  for (let share = 0; share < 1; share += 0.02) {
    const candidate = mixed(color, end, share);
    if (grounds.every((ground) => contrast(candidate, ground) >= minContrast)) return candidate;
  }
  return end;
}

export interface Accent {
  light: string;
  dark: string;
}

/** Returns the colour for light pages, with white text on it, and for dark pages, with black text. */
export const accentOf = (color: string): Accent => ({
  light: readable(color, "#000000", [papers.light, "#ffffff"]),
  dark: readable(color, "#ffffff", [papers.dark]),
});

export function accentSheet(color: string): string {
  const { light, dark } = accentOf(color);
  const pair = (day: string, night: string) => `light-dark(${day},${night})`;
  return `:root{--accent:${pair(light, dark)};--accent-strong:${pair(mixed(light, "#000000", 0.18), mixed(dark, "#ffffff", 0.25))};--accent-wash:${pair(mixed(papers.light, light, 0.1), mixed(papers.dark, dark, 0.16))};--on-accent:${pair("#ffffff", "#120b08")}}`;
}
