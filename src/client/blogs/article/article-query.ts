import type { BlogPage } from "../../../shared/blogs.ts";
import { answer } from "../../../shared/response-limits.ts";
import type { FollowStatus } from "../../../shared/users.ts";
import { REFETCH, liveQuery, Incomplete } from "../../live/queries/live-query.ts";
import type { LiveQuery, LiveQueries } from "../../live/queries/live-query.ts";
import { patch } from "../../live/queries/patch.ts";
import { fetchCodeWithRetry } from "../../api/retry.ts";
import { codeLoader } from "../../ui/fetch-code.ts";
import { applyToCard } from "../cards/apply-to-card.ts";

/** A blog on its own page. With `gone` the viewer can no longer read it, and its texts are empty. */
export type CachedArticle = BlogPage & { gone?: true };

/** The code that applies changes of the text; loaded on the first change. */
export const updates = codeLoader(() => import("./updates/updates.tsx"));

export const articleQuery: LiveQuery<CachedArticle, { slug: string }> = {
  topics: ({ id }) => [`blog:${id}`, "me", "feed"],
  on: {
    "blog.counted": (blog, event, { isOptimistic }) => applyToCard(blog, event, isOptimistic),
    "blog.edited": (blog, event, { isOptimistic }) => {
      const { text, editedAt, commentsFrom, live, card } = event;
      if (blog.gone || card.id !== blog.id) return blog;
      // Null refetches the blog: only its author may know why it is a draft.
      const change = card.draft || blog.draft ? null : text;
      return new Incomplete({
        ...applyToCard(blog, event, isOptimistic),
        editedAt,
        commentsFrom,
        live,
        change,
      });
    },
    "comment.created": (blog, { commentsCount }, { isOptimistic }) =>
      isOptimistic ? blog : patch(blog, { commentsCount }),
    "comment.deleted": (blog, { commentsCount }, { isOptimistic }) =>
      isOptimistic ? blog : patch(blog, { commentsCount }),
    "blog.authors": (blog) => (blog.gone ? blog : REFETCH),
    "viewer.like": (blog, event, { isOptimistic }) => applyToCard(blog, event, isOptimistic),
    "viewer.save": (blog, event, { isOptimistic }) => applyToCard(blog, event, isOptimistic),
    "viewer.follow": (blog, { userId, status }) => withFollow(blog, userId, status),
    "follow.settled": (blog, { userId, status }) => withFollow(blog, userId, status),
    "person.changed": (blog, event, { isOptimistic }) =>
      blog.gone ? blog : applyToCard(blog, event, isOptimistic),
    "viewer.profileChanged": (blog, event, { isOptimistic }) =>
      blog.gone ? blog : applyToCard(blog, event, isOptimistic),
    accessLost: (blog) => withoutTexts(blog),
  },
  // The loaded code registers `updatingArticleQuery` in place of this one. A blog that comes back has no text to change.
  refetch: async (client, input, shown) => {
    const code = shown().gone ? undefined : await Promise.race([fetchCodeWithRetry(updates), codeTimeout()]);
    return code ? code.updatingArticleQuery.refetch!(client, input, shown) : client.blogs.bySlug.query(input);
  },
};

/** Ends the wait for code over a dead connection, which can take minutes: the blog's other fields need not wait for it. */
const codeTimeout = () => new Promise<undefined>((resolve) => setTimeout(resolve, answer.read, undefined));

export const articleQueries: LiveQueries = { "blogs.bySlug": liveQuery(articleQuery) };

const withFollow = (blog: CachedArticle, userId: string, follow: FollowStatus): CachedArticle =>
  blog.author.id === userId && blog.follow !== "self" ? patch(blog, { follow }) : blog;

function withoutTexts(blog: CachedArticle): CachedArticle {
  if (blog.gone) return blog;
  const { id, username } = blog.author;
  return {
    ...blog,
    gone: true,
    title: "",
    description: "",
    excerpt: "",
    html: "",
    contents: "",
    digest: "",
    change: null,
    tags: [],
    cover: null,
    author: { id, username, name: "", picture: null },
    coAuthors: [],
  };
}
