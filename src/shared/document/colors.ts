// The names people type and old editors write. All others are a matter of hex.
const named: Record<string, string> = {
  aqua: "#00ffff",
  beige: "#f5f5dc",
  black: "#000000",
  blue: "#0000ff",
  brown: "#a52a2a",
  coral: "#ff7f50",
  crimson: "#dc143c",
  cyan: "#00ffff",
  darkblue: "#00008b",
  darkgray: "#a9a9a9",
  darkgreen: "#006400",
  darkgrey: "#a9a9a9",
  darkorange: "#ff8c00",
  darkred: "#8b0000",
  fuchsia: "#ff00ff",
  gold: "#ffd700",
  gray: "#808080",
  green: "#008000",
  grey: "#808080",
  indigo: "#4b0082",
  khaki: "#f0e68c",
  lavender: "#e6e6fa",
  lightblue: "#add8e6",
  lightgray: "#d3d3d3",
  lightgreen: "#90ee90",
  lightgrey: "#d3d3d3",
  lightyellow: "#ffffe0",
  lime: "#00ff00",
  magenta: "#ff00ff",
  maroon: "#800000",
  navy: "#000080",
  olive: "#808000",
  orange: "#ffa500",
  pink: "#ffc0cb",
  plum: "#dda0dd",
  purple: "#800080",
  red: "#ff0000",
  salmon: "#fa8072",
  silver: "#c0c0c0",
  teal: "#008080",
  tomato: "#ff6347",
  turquoise: "#40e0d0",
  violet: "#ee82ee",
  white: "#ffffff",
  yellow: "#ffff00",
};

const channel = String.raw`\s*(\d{1,3}(?:\.\d{1,3})?%?)\s*`;
const functional = new RegExp(
  String.raw`^rgba?\((?:${channel},${channel},${channel}(?:,\s*([\d.]{1,8}%?)\s*)?|\s*(\d{1,3}%?)\s+(\d{1,3}%?)\s+(\d{1,3}%?)\s*(?:/\s*([\d.]{1,8}%?)\s*)?)\)$`,
);

/** A CSS colour as `#rrggbb`, or `#rrggbbaa` where it is part transparent; null for what is no colour or can not be seen. */
export function safeColor(value: unknown): string | null {
  if (typeof value !== "string" || value.length > 64) return null;
  const color = value
    .trim()
    .toLowerCase()
    .replace(/\s*!important$/, "");
  const hex = Object.hasOwn(named, color) ? named[color] : (fromHex(color) ?? fromFunction(color));
  if (!hex || hex.length === 7) return hex ?? null;
  if (hex.endsWith("00")) return null;
  return hex.endsWith("ff") ? hex.slice(0, 7) : hex;
}

function fromHex(color: string): string | null {
  if (!/^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/.test(color)) return null;
  return color.length > 5 ? color : color.replace(/[0-9a-f]/g, "$&$&");
}

function fromFunction(color: string): string | null {
  const parts = functional
    .exec(color)
    ?.slice(1)
    .filter((part) => part !== undefined);
  if (!parts) return null;
  const bytes = parts.map((part, place) => {
    const number = Number.parseFloat(part);
    const whole = part.endsWith("%") ? 100 : place === 3 ? 1 : 255;
    return Math.min(255, Math.round((number / whole) * 255));
  });
  if (bytes.some((byte) => Number.isNaN(byte))) return null;
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
