import { documentToText } from "../../shared/document/to-text.ts";
import { escapeHtml } from "../../shared/document/html-tags.ts";
import { AppError } from "../../shared/errors.ts";
import type { Context } from "../context.ts";
import { DerivedTexts } from "../runtime/derived-texts.ts";
import type { Rendered } from "../workers/tasks.ts";
import { documentOf } from "./commits.ts";
import { renderUnsaved } from "./compose.ts";
import { savedForm } from "./draft-fields.ts";
import { draftOf, isUnpublished, type DraftHead } from "./queries.ts";
import { blogDocument, blogHtml, type BlogFacts } from "../blogs/queries.ts";
import { addressKey } from "../auth/rate-limits.ts";
import { blogRelation } from "../blogs/access.ts";
import { canWriteBlog } from "../blogs/policy.ts";

type Tools = Pick<Context, "database" | "workers" | "config" | "drafts">;

/** Rendered drafts, by their last commit. */
const rendered = new DerivedTexts<Pick<Rendered, "html" | "readingMinutes" | "guessedLanguage">>(
  ({ html }) => 4 * html.length,
);

/** Renders a draft. Throws `bad_request` for a text that cannot be published. */
export const renderDraft = (tools: Tools, row: DraftHead) =>
  rendered.of(row.blogId, row.head, async () =>
    renderUnsaved(tools, savedForm(await documentOf(tools, tools.database.read, row)), row.authorId),
  );

/** Returns a blog's text as HTML: of an unpublished one its draft. The caller has checked access. */
export async function shownHtml(tools: Tools, blog: BlogFacts): Promise<string> {
  const { read } = tools.database;
  const row = isUnpublished(blog) ? await draftOf(read, blog.id) : undefined;
  if (!row) return blogHtml(read, blog.id);
  try {
    return (await renderDraft(tools, row)).html;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "bad_request") throw error;
    // A text that cannot be published yet is shown without its form.
    const lines = documentToText(savedForm(await documentOf(tools, read, row))).split("\n");
    return lines.map((line) => `<p>${escapeHtml(line)}</p>`).join("");
  }
}

/** Returns a blog's document as JSON: of an unpublished one its draft. The caller has checked access. */
export async function shownDocument(tools: Tools, blog: BlogFacts): Promise<string | undefined> {
  const { read } = tools.database;
  const row = isUnpublished(blog) ? await draftOf(read, blog.id) : undefined;
  return row
    ? JSON.stringify(savedForm(await documentOf(tools, read, row)))
    : (await blogDocument(read, blog.id))?.document;
}

/** HTML for API clients, by etag and whether the viewer is an author. */
const cache = new DerivedTexts<{ html: string }>(({ html }) => 2 * html.length);

/**
 * Returns a blog's HTML for API clients, pictures as paths. The caller has checked access. Authors get unreferenced notes, too,
 * so that sending it back loses nothing.
 */
export async function flatHtmlOf(ctx: Context, blog: BlogFacts): Promise<string> {
  const { workers, config, viewer, address } = ctx;
  const isWriter = canWriteBlog(blogRelation(viewer, blog));
  const { html } = await cache.of(blog.id, `${blog.etag} ${isWriter}`, async () => {
    const document = await shownDocument(ctx, blog);
    if (!document) return { html: "" };
    const input = { documents: [document], origin: config.publicUrl, isWriter };
    const htmls = await workers.run("flatHtml", input, viewer?.id ?? addressKey(address));
    return { html: htmls[0] ?? "" };
  });
  return html;
}
