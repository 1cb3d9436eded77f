import { shorten } from "../../shared/document/shorten.ts";
import { unescapeHtml } from "../../shared/document/html-tags.ts";
import { defaultOrder, entryLimits } from "../../shared/entries.ts";
import type { Entry, LiveState } from "../../shared/entries.ts";
import { routes } from "../../shared/routes.ts";
import type { Person, SiteInfo } from "../../shared/users.ts";
import type { Data } from "../api/trpc.ts";

/* Structured data of a live blog (schema.org), for page-head.ts. */

/** The most characters of an entry's text. */
const maxText = 300;

export const personData = ({ publicUrl }: SiteInfo, { name, username }: Person) => {
  const url = publicUrl + routes.profile(username);
  return { "@type": "Person", "@id": url, name, url };
};

/** Returns what a live blog has beyond a blog: its time, and the entries that its page shows first. */
export async function liveBlogData(
  blog: { id: string; slug: string; live: LiveState },
  data: Data,
  site: SiteInfo,
): Promise<{ changedAt: string; properties: object }> {
  const { since, ended } = blog.live;
  // The page is useful without them, too.
  const { entries } = await data.blogs.entries
    .fetch({ blogId: blog.id, order: defaultOrder(blog.live) })
    .catch((): { entries: Entry[] } => ({ entries: [] }));
  const shown = entries.slice(0, entryLimits.page);
  return {
    changedAt: shown.map(changeOf).reduce(later, since),
    properties: {
      coverageStartTime: since,
      ...(ended !== null && { coverageEndTime: ended }),
      ...(shown.length > 0 && { liveBlogUpdate: shown.map((entry) => entryData(entry, blog.slug, site)) }),
    },
  };
}

/** Returns the later of two times (ISO 8601). */
export const later = (one: string, other: string): string =>
  Date.parse(other) > Date.parse(one) ? other : one;

const changeOf = ({ at, editedAt }: Entry): string => later(at, editedAt ?? at);

/** An entry as a posting of its own. */
export function entryData(entry: Entry, slug: string, site: SiteInfo): object {
  const url = site.publicUrl + routes.entry(slug, entry.id);
  return {
    "@type": "BlogPosting",
    "@id": url,
    url,
    headline: entry.headline,
    datePublished: entry.at,
    dateModified: changeOf(entry),
    ...(entry.author && { author: personData(site, entry.author) }),
    articleBody: shorten(textOf(entry.html), maxText),
  };
}

/** Elements within a line, whose tags separate no words. */
const inline = "a|abbr|b|bdi|code|em|i|mark|s|small|span|strong|sub|sup|time|u";
const inlineTag = new RegExp(`</?(?:${inline})(?=[\\s>])(?:"[^"]*"|[^<>"])*>`, "g");

/** Returns the text of published HTML; of a formula its TeX. */
const textOf = (html: string): string =>
  unescapeHtml(
    html
      .replace(/<math\b[^]*?<annotation[^>]*>([^<]*)<\/annotation>[^]*?<\/math>/g, "$1")
      .replace(inlineTag, "")
      .replace(/<(?:"[^"]*"|[^<>"])*>/g, " "),
  );
