import type { BlogPage } from "../../shared/blogs.ts";
import type { FollowStatus } from "../../shared/users.ts";
import { ask, kept, Lacking } from "../live/kept.ts";
import type { Kept, KeptTable } from "../live/kept.ts";
import { changed } from "../live/changed.ts";
import { fetchNeeded } from "../api/retry.ts";
import { codeLoader } from "../ui/fetch-code.ts";
import { keptCard } from "./kept-card.ts";

/** A blog as it is read. Of one that may not be read any more nothing is left but that. */
export type KeptPage = BlogPage & { gone?: true };

/** What it takes to show that the author has changed a text, and no page needs before. */
export const updates = codeLoader(() => import("./article/updates/updates.tsx"));

export const page: Kept<KeptPage, { slug: string }> = {
  topics: ({ id }) => [`blog:${id}`, "me", "feed"],
  on: {
    "blog.counted": (blog, event, { own }) => keptCard(blog, event, own),
    "blog.edited": (blog, event, { own }) => {
      const { text, editedAt, commentsFrom, live, card } = event;
      if (blog.gone || card.id !== blog.id) return blog;
      // Whether it was taken back, let go or is to be published later is the author's to know.
      const change = card.draft || blog.draft ? null : text;
      return new Lacking({ ...keptCard(blog, event, own), editedAt, commentsFrom, live, change });
    },
    "comment.created": (blog, { commentsCount }, { own }) => (own ? blog : changed(blog, { commentsCount })),
    "comment.deleted": (blog, { commentsCount }, { own }) => (own ? blog : changed(blog, { commentsCount })),
    "blog.authors": (blog) => (blog.gone ? blog : ask),
    "viewer.like": (blog, event, { own }) => keptCard(blog, event, own),
    "viewer.save": (blog, event, { own }) => keptCard(blog, event, own),
    "viewer.follow": (blog, { userId, status }) => withFollow(blog, userId, status),
    "follow.settled": (blog, { userId, status }) => withFollow(blog, userId, status),
    "person.changed": (blog, event, { own }) => (blog.gone ? blog : keptCard(blog, event, own)),
    "viewer.profileChanged": (blog, event, { own }) => (blog.gone ? blog : keptCard(blog, event, own)),
    accessLost: (blog) => withoutTexts(blog),
  },
  // With the code that brings changes into what is drawn: `reads` takes this row's place then.
  again: (client, input, shown) =>
    fetchNeeded(updates).then(({ reads }) => reads.again!(client, input, shown)),
};

export const keptPage: KeptTable = { "blogs.bySlug": kept(page) };

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
    contents: "",
    digest: "",
    change: null,
    tags: [],
    cover: null,
    author: { id, username, name: "", picture: null },
    coAuthors: [],
  };
}
