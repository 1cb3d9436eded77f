// Paints the icons of the installed site from its mark during the build.
import sharp from "sharp";
import type { Plugin } from "vite";

const accent = "#c8401f";
const paper = "#fbfaf6";
/** As in src/client/ui/logo.tsx. */
const mark = `<circle cx="5.5" cy="9" r="2"/><circle cx="5.5" cy="15" r="2"/><path d="M11 3h1.6v18H11zM15.8 3H20v18h-4.2z"/>`;

/** `round` is the radius of the corners and `fill` the width of the mark, both as parts of the side. */
const variants = [
  { name: "192", size: 192, round: 0.22, fill: 0.62 },
  { name: "512", size: 512, round: 0.22, fill: 0.62 },
  // The system crops it to its own shape: the mark stays in the middle.
  { name: "maskable", size: 512, round: 0, fill: 0.5 },
  // Apple rounds the corners itself and fills transparent parts black.
  { name: "180", size: 180, round: 0, fill: 0.6 },
];

export const icons: Plugin = {
  name: "icons",
  async generateBundle() {
    for (const { name, size, round, fill } of variants) {
      const offset = 12 * (1 - fill);
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="${size}" height="${size}"><rect width="24" height="24" rx="${24 * round}" fill="${paper}"/><g fill="${accent}" transform="translate(${offset} ${offset}) scale(${fill})">${mark}</g></svg>`;
      const source = await sharp(Buffer.from(svg)).png({ compressionLevel: 9, palette: true }).toBuffer();
      this.emitFile({ type: "asset", fileName: `static/icons/${name}.png`, source });
    }
  },
};
