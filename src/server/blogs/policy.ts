import type { Visibility } from "../../shared/audience.ts";
import type { Commenters } from "../../shared/blogs.ts";
import type { ProfileTab } from "../../shared/routes.ts";

/** What decides access to a blog. */
export interface BlogRelation extends Visibility {
  isAuthor: boolean;
  isCoAuthor: boolean;
  followsAuthor: boolean;
  /** A block, suspension or limit hides the author from the viewer. */
  isHidden: boolean;
}

export const canWriteBlog = (blog: Pick<BlogRelation, "isAuthor" | "isCoAuthor">): boolean =>
  blog.isAuthor || blog.isCoAuthor;

/**
 * Drafts: their authors. Private blogs and all blogs of a private account: also the author's followers (docs/specification.md,
 * 6.15 to 6.17).
 */
export const canReadBlog = (blog: BlogRelation): boolean =>
  canWriteBlog(blog) ||
  (!blog.isHidden && !blog.draft && (blog.followsAuthor || (!blog.private && !blog.authorPrivate)));

/** Whether a blog is public: it and its events appear in the feed. */
export const isListed = (blog: Visibility): boolean => !blog.draft && !blog.private && !blog.authorPrivate;

/** Whether the viewer, if signed in, can comment, like and save; never on a draft. */
export const canInteract = (blog: BlogRelation): boolean => canReadBlog(blog) && !blog.draft;

/** Whether the comment policy admits the viewer; authors always can. */
export const canComment = (blog: BlogRelation, from: Commenters): boolean =>
  canInteract(blog) &&
  (canWriteBlog(blog) ||
    from === "everyone" ||
    from === "approved" ||
    (from === "followers" && blog.followsAuthor));

export const needsApproval = (blog: BlogRelation, from: Commenters): boolean =>
  from === "approved" && !canWriteBlog(blog);

/** Whether the viewer can delete it and change its comment policy and authors. */
export const ownsBlog = (blog: Pick<BlogRelation, "isAuthor">): boolean => blog.isAuthor;

/** The profile tab with this blog. */
export const listOf = ({ draft, private: isPrivate }: Pick<BlogRelation, "draft" | "private">): ProfileTab =>
  draft ? "draft-blogs" : isPrivate ? "private-blogs" : "blogs";

export type Kind = "public" | "private" | "drafts";

interface Standing {
  isSelf: boolean;
  isFollower: boolean;
}

/** Kinds of blogs readable for a viewer who can read the account. */
export const readableKinds = ({ isSelf, isFollower }: Standing): Kind[] =>
  isSelf ? ["public", "private", "drafts"] : isFollower ? ["public", "private"] : ["public"];

/** The same for any viewer. */
export const visibleKinds = (relation: Standing, account: { private: boolean }): Kind[] =>
  account.private && !relation.isSelf && !relation.isFollower ? [] : readableKinds(relation);

/** Counts an account's blogs of these kinds. */
export const countKinds = (
  kinds: Kind[],
  account: { publicBlogs: number; privateBlogs: number; draftBlogs: number },
): number => {
  const { publicBlogs, privateBlogs, draftBlogs } = account;
  const counts: Record<Kind, number> = { public: publicBlogs, private: privateBlogs, drafts: draftBlogs };
  return kinds.reduce((sum, kind) => sum + counts[kind], 0);
};

/** Whether it is a live blog that takes entries now. */
export const isOnAir = ({
  draft,
  liveSince,
  liveEnded,
}: {
  draft: boolean;
  liveSince: number | null;
  liveEnded: number | null;
}): boolean => !draft && liveSince !== null && liveEnded === null;
