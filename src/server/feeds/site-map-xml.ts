import type { SiteMapEntry } from "../database/site-map.ts";
import { xmlText } from "./xml.ts";

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';
const schema = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

const entry = (tag: string, origin: string, { path, at }: SiteMapEntry): string =>
  `<${tag}><loc>${xmlText(origin + path)}</loc>${at === null ? "" : `<lastmod>${new Date(at).toISOString()}</lastmod>`}</${tag}>\n`;

/** Returns a part of the sitemap (sitemaps.org); "" without entries, since an empty part is invalid. */
export const urlSet = (origin: string, places: SiteMapEntry[]): string =>
  places.length === 0
    ? ""
    : `${declaration}<urlset ${schema}>\n${places.map((place) => entry("url", origin, place)).join("")}</urlset>\n`;

export const mapIndex = (origin: string, parts: SiteMapEntry[]): string =>
  `${declaration}<sitemapindex ${schema}>\n${parts.map((part) => entry("sitemap", origin, part)).join("")}</sitemapindex>\n`;
