import type { Mapped } from "../database/site-map.ts";

const head = '<?xml version="1.0" encoding="UTF-8"?>\n';
const schema = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** Text for an element or a quoted attribute of XML. */
export const xmlText = (text: string): string => text.replace(/[&<>"']/g, (letter) => entities[letter]!);

const entry = (tag: string, origin: string, { path, at }: Mapped): string =>
  `<${tag}><loc>${xmlText(origin + path)}</loc>${at === null ? "" : `<lastmod>${new Date(at).toISOString()}</lastmod>`}</${tag}>\n`;

/** A part of the map (sitemaps.org); empty where there is nothing in it, since a part without anything is none. */
export const urlSet = (origin: string, places: Mapped[]): string =>
  places.length === 0
    ? ""
    : `${head}<urlset ${schema}>\n${places.map((place) => entry("url", origin, place)).join("")}</urlset>\n`;

/** The list of its parts. */
export const mapIndex = (origin: string, parts: Mapped[]): string =>
  `${head}<sitemapindex ${schema}>\n${parts.map((part) => entry("sitemap", origin, part)).join("")}</sitemapindex>\n`;
