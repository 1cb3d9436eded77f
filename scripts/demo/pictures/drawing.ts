import { seededRandom } from "../random.ts";

/** Seven colours that go together, and with the site's paper, ink and vermilion. */
export interface Palette {
  ground: string;
  far: string;
  mid: string;
  near: string;
  ink: string;
  accent: string;
  light: string;
}

export const palettes = {
  paper: tints("#f1e9d8", "#e0d0b2", "#c4aa80", "#7d6d52", "#1c1a17", "#c8401f", "#fbfaf6"),
  sage: tints("#dde2d0", "#b7c2a2", "#869871", "#475a42", "#1c241c", "#c8401f", "#fbfaf6"),
  clay: tints("#efdcc8", "#dfb598", "#b9795a", "#6e3b2c", "#26140f", "#c8401f", "#fdf6ec"),
  sea: tints("#d8e3e1", "#a5c0c1", "#5d8a90", "#28505a", "#12272d", "#c8401f", "#fbfaf6"),
  ochre: tints("#f2e2b8", "#e5c275", "#cc9733", "#775720", "#20190d", "#c8401f", "#fdf8ea"),
  plum: tints("#ece1e0", "#d0b6bb", "#957282", "#513848", "#21151b", "#c8401f", "#fbfaf6"),
  dusk: tints("#39435c", "#4c5a78", "#6b7b9b", "#232a3c", "#141925", "#f0673c", "#f3e6cb"),
  night: tints("#171c29", "#242e42", "#3a4964", "#0f131c", "#090b11", "#f0673c", "#ece7dd"),
  moss: tints("#27372e", "#3a5143", "#64805f", "#18231c", "#0e1511", "#ec6b41", "#ebe7d3"),
} satisfies Record<string, Palette>;

/** What a motif draws with: the size, the colours, and chance that is the same for the same seed. */
export interface Scene {
  width: number;
  height: number;
  colours: Palette;
  random: () => number;
  between: (least: number, most: number) => number;
  /** A whole number from `least` to `most`, both included. */
  whole: (least: number, most: number) => number;
  pick: <Item>(items: readonly Item[]) => Item;
}

export function sceneOf(
  width: number,
  height: number,
  seed: string,
  choice: readonly (keyof typeof palettes)[],
): Scene {
  const random = seededRandom(hash(seed));
  const between = (least: number, most: number) => least + random() * (most - least);
  const whole = (least: number, most: number) => Math.floor(between(least, most + 1));
  const pick = <Item>(items: readonly Item[]) => nth(items, Math.floor(random() * items.length));
  return { width, height, colours: palettes[pick(choice)], random, between, whole, pick };
}

export function rect(
  x: number,
  y: number,
  width: number,
  height: number,
  fill: string,
  radius = 0,
  more = "",
): string {
  return `<rect x="${n(x)}" y="${n(y)}" width="${n(width)}" height="${n(height)}" rx="${n(radius)}" fill="${fill}" ${more}/>`;
}

export function circle(x: number, y: number, radius: number, fill: string, more = ""): string {
  return `<circle cx="${n(x)}" cy="${n(y)}" r="${n(radius)}" fill="${fill}" ${more}/>`;
}

export function ellipse(x: number, y: number, rx: number, ry: number, fill: string, more = ""): string {
  return `<ellipse cx="${n(x)}" cy="${n(y)}" rx="${n(rx)}" ry="${n(ry)}" fill="${fill}" ${more}/>`;
}

export function path(d: string, fill: string, more = ""): string {
  return `<path d="${d}" fill="${fill}" ${more}/>`;
}

/** A line with round ends along `d`. */
export function stroke(d: string, colour: string, width: number, more = ""): string {
  return `<path d="${d}" fill="none" stroke="${colour}" stroke-width="${n(width)}" stroke-linecap="round" stroke-linejoin="round" ${more}/>`;
}

