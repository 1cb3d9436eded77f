import { addressKey } from "../auth/rate-limits.ts";
import type { Context } from "../context.ts";
import { DerivedTexts } from "../runtime/derived-texts.ts";
import { blogRelation } from "./access.ts";
import { canWriteBlog } from "./policy.ts";
import { blogDocument, type BlogFacts } from "./queries.ts";

/** HTML for API clients, by version and whether the viewer is an author. */
const cache = new DerivedTexts<{ html: string }>(8 * 1024 * 1024, ({ html }) => 2 * html.length);

/**
 * Returns a blog's HTML for API clients, pictures as paths. The caller has checked access. Authors get unreferenced notes, too,
 * so that sending it back loses nothing.
 */
export async function flatHtmlOf(
  { database, workers, config, viewer, address }: Context,
  blog: BlogFacts,
): Promise<string> {
  const isWriter = canWriteBlog(blogRelation(viewer, blog));
  const { html } = await cache.of(blog.id, `${blog.version} ${isWriter}`, async () => {
    const stored = await blogDocument(database.read, blog.id);
    if (!stored) return { html: "" };
    const input = { document: stored.document, origin: config.publicUrl, isWriter };
    return workers.run("flatHtml", input, viewer?.id ?? addressKey(address));
  });
  return html;
}
