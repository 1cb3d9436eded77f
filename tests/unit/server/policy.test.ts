import { describe, expect, test } from "vitest";
import {
  canReadBlog,
  canInteract,
  canWriteBlog,
  isListed,
  ownsBlog,
  type BlogRelation,
} from "../../../src/server/blogs/policy.ts";
import {
  canDeleteComment,
  canEditComment,
  canReplyTo,
  type CommentRelation,
} from "../../../src/server/comments/policy.ts";
import {
  canReadAccount,
  canSeeFollowers,
  visibleTabs,
  type AccountFacts,
  type AccountRelation,
} from "../../../src/server/profiles/policy.ts";

/** Returns every combination of true and false for these names. */
function combinations<Name extends string>(...names: Name[]): Record<Name, boolean>[] {
  return Array.from(
    { length: 2 ** names.length },
    (_, bits) =>
      Object.fromEntries(names.map((name, index) => [name, (bits & (1 << index)) !== 0])) as Record<
        Name,
        boolean
      >,
  );
}

describe("a blog", () => {
  const people = {
    stranger: { isAuthor: false, isCoAuthor: false, followsAuthor: false },
    follower: { isAuthor: false, isCoAuthor: false, followsAuthor: true },
    coauthor: { isAuthor: false, isCoAuthor: true, followsAuthor: false },
    author: { isAuthor: true, isCoAuthor: false, followsAuthor: false },
  };
  const kinds = {
    public: { draft: false, private: false, authorPrivate: false },
    private: { draft: false, private: true, authorPrivate: false },
    draft: { draft: true, private: false, authorPrivate: false },
    "private draft": { draft: true, private: true, authorPrivate: false },
    "public of a private account": { draft: false, private: false, authorPrivate: true },
    "private of a private account": { draft: false, private: true, authorPrivate: true },
    "draft of a private account": { draft: true, private: false, authorPrivate: true },
  };
  // Who reads it, who interacts with it (comments, likes, saves), and whether it is listed.
  test.each<[keyof typeof kinds, string, string, boolean]>([
    ["public", "stranger follower coauthor author", "stranger follower coauthor author", true],
    ["private", "follower coauthor author", "follower coauthor author", false],
    ["draft", "coauthor author", "", false],
    ["private draft", "coauthor author", "", false],
    ["public of a private account", "follower coauthor author", "follower coauthor author", false],
    ["private of a private account", "follower coauthor author", "follower coauthor author", false],
    ["draft of a private account", "coauthor author", "", false],
  ])(
    "that is %s is read by: %s; open for interaction by: %s; listed: %s",
    (kind, readers, partakers, listed) => {
      const namesAllowed = (may: (standing: BlogRelation) => boolean) =>
        Object.entries(people)
          .filter(([, person]) => may({ ...person, ...kinds[kind], isHidden: false }))
          .map(([name]) => name)
          .join(" ");
      expect(namesAllowed(canReadBlog)).toBe(readers);
      expect(namesAllowed(canInteract)).toBe(partakers);
      expect(namesAllowed(canWriteBlog)).toBe("coauthor author");
      expect(namesAllowed(ownsBlog)).toBe("author");
      expect(isListed(kinds[kind])).toBe(listed);
    },
  );

  test("keeps its rules in every combination of facts", () => {
    const names = ["isAuthor", "isCoAuthor", "followsAuthor", "draft", "private", "authorPrivate"] as const;
    for (const blog of combinations(...names, "isHidden")) {
      const canRead = canReadBlog(blog);
      const writes = canWriteBlog(blog);
      if (writes) expect(canRead).toBe(true);
      if (blog.draft && !writes) expect(canRead).toBe(false);
      if (canInteract(blog)) expect([canRead, blog.draft]).toEqual([true, false]);
      if (blog.isHidden && !writes) expect(canRead).toBe(false);
      if (isListed(blog) && !blog.isHidden) expect(canRead).toBe(true);
      if (!isListed(blog) && !writes && !blog.followsAuthor) expect(canRead).toBe(false);
      // Following never takes a right away.
      if (canRead) expect(canReadBlog({ ...blog, followsAuthor: true })).toBe(true);
    }
  });
});

