import { stat } from "node:fs/promises";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import { routes } from "../../shared/routes.ts";
import { readableFacts } from "../blogs/access.ts";
import type { CardRow } from "../blogs/card-queries.ts";
import { blogHtml } from "../blogs/queries.ts";
import type { Asker, Parts } from "../context.ts";
import { pictureIdOf, picturePath } from "../media/paths.ts";
import { absoluteHtml, picturesIn } from "./absolute.ts";
import { authorsIn } from "../blogs/present.ts";
import type { Entry } from "./formats.ts";

/** So many of the newest are in a feed; fewer where their texts come to more characters together. */
export const mostEntries = 20;
const mostText = 1_500_000;

/** How an address is made of a path of ours. */
export type Full = (path: string) => string;

type Needs = Pick<Parts, "config" | "database" | "media">;

/**
 * Blogs as a feed has them for whoever may read them, one after the other, so that others have their turn. `fullOf` says of the pictures of all how their addresses are made.
 */
export async function entriesOf(
  parts: Needs,
  viewer: Asker | null,
  rows: CardRow[],
  fullOf: (pictures: string[]) => Full | Promise<Full>,
): Promise<Entry[]> {
  const { read } = parts.database;
  const texts: { row: CardRow; html: string; editedAt: number | null; picture: string | undefined }[] = [];
  let left = mostText;
  for (const row of rows.slice(0, mostEntries)) {
    const html = await blogHtml(read, row.id);
    // Asked after its text was read: it may have been closed since its card was.
    const facts = await readableFacts(read, viewer, { id: row.id });
    if (!facts) continue;
    left -= html.length;
    if (left < 0 && texts.length > 0) break;
    const picture = row.cover ? picturePath(row.cover.id) : picturesIn(html)[0];
    texts.push({ row, html, editedAt: facts.editedAt, picture });
    await setImmediate();
  }
  const full = await fullOf(
    texts.flatMap(({ html, picture }) => [...picturesIn(html), ...(picture ? [picture] : [])]),
  );
  const entries: Entry[] = [];
  for (const { row, html, editedAt, picture } of texts) {
    const url = parts.config.publicUrl + routes.blog(row.slug);
    entries.push({
      id: `urn:uuid:${row.id}`,
      url,
      title: row.title,
      summary: row.description || row.excerpt,
      html: absoluteHtml(html, url, full),
      language: row.language || undefined,
      publishedAt: new Date(row.publishedAt),
      updatedAt: new Date(Math.max(row.publishedAt, editedAt ?? 0)),
      authors: authorsIn(row).map(({ name, username }) => ({
        name,
        url: parts.config.publicUrl + routes.profile(username),
      })),
      tags: row.tags,
      picture: picture ? await enclosureOf(parts, picture, full) : null,
    });
    await setImmediate();
  }
  return entries;
}

/** A picture with the size of its file; null where the file is gone. */
async function enclosureOf({ media }: Needs, picture: string, full: Full): Promise<Entry["picture"]> {
  const id = pictureIdOf(picture);
  if (id === null) return null;
  const file = await stat(path.join(media.folderOf(id), path.basename(picture))).catch(() => null);
  return file && { url: full(picture), bytes: file.size, type: "image/webp" };
}
