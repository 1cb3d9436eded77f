import { contentsOf } from "../../shared/document/contents.ts";
import type { BlogPage } from "../../shared/blogs.ts";
import { addressKey } from "../auth/rate-limits.ts";
import type { Context } from "../context.ts";
import { DerivedTexts } from "../runtime/derived-texts.ts";
import { renderedHtml, isColored } from "../text/render-html.ts";
import type { BlogFacts } from "./queries.ts";
import { shownHtml } from "../writing/shown-text.ts";
import { digestOf } from "../text/changes.ts";

/** Rendered texts, as the bytes to send. */
interface RenderedText {
  text: Buffer;
  digest: string;
  contents: string;
  isColored: boolean;
}

const cache = new DerivedTexts<RenderedText>(
  ({ text, contents }) => text.length + contents.length,
  // A rebuild derives HTML without a new etag (blogs/rebuild.ts).
  5 * 60_000,
);
/** Milliseconds until a text without complete highlighting is rendered again. */
const soon = 2_000;

/** Returns a blog's text; for a server-rendered page a placeholder and the bytes. The caller has checked access. */
export async function renderedTextOf(
  ctx: Context,
  blog: BlogFacts,
  minutes: number,
): Promise<Pick<BlogPage, "html" | "digest" | "contents">> {
  const { workers, rendered, viewer, address } = ctx;
  const make = async (): Promise<RenderedText> => {
    const stored = await shownHtml(ctx, blog);
    const html = await renderedHtml(workers, stored, viewer?.id ?? addressKey(address));
    return {
      text: Buffer.from(html),
      digest: digestOf(stored),
      contents: contentsOf(html, minutes),
      isColored: isColored(stored),
    };
  };
  const { text, digest, contents } = await cache.of(blog.id, blog.etag, make, (made) =>
    made.isColored ? undefined : soon,
  );
  if (rendered) rendered.text = text;
  return { html: rendered ? textPlaceholder : text.toString(), digest, contents };
}

/** Placeholder for a blog's text while a page is rendered; rendered user input never contains it. */
export const textPlaceholder = "<!--text-->";