describe("an account", () => {
  const stranger: AccountRelation = { isSelf: false, isFollower: false };
  const follower: AccountRelation = { isSelf: false, isFollower: true };
  const self: AccountRelation = { isSelf: true, isFollower: false };
  const account = (change: Partial<AccountFacts> = {}): AccountFacts => ({
    private: false,
    showLikedBlogs: true,
    showSavedBlogs: true,
    showFollowers: true,
    ...change,
  });

  test.each<[string, Partial<AccountFacts>, string, string, string]>([
    [
      "that shows everything",
      {},
      "blogs saved-blogs liked-blogs",
      "blogs saved-blogs liked-blogs private-blogs",
      "yes yes yes",
    ],
    [
      "that hides what it saved",
      { showSavedBlogs: false },
      "blogs liked-blogs",
      "blogs liked-blogs private-blogs",
      "yes yes yes",
    ],
    [
      "that hides what it liked",
      { showLikedBlogs: false },
      "blogs saved-blogs",
      "blogs saved-blogs private-blogs",
      "yes yes yes",
    ],
    [
      "that hides its followers",
      { showFollowers: false },
      "blogs saved-blogs liked-blogs",
      "blogs saved-blogs liked-blogs private-blogs",
      "no no yes",
    ],
    [
      "that is private",
      { private: true },
      "blogs",
      "blogs saved-blogs liked-blogs private-blogs",
      "no yes yes",
    ],
    [
      "that is private and hides everything",
      { private: true, showLikedBlogs: false, showSavedBlogs: false, showFollowers: false },
      "blogs",
      "blogs private-blogs",
      "no no yes",
    ],
  ])("%s", (_name, change, strangersTabs, followersTabs, seesFollowers) => {
    expect(visibleTabs(stranger, account(change)).join(" ")).toBe(strangersTabs);
    expect(visibleTabs(follower, account(change)).join(" ")).toBe(followersTabs);
    expect(visibleTabs(self, account(change)).join(" ")).toBe(
      "blogs saved-blogs liked-blogs draft-blogs private-blogs",
    );
    expect(
      [stranger, follower, self]
        .map((standing) => (canSeeFollowers(standing, account(change)) ? "yes" : "no"))
        .join(" "),
    ).toBe(seesFollowers);
  });

  test("that is private is read by its followers and its owner only", () => {
    for (const isPrivate of [true, false])
      expect(
        [stranger, follower, self].map((standing) => canReadAccount(standing, { private: isPrivate })),
      ).toEqual([!isPrivate, true, true]);
  });

  test("shows drafts to its owner only, whatever its settings", () => {
    for (const { isFollower, ...settings } of combinations(
      "isFollower",
      "private",
      "showLikedBlogs",
      "showSavedBlogs",
      "showFollowers",
    )) {
      expect(visibleTabs({ isSelf: false, isFollower }, settings)).not.toContain("draft-blogs");
      expect(visibleTabs({ isSelf: false, isFollower }, settings).includes("private-blogs")).toBe(isFollower);
    }
  });
});

describe("a comment", () => {
  test.each<[string, CommentRelation, boolean, boolean]>([
    ["somebody else's", { isAuthor: false, isBlogAuthor: false, deleted: false }, false, false],
    ["one's own", { isAuthor: true, isBlogAuthor: false, deleted: false }, true, true],
    ["a reader's under one's own blog", { isAuthor: false, isBlogAuthor: true, deleted: false }, false, true],
    ["one's own under one's own blog", { isAuthor: true, isBlogAuthor: true, deleted: false }, true, true],
    ["a deleted one of one's own", { isAuthor: true, isBlogAuthor: true, deleted: true }, false, false],
  ])("that is %s", (_name, standing, edits, deletes) => {
    expect([canEditComment(standing), canDeleteComment(standing)]).toEqual([edits, deletes]);
    expect(canReplyTo(standing)).toBe(!standing.deleted);
  });
});
