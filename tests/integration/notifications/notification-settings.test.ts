import { expect, test } from "vitest";
import { notificationTopicNames, defaultChannels } from "../../../src/shared/notifications.ts";
import { deliverableNotification } from "../../../src/server/notifications/deliverable.ts";
import { siteWith } from "../../support/site-with.ts";
import { aBlog, aComment, followTopics, type SignedInBrowser } from "../../support/test-site.ts";

/* The channels that people choose for notifications. */

const kindsOf = async (person: SignedInBrowser) =>
  (await person.api.social.notifications.query()).notifications.map(({ kind }) => kind).toSorted();

async function createAuthorAndReader() {
  const [testSite, ana, ben] = await siteWith("Ana", "Ben");
  return { testSite, ana, ben, blog: await ana.api.blogs.create.mutate(aBlog()) };
}

test("by default, every topic shows on the site and sends no email", async () => {
  const [, ana] = await siteWith("Ana");
  const { settings } = await ana.api.social.notificationSettings.query();
  expect(Object.keys(settings)).toEqual([...notificationTopicNames]);
  for (const topic of notificationTopicNames) expect(settings[topic]).toEqual(defaultChannels(topic));
  expect(new Set(Object.values(settings).map(({ page, mail }) => `${page} ${mail}`))).toEqual(
    new Set(["true never"]),
  );
});

test("a topic that is turned off creates no notifications until it is on again, and other topics do", async () => {
  const { ana, ben, blog } = await createAuthorAndReader();
  const like = (liked: boolean) => ben.api.social.likeBlog.mutate({ blogId: blog.id, liked });
  await like(true);
  await ana.api.social.setNotificationChannels.mutate({ topic: "likes", page: false });
  const comment = await ben.api.comments.create.mutate(aComment(blog, { text: "Well said." }));
  expect(await kindsOf(ana)).toEqual(["comment", "like"]);
  await like(false);
  await like(true);
  expect(await kindsOf(ana)).toEqual(["comment"]);
  expect((await ana.api.social.notifications.query()).unread).toBe(1);
  // Settings are per person and per topic.
  const { settings } = await ana.api.social.notificationSettings.query();
  expect(settings.likes).toEqual({ page: false, push: false, mail: "never" });
  expect(settings.comments).toEqual(defaultChannels("comments"));
  await ana.api.comments.like.mutate({ id: comment.id, liked: true });
  expect(await kindsOf(ben)).toEqual(["comment-like"]);
  await ana.api.social.setNotificationChannels.mutate({ topic: "likes", page: true, mail: "daily" });
  await like(false);
  await like(true);
  expect(await kindsOf(ana)).toEqual(["comment", "like"]);
  expect((await ana.api.social.notificationSettings.query()).settings.likes).toEqual({
    page: true,
    push: false,
    mail: "daily",
  });
});

test("moderation decisions cannot be turned off on the site", async () => {
  const [, ana] = await siteWith("Ana");
  const { settings } = await ana.api.social.setNotificationChannels.mutate({
    topic: "site",
    page: false,
    push: false,
  });
  expect(settings.site).toEqual({ page: true, push: false, mail: "never" });
});

test("publishes a changed setting to the person's other tabs, and to no one else", async () => {
  const { ana, ben } = await createAuthorAndReader();
  const { cursor } = await ana.api.social.ties.query();
  const stream = followTopics(ana, ["me"], cursor);
  const bensStream = followTopics(ben, ["me"], cursor);
  await Promise.all([stream.waitFor("checkpoint"), bensStream.waitFor("checkpoint")]);
  const answer = await ana.api.social.setNotificationChannels.mutate({ topic: "likes", push: true });
  await stream.waitFor("viewer.channelsChanged");
  await ben.api.users.updateSettings.mutate({ showPresence: true });
  await bensStream.waitFor("viewer.profileChanged");
  expect(bensStream.kinds()).not.toContain("me viewer.channelsChanged");
  expect(answer.settings.likes.push).toBe(true);
  for (const one of [stream, bensStream]) one.stop();
});

test("delivers outside of the site only notifications that are unread, visible and not muted since", async () => {
  const { testSite, ana, ben, blog } = await createAuthorAndReader();
  const { read } = testSite.app.services.database;
  const newest = () =>
    testSite.rows<{ id: string }>(`select id from notifications where user_id = '${ana.me.id}'`)[0]?.id ?? "";
  const deliverableKind = async (id = newest()) =>
    (await deliverableNotification(read, ana.me.id, id))?.notification.kind;
  const comment = await ben.api.comments.create.mutate(aComment(blog, { text: "About the moon." }));
  const id = newest();
  expect(await deliverableKind()).toBe("comment");
  expect(await deliverableNotification(read, ben.me.id, id)).toBeUndefined();
  expect((await deliverableNotification(read, ana.me.id, id))?.channels).toEqual(defaultChannels("comments"));
  // Turned off on the site after it was stored, it is delivered by no other channel.
  const all = { page: true, push: true, mail: "daily" } as const;
  await ana.api.social.setNotificationChannels.mutate({ topic: "comments", ...all, page: false });
  expect((await deliverableNotification(read, ana.me.id, id))?.channels).toEqual({
    page: false,
    push: false,
    mail: "never",
  });
  await ana.api.social.setNotificationChannels.mutate({ topic: "comments", ...all });
  expect((await deliverableNotification(read, ana.me.id, id))?.channels).toEqual(all);

  await ana.api.social.mute.mutate({ userId: ben.me.id, muted: true });
  expect(await deliverableKind()).toBeUndefined();
  await ana.api.social.mute.mutate({ userId: ben.me.id, muted: false });
  await ana.api.users.updateSettings.mutate({ mutedWords: ["moon"] });
  expect(await deliverableKind()).toBeUndefined();
  await ana.api.users.updateSettings.mutate({ mutedWords: [] });
  expect(await deliverableKind()).toBe("comment");
  for (const column of ["suspended_at = 1", "suspended_at = null, verified_at = null"]) {
    await testSite.run(`update users set ${column} where id = '${ana.me.id}'`);
    expect(await deliverableKind()).toBeUndefined();
  }
  await testSite.run(`update users set verified_at = 1`);
  expect(await deliverableKind()).toBe("comment");
  await ana.api.social.readNotifications.mutate({});
  expect(await deliverableKind()).toBeUndefined();
  const another = await ben.api.comments.create.mutate(aComment(blog, { text: "Another." }));
  expect([await deliverableKind(), newest()]).toEqual(["comment", id]);
  for (const one of [comment, another]) await ben.api.comments.remove.mutate({ id: one.id });
  expect(await deliverableKind(id)).toBeUndefined();
  await ben.api.social.likeBlog.mutate({ blogId: blog.id, liked: true });
  expect(await deliverableKind()).toBe("like");
  await ana.api.social.block.mutate({ userId: ben.me.id, blocked: true });
  expect(await deliverableKind()).toBeUndefined();
});
