import { readFile } from "node:fs/promises";
import sharp, { type OverlayOptions } from "sharp";
import { cardSize } from "../../shared/cards.ts";
import { limits } from "../../shared/limits.ts";

/** Texts are drawable (card-text.ts); pictures are ids, and in the image process paths of our files. */
export interface Card {
  title: string;
  name: string;
  site: string;
  /** `#rrggbb`. */
  accent: string;
  /** Initials in a circle of this hue replace a missing picture. Empty: no circle. */
  initials: string;
  hue: number;
  picture: string | null;
  /** The site's logo, in place of our mark. */
  sitePicture: string | null;
}

const margin = 80;
const paper = "#fbfaf6";
const ink = "#211d1a";
const softInk = "#5f5851";
/** The title is between these, on the whole width. */
const titleArea = { top: 168, bottom: 464, width: cardSize.width - 2 * margin };
const sizes = [84, 72, 62, 54, 47, 41, 36, 32];
const portrait = { size: 88, top: 496 };
const logo = { size: 52, top: 68, largeSize: 192 };

const mark = (size: number, color: string, at: [left: number, top: number], opacity = 1): string =>
  `<g transform="translate(${at.join(" ")}) scale(${size / 24})" fill="${color}" opacity="${opacity}"><circle cx="5.5" cy="9" r="2"/><circle cx="5.5" cy="15" r="2"/><path d="M11 3h1.6v18H11zM15.8 3H20v18h-4.2z"/></g>`;
