import { blocksOf } from "../../../../shared/document/blocks.ts";
import { kept, Lacking } from "../../../live/kept.ts";
import type { Kept } from "../../../live/kept.ts";
import { keepAlso } from "../../../live/live.ts";
import { page } from "../../kept-page.ts";
import type { KeptPage } from "../../kept-page.ts";

const edited = page.on["blog.edited"]!;

/** How a blog is kept once its changes can be brought in: what is told of a text is enough, and what is asked for is what is not there. */
export const reads: Kept<KeptPage, { slug: string }> = {
  ...page,
  on: {
    ...page.on,
    "blog.edited": (blog, event, about) => {
      const after = edited(blog, event, about);
      return after instanceof Lacking ? (withChange(after.data) ?? after) : after;
    },
  },
  again: async (client, { slug }, shown) => {
    const before = shown();
    const told = withChange(before);
    if (told) return told;
    const now: KeptPage = await client.blogs.bySlug.query({ slug, has: before.digest });
    const { html, digest } = before;
    return now.change ? withChange({ ...now, html, digest })! : now;
  },
};

keepAlso({ "blogs.bySlug": kept(reads) });

/** A blog after what is to be brought into its text; undefined where that is made for another one. */
function withChange({ change, ...blog }: KeptPage): KeptPage | undefined {
  if (change?.to === blog.digest) return blog;
  if (!change?.blocks || (change.from !== null && change.from !== blog.digest)) return undefined;
  const before = blocksOf(blog.html);
  const after = change.blocks.map((one) =>
    typeof one === "string" ? one : before.slice(one[0], one[0] + one[1]).join(""),
  );
  return { ...blog, digest: change.to, html: after.join("") };
}
