import { setImmediate } from "node:timers/promises";
import { jpegPath } from "../../shared/cards.ts";
import { routes } from "../../shared/routes.ts";
import { hasTagPage } from "../../shared/tags.ts";
import { readableFacts } from "../blogs/access.ts";
import type { CardRow } from "../blogs/card-queries.ts";
import { blogHtml } from "../blogs/queries.ts";
import type { RequestViewer, Services } from "../context.ts";
import { pictureIdOf } from "../media/paths.ts";
import { absoluteHtml, picturesIn } from "./absolute.ts";
import { authorsIn } from "../blogs/present.ts";
import type { FeedEntry } from "./formats.ts";
import { liveBlogHtml, newestEntriesOf } from "./live-blogs.ts";

/** Fewer if their texts exceed `maxTextLength` characters. */
export const maxEntries = 20;
export const maxTextLength = 1_500_000;

/** Makes a URL of a local path. */
export type ToUrl = (path: string) => string;

export type EntryServices = Pick<Services, "config" | "database" | "media" | "log">;

/**
 * Returns feed entries of the blogs that the viewer can read, yielding in between. `toUrlFor` gets all pictures and returns how
 * to make their URLs.
 */
export async function entriesOf(
  services: EntryServices,
  viewer: RequestViewer | null,
  rows: CardRow[],
  toUrlFor: (pictures: string[]) => ToUrl | Promise<ToUrl>,
): Promise<FeedEntry[]> {
  const { read } = services.database;
  const texts: { row: CardRow; html: string; changedAt: number; pictureId: string | null }[] = [];
  let remaining = maxTextLength;
  const shownRows = rows.slice(0, maxEntries);
  const newestById = await newestEntriesOf(read, shownRows, viewer?.id ?? null);
  for (const row of shownRows) {
    const text = await blogHtml(read, row.id);
    // After reading the text: access may have ended since the card was read.
    const facts = await readableFacts(read, viewer, { id: row.id });
    if (!facts) continue;
    const newest = newestById.get(row.id);
    const html = newest ? liveBlogHtml(text, row.slug, facts.summary, newest) : text;
    remaining -= html.length;
    if (remaining < 0 && texts.length > 0) break;
    const pictureId = row.cover?.id ?? pictureIdOf(picturesIn(html)[0] ?? "");
    const changedAt = Math.max(row.publishedAt, facts.editedAt ?? 0, newest?.changedAt ?? 0);
    texts.push({ row, html, changedAt, pictureId });
    await setImmediate();
  }
  const toUrl = await toUrlFor(
    texts.flatMap(({ html, pictureId }) => [
      ...picturesIn(html),
      ...(pictureId ? [jpegPath(pictureId)] : []),
    ]),
  );
  const entries: FeedEntry[] = [];
  for (const { row, html, changedAt, pictureId } of texts) {
    const url = services.config.publicUrl + routes.blog(row.slug);
    entries.push({
      id: `urn:uuid:${row.id}`,
      url,
      title: row.title,
      summary: row.description || row.excerpt,
      html: absoluteHtml(html, url, toUrl),
      language: row.language || undefined,
      publishedAt: new Date(row.publishedAt),
      updatedAt: new Date(changedAt),
      authors: authorsIn(row).map((author) => signature(services, author)),
      tags: row.tags.filter(hasTagPage),
      picture: pictureId ? await enclosureOf(services, pictureId, toUrl) : null,
    });
    await setImmediate();
  }
  return entries;
}

/** Names an author, with the address of their profile. */
export const signature = (
  { config }: Pick<Services, "config">,
  { name, username }: { name: string; username: string },
): FeedEntry["authors"][number] => ({ name, url: config.publicUrl + routes.profile(username) });

/** Returns a picture with its file size; null without a file. */
export async function enclosureOf(
  { media, log }: EntryServices,
  id: string,
  toUrl: ToUrl,
): Promise<FeedEntry["picture"]> {
  const bytes = await media.jpegBytes(id, "feeds").catch((error: unknown) => {
    log.warn({ err: error, id }, "a picture could not be converted for a feed");
    return null;
  });
  return bytes === null ? null : { url: toUrl(jpegPath(id)), bytes, type: "image/jpeg" };
}
