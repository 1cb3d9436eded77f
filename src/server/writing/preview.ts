import { contentsOf } from "../../shared/document/contents.ts";
import { BlogUpdate } from "../../shared/blogs.ts";
import { AppError } from "../../shared/errors.ts";
import type { Preview } from "../../shared/drafts.ts";
import { hasTagPage } from "../../shared/tags.ts";
import type { MemberContext } from "../context.ts";
import { presentCover } from "../media/paths.ts";
import { picturesByIds } from "../media/queries.ts";
import { writableBlog } from "../blogs/access.ts";
import { cardById } from "../blogs/card-queries.ts";
import { renderedHtml } from "../text/render-html.ts";
import { presentCard } from "../blogs/present.ts";
import { blogHtml, type BlogFacts } from "../blogs/queries.ts";
import { digestOf } from "../text/changes.ts";
import { draftOf, type DraftHead } from "./queries.ts";
import { nameOf, validFields } from "./draft-fields.ts";
import { renderDraft, shownHtml } from "./shown-text.ts";

/** Returns an author's draft, or the blog if there is none, as readers would see it. */
export async function previewBlog(ctx: MemberContext, { id }: { id: string }): Promise<Preview> {
  const { read } = ctx.database;
  const blog = await writableBlog(read, ctx.viewer, { id });
  const card = await cardById(read, id, ctx.viewer.id);
  if (!card) throw new AppError("not_found", "This blog doesn’t exist.");
  const row = await draftOf(read, id);
  const { language, ...storedCard } = presentCard(card);
  const now = new Date().toISOString();
  const preview = {
    ...storedCard,
    canonicalUrl: blog.canonicalUrl,
    searchTitle: blog.searchTitle,
    searchDescription: blog.searchDescription,
    ...(row
      ? await presentDraft(ctx, blog, row)
      : { ...(language && { language }), html: await blogHtml(read, id), problem: null }),
  };
  const isChanged = !blog.draft && row !== undefined && row.seq > row.savedSeq;
  const { problem, ...content } = preview;
  const html = await renderedHtml(ctx.workers, content.html, ctx.viewer.id);
  return {
    slug: storedCard.slug,
    isDraft: blog.draft,
    forFollowers: content.private || blog.authorPrivate,
    isChanged,
    problem,
    blog: {
      ...content,
      html,
      // As readers see it once published.
      draft: false,
      publishedAt: blog.draft ? now : storedCard.publishedAt,
      editedAt: blog.draft ? null : isChanged ? now : asTime(blog.editedAt),
      createdAt: new Date(blog.createdAt).toISOString(),
      commentsFrom: blog.commentsFrom,
      mine: false,
      writes: false,
      live: null,
      digest: digestOf(content.html),
      contents: contentsOf(html, content.readingMinutes ?? storedCard.readingMinutes),
      takedownReason: null,
      follow: "self",
    },
  };
}

const asTime = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString());

async function presentDraft(ctx: MemberContext, blog: BlogFacts, row: DraftHead) {
  const { read } = ctx.database;
  const { coverId, coverFocus, description, tags, private: isPrivate } = row.fields;
  const { canonicalUrl, searchTitle, searchDescription } = row.fields;
  const [cover] = await picturesByIds(read, coverId ? [coverId] : []);
  const fields = { title: nameOf(row), description, tags, canonicalUrl, searchTitle, searchDescription };
  const saved = validFields({ ...fields, private: isPrivate });
  const shown = {
    ...saved,
    tags: saved.tags.filter(hasTagPage),
    cover: presentCover(cover ?? null, coverFocus),
  };
  const chosenLanguage = BlogUpdate.shape.language.safeParse(row.fields.language).data;
  const languageOf = (guessed: string) => {
    const language = chosenLanguage || guessed;
    return language ? { language } : {};
  };
  try {
    const { html, readingMinutes, guessedLanguage } = await renderDraft(ctx, row);
    return { ...shown, ...languageOf(guessedLanguage), html, readingMinutes, problem: null };
  } catch (error) {
    // Cannot be published until an author corrects it.
    if (!(error instanceof AppError) || error.code !== "bad_request") throw error;
    const html = await shownHtml(ctx, blog);
    return { ...shown, ...languageOf(blog.guessedLanguage), html, problem: error.message };
  }
}