export function ring(x: number, y: number, radius: number, colour: string, width: number, more = ""): string {
  return circle(x, y, radius, "none", `stroke="${colour}" stroke-width="${n(width)}" ${more}`);
}

export function polygon(points: readonly (readonly [number, number])[], fill: string, more = ""): string {
  return `<polygon points="${points.map(([x, y]) => `${n(x)},${n(y)}`).join(" ")}" fill="${fill}" ${more}/>`;
}

export function moved(x: number, y: number, degrees: number, scale: number, ...parts: string[]): string {
  return `<g transform="translate(${n(x)} ${n(y)}) rotate(${n(degrees)}) scale(${n(scale)})">${parts.join("")}</g>`;
}

/** The parts as far as they lie inside `shape`; `id` is unique in the picture. */
export function clipped(id: string, shape: string, ...parts: string[]): string {
  return `<clipPath id="${id}">${shape}</clipPath><g clip-path="url(#${id})">${parts.join("")}</g>`;
}

/** A land line from edge to edge around `level`, filled down to the lower edge. */
export function ridge(scene: Scene, level: number, rise: number, fill: string): string {
  return path(`${ridgeLine(scene, level, rise)} V${scene.height} H0 Z`, fill);
}

/** The upper edge of a ridge alone: long swells, without a repeat in the picture. */
export function ridgeLine({ width, between }: Scene, level: number, rise: number): string {
  const [long, short, a, b] = [between(0.7, 1.3), between(1.7, 2.9), between(0, 6.3), between(0, 6.3)];
  let d = "";
  for (let x = 0; x <= width; x += 20) {
    const t = (x / width) * 2 * Math.PI;
    const y = level - rise * (0.7 * Math.sin(t * long + a) + 0.3 * Math.sin(t * short + b));
    d += `${d ? "L" : "M"}${n(x)} ${n(y)} `;
  }
  return d;
}

/** A moon of which `phase` (0 new, 0.5 full, 1 new again) is lit. */
export function moon(x: number, y: number, radius: number, phase: number, lit: string, dark: string): string {
  const waxing = phase < 0.5;
  const edge = Math.cos(2 * Math.PI * phase) * radius;
  const bulge = waxing === edge > 0 ? 0 : 1;
  const side = waxing ? 1 : 0;
  const shape = `M${n(x)} ${n(y - radius)} A${n(radius)} ${n(radius)} 0 0 ${side} ${n(x)} ${n(y + radius)} A${n(Math.abs(edge))} ${n(radius)} 0 0 ${bulge} ${n(x)} ${n(y - radius)} Z`;
  return circle(x, y, radius, dark) + path(shape, lit);
}

export function stars(scene: Scene, count: number, lowest: number, colour: string): string {
  return times(count, () =>
    circle(
      scene.between(0, scene.width),
      scene.between(0, lowest),
      scene.pick([1.5, 2, 2, 3, 4]),
      colour,
      `opacity="${n(scene.between(0.4, 1))}"`,
    ),
  );
}

/** A leaf that points up from where it grows, 100 long before `moved`. */
export function leaf(fill: string, vein?: string): string {
  const blade = path("M0 0 C34 -22 30 -74 0 -100 C-30 -74 -34 -22 0 0 Z", fill);
  return vein ? blade + stroke("M0 0 V-82", vein, 3) : blade;
}

export function times(count: number, draw: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => draw(index)).join("");
}

/** The item at `index`, which is there. */
export function nth<Item>(items: readonly Item[], index: number): Item {
  const item = items[index];
  if (item === undefined) throw new RangeError(`There is no item ${index}.`);
  return item;
}

export function svg(width: number, height: number, ...parts: string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${parts.join("")}</svg>`;
}

function n(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** FNV-1a over the UTF-16 units. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++)
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  return value >>> 0;
}

function tints(
  ground: string,
  far: string,
  mid: string,
  near: string,
  ink: string,
  accent: string,
  light: string,
): Palette {
  return { ground, far, mid, near, ink, accent, light };
}
