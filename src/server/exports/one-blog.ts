import type { DocumentJson } from "../../shared/document/schema.ts";
import { withoutUnreferencedNotes } from "../../shared/document/referenced-notes.ts";
import { addressKey } from "../auth/rate-limits.ts";
import { blogRelation } from "../blogs/access.ts";
import { canWriteBlog } from "../blogs/policy.ts";
import type { BlogFacts } from "../blogs/queries.ts";
import type { Context } from "../context.ts";
import { DerivedTexts } from "../runtime/derived-texts.ts";
import { markdownOf, exportedText } from "./texts.ts";
import { blogPage, withFrontMatter } from "./readable-files.ts";
import { exportedBlog } from "./rows.ts";

/** Markdown by etag and whether the viewer is an author: verifying that of a long text takes a thread a second. */
const markdownTexts = new DerivedTexts<{ markdown: string }>(({ markdown }) => 2 * markdown.length);

/** Returns one blog as Markdown or HTML with absolute picture addresses. The caller has checked access. */
export async function renderBlogFile(ctx: Context, facts: BlogFacts, kind: "md" | "html"): Promise<string> {
  const { id } = facts;
  const { read } = ctx.database;
  const blog = await exportedBlog(read, id);
  const isWriter = canWriteBlog(blogRelation(ctx.viewer, facts));
  // It became a draft meanwhile.
  if (!blog || (blog.visibility === "draft" && !isWriter)) return "";
  const origin = ctx.config.publicUrl;
  const cover = blog.cover && `${origin}/${blog.cover.replace(/\.webp$/, "/full.webp")}`;
  if (kind === "html") {
    const html = ((await exportedText(ctx, blog))?.html ?? "")
      .replace(/ (?:srcset|sizes)="[^"]*"/g, "")
      .replaceAll(' src="/media/', ` src="${origin}/media/`)
      .replaceAll(' href="/blog/', ` href="${origin}/blog/`);
    return blogPage(blog, html, { cover, list: null });
  }
  const { markdown } = await markdownTexts.of(id, `${facts.etag} ${isWriter}`, async () => {
    const stored = (await exportedText(ctx, blog))?.document;
    if (stored === undefined) return { markdown: "" };
    const who = ctx.viewer?.id ?? addressKey(ctx.address);
    const absolute = (src: string) => (src.startsWith("/") ? origin + src : src);
    const document = isWriter ? stored : documentForReaders(stored);
    return { markdown: await markdownOf(ctx.workers, document, absolute, { who, origin }) };
  });
  return withFrontMatter(isWriter ? blog : { ...blog, oldSlugs: [], aliases: [] }, markdown, cover);
}

/** Removes what only authors may see. */
const documentForReaders = (document: string): string =>
  document.includes('"footnotes"')
    ? JSON.stringify(withoutUnreferencedNotes(JSON.parse(document) as DocumentJson))
    : document;
