/*
 * One colour that an administrator chose, as light and dark pages can use it: drawn as it is where text in it can be read,
 * else made darker or lighter until it can (4.5 : 1, as WCAG asks of text).
 */

export const papers = { light: "#fbfaf6", dark: "#161412" } as const;
const enough = 4.5;

type Rgb = [red: number, green: number, blue: number];

const channels = (color: string): Rgb =>
  [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255) as Rgb;
const toHex = (rgb: Rgb): string =>
  `#${rgb
    .map((one) =>
      Math.round(Math.min(1, Math.max(0, one)) * 255)
        .toString(16)
        .padStart(2, "0"),
    )
    .join("")}`;

const linear = (one: number): number => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4);
const luminance = (color: string): number => {
  const [red, green, blue] = channels(color).map(linear) as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

/** How well one colour is read on the other, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

const mixed = (color: string, other: string, share: number): string => {
  const [from, to] = [channels(color), channels(other)];
  return toHex(from.map((one, at) => one + ((to[at] ?? 0) - one) * share) as Rgb);
};

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
