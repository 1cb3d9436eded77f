import { expect, test } from "vitest";
import { notificationTopics, defaultChannels } from "../../src/shared/notifications.ts";
import { deliverableNotification } from "../../src/server/notifications/deliverable.ts";
import { aBlog, aComment, followTopics, startTown, type Resident, type Town } from "../support/town.ts";

/* Where somebody is told of what, as they have chosen. */

const kindsOf = async (who: Resident) =>
  (await who.api.social.notifications.query()).notifications.map(({ kind }) => kind).toSorted();

async function writerAndReader(town: Town) {
  const [ana, ben] = [await town.resident("Ana"), await town.resident("Ben")];
  return { ana, ben, blog: await ana.api.blogs.create.mutate(aBlog()) };
}

test("nobody is sent a mail that they did not ask for, and everything stands on the page", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const { settings } = await ana.api.social.notificationSettings.query();
  expect(Object.keys(settings)).toEqual([...notificationTopics]);
  for (const topic of notificationTopics) expect(settings[topic]).toEqual(defaultChannels(topic));
  expect(new Set(Object.values(settings).map(({ page, mail }) => `${page} ${mail}`))).toEqual(
    new Set(["true never"]),
  );
});

test("what is off is told of nowhere, alone of its kind, from then on, until it is on again", async () => {
  await using town = await startTown();
  const { ana, ben, blog } = await writerAndReader(town);
  const like = (liked: boolean) => ben.api.social.likeBlog.mutate({ blogId: blog.id, liked });
  await like(true);
  await ana.api.social.setNotificationChannels.mutate({ topic: "likes", page: false });
  const comment = await ben.api.comments.create.mutate(aComment(blog, { text: "Well said." }));
  expect(await kindsOf(ana)).toEqual(["comment", "like"]);
  await like(false);
  await like(true);
  expect(await kindsOf(ana)).toEqual(["comment"]);
  expect((await ana.api.social.notifications.query()).unread).toBe(1);
  // Each way is one's own, and one says nothing of another.
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

test("what moderators decide stays on the page", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const { settings } = await ana.api.social.setNotificationChannels.mutate({
    topic: "site",
    page: false,
    push: false,
  });
  expect(settings.site).toEqual({ page: true, push: false, mail: "never" });
});

test("another tab hears that a choice has changed, and nobody else does", async () => {
  await using town = await startTown();
  const { ana, ben } = await writerAndReader(town);
  const { cursor } = await ana.api.social.ties.query();
  const own = followTopics(ana, ["me"], cursor);
  const others = followTopics(ben, ["me"], cursor);
  await Promise.all([own.heard("checkpoint"), others.heard("checkpoint")]);
  const answer = await ana.api.social.setNotificationChannels.mutate({ topic: "likes", push: true });
  await own.heard("viewer.channelsChanged");
  await ben.api.users.updateSettings.mutate({ showPresence: true });
  await others.heard("viewer.profileChanged");
  expect(others.kinds()).not.toContain("me viewer.channelsChanged");
  expect(answer.settings.likes.push).toBe(true);
  for (const one of [own, others]) one.stop();
});

test("delivers outside of the site only what can still be read there: nothing read, withdrawn, deleted, blocked or muted since", async () => {
  await using town = await startTown();
  const { ana, ben, blog } = await writerAndReader(town);
  const { read } = town.app.parts.database;
  const newest = () =>
    town.rows<{ id: string }>(`select id from notifications where user_id = '${ana.me.id}'`)[0]?.id ?? "";
  const told = async (id = newest()) =>
    (await deliverableNotification(read, ana.me.id, id))?.notification.kind;
  const comment = await ben.api.comments.create.mutate(aComment(blog, { text: "About the moon." }));
  const id = newest();
  expect(await told()).toBe("comment");
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
  expect(await told()).toBeUndefined();
  await ana.api.social.mute.mutate({ userId: ben.me.id, muted: false });
  await ana.api.users.updateSettings.mutate({ mutedWords: ["moon"] });
  expect(await told()).toBeUndefined();
  await ana.api.users.updateSettings.mutate({ mutedWords: [] });
  expect(await told()).toBe("comment");
  for (const column of ["suspended_at = 1", "suspended_at = null, verified_at = null"]) {
    await town.write(
      async (tx) => void tx.drizzle.run(`update users set ${column} where id = '${ana.me.id}'`),
    );
    expect(await told()).toBeUndefined();
  }
  await town.write(async (tx) => void tx.drizzle.run(`update users set verified_at = 1`));
  expect(await told()).toBe("comment");
  await ana.api.social.readNotifications.mutate({});
  expect(await told()).toBeUndefined();
  const another = await ben.api.comments.create.mutate(aComment(blog, { text: "Another." }));
  expect([await told(), newest()]).toEqual(["comment", id]);
  for (const one of [comment, another]) await ben.api.comments.remove.mutate({ id: one.id });
  expect(await told(id)).toBeUndefined();
  await ben.api.social.likeBlog.mutate({ blogId: blog.id, liked: true });
  expect(await told()).toBe("like");
  await ana.api.social.block.mutate({ userId: ben.me.id, blocked: true });
  expect(await told()).toBeUndefined();
});
