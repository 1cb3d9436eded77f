import { afterAll, beforeAll, expect, test } from "vitest";
import type { ProfileTab } from "../../../src/shared/routes.ts";
import {
  aBlog,
  startTestSite,
  type Browser,
  type SignedInBrowser,
  type TestSite,
} from "../../support/test-site.ts";

/* What a profile shows to each viewer. Permissions on a blog: access-matrix.test.ts. */

let testSite: TestSite;
/** A guest, a stranger, one with a follow request (private account), a follower, a removed follower, the author. */
const people: Record<"public" | "private", Browser[]> = { public: [], private: [] };
/** Blog ids by account and kind. */
const blogs = new Map<string, string>();

beforeAll(async () => {
  testSite = await startTestSite();
  const [stranger, requester, follower, formerFollower, reader] = (await Promise.all(
    ["Stranger", "Asker", "Follower", "Dropped", "Reader"].map((name) => testSite.createAccount(name)),
  )) as [SignedInBrowser, SignedInBrowser, SignedInBrowser, SignedInBrowser, SignedInBrowser];
  for (const account of ["public", "private"] as const) {
    const author = await testSite.createAccount(account);
    people[account] = [testSite.browser(), stranger, requester, follower, formerFollower, author];
    for (const kind of ["public", "private", "draft"]) {
      const flags = { draft: kind === "draft", private: kind === "private" };
      const { id } = await author.api.blogs.create.mutate(aBlog({ title: `${account} ${kind}`, ...flags }));
      blogs.set(`${account} ${kind}`, id);
    }
    for (const person of [follower, formerFollower, reader])
      await person.api.social.follow.mutate({ userId: author.me.id, follow: true });
    if (account === "private") {
      await author.api.users.updateSettings.mutate({ private: true });
      expect(await requester.api.social.follow.mutate({ userId: author.me.id, follow: true })).toMatchObject({
        status: "requested",
      });
    }
    await author.api.social.removeFollower.mutate({ userId: formerFollower.me.id });
  }
});

afterAll(() => testSite[Symbol.asyncDispose]());

test("shows each kind of viewer the profile tabs and counts that they may see", async () => {
  const profilesSeen = async (account: "public" | "private") => {
    const author = people[account].at(-1) as SignedInBrowser;
    const heads = await Promise.all(
      people[account].map((person) => person.api.users.profile.query({ username: author.me.username })),
    );
    return heads.map(
      ({ tabs, closed, follow, followersCount, blogsCount }) =>
        `${tabs.map((tab) => tab.replace("-blogs", "")).join(",")} ${closed ? "closed" : "open"} ${follow} ${followersCount} ${blogsCount}`,
    );
  };
  expect(await profilesSeen("public")).toEqual([
    "blogs,liked open follow 2 1",
    "blogs,liked open follow 2 1",
    "blogs,liked open follow 2 1",
    "blogs,liked,private open following 2 1",
    "blogs,liked open follow 2 1",
    "blogs,saved,liked,draft,private open self 2 1",
  ]);
  expect(await profilesSeen("private")).toEqual([
    "blogs closed follow null null",
    "blogs closed follow null null",
    "blogs closed requested null null",
    "blogs,liked,private open following 2 1",
    "blogs closed follow null null",
    "blogs,saved,liked,draft,private open self 2 1",
  ]);
});

test("shows each viewer only the blogs they may read in the liked and saved tabs", async () => {
  const [, stranger, , follower] = people.private;
  const admirer = await testSite.createAccount("Fan");
  await admirer.api.users.updateSettings.mutate({ showSavedBlogs: true, showLikedBlogs: true });
  for (const account of ["public", "private"] as const) {
    const author = people[account].at(-1) as SignedInBrowser;
    await admirer.api.social.follow.mutate({ userId: author.me.id, follow: true });
    if (account === "private")
      await author.api.social.handleRequest.mutate({ requesterId: admirer.me.id, action: "accept" });
    for (const kind of ["public", "private"]) {
      const id = blogs.get(`${account} ${kind}`)!;
      await admirer.api.social.likeBlog.mutate({ blogId: id, liked: true });
      await admirer.api.social.saveBlog.mutate({ blogId: id, saved: true });
    }
  }
  const titles = async (browser: Browser | undefined, tab: ProfileTab) =>
    (await browser?.api.blogs.byAuthor.query({ username: admirer.me.username, tab }))?.blogs
      .map(({ title }) => title)
      .toSorted();
  for (const tab of ["liked-blogs", "saved-blogs"] as const) {
    expect(await titles(testSite.browser(), tab)).toEqual(["public public"]);
    expect(await titles(stranger, tab)).toEqual(["public public"]);
    expect(await titles(follower, tab)).toEqual([
      "private private",
      "private public",
      "public private",
      "public public",
    ]);
    expect(await titles(admirer, tab)).toEqual([
      "private private",
      "private public",
      "public private",
      "public public",
    ]);
  }
});
