import { expect, test } from "vitest";
import { newId } from "../../../src/server/runtime/ids.ts";
import { ApiClient } from "../../support/api-client.ts";
import { expectRefusal } from "../../support/expect-refusal.ts";
import {
  aBlog,
  aComment,
  followTopic,
  password,
  until,
  type SignedInBrowser,
} from "../../support/test-site.ts";
import { startStaffedSite } from "../../support/staffed-site.ts";

async function startFirstLinkSite() {
  const staffed = await startStaffedSite();
  await staffed.boss.api.administration.setSite.mutate({ firstLinks: "pending" });
  return { ...staffed, blog: await staffed.ana.api.blogs.create.mutate(aBlog({ title: "Owls at night" })) };
}
const link = "See https://owls.example";
const textsFor = async (who: Pick<SignedInBrowser, "api">, blogId: string) => {
  const { comments, pending = [] } = await who.api.comments.list.query({ blogId });
  return { comments: comments.map(({ text }) => text), pending: pending.map(({ text }) => text) };
};
const pendingTexts = async (who: SignedInBrowser) =>
  (await who.api.moderation.pendingComments.query()).comments.map(({ text }) => text);

test("keeps the first comment with a link pending until a moderator approves it, and publishes later ones", async () => {
  const { testSite, boss, mona, ana, ben, blog } = await startFirstLinkSite();
  const [monaStream, benStream] = [followTopic(mona, "me"), followTopic(ben, "me")];
  await Promise.all([monaStream.waitForStart(), benStream.waitForStart()]);
  await ben.api.comments.create.mutate(aComment(blog, { text: "Without any" }));
  const first = aComment(blog, { text: link });
  expect(await ben.api.comments.create.mutate(first)).toMatchObject({ id: first.id, pending: true });
  // A retry returns the same comment.
  expect(await ben.api.comments.create.mutate(first)).toMatchObject({ id: first.id, pending: true });
  await Promise.all([
    monaStream.waitFor("viewer.pendingChanged"),
    benStream.waitFor("viewer.pendingChanged"),
  ]);
  expect(monaStream.events("viewer.reportsChanged")).toEqual([]);
  const before = { comments: ["Without any"], pending: [link] };
  expect(await textsFor(ben, blog.id)).toEqual(before);
  expect(await textsFor(ana, blog.id)).toEqual(before);
  for (const other of [boss, testSite.browser()])
    expect(await textsFor(other, blog.id)).toEqual({ comments: ["Without any"], pending: [] });
  expect((await mona.api.moderation.pendingComments.query()).comments).toMatchObject([
    {
      id: first.id,
      author: { id: ben.me.id },
      address: `/blog/${blog.slug}`,
      blog: { title: "Owls at night", author: { id: ana.me.id } },
    },
  ]);
  expect((await ana.api.social.notifications.query()).notifications.map(({ kind }) => kind)).toContain(
    "pending-comment",
  );
  const second = aComment(blog, { text: "and www.owls.example" });
  expect(await ben.api.comments.create.mutate(second)).toMatchObject({ pending: true });
  await mona.api.moderation.approveComment.mutate({ commentId: first.id });
  expect(await pendingTexts(boss)).toEqual([second.text]);
  expect(await textsFor(boss, blog.id)).toEqual({ comments: [link, "Without any"], pending: [] });
  const third = await ben.api.comments.create.mutate(aComment(blog, { text: "Another http://owls.example" }));
  expect(third).not.toHaveProperty("pending");
  await boss.api.moderation.rejectComment.mutate({ commentId: second.id });
  expect(await pendingTexts(mona)).toEqual([]);
  await expectRefusal(mona.api.moderation.approveComment.mutate({ commentId: second.id }), "NOT_FOUND");
  expect(
    (await mona.api.moderation.log.query({})).entries.map(({ act, name }) => `${act} ${name}`).slice(0, 2),
  ).toEqual(["take-down ", `approve ${link}`]);
  monaStream.stop();
  benStream.stop();
});

test("refuses a moderator's rejection of another moderator's pending comment", async () => {
  const { boss, mona, ben, blog } = await startFirstLinkSite();
  const { id: commentId } = await ben.api.comments.create.mutate(aComment(blog, { text: link }));
  await boss.api.moderation.makeModerator.mutate({ userId: ben.me.id, moderator: true });
  await expectRefusal(mona.api.moderation.rejectComment.mutate({ commentId }), "FORBIDDEN");
  expect(await pendingTexts(mona)).toEqual([link]);
  await boss.api.moderation.rejectComment.mutate({ commentId });
  expect(await pendingTexts(mona)).toEqual([]);
});

test("lets the blog's author approve it, and removes it from the moderators' list", async () => {
  const { mona, ana, ben, blog } = await startFirstLinkSite();
  const first = aComment(blog, { text: link });
  await ben.api.comments.create.mutate(first);
  expect(await pendingTexts(mona)).toEqual([link]);
  const stream = followTopic(mona, "me");
  await stream.waitForStart();
  await ana.api.comments.approve.mutate({ id: first.id });
  await stream.waitFor("viewer.pendingChanged");
  stream.stop();
  expect(await pendingTexts(mona)).toEqual([]);
  expect(await ben.api.comments.create.mutate(aComment(blog, { text: link }))).not.toHaveProperty("pending");
});

