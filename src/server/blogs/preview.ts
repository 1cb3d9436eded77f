import { contentsOf } from "../../shared/document/contents.ts";
import { AppError } from "../../shared/errors.ts";
import type { Preview } from "../../shared/writing.ts";
import type { MemberContext } from "../context.ts";
import { presentCover } from "../media/paths.ts";
import { picturesByIds } from "../media/queries.ts";
import { writableBlog } from "./access.ts";
import { cardById } from "./card-queries.ts";
import { renderUnsaved } from "./compose.ts";
import { renderedHtml } from "./render-html.ts";
import { presentCard } from "./present.ts";
import { blogHtml, type BlogFacts } from "./queries.ts";
import { digestOf } from "./text-changes.ts";
import { documentOf } from "./writing.ts";
import { writingOf, type WritingHead } from "./writing-queries.ts";
import { nameOf, savedForm } from "./writing-save.ts";

/** Returns an author's working copy, or the blog if there is none, as readers would see it. */
export async function previewBlog(ctx: MemberContext, { id }: { id: string }): Promise<Preview> {
  const { read } = ctx.database;
  const blog = await writableBlog(read, ctx.viewer, { id });
  const card = await cardById(read, id, ctx.viewer.id);
  if (!card) throw new AppError("not_found", "This blog doesn’t exist.");
  const row = await writingOf(read, id);
  const stands = presentCard(card);
  const now = new Date().toISOString();
  const shown = {
    ...stands,
    ...(row ? await written(ctx, blog, row) : { html: await blogHtml(read, id), problem: null }),
  };
  const isChanged = row !== undefined && row.seq > row.savedSeq;
  const { problem, ...said } = shown;
  const html = await renderedHtml(ctx.workers, said.html);
  return {
    slug: stands.slug,
    isDraft: blog.draft,
    forFollowers: said.private || blog.authorPrivate,
    isChanged,
    problem,
    blog: {
      ...said,
      html,
      // As readers see it once published.
      draft: false,
      publishedAt: blog.draft ? now : stands.publishedAt,
      editedAt: blog.draft ? null : isChanged ? now : asTime(blog.editedAt),
      createdAt: new Date(blog.createdAt).toISOString(),
      commentsFrom: blog.commentsFrom,
      mine: false,
      writes: false,
      live: false,
      digest: digestOf(said.html),
      contents: contentsOf(html, said.readingMinutes ?? stands.readingMinutes),
      takedownReason: null,
      canonicalUrl: blog.canonicalUrl,
      searchTitle: blog.searchTitle,
      searchDescription: blog.searchDescription,
      follow: "self",
    },
  };
}

const asTime = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString());

async function written(ctx: MemberContext, blog: BlogFacts, row: WritingHead) {
  const { read } = ctx.database;
  const { description, tags, coverId, coverFocus, private: isPrivate } = row.fields;
  const [cover] = await picturesByIds(read, coverId ? [coverId] : []);
  const about = {
    title: nameOf(row),
    description: description.trim(),
    tags,
    cover: presentCover(cover ?? null, coverFocus),
    private: isPrivate,
  };
  try {
    const { html, readingMinutes } = await renderUnsaved(ctx, savedForm(await documentOf(ctx, read, row)));
    return { ...about, html, readingMinutes, problem: null };
  } catch (error) {
    // Cannot be published until an author corrects it.
    if (!(error instanceof AppError) || error.code !== "bad_request") throw error;
    return { ...about, html: await blogHtml(read, blog.id), problem: error.message };
  }
}
