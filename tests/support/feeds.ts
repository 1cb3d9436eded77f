import { parseAtomFeed, parseJsonFeed, parseRssFeed } from "feedsmith";
import Parser from "rss-parser";
import { expect } from "vitest";
import type { FeedFile } from "../../src/shared/feeds.ts";

export const formats: [FeedFile, string][] = [
  ["feed.xml", "application/rss+xml"],
  ["atom.xml", "application/atom+xml"],
  ["feed.json", "application/feed+json"],
];

/** One entry as every format represents it. */
export interface ReadEntry {
  id: string | undefined;
  url: string | undefined;
  title: string | undefined;
  html: string | undefined;
  summary: string | undefined;
  /** Their names, in order. */
  authors: (string | undefined)[];
  tags: string[];
  published: number;
  updated: number;
  picture: { url: string; type: string | undefined; length: number | undefined } | undefined;
}
export interface ReadFeed {
  title: string | undefined;
  description: string | undefined;
  page: string | undefined;
  self: string | undefined;
  hub: string | undefined;
  icon: string | undefined;
  language: string | undefined;
  entries: ReadEntry[];
}

const time = (date: unknown) => Date.parse(String(date));
const linkOf = (links: { rel?: string; href?: string }[] | undefined, rel: string) =>
  links?.find((link) => link.rel === rel)?.href;

function readRss(text: string): ReadFeed {
  const feed = parseRssFeed(text);
  return {
    title: feed.title,
    description: feed.description,
    page: feed.link,
    self: linkOf(feed.atom?.links, "self"),
    hub: linkOf(feed.atom?.links, "hub"),
    icon: feed.image?.url,
    language: feed.language,
    entries: (feed.items ?? []).map((item) => ({
      id: item.guid?.value,
      url: item.link,
      title: item.title,
      html: item.content?.encoded,
      summary: item.description,
      authors: item.dc?.creators ?? [],
      tags: (item.categories ?? []).map(({ name }) => name ?? ""),
      published: time(item.pubDate),
      updated: time(item.atom?.updated),
      picture: item.enclosures?.[0] && {
        url: item.enclosures[0].url ?? "",
        type: item.enclosures[0].type,
        length: item.enclosures[0].length,
      },
    })),
  };
}

function readAtom(text: string): ReadFeed {
  const feed = parseAtomFeed(text);
  return {
    title: feed.title?.value,
    description: feed.subtitle?.value,
    page: linkOf(feed.links, "alternate"),
    self: linkOf(feed.links, "self"),
    hub: linkOf(feed.links, "hub"),
    icon: feed.icon,
    language: feed.xml?.lang,
    entries: (feed.entries ?? []).map((entry) => {
      const picture = entry.links?.find(({ rel }) => rel === "enclosure");
      return {
        id: entry.id,
        url: linkOf(entry.links, "alternate"),
        title: entry.title?.value,
        html: entry.content?.value,
        summary: entry.summary?.value,
        authors: (entry.authors ?? []).map(({ name }) => name),
        tags: (entry.categories ?? []).map(({ term }) => term ?? ""),
        published: time(entry.published),
        updated: time(entry.updated),
        picture: picture && { url: picture.href ?? "", type: picture.type, length: picture.length },
      };
    }),
  };
}

function readJson(text: string): ReadFeed {
  const feed = parseJsonFeed(JSON.parse(text));
  return {
    title: feed.title,
    description: feed.description,
    page: feed.home_page_url,
    self: feed.feed_url,
    hub: feed.hubs?.[0]?.url,
    icon: feed.icon,
    language: feed.language,
    entries: (feed.items ?? []).map((item) => ({
      id: item.id,
      url: item.url,
      title: item.title,
      html: item.content_html,
      summary: item.summary,
      authors: (item.authors ?? []).map(({ name }) => name),
      tags: item.tags ?? [],
      published: time(item.date_published),
      updated: time(item.date_modified),
      picture: item.attachments?.[0] && {
        url: item.attachments[0].url ?? "",
        type: item.attachments[0].mime_type,
        length: item.attachments[0].size_in_bytes,
      },
    })),
  };
}