test("cannot be bypassed by an edit, one's own blog or REST, and exempts staff and the blog's author", async () => {
  const { testSite, boss, mona, ana, ben, blog } = await startFirstLinkSite();
  const ownBlog = await ben.api.blogs.create.mutate(aBlog());
  expect(await ben.api.comments.create.mutate(aComment(ownBlog, { text: link }))).not.toHaveProperty(
    "pending",
  );
  const plain = await ben.api.comments.create.mutate(aComment(blog, { text: "Plain" }));
  await expectRefusal(ben.api.comments.edit.mutate({ id: plain.id, text: link }), {
    code: "FORBIDDEN",
    message: expect.stringContaining("post it as a new comment"),
  });
  await ben.api.comments.edit.mutate({ id: plain.id, text: "Plainer" });
  const client = await ApiClient.of(testSite, ben);
  const { status } = await client.call("POST", `/blogs/comment/${blog.id}`, { comment: link });
  expect(status).toBeLessThan(300);
  expect((await textsFor(boss, blog.id)).comments).toEqual(["Plainer"]);
  expect(await pendingTexts(mona)).toEqual([link]);
  for (const who of [boss, mona, ana])
    expect(await who.api.comments.create.mutate(aComment(blog, { text: link }))).not.toHaveProperty(
      "pending",
    );
  await boss.api.administration.setSite.mutate({ firstLinks: "" });
  expect(await ben.api.comments.create.mutate(aComment(blog, { text: link }))).not.toHaveProperty("pending");
});

test("does not count text that only looks like a link as the first link", async () => {
  const { mona, ben, blog } = await startFirstLinkSite();
  const plainComments = [];
  for (const text of ["Awww. So sweet", "xhttp:// is none"])
    plainComments.push(await ben.api.comments.create.mutate(aComment(blog, { text })));
  for (const comment of plainComments) expect(comment).not.toHaveProperty("pending");
  await expectRefusal(ben.api.comments.edit.mutate({ id: plainComments[0]!.id, text: link }), "FORBIDDEN");
  expect(await ben.api.comments.create.mutate(aComment(blog, { text: link }))).toMatchObject({
    pending: true,
  });
  expect(await pendingTexts(mona)).toEqual([link]);
});

test("sends moderators a change whenever their list changes with the blog or the writer", async () => {
  const site = await startFirstLinkSite();
  const { mona, ana, ben, blog } = site;
  await ben.api.comments.create.mutate(aComment(blog, { text: link }));
  const { id } = blog;
  const save = (input: object) => () => ana.api.blogs.update.mutate({ id, ...input });
  const setPrivate = (isPrivate: boolean) => () =>
    ana.api.users.updateSettings.mutate({ private: isPrivate });
  const commenters = (commentsFrom: "approved" | "everyone") => () =>
    ana.api.blogs.setCommenters.mutate({ id, commentsFrom });
  const changes: [action: () => Promise<unknown>, expected: string[]][] = [
    [save({ private: true }), []],
    [save({ private: false }), [link]],
    [save({ draft: true }), []],
    [save({ draft: false }), [link]],
    [setPrivate(true), []],
    [setPrivate(false), [link]],
    [commenters("approved"), []],
    [commenters("everyone"), [link]],
    [() => ben.api.users.remove.mutate({ password }), []],
  ];
  const monaStream = followTopic(mona, "me");
  await monaStream.waitForStart();
  let eventCount = 0;
  const expectChange = async (reason: string, action: () => Promise<unknown>, expected: string[]) => {
    await action();
    eventCount++;
    await until(
      () => monaStream.events("viewer.reportsChanged").length >= eventCount,
      `the moderators' list hears of ${reason}`,
    );
    expect(monaStream.events("viewer.reportsChanged")).toHaveLength(eventCount);
    expect(await pendingTexts(mona)).toEqual(expected);
  };
  for (const [index, [action, expected]] of changes.entries())
    await expectChange(`way ${index}`, action, expected);
  const cy = await site.testSite.createAccount("Cy");
  await cy.api.comments.create.mutate(aComment(blog, { text: link }));
  await expectChange("a blog that goes", () => ana.api.blogs.remove.mutate({ id }), []);
  monaStream.stop();
});

test("gives a moderator blocked by the blog's author no link to the blog", async () => {
  const { boss, mona, ana, ben, blog } = await startFirstLinkSite();
  await ben.api.comments.create.mutate(aComment(blog, { text: link }));
  await ana.api.social.block.mutate({ userId: mona.me.id, blocked: true });
  const addressFor = async (who: SignedInBrowser) =>
    (await who.api.moderation.pendingComments.query()).comments[0]?.address;
  expect(await addressFor(mona)).toBeNull();
  expect(await addressFor(boss)).toBe(`/blog/${blog.slug}`);
});

test("hides comments on private blogs, and those the author approves themselves, from moderators", async () => {
  const { mona, ana, ben } = await startFirstLinkSite();
  await ben.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  const privateBlog = await ana.api.blogs.create.mutate(aBlog({ private: true }));
  const first = await ana.api.blogs.create.mutate(aBlog());
  await ana.api.blogs.setCommenters.mutate({ id: first.id, commentsFrom: "approved" });
  const ids = [newId(), newId()];
  for (const [index, blog] of [privateBlog, first].entries())
    expect(
      await ben.api.comments.create.mutate(aComment(blog, { id: ids[index]!, text: link })),
    ).toMatchObject({
      pending: true,
    });
  expect(await pendingTexts(mona)).toEqual([]);
  for (const commentId of ids) {
    await expectRefusal(mona.api.moderation.approveComment.mutate({ commentId }), "NOT_FOUND");
    await expectRefusal(mona.api.moderation.rejectComment.mutate({ commentId }), "NOT_FOUND");
  }
  expect((await textsFor(ana, privateBlog.id)).pending).toEqual([link]);
});
