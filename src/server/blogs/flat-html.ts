import { addressKey } from "../auth/rate-limits.ts";
import type { Context } from "../context.ts";
import { DerivedTexts } from "../runtime/derived-texts.ts";
import { blogRelation } from "./access.ts";
import { canWriteBlog } from "./policy.ts";
import type { BlogFacts } from "./queries.ts";
import { shownDocument } from "./shown-text.ts";

/** HTML for API clients, by version and whether the viewer is an author. */
const cache = new DerivedTexts<{ html: string }>(8 * 1024 * 1024, ({ html }) => 2 * html.length);

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
    const input = { document, origin: config.publicUrl, isWriter };
    return workers.run("flatHtml", input, viewer?.id ?? addressKey(address));
  });
  return html;
}
