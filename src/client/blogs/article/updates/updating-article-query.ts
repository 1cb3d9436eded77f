import { blocksOf } from "../../../../shared/document/top-level-blocks.ts";
import { liveQuery, Incomplete } from "../../../live/queries/live-query.ts";
import type { LiveQuery } from "../../../live/queries/live-query.ts";
import { registerLiveQueries } from "../../../live/live.ts";
import { articleQuery } from "../article-query.ts";
import type { CachedArticle } from "../article-query.ts";

const edited = articleQuery.on["blog.edited"]!;

/** The article's live query once text changes can be applied: an event with the changed blocks is enough, otherwise only they are fetched. */
export const updatingArticleQuery: LiveQuery<CachedArticle, { slug: string }> = {
  ...articleQuery,
  on: {
    ...articleQuery.on,
    "blog.edited": (blog, event, about) => {
      const after = edited(blog, event, about);
      return after instanceof Incomplete ? (withChange(after.data) ?? after) : after;
    },
  },
  refetch: async (client, { slug }, shown) => {
    const before = shown();
    const updated = withChange(before);
    if (updated) return updated;
    const now: CachedArticle = await client.blogs.bySlug.query({ slug, has: before.digest });
    const { html, digest } = before;
    return now.change ? withChange({ ...now, html, digest })! : now;
  },
};

registerLiveQueries({ "blogs.bySlug": liveQuery(updatingArticleQuery) });

/** Applies the change to the blog's text; undefined where it was made for another version. */
function withChange({ change, ...blog }: CachedArticle): CachedArticle | undefined {
  if (change?.to === blog.digest) return blog;
  if (!change?.blocks || (change.from !== null && change.from !== blog.digest)) return undefined;
  const before = blocksOf(blog.html);
  const after = change.blocks.map((one) =>
    typeof one === "string" ? one : before.slice(one[0], one[0] + one[1]).join(""),
  );
  return { ...blog, digest: change.to, html: after.join("") };
}
