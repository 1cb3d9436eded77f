import { expect, test } from "vitest";
import { expectRefusal } from "../../support/expect-refusal.ts";
import {
  aBlog,
  aComment,
  followTopic,
  paragraphs,
  until,
  type SignedInBrowser,
} from "../../support/test-site.ts";
import { startStaffedSite } from "../../support/staffed-site.ts";

/* What moderators see without a report, and what they do about it. */

type BlogFilter = Parameters<SignedInBrowser["api"]["moderation"]["blogs"]["query"]>[0];
const titles = async (person: SignedInBrowser, filter: BlogFilter = {}) =>
  (await person.api.moderation.blogs.query(filter)).blogs.map(({ title }) => title);
const texts = async (person: SignedInBrowser, filter: Omit<BlogFilter, "state"> = {}) =>
  (await person.api.moderation.comments.query(filter)).comments.map(({ text }) => text);
const logOf = async (person: SignedInBrowser) =>
  (await person.api.moderation.log.query({})).entries.map(({ actor, act, name, reason }) =>
    [actor, act, name, reason].filter(Boolean).join(" | "),
  );
const hide = (person: SignedInBrowser, id: string, reason: string) =>
  person.api.moderation.resolveReport.mutate({ kind: "blog", id, outcome: "take-down", reason });

test("lists public and taken-down blogs to moderators, newest first, but no drafts and private blogs", async () => {
  const { mona, ana, ben } = await startStaffedSite({ anaAs: "Ana Winter" });
  const first = await ana.api.blogs.create.mutate(aBlog({ title: "First owls" }));
  await ana.api.blogs.create.mutate(aBlog({ title: "A draft", draft: true }));
  await ana.api.blogs.create.mutate(aBlog({ title: "For followers", private: true }));
  const second = await ben.api.blogs.create.mutate(
    aBlog({ title: "Second", document: paragraphs("Of owls at night.") }),
  );
  await ben.api.blogs.create.mutate(aBlog({ title: "Third", document: paragraphs("Of bread.") }));
  expect(await titles(mona)).toEqual(["Third", "Second", "First owls"]);
  for (const by of [ana.me.username, `@${ana.me.username}`, ` @${ana.me.username.toUpperCase()}`])
    expect(await titles(mona, { by })).toEqual(["First owls"]);
  for (const by of ["winter", "nobody at all", "@"]) expect(await titles(mona, { by })).toEqual([]);
  await hide(mona, second.id, "It advertises.");
  expect(await titles(mona)).toEqual(["Third", "Second", "First owls"]);
  expect(await titles(mona, { state: "public" })).toEqual(["Third", "First owls"]);
  for (const filter of [{}, { by: ben.me.username }])
    expect((await mona.api.moderation.blogs.query({ state: "taken-down", ...filter })).blogs).toMatchObject([
      {
        id: second.id,
        takedownReason: "It advertises.",
        address: null,
        author: { id: ben.me.id },
        mayAct: true,
      },
    ]);
  expect(await mona.api.moderation.blogs.query({ by: ana.me.username })).toMatchObject({
    blogs: [{ id: first.id, takedownReason: null, address: `/blog/${first.slug}` }],
    hasMore: false,
  });
  await ana.api.users.updateSettings.mutate({ private: true });
  for (const filter of [{}, { by: ana.me.username }])
    expect(await titles(mona, filter)).not.toContain("First owls");
  await expectRefusal(mona.api.moderation.readBlog.query({ blogId: first.id }), "NOT_FOUND");
});

test("shows moderators the blogs and comments of limited and suspended people without public pages", async () => {
  const { mona, ana, ben } = await startStaffedSite({ anaAs: "Ana Winter" });
  const blog = await ana.api.blogs.create.mutate(
    aBlog({ title: "Quiet", document: paragraphs("What nobody sees now.") }),
  );
  const bensBlog = await ben.api.blogs.create.mutate(aBlog({ title: "His" }));
  await ana.api.comments.create.mutate(aComment(bensBlog, { text: "A loud word" }));
  const userId = ana.me.id;
  for (const restrict of [
    () => mona.api.moderation.limit.mutate({ userId, limited: true }),
    () => mona.api.moderation.suspend.mutate({ userId, suspended: true, reason: "Spam." }),
  ]) {
    await restrict();
    expect((await mona.api.moderation.blogs.query({ by: ana.me.username })).blogs).toMatchObject([
      { id: blog.id, address: null, beginning: "What nobody sees now." },
    ]);
    expect((await mona.api.moderation.comments.query({ by: ana.me.username })).comments).toMatchObject([
      { text: "A loud word", address: null, author: { id: userId } },
    ]);
    expect(await mona.api.moderation.readBlog.query({ blogId: blog.id })).toMatchObject({
      title: "Quiet",
      text: "What nobody sees now.",
    });
  }
});

