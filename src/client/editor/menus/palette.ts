/**
 * A colour chosen for white paper and stored as written here. In dark mode ui/prose.css inverts the lightness of text colours,
 * and puts dark ink on backgrounds.
 */
export interface Swatch {
  name: string;
  value: string;
}

export const swatchPaper = "#ffffff";
export const swatchInk = "#1c1a17";

export const textColors: readonly Swatch[] = [
  { name: "Red", value: "#b3261e" },
  { name: "Orange", value: "#a84b00" },
  { name: "Ochre", value: "#7d5c00" },
  { name: "Green", value: "#2c6e49" },
  { name: "Teal", value: "#0b6670" },
  { name: "Blue", value: "#1d5fb4" },
  { name: "Violet", value: "#6b3fb0" },
  { name: "Pink", value: "#a62a72" },
  { name: "Brown", value: "#7a4a2b" },
  { name: "Grey", value: "#6b665e" },
];

export const backgroundColors: readonly Swatch[] = [
  { name: "Yellow", value: "#fff0a3" },
  { name: "Orange", value: "#ffdcb8" },
  { name: "Red", value: "#ffd3cc" },
  { name: "Pink", value: "#fcd5e8" },
  { name: "Violet", value: "#e6d9fb" },
  { name: "Blue", value: "#d3e4fd" },
  { name: "Teal", value: "#c9ecee" },
  { name: "Green", value: "#d3efd9" },
  { name: "Sand", value: "#efe3cc" },
  { name: "Grey", value: "#e4e1db" },
];