const svg = (width: number, height: number, content: string): Buffer =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${content}</svg>`);

interface Piece {
  input: Buffer;
  width: number;
  height: number;
}

/**
 * Renders text with Pango in any direction. A word that is wider than `width` is broken, or makes the piece wider. Returns
 * undefined where Cairo cannot draw it, as with pieces of more than 32,767 pixels.
 */
async function renderText(
  text: string,
  size: number,
  color: string,
  width: number,
  wrap: "word" | "word-char" = "word-char",
): Promise<Piece | undefined> {
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const rendered = await sharp({
    text: {
      text: `<span foreground="${color}">${escaped}</span>`,
      font: `Newsreader SemiBold ${size}`,
      width,
      rgba: true,
      wrap,
      spacing: Math.round(size * 0.06),
    },
  })
    .png()
    .toBuffer({ resolveWithObject: true })
    .catch(() => undefined);
  return rendered && { input: rendered.data, width: rendered.info.width, height: rendered.info.height };
}

/** Renders the title as large as fits, breaking words only if none fits otherwise. Returns undefined if it cannot be drawn. */
async function renderTitle(title: string): Promise<Piece | undefined> {
  if (title === "") return undefined;
  const maxHeight = titleArea.bottom - titleArea.top;
  let piece: Piece | undefined;
  for (const wrap of ["word", "word-char"] as const)
    for (const size of sizes) {
      piece = await renderText(title, size, ink, titleArea.width, wrap);
      if (piece && piece.height <= maxHeight && piece.width <= titleArea.width) return piece;
    }
  if (!piece) return undefined;
  // Stacked combining marks: crop it.
  const { input, width, height } = piece;
  const [shownWidth, shownHeight] = [Math.min(width, titleArea.width), Math.min(height, maxHeight)];
  const cropped = await sharp(input)
    .extract({ left: 0, top: 0, width: shownWidth, height: shownHeight })
    .png()
    .toBuffer();
  return { input: cropped, width: shownWidth, height: shownHeight };
}

const isRightToLeft = (text: string): boolean => /^[^\p{L}]*[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(text);

/** Renders a name on one line, shortened if too long. */
async function renderLine(
  text: string,
  size: number,
  color: string,
  maxWidth: number,
): Promise<Piece | undefined> {
  if (text === "") return undefined;
  const letters = [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);
  for (let count = letters.length; ; count = Math.floor(count * 0.85)) {
    const shortened = count === letters.length ? text : `${letters.slice(0, count).join("").trim()}…`;
    // Prevents line breaks.
    const piece = await renderText(shortened, size, color, 4_000);
    if (count < 4 || (piece && piece.width <= maxWidth)) return piece;
  }
}

async function pictureOf(file: string, size: number, mask: string): Promise<Buffer | null> {
  try {
    return await sharp(await readFile(file), { pages: 1, limitInputPixels: limits.image.pixels })
      .resize(size, size, { fit: "cover" })
      .composite([{ input: svg(size, size, mask), blend: "dest-in" }])
      .png()
      .toBuffer();
  } catch {
    // Deleted meanwhile.
    return null;
  }
}

const logoOf = (file: string, size: number): Promise<Buffer | null> =>
  pictureOf(file, size, `<rect width="${size}" height="${size}" rx="${Math.round(size / 5)}"/>`);

/** Renders a card to PNG, in a child process (image-pool.ts). */
export async function renderCard(card: Card): Promise<Buffer> {
  // SVG is unblocked for our own markup only.
  sharp.unblock({ operation: ["VipsForeignLoadSvg"] });
  try {
    const { width, height } = cardSize;
    const pieces: OverlayOptions[] = [];
    const radius = portrait.size / 2;
    const hasPortrait = card.picture !== null || card.initials !== "";
    const nameLeft = margin + (hasPortrait ? portrait.size + 26 : 0);
    const [title, name, site] = [
      await renderTitle(card.title),
      await renderLine(card.name, 34, ink, width - margin - nameLeft),
      await renderLine(card.site, 28, softInk, titleArea.width - 90),
    ];
    const picture =
      card.picture &&
      (await pictureOf(card.picture, portrait.size, `<circle cx="${radius}" cy="${radius}" r="${radius}"/>`));
    const siteLogo = card.sitePicture && (await logoOf(card.sitePicture, logo.size));
    const largeLogo = card.sitePicture && !title && (await logoOf(card.sitePicture, logo.largeSize));
    const middle = portrait.top + radius;
    pieces.push({
      input: svg(
        width,
        height,
        `<rect width="${width}" height="${height}" fill="${paper}"/>
        ${siteLogo ? "" : mark(title ? 400 : 460, card.accent, title ? [width - 330, 250] : [width / 2 - 200, 60], title ? 0.07 : 0.14)}
        <rect y="${height - 14}" width="${width}" height="14" fill="${card.accent}"/>
        ${siteLogo ? "" : mark(logo.size, card.accent, [margin - 8, logo.top])}
        ${picture || !hasPortrait ? "" : `<circle cx="${margin + radius}" cy="${middle}" r="${radius}" fill="hsl(${card.hue} 42% 84%)"/>`}`,
      ),
      left: 0,
      top: 0,
    });
    if (siteLogo) pieces.push({ input: siteLogo, left: margin, top: logo.top });
    if (largeLogo)
      pieces.push({
        input: largeLogo,
        left: (width - logo.largeSize) / 2,
        top: (titleArea.top + titleArea.bottom - logo.largeSize) / 2,
      });
    if (site)
      pieces.push({
        input: site.input,
        left: margin + logo.size + 14,
        top: Math.round(logo.top + (logo.size - site.height) / 2),
      });
    if (picture) pieces.push({ input: picture, left: margin, top: portrait.top });
    else if (card.initials !== "") {
      const initials = await renderText(card.initials, 34, `#3a332c`, portrait.size * 2);
      if (initials && initials.width < portrait.size)
        pieces.push({
          input: initials.input,
          left: Math.round(margin + radius - initials.width / 2),
          top: Math.round(middle - initials.height / 2),
        });
    }
    if (name)
      pieces.push({
        input: name.input,
        left: nameLeft,
        top: Math.round(middle - name.height / 2),
      });
    if (title)
      pieces.push({
        input: title.input,
        left: isRightToLeft(card.title) ? width - margin - title.width : margin,
        top: Math.round(titleArea.top + (titleArea.bottom - titleArea.top - title.height) / 2),
      });
    return await sharp({ create: { width, height, channels: 3, background: paper } })
      .composite(pieces)
      .png({ palette: true, colours: 128, effort: 4 })
      .toBuffer();
  } finally {
    sharp.block({ operation: ["VipsForeignLoadSvg"] });
  }
}
