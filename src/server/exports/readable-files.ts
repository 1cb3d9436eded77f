import { stringify } from "yaml";
import { audienceLabels } from "../../shared/audience.ts";
import { escapeHtml } from "../../shared/document/html-tags.ts";
import type { ExportedBlog, Person } from "./rows.ts";

/* The files of an export that are readable without this program. */

const style = `:root{color-scheme:light dark;--ink:#1d1a17;--paper:#fbfaf6;--soft:#6b645c;--line:#ddd7cc;--accent:#c8401f}
@media(prefers-color-scheme:dark){:root{--ink:#eee9e1;--paper:#161412;--soft:#a49c92;--line:#3a352f;--accent:#ff7a52}}
body{margin:0 auto;max-width:42rem;padding:2rem 1.25rem 4rem;font:1.0625rem/1.6 Georgia,serif;color:var(--ink);background:var(--paper);overflow-wrap:anywhere}
a{color:var(--accent)}h1,h2,h3,h4{line-height:1.25}img{max-width:100%;height:auto}
pre{overflow:auto;padding:1rem;border:1px solid var(--line)}code{font-size:.9em}table{border-collapse:collapse;display:block;overflow:auto}
td,th{border:1px solid var(--line);padding:.35rem .6rem;text-align:start}blockquote{margin:0;padding-inline-start:1rem;border-inline-start:3px solid var(--line)}
.facts,footer{color:var(--soft);font-size:.9rem}.list{padding:0;list-style:none}.list li{padding:.6rem 0;border-block-end:1px solid var(--line)}
.ql-align-center{text-align:center}.ql-align-right{text-align:right}.ql-align-justify{text-align:justify}
${Array.from({ length: 8 }, (_, at) => `.ql-indent-${at + 1}{padding-inline-start:${2 * (at + 1)}em}`).join("")}
.ql-size-small{font-size:.8em}.ql-size-large{font-size:1.4em}.ql-size-huge{font-size:2em}.ql-font-serif{font-family:serif}.ql-font-monospace{font-family:monospace}`;

const pageStart = (title: string, language = "en"): string => `<!doctype html>
<html lang="${escapeHtml(language)}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="content-security-policy" content="default-src 'none'; img-src 'self' https: http: file: data:; style-src 'unsafe-inline'">
<title>${escapeHtml(title)}</title><style>${style}</style></head><body>
`;
const pageEnd = "\n</body></html>\n";
const page = (title: string, body: string): string => pageStart(title) + body + pageEnd;

const kinds = { public: "", private: audienceLabels.followers, draft: audienceLabels.nobody };
const day = (at: string | null): string => (at ?? "").slice(0, 10);
const facts = ({ publishedAt, visibility, author }: ExportedBlog): string =>
  [day(publishedAt), author.name, kinds[visibility]].filter(Boolean).map(escapeHtml).join(" · ");

/**
 * Returns a blog's page in two parts, between which a live blog's entries are. `html` is the published HTML, with addresses relative
 * to the page.
 */
export const blogPage = (
  blog: ExportedBlog,
  html: string,
  { cover, list }: { cover: string | null; list: string | null },
): { start: string; end: string } => ({
  start: `${pageStart(blog.title, blog.language || blog.guessedLanguage || undefined)}${list === null ? "" : `<p><a href="${list}">All blogs</a></p>`}<h1>${escapeHtml(blog.title)}</h1><p class="facts">${facts(blog)}</p>
${blog.description ? `<p>${escapeHtml(blog.description)}</p>` : ""}${cover ? `<p><img src="${escapeHtml(cover)}" alt=""></p>` : ""}
${html}
`,
  end: `${blog.tags.length > 0 ? `<p class="facts">${blog.tags.map((tag) => `#${escapeHtml(tag)}`).join(" ")}</p>` : ""}${pageEnd}`,
});

export interface ListItem {
  line: string;
  at: string;
}
export const listItem = (blog: ExportedBlog): ListItem => ({
  line: `<li><a href="blogs/${escapeHtml(blog.name)}.html">${escapeHtml(blog.title)}</a><br><span class="facts">${facts(blog)} · <a href="blogs/${escapeHtml(blog.name)}.md">Markdown</a></span></li>`,
  at: blog.publishedAt ?? "",
});

/** Returns the start page, newest blogs first. */
export function indexPage(
  { site, of, made }: { site: { name: string; url: string }; of: string; made: string },
  blogs: ListItem[],
): string {
  const lines = blogs.toSorted((one, other) => (one.at < other.at ? 1 : -1)).map(({ line }) => line);
  return page(
    of,
    `<h1>${escapeHtml(of)}</h1><p class="facts">Exported from <a href="${escapeHtml(site.url)}">${escapeHtml(site.name)}</a> on ${day(made)} · ${blogs.length} ${blogs.length === 1 ? "blog" : "blogs"}</p>
<ul class="list">
${lines.join("\n")}
</ul>
<footer>Comments, likes, saves, follows, notifications and settings are in the .json files beside this page.</footer>`,
  );
}

/** A member in a site's export. */
export interface ExportedMember {
  /** The folder with the export of the account. */
  folder: string;
  account: Person;
  suspended: boolean;
  limited: boolean;
}

/** Returns the start page of a site's export. */
export const membersPage = (
  { site, made }: { site: { name: string; url: string }; made: string },
  members: ExportedMember[],
): string =>
  page(
    site.name,
    `<h1>${escapeHtml(site.name)}</h1><p class="facts">Exported from <a href="${escapeHtml(site.url)}">${escapeHtml(site.url)}</a> on ${day(made)} · ${members.length} ${members.length === 1 ? "member" : "members"}</p>
<ul class="list">
${members.map(({ folder, account }) => `<li><a href="${escapeHtml(folder)}/index.html">${escapeHtml(account.name)}</a> <span class="facts">${escapeHtml(account.username)}</span></li>`).join("\n")}
</ul>`,
  );

/** Returns Markdown with front matter, for this and other programs. */
export function withFrontMatter(blog: ExportedBlog, markdown: string, cover: string | null): string {
  const fields = {
    title: blog.title,
    slug: blog.slug,
    date: blog.publishedAt,
    updated: blog.editedAt,
    author: blog.author.username,
    description: blog.description,
    tags: blog.tags,
    cover,
    draft: blog.visibility === "draft",
    private: blog.visibility === "private",
    canonical: blog.canonicalUrl,
    searchTitle: blog.searchTitle,
    searchDescription: blog.searchDescription,
    language: blog.language || blog.guessedLanguage,
    aliases: [
      ...blog.oldSlugs.filter((slug) => slug !== blog.slug).map((slug) => `/blog/${slug}`),
      ...blog.aliases,
    ],
  };
  const entries = Object.entries(fields).filter(([, value]) =>
    Array.isArray(value) ? value.length > 0 : Boolean(value),
  );
  return `---\n${stringify(Object.fromEntries(entries), { lineWidth: 0 })}---\n\n${markdown}`;
}
