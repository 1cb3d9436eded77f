import { hash } from "node:crypto";
import type { DocumentJson } from "../../shared/document/schema.ts";
import { withoutUnreferencedNotes } from "../../shared/document/referenced-notes.ts";
import { addressKey } from "../auth/rate-limits.ts";
import { blogRelation } from "../blogs/access.ts";
import { canWriteBlog } from "../blogs/policy.ts";
import type { BlogFacts } from "../blogs/queries.ts";
import type { Context } from "../context.ts";
import { DerivedTexts } from "../runtime/derived-texts.ts";
import { entriesAsHtml, entriesAsMarkdown } from "./entry-files.ts";
import { exportedEntries, type ExportedEntry } from "./entry-queries.ts";
import { markdownOf, exportedText } from "./texts.ts";
import { blogPage, withFrontMatter } from "./readable-files.ts";
import { exportedBlog } from "./rows.ts";

/** Markdown by etag and whether the viewer is an author: verifying that of a long text takes a thread a second. */
const markdownTexts = new DerivedTexts<{ markdown: string }>(({ markdown }) => 2 * markdown.length);

/** A blog's file: of a live blog, its entries are between the start and the end. */
export interface BlogFile {
  start: string;
  entries: AsyncIterable<string> | null;
  end: string;
}

/** Returns one blog as Markdown or HTML with absolute picture addresses. The caller has checked access. */
export async function renderBlogFile(ctx: Context, facts: BlogFacts, kind: "md" | "html"): Promise<BlogFile> {
  const { id } = facts;
  const { read } = ctx.database;
  const blog = await exportedBlog(read, id);
  const isWriter = canWriteBlog(blogRelation(ctx.viewer, facts));
  // It became a draft meanwhile.
  if (!blog || (blog.visibility === "draft" && !isWriter)) return { start: "", entries: null, end: "" };
  const origin = ctx.config.publicUrl;
  const cover = blog.cover && `${origin}/${blog.cover.replace(/\.webp$/, "/full.webp")}`;
  const { live } = blog;
  const shown = (stored: string) => (isWriter ? stored : documentForReaders(stored));
  const entries = live && shownEntries(exportedEntries(read, id, ctx.viewer?.id ?? null), shown);
  if (kind === "html") {
    const absolute = (html: string) =>
      html
        .replace(/ (?:srcset|sizes)="[^"]*"/g, "")
        .replaceAll(' src="/media/', ` src="${origin}/media/`)
        .replaceAll(' href="/blog/', ` href="${origin}/blog/`);
    const text = absolute((await exportedText(ctx, blog))?.html ?? "");
    const page = blogPage(blog, text, { cover, list: null });
    return { ...page, entries: entries && entriesAsHtml(live, entries, absolute) };
  }
  const who = ctx.viewer?.id ?? addressKey(ctx.address);
  const picture = (src: string) => (src.startsWith("/") ? origin + src : src);
  const toMarkdown = (document: string) => markdownOf(ctx.workers, document, picture, { who, origin });
  const { markdown } = await markdownTexts.of(id, `${facts.etag} ${isWriter}`, async () => {
    const stored = (await exportedText(ctx, blog))?.document;
    return { markdown: stored === undefined ? "" : await toMarkdown(shown(stored)) };
  });
  const entryMarkdown = async (document: string, key: string) => {
    const make = async () => ({ markdown: await toMarkdown(document) });
    const version = hash("sha1", document, "base64url");
    return (await markdownTexts.of(`${id} ${key}`, version, make)).markdown;
  };
  return {
    start: withFrontMatter(isWriter ? blog : { ...blog, oldSlugs: [], aliases: [] }, markdown, cover),
    entries: entries && entriesAsMarkdown(live, entries, { toMarkdown: entryMarkdown, picture }),
    end: "",
  };
}

async function* shownEntries(entries: AsyncIterable<ExportedEntry>, shown: (document: string) => string) {
  for await (const entry of entries) yield { ...entry, document: shown(entry.document) };
}

/** Removes what only authors may see. */
const documentForReaders = (document: string): string =>
  document.includes('"footnotes"')
    ? JSON.stringify(withoutUnreferencedNotes(JSON.parse(document) as DocumentJson))
    : document;