const readers = { "feed.xml": readRss, "atom.xml": readAtom, "feed.json": readJson };

/** Parses a feed with the library that wrote it; another parser has to read the same from XML. */
export async function readFeed(file: FeedFile, text: string): Promise<ReadFeed> {
  const feed = readers[file](text);
  expectByTheRules(file, text);
  if (file === "feed.json") return feed;
  const parsed = await new Parser<object, { id?: string; "content:encoded"?: string }>().parseString(text);
  expect(parsed.title).toBe(feed.title);
  expect(parsed.items.map(({ title }) => title?.trim())).toEqual(
    feed.entries.map(({ title }) => title?.trim()),
  );
  expect(parsed.items.map(({ link }) => link)).toEqual(feed.entries.map(({ url }) => url));
  expect(parsed.items.map((item) => item.guid ?? item.id)).toEqual(feed.entries.map(({ id }) => id));
  expect(parsed.items.map((item) => (item["content:encoded"] ?? item.content)?.trim())).toEqual(
    feed.entries.map(({ html }) => html?.trim()),
  );
  expect(parsed.items.map(({ isoDate }) => time(isoDate))).toEqual(
    feed.entries.map(({ published }) => published),
  );
  return feed;
}

/** Expects what the formats require but no reader enforces. */
function expectByTheRules(file: FeedFile, text: string): void {
  if (file === "feed.json") {
    const feed = JSON.parse(text);
    expect(feed.version).toBe("https://jsonfeed.org/version/1.1");
    for (const item of feed.items) {
      expect(typeof item.id).toBe("string");
      expect(item.content_html ?? item.content_text).toBeTypeOf("string");
      for (const date of [item.date_published, item.date_modified])
        expect(date).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
    }
    return;
  }
  expect(text.startsWith('<?xml version="1.0" encoding="utf-8"?>')).toBe(true);
  // XML 1.0, 2.2: no other characters, not even in CDATA.
  expect(text).not.toMatch(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u);
  const entries = text.match(/<(?:item|entry)(?: [^>]*)?>[^]*?<\/(?:item|entry)>/g) ?? [];
  const head = text.replace(/<(?:item|entry)(?: [^>]*)?>[^]*<\/(?:item|entry)>/, "");
  if (file === "feed.xml") {
    for (const name of ["title", "link", "description", "language", "lastBuildDate"])
      expect(head).toMatch(new RegExp(`<${name}>`));
    expect(head).toContain('<rss version="2.0"');
    // RSS 2.0 allows GIF, JPEG and PNG, at most 144 pixels wide.
    for (const [image] of head.matchAll(/<image>[^]*?<\/image>/g)) {
      expect(image).toMatch(/<url>[^<]+\.(?:gif|jpe?g|png)<\/url>/);
      expect(Number(/<width>(\d+)<\/width>/.exec(image)?.[1])).toBeLessThanOrEqual(144);
    }
    for (const entry of entries) {
      expect(entry).toMatch(/<guid isPermaLink="false">urn:uuid:[0-9a-f-]{36}<\/guid>/);
      // RFC 822 with a four-digit year, as RSS 2.0 requires.
      expect(entry).toMatch(/<pubDate>\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT<\/pubDate>/);
      expect(entry.match(/<enclosure /g)?.length ?? 0).toBeLessThanOrEqual(1);
    }
    return;
  }
  // RFC 4287, 4.1.1 and 4.1.2.
  expect(head).toContain('xmlns="http://www.w3.org/2005/Atom"');
  for (const part of [head, ...entries])
    for (const name of ["id", "title", "updated"])
      expect(part.match(new RegExp(`<${name}[ >]`, "g")), name).toHaveLength(1);
  for (const entry of entries) expect(entry).toContain("<author>");
  expect(head).toMatch(/<link [^>]*rel="self"/);
}
