import { escapeHtml } from "../../shared/document/html-tags.ts";
import { AppError } from "../../shared/errors.ts";
import type { LiveState } from "../../shared/entries.ts";
import { routes } from "../../shared/routes.ts";
import { addressKey } from "../auth/rate-limits.ts";
import { readableBlog } from "../blogs/access.ts";
import { cardById } from "../blogs/card-queries.ts";
import { presentLive } from "../blogs/present.ts";
import type { BlogFacts } from "../blogs/queries.ts";
import type { Context } from "../context.ts";
import { newestEntries, type NewestEntry } from "../entries/feed-queries.ts";
import { cursorNow } from "../live/event-log.ts";
import { siteFacts } from "../site/info.ts";
import type { SiteInfo } from "../../shared/users.ts";
import { renderedHtml } from "../text/render-html.ts";

/* A live blog for the frames of other sites (client/entry-embed.ts), written without React: it is small, and has no state. */

const most = { entries: 20, bytes: 100_000 };

/** A live blog as its frame shows it. */
export interface FramedBlog {
  id: string;
  slug: string;
  title: string;
  language: string;
  live: LiveState;
  /** Newest first, as pages show them. */
  entries: NewestEntry[];
  /** Older ones are left out. */
  isCut: boolean;
  site: SiteInfo;
  /** The position from which the frame follows. */
  cursor: string;
}

/** Returns a live blog that every guest can read and other sites may show, else throws `not_found`. */
export async function framedBlog(ctx: Context, slug: string): Promise<FramedBlog> {
  const { read } = ctx.database;
  const cursor = await cursorNow(read);
  const { id } = requireEmbeddable(await readableBlog(read, null, { slug }));
  const newest = (await newestEntries(read, [id], null, most)).get(id);
  const card = await cardById(read, id, null);
  const client = addressKey(ctx.address);
  const entries: NewestEntry[] = [];
  for (const entry of newest?.entries ?? [])
    entries.push({ ...entry, html: await renderedHtml(ctx.workers, entry.html, client) });
  const site = await siteFacts(ctx);
  // After reading the texts: access may have ended meanwhile.
  const facts = requireEmbeddable(await readableBlog(read, null, { id }));
  const live = presentLive(facts);
  if (!card || !live) throw embedNotFound();
  const { title, language } = card;
  return {
    id,
    slug: facts.slug,
    title,
    language,
    live,
    entries,
    isCut: newest?.isCut ?? false,
    site,
    cursor,
  };
}

function requireEmbeddable(blog: BlogFacts): BlogFacts {
  if (blog.liveSince === null || !blog.embeddable || blog.draft) throw embedNotFound();
  return blog;
}

export const embedNotFound = () =>
  new AppError("not_found", "There is no live blog here for other sites to show.");

/** Returns the whole page. Its links open outside of the frame. */
export function framedPage(blog: FramedBlog, { script, css }: { script: string; css: string[] }): string {
  const { id, slug, title, site, cursor } = blog;
  const page = routes.blog(slug);
  return `<!doctype html>
<html lang="${escapeHtml(site.language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<base target="_blank">
${[...css, ...site.sheets].map((href) => `<link rel="stylesheet" href="${escapeHtml(href)}">`).join("\n")}
<script type="module" src="${escapeHtml(script)}"></script>
<title>${escapeHtml(title)} · ${escapeHtml(site.name)}</title>
<link rel="canonical" href="${escapeHtml(site.publicUrl + page)}">
<link rel="icon" href="${escapeHtml(site.picture ?? "/favicon.svg")}">
</head>
<body data-blog="${escapeHtml(id)}" data-cursor="${escapeHtml(cursor)}">
<main>
${framedEntries(blog)}
</main>
<p class="gone" role="status" hidden>This live blog is no longer available here.</p>
<p class="announced" role="status"></p>
<footer><a href="${escapeHtml(page)}" target="_blank" rel="noopener">Read on ${escapeHtml(site.name)}</a></footer>
</body>
</html>
`;
}

/** Returns the part that the frame replaces after a change. */
export function framedEntries({ slug, title, language, live, entries, isCut }: FramedBlog): string {
  const lang = language ? ` lang="${escapeHtml(language)}"` : "";
  const { summary, ended } = live;
  return [
    `<header><p class="state">${ended === null ? '<span class="live-mark">Live</span>' : "Ended"}</p>`,
    `<h1 dir="auto"${lang}>${escapeHtml(title)}</h1>`,
    ...(summary.length > 0
      ? [
          `<section class="summary" aria-label="Summary"><ul dir="auto"${lang}>`,
          ...summary.map((point) => `<li>${escapeHtml(point)}</li>`),
          "</ul></section>",
        ]
      : []),
    "</header>",
    entries.length === 0 ? '<p class="none">The first entry will appear here by itself.</p>' : "",
    '<ol class="entries">',
    ...entries.map((entry) => entryItem(entry, routes.entry(slug, entry.id), lang)),
    "</ol>",
    isCut
      ? `<p class="more"><a href="${escapeHtml(routes.blog(slug))}" rel="noopener">Earlier entries</a></p>`
      : "",
  ].join("\n");
}

const star = `<svg width="14" height="14" viewBox="0 0 24 24" aria-hidden="true"><path d="m12 4 2.5 5.1 5.6.8-4 4 .9 5.6-5-2.7-5 2.7.9-5.6-4-4 5.6-.8z"/></svg>`;

function entryItem({ id, at, title, isKey, html }: NewestEntry, address: string, lang: string): string {
  const time = new Date(at);
  return [
    `<li id="entry-${id}"${isKey ? " data-moment" : ""}><article>`,
    `<p class="when"><a href="${escapeHtml(address)}" rel="noopener"><time datetime="${time.toISOString()}">${inUtc.format(time)} UTC</time></a></p>`,
    isKey ? `<p class="key">${star} Key moment</p>` : "",
    title ? `<h2 dir="auto"${lang}>${escapeHtml(title)}</h2>` : "",
    `<div class="prose"${lang}>${html}</div>`,
    "</article></li>",
  ].join("");
}

/** Until the script writes it in the reader's zone. */
const inUtc = new Intl.DateTimeFormat("en", {
  month: "short",
  day: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
  timeZone: "UTC",
});
