import { setImmediate } from "node:timers/promises";
import { shorten } from "../../shared/document/shorten.ts";
import { headlineOf } from "../../shared/entries.ts";
import { routes } from "../../shared/routes.ts";
import { hasTagPage } from "../../shared/tags.ts";
import { readableBlog } from "../blogs/access.ts";
import { cardById, type CardRow } from "../blogs/card-queries.ts";
import { newestEntries } from "../entries/feed-queries.ts";
import { pictureIdOf } from "../media/paths.ts";
import { siteFacts } from "../site/info.ts";
import { absoluteHtml, picturesIn } from "./absolute.ts";
import { enclosureOf, maxTextLength, signature, type EntryServices } from "./entries.ts";
import type { FeedEntry } from "./formats.ts";

const most = { entries: 50, bytes: maxTextLength };

/**
 * Returns a live blog that guests can read, with its newest entries as feed entries; undefined for another blog. Throws `not_found`.
 */
export async function liveBlogFeed(
  services: EntryServices,
  slug: string,
): Promise<{ blog: CardRow; entries: FeedEntry[] } | undefined> {
  const { config, database } = services;
  const { read } = database;
  const { id } = await readableBlog(read, null, { slug });
  const newest = (await newestEntries(read, [id], null, most)).get(id)?.entries ?? [];
  const blog = await cardById(read, id, null);
  // After reading the texts: access may have ended meanwhile.
  const { liveSince } = await readableBlog(read, null, { id });
  if (!blog || blog.draft || liveSince === null) return undefined;
  const site = await siteFacts(services);
  const toUrl = (path: string): string => config.publicUrl + path;
  const page = toUrl(routes.blog(blog.slug));
  const entries: FeedEntry[] = [];
  for (const entry of newest) {
    const pictureId = pictureIdOf(picturesIn(entry.html)[0] ?? "");
    entries.push({
      id: `urn:uuid:${entry.id}`,
      url: toUrl(routes.entry(blog.slug, entry.id)),
      title: headlineOf(entry),
      summary: shorten(entry.excerpt, 220),
      html: absoluteHtml(entry.html, page, toUrl),
      language: blog.language || undefined,
      publishedAt: new Date(entry.at),
      updatedAt: new Date(Math.max(entry.at, entry.editedAt ?? 0)),
      // An entry stays the blog's if its author is hidden or their account is gone; Atom requires a name.
      authors: [
        entry.author && !entry.isHidden
          ? signature(services, entry.author)
          : { name: site.name, url: config.publicUrl },
      ],
      tags: blog.tags.filter(hasTagPage),
      picture: pictureId ? await enclosureOf(services, pictureId, toUrl) : null,
    });
    await setImmediate();
  }
  return { blog, entries };
}