test("pages what everyone and one person wrote, newest first", async () => {
  const { mona, ana, ben } = await startStaffedSite({ anaAs: "Ana Winter" });
  const blog = await ana.api.blogs.create.mutate(aBlog({ title: "Owls 0" }));
  for (let count = 1; count <= 22; count++) {
    await ana.api.blogs.create.mutate(aBlog({ title: `Owls ${count}` }));
    await (count % 2 ? ana : ben).api.comments.create.mutate(aComment(blog, { text: `A word ${count}` }));
  }
  const numberedTexts = (word: string, first: number, last: number) =>
    Array.from({ length: first - last + 1 }, (_, index) => `${word} ${first - index}`);
  for (const filter of [{}, { by: ana.me.username }]) {
    const { blogs, hasMore } = await mona.api.moderation.blogs.query(filter);
    expect(blogs.map(({ title }) => title)).toEqual(numberedTexts("Owls", 22, 3));
    expect(hasMore).toBe(true);
    const nextPage = await mona.api.moderation.blogs.query({ ...filter, page: 2 });
    expect(nextPage.blogs.map(({ title }) => title)).toEqual(numberedTexts("Owls", 2, 0));
    expect(nextPage.hasMore).toBe(false);
  }
  expect(await texts(mona)).toEqual(numberedTexts("A word", 22, 3));
  expect(await texts(mona, { page: 2 })).toEqual(["A word 2", "A word 1"]);
  expect(await texts(mona, { by: ben.me.username })).toEqual(
    numberedTexts("A word", 22, 1).filter((_, index) => index % 2 === 0),
  );
  expect(await titles(mona, { page: 9_999 })).toEqual([]);
});

test("lists comments below public blogs, all and of one person, with a link to each", async () => {
  const { mona, ana, ben } = await startStaffedSite({ anaAs: "Ana Winter" });
  const blog = await ana.api.blogs.create.mutate(aBlog({ title: "Owls at night" }));
  const privateBlog = await ana.api.blogs.create.mutate(aBlog({ private: true }));
  const spam = await ben.api.comments.create.mutate(
    aComment(blog, { text: "Buy at https://pills.example/now" }),
  );
  await ana.api.comments.create.mutate(aComment(blog, { text: "Été" }));
  await ana.api.comments.create.mutate(aComment(privateBlog, { text: "Among us" }));
  const deletedComment = await ben.api.comments.create.mutate(aComment(blog, { text: "Said too soon" }));
  await ben.api.comments.remove.mutate({ id: deletedComment.id });
  expect(await texts(mona)).toEqual(["Été", spam.text]);
  expect((await mona.api.moderation.comments.query({ by: ben.me.username })).comments).toMatchObject([
    {
      text: spam.text,
      address: `/blog/${blog.slug}#comment-${spam.id}`,
      author: { id: ben.me.id },
      blog: { title: "Owls at night", author: { id: ana.me.id } },
      mayAct: true,
    },
  ]);
});

test("lets moderators take down and restore, and administrators alone delete, unreported content", async () => {
  const { boss, mona, ana, ben } = await startStaffedSite({ anaAs: "Ana Winter" });
  const blog = await ana.api.blogs.create.mutate(aBlog({ title: "Pills" }));
  const comment = await ben.api.comments.create.mutate(aComment(blog, { text: "Buy some" }));
  const stream = followTopic(boss, "me");
  await stream.waitForStart();
  await hide(mona, blog.id, "It advertises.");
  await until(() => stream.events("viewer.reportsChanged").length >= 1, "the other moderator hears of it");
  expect(await ana.api.blogs.bySlug.query({ slug: blog.slug })).toMatchObject({
    takedownReason: "It advertises.",
  });
  await mona.api.moderation.restore.mutate({ blogId: blog.id });
  expect(await titles(mona, { state: "public" })).toEqual(["Pills"]);
  const decision = { kind: "comment", id: comment.id, outcome: "take-down", reason: "Spam" } as const;
  await mona.api.moderation.resolveReport.mutate(decision);
  expect(await texts(mona)).toEqual([]);
  const deleted = { blogId: blog.id, reason: "Sold pills" };
  await expectRefusal(mona.api.moderation.deleteBlog.mutate(deleted), "FORBIDDEN");
  await boss.api.moderation.deleteBlog.mutate(deleted);
  await until(() => stream.events("viewer.reportsChanged").length >= 4, "each act is told");
  stream.stop();
  expect(await titles(mona)).toEqual([]);
  await expectRefusal(ana.api.blogs.bySlug.query({ slug: blog.slug }), "NOT_FOUND");
  expect(await logOf(mona)).toEqual([
    "boss | delete | Sold pills",
    "mona | take-down | Spam",
    "mona | restore",
    "mona | take-down | It advertises.",
    "boss | moderator | mona",
  ]);
});

test("refuses staff access to drafts and private blogs, and moderators actions on an administrator's", async () => {
  const { boss, mona, ana } = await startStaffedSite({ anaAs: "Ana Winter" });
  const draft = await ana.api.blogs.create.mutate(aBlog({ draft: true }));
  const privateBlog = await ana.api.blogs.create.mutate(aBlog({ private: true }));
  for (const { id: blogId } of [draft, privateBlog]) {
    await expectRefusal(boss.api.moderation.deleteBlog.mutate({ blogId }), "NOT_FOUND");
    await expectRefusal(boss.api.moderation.readBlog.query({ blogId }), "NOT_FOUND");
  }
  await boss.api.blogs.create.mutate(aBlog({ title: "The boss writes" }));
  expect((await mona.api.moderation.blogs.query({})).blogs).toMatchObject([
    { title: "The boss writes", mayAct: false },
  ]);
});
