import type { Commenters } from "../../shared/blogs.ts";
import type { ProfileTab } from "../../shared/routes.ts";

/** What decides who may read a blog. */
export interface BlogStanding {
  /** Whose blog it is. */
  isAuthor: boolean;
  /** They write it with its author. */
  isCoAuthor: boolean;
  followsAuthor: boolean;
  draft: boolean;
  private: boolean;
  authorPrivate: boolean;
  /** One of the two has blocked the other: then there is nothing of each for the other. */
  isHidden: boolean;
}

/** Who writes it, as its author or with them. */
export const canWriteBlog = (blog: Pick<BlogStanding, "isAuthor" | "isCoAuthor">): boolean =>
  blog.isAuthor || blog.isCoAuthor;

/**
 * A draft is its authors' alone; a private blog, and everything of a private account, its author's and their followers'
 * (docs/specification.md, 6.15 to 6.17).
 */
export const canReadBlog = (blog: BlogStanding): boolean =>
  canWriteBlog(blog) ||
  (!blog.isHidden && !blog.draft && (blog.followsAuthor || (!blog.private && !blog.authorPrivate)));

/** Whether anybody at all may read it: then it is in the feed, and its events are. */
export const isListed = (blog: Pick<BlogStanding, "draft" | "private" | "authorPrivate">): boolean =>
  !blog.draft && !blog.private && !blog.authorPrivate;

/** For whom it is published, from nobody but its author to everybody. */
export const audienceOf = (blog: Pick<BlogStanding, "draft" | "private" | "authorPrivate">): Audience =>
  blog.draft ? "nobody" : isListed(blog) ? "everybody" : "followers";
export type Audience = "nobody" | "followers" | "everybody";

/** Comments, likes and saves are for whoever may read it, signed in; a draft has no readers to talk to. */
export const canTakePart = (blog: BlogStanding): boolean => canReadBlog(blog) && !blog.draft;

/** Of those who may take part, its author decides who comments; they themselves always may. */
export const canComment = (blog: BlogStanding, from: Commenters): boolean =>
  canTakePart(blog) &&
  (canWriteBlog(blog) ||
    from === "everyone" ||
    from === "approved" ||
    (from === "followers" && blog.followsAuthor));

/** Whether a comment of theirs waits until its author lets it in. */
export const needsApproval = (blog: BlogStanding, from: Commenters): boolean =>
  from === "approved" && !canWriteBlog(blog);

/** Deletes it, decides who comments, and who writes it with them. */
export const ownsBlog = (blog: Pick<BlogStanding, "isAuthor">): boolean => blog.isAuthor;

/** The list of a profile in which it stands. */
export const listOf = ({ draft, private: isPrivate }: Pick<BlogStanding, "draft" | "private">): ProfileTab =>
  draft ? "draft-blogs" : isPrivate ? "private-blogs" : "blogs";

export type Kind = "public" | "private" | "drafts";

interface Standing {
  isSelf: boolean;
  isFollower: boolean;
}

/** The kinds of blogs that somebody who may read an account may read of it. */
export const readableKinds = ({ isSelf, isFollower }: Standing): Kind[] =>
  isSelf ? ["public", "private", "drafts"] : isFollower ? ["public", "private"] : ["public"];

/** The same, where it is not known yet whether they may read it. */
export const kindsInSight = (standing: Standing, account: { private: boolean }): Kind[] =>
  account.private && !standing.isSelf && !standing.isFollower ? [] : readableKinds(standing);

/** How many blogs of these kinds somebody has, as the account counts them. */
export const countKinds = (
  kinds: Kind[],
  counted: { publicBlogs: number; privateBlogs: number; draftBlogs: number },
): number => {
  const { publicBlogs, privateBlogs, draftBlogs } = counted;
  const each: Record<Kind, number> = { public: publicBlogs, private: privateBlogs, drafts: draftBlogs };
  return kinds.reduce((sum, kind) => sum + each[kind], 0);
};

/** Whether its readers see it as it is written. */
export const isLive = ({ draft, liveSince }: { draft: boolean; liveSince: number | null }): boolean =>
  !draft && liveSince !== null;
