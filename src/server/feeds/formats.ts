import { generateAtomFeed, generateJsonFeed, generateRssFeed } from "feedsmith";
import { feedTypes, type FeedFile } from "../../shared/feeds.ts";
import { validXml, xmlText } from "./xml.ts";

/** A blog in a feed, or an entry in that of its live blog, with absolute URLs. */
export interface FeedEntry {
  /** Stable if the slug changes. */
  id: string;
  url: string;
  title: string;
  summary: string;
  html: string;
  /** If known. */
  language: string | undefined;
  publishedAt: Date;
  updatedAt: Date;
  authors: { name: string; url: string }[];
  tags: string[];
  picture: { url: string; bytes: number; type: string } | null;
}

export interface Feed {
  id: string;
  title: string;
  description: string;
  language: string;
  /** The page whose feed this is. */
  page: string;
  /** The feed's own URL. */
  self: string;
  icon: string;
  hub: string | undefined;
  entries: FeedEntry[];
}

export const writeFeed = (feed: Feed, file: FeedFile): string => writers[file](feed);

/** For an empty feed the epoch, so that the result is stable. */
const updatedAt = ({ entries }: Feed): Date =>
  new Date(Math.max(0, ...entries.map((entry) => entry.updatedAt.getTime())));
const generator = "Reprise";
/** In the order that feed readers expect. */
const linksOf = (feed: Feed, file: FeedFile) => [
  { href: feed.self, rel: "self", type: feedTypes[file] },
  ...(feed.hub ? [{ href: feed.hub, rel: "hub" }] : []),
];
const enclosureOf = ({ picture }: FeedEntry) =>
  picture ? [{ url: picture.url, length: picture.bytes, type: picture.type }] : [];

/** RSS 2.0 allows no WebP, which people's and sites' own pictures are. */
const isRssImage = (url: string): boolean => url.endsWith(".png");
/** The greatest width that RSS allows. */
const imageSize = { width: 144, height: 144 };

const writers: Record<FeedFile, (feed: Feed) => string> = {
  "feed.xml": (feed) =>
    asXml(
      generateRssFeed({
        title: feed.title,
        link: feed.page,
        description: xmlText(feed.description),
        language: feed.language,
        lastBuildDate: updatedAt(feed),
        generator,
        ...(isRssImage(feed.icon)
          ? { image: { url: feed.icon, title: feed.title, link: feed.page, ...imageSize } }
          : {}),
        atom: { links: linksOf(feed, "feed.xml") },
        items: feed.entries.map((entry) => ({
          title: entry.title,
          link: entry.url,
          // Readers take it for HTML.
          description: xmlText(entry.summary),
          guid: { value: entry.id, isPermaLink: false },
          pubDate: entry.publishedAt,
          categories: entry.tags.map((name) => ({ name })),
          enclosures: enclosureOf(entry),
          dc: {
            creators: entry.authors.map(({ name }) => name),
            ...(entry.language && { languages: [entry.language] }),
          },
          atom: { updated: entry.updatedAt },
          content: { encoded: entry.html },
        })),
      }),
    ),
  "atom.xml": (feed) =>
    asXml(
      generateAtomFeed({
        xml: { lang: feed.language },
        id: feed.id,
        title: { value: feed.title, type: "text" },
        subtitle: { value: feed.description, type: "text" },
        updated: updatedAt(feed),
        generator: { text: generator },
        icon: feed.icon,
        links: [...linksOf(feed, "atom.xml"), { href: feed.page, rel: "alternate", type: "text/html" }],
        entries: feed.entries.map((entry) => ({
          ...(entry.language && { xml: { lang: entry.language } }),
          id: entry.id,
          title: { value: entry.title, type: "text" as const },
          summary: { value: entry.summary, type: "text" as const },
          content: { value: entry.html, type: "html" as const },
          published: entry.publishedAt,
          updated: entry.updatedAt,
          authors: entry.authors.map(({ name, url }) => ({ name, uri: url })),
          categories: entry.tags.map((term) => ({ term })),
          links: [
            { href: entry.url, rel: "alternate", type: "text/html" },
            ...enclosureOf(entry).map(({ url, ...rest }) => ({ href: url, rel: "enclosure", ...rest })),
          ],
        })),
      }),
    ),
  "feed.json": (feed) => {
    const json = generateJsonFeed({
      title: feed.title,
      home_page_url: feed.page,
      feed_url: feed.self,
      description: feed.description,
      language: feed.language,
      icon: feed.icon,
      ...(feed.hub ? { hubs: [{ type: "WebSub", url: feed.hub }] } : {}),
      items: feed.entries.map((entry) => ({
        id: entry.id,
        url: entry.url,
        title: entry.title,
        summary: entry.summary,
        content_html: entry.html,
        ...(entry.language && { language: entry.language }),
        date_published: entry.publishedAt,
        date_modified: entry.updatedAt,
        authors: entry.authors,
        tags: entry.tags,
        ...(entry.picture
          ? {
              image: entry.picture.url,
              attachments: [
                {
                  url: entry.picture.url,
                  mime_type: entry.picture.type,
                  size_in_bytes: entry.picture.bytes,
                },
              ],
            }
          : {}),
      })),
    });
    // Required by JSON Feed even if empty, and left out by the library.
    return JSON.stringify({ items: [], ...(json as object) }).toWellFormed();
  },
};

/** Line breaks around CDATA, which some readers show. */
const cdataSpacing = /(<[^<>!]+>)\s+((?:<!\[CDATA\[[^]*?\]\]>)+)\s+(?=<\/)/g;

const asXml = (xml: string): string => validXml(xml).replace(cdataSpacing, "$1$2");
