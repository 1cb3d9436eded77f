import type { BlogPage } from "../../shared/blogs.ts";
import type { FollowStatus } from "../../shared/users.ts";
import { kept, Lacking } from "../live/kept.ts";
import type { KeptTable } from "../live/kept.ts";
import { changed } from "../live/changed.ts";
import { keptCard } from "./kept-card.ts";

/** A blog as it is read. Of one that may not be read any more nothing is left but that. */
export type KeptPage = BlogPage & { gone?: true };

const page = kept<KeptPage, { slug: string }>({
  topics: ({ id }) => [`blog:${id}`, "me", "feed"],
  on: {
    "blog.counted": (blog, event, { own }) => keptCard(blog, event, own),
    "blog.edited": (blog, event, { own }) => {
      const { html, editedAt, commentsFrom, card } = event;
      if (blog.gone || card.id !== blog.id) return blog;
      const edited = changed(keptCard(blog, event, own), { editedAt, commentsFrom });
      // A draft that was published may have been taken back, and one that was may be let go: that is the author's to know.
      const isTold = html !== null && card.draft === blog.draft;
      return isTold ? changed(edited, { html }) : new Lacking(edited);
    },
    "comment.created": (blog, { commentsCount }, { own }) => (own ? blog : changed(blog, { commentsCount })),
    "comment.deleted": (blog, { commentsCount }, { own }) => (own ? blog : changed(blog, { commentsCount })),
    "own.like": (blog, event, { own }) => keptCard(blog, event, own),
    "own.save": (blog, event, { own }) => keptCard(blog, event, own),
    "own.follow": (blog, { userId, status }) => withFollow(blog, userId, status),
    "follow.settled": (blog, { userId, status }) => withFollow(blog, userId, status),
    "person.changed": (blog, event, { own }) => (blog.gone ? blog : keptCard(blog, event, own)),
    "own.profile": (blog, event, { own }) => (blog.gone ? blog : keptCard(blog, event, own)),
    gone: (blog) => withoutTexts(blog),
  },
});

export const keptPage: KeptTable = { "blogs.bySlug": page };

const withFollow = (blog: KeptPage, userId: string, follow: FollowStatus): KeptPage =>
  blog.author.id === userId && blog.follow !== "self" ? changed(blog, { follow }) : blog;

function withoutTexts(blog: KeptPage): KeptPage {
  if (blog.gone) return blog;
  const { id, username } = blog.author;
  return {
    ...blog,
    gone: true,
    title: "",
    description: "",
    excerpt: "",
    html: "",
    tags: [],
    cover: null,
    author: { id, username, name: "", picture: null },
  };
}
