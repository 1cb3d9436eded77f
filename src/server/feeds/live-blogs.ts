import { escapeHtml } from "../../shared/document/html-tags.ts";
import { routes } from "../../shared/routes.ts";
import type { Connection } from "../database/connection.ts";
import { newestEntries, type NewestEntries, type NewestEntry } from "../entries/feed-queries.ts";

/* A live blog in the feeds of several blogs: one item with its newest entries. */

/** The most entries, and bytes of their HTML after the first. */
const most = { entries: 50, bytes: 100_000 };

/** Returns the newest entries of the live blogs among these blogs. */
export const newestEntriesOf = (
  connection: Connection,
  rows: { id: string; liveSince: number | null }[],
  viewerId: string | null,
): Promise<Map<string, NewestEntries>> =>
  newestEntries(
    connection,
    rows.flatMap(({ id, liveSince }) => (liveSince === null ? [] : [id])),
    viewerId,
    most,
  );

const times = new Intl.DateTimeFormat("en", {
  dateStyle: "long",
  timeStyle: "short",
  timeZone: "UTC",
  hourCycle: "h23",
});

const link = (path: string, html: string): string => `<a href="${escapeHtml(path)}">${html}</a>`;

function entryHtml({ id, at, title, html }: NewestEntry, slug: string): string {
  const path = routes.entry(slug, id);
  const heading = title && `<h2>${link(path, escapeHtml(title))}</h2>`;
  const time = `<time datetime="${new Date(at).toISOString()}">${times.format(at)} UTC</time>`;
  return `${heading}<p>${link(path, time)}</p>${html}`;
}

/** Returns a live blog's text in a feed: its introduction, its summary and its newest entries, as HTML with local links. */
export function liveBlogHtml(
  introduction: string,
  slug: string,
  summary: string[],
  newest: NewestEntries,
): string {
  const points = summary.map((point) => `<li>${escapeHtml(point)}</li>`).join("");
  const more = `<p>${link(routes.blog(slug), "Earlier entries are on the blog’s page.")}</p>`;
  return [
    introduction,
    points && `<ul>${points}</ul>`,
    ...newest.entries.map((entry) => `<hr>${entryHtml(entry, slug)}`),
    newest.isCut ? `<hr>${more}` : "",
  ].join("");
}
