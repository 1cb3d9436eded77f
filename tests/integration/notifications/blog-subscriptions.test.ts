import { expect, test } from "vitest";
import { execute } from "../../../src/server/database/connection.ts";
import { jobsTopic } from "../../../src/server/live/signals.ts";
import { maxSubscriptions } from "../../../src/server/notifications/subscriptions.ts";
import { runStatements } from "../../support/bulk-rows.ts";
import { expectRefusal } from "../../support/expect-refusal.ts";
import { siteWith } from "../../support/site-with.ts";
import {
  aBlog,
  aComment,
  followTopics,
  until,
  type SignedInBrowser,
  type TestSite,
} from "../../support/test-site.ts";

const kindsOf = async (person: SignedInBrowser) =>
  (await person.api.social.notifications.query()).notifications.map(
    ({ kind, excerpt }) => `${kind} ${excerpt}`,
  );
const untilNotified = (testSite: TestSite) =>
  until(
    () => testSite.rows("select 1 from jobs where name = 'notify-subscribers'").length === 0,
    "the end of the telling",
  );

async function createPeople(change: Record<string, unknown> = {}) {
  const [testSite, ana, ben, eve] = await siteWith("Ana", "Ben", "Eve");
  const blog = await ana.api.blogs.create.mutate(aBlog(change));
  const postComment = (person: SignedInBrowser, text: string, parentId: string | null = null) =>
    person.api.comments.create.mutate(aComment(blog, { text, parentId }));
  const setLevel = (person: SignedInBrowser, level: "follow" | "mute" | null) =>
    person.api.social.setSubscription.mutate({ blogId: blog.id, level });
  return { testSite, ana, ben, eve, blog, postComment, setLevel };
}

test("notifies a subscriber once of each comment by others, until they unsubscribe", async () => {
  const { testSite, ana, ben, eve, postComment, setLevel } = await createPeople();
  await setLevel(eve, "follow");
  const first = await postComment(ben, "One.");
  await untilNotified(testSite);
  expect(await kindsOf(eve)).toEqual(["subscription One."]);
  expect(await kindsOf(ana)).toEqual(["comment One."]);
  const evesComment = await postComment(eve, "Mine.");
  await postComment(ben, "An answer.", evesComment.id);
  await postComment(ana, "Another.", first.id);
  await untilNotified(testSite);
  // The comment's author gets the reply notification only.
  expect(await kindsOf(eve)).toEqual(["subscription Another.", "reply An answer."]);
  const [entry] = (await eve.api.social.notifications.query()).notifications;
  expect(entry?.actors.map(({ name }) => name)).toEqual(["Ana", "Ben"]);
  await setLevel(eve, null);
  await postComment(ben, "Unheard.");
  await untilNotified(testSite);
  expect(await kindsOf(eve)).toHaveLength(2);
  await expectRefusal(setLevel(ana, "follow"), "BAD_REQUEST");
});

test("notifies many subscribers in steps, and a repeated job notifies no one twice nor replaces a newer comment", async () => {
  const { testSite, ben, eve, blog, postComment, setLevel } = await createPeople();
  await setLevel(eve, "follow");
  const count = 150;
  await runStatements(
    testSite,
    `insert into users (id, username, email, name, created_at, verified_at)
     select 'follower-' || n, 'follower-' || n, 'follower-' || n || '@example.org', 'One', 1, 1 from numbers(${count})`,
    `insert into blog_subscriptions (user_id, blog_id, level) select 'follower-' || n, '${blog.id}', 'follow' from numbers(${count})`,
  );
  const talkNotifications = () =>
    testSite.rows<{ user_id: string; comment_id: string; read_at: number | null }>(
      "select user_id, comment_id, read_at from notifications where kind = 'subscription' order by user_id",
    );
  const olderComment = await postComment(ben, "The older.");
  await untilNotified(testSite);
  expect(talkNotifications()).toHaveLength(count + 1);
  const newerComment = await postComment(ben, "The newer.");
  await untilNotified(testSite);
  await eve.api.social.readNotifications.mutate({});
  const before = talkNotifications();
  expect(new Set(before.map((row) => row.comment_id))).toEqual(new Set([newerComment.id]));
  // As if the server was killed before the jobs' end.
  for (const { id } of [olderComment, newerComment])
    await testSite.write(async (tx) => {
      await execute(
        tx,
        `insert into jobs (id, name, payload, due_at, created_at) values ('again-${id}', 'notify-subscribers', '{"commentId":"${id}"}', 0, ${Date.now()})`,
      );
      tx.signal(jobsTopic);
    });
  await untilNotified(testSite);
  expect(talkNotifications()).toEqual(before);
});

test("stops notifying subscribers who may no longer read the blog, and resumes once they may", async () => {
  const { testSite, ana, ben, eve, postComment, setLevel } = await createPeople();
  for (const person of [ben, eve]) await person.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  await setLevel(eve, "follow");
  await ana.api.users.updateSettings.mutate({ private: true });
  await ana.api.social.removeFollower.mutate({ userId: eve.me.id });
  await postComment(ben, "Behind the door.");
  await untilNotified(testSite);
  expect(await kindsOf(eve)).toEqual([]);
  await expectRefusal(
    eve.api.social.setSubscription.mutate({
      blogId: (await ana.api.blogs.mine.query({})).blogs[0]!.id,
      level: "mute",
    }),
    "NOT_FOUND",
  );
  await ana.api.users.updateSettings.mutate({ private: false });
  await postComment(ben, "Out again.");
  await untilNotified(testSite);
  expect(await kindsOf(eve)).toEqual(["subscription Out again."]);
  await ben.api.social.block.mutate({ userId: eve.me.id, blocked: true });
  await postComment(ben, "Across a wall.");
  await untilNotified(testSite);
  expect(await kindsOf(eve)).toEqual([]);
});

test("hides the notifications of a muted blog until it is unmuted, except decisions of moderators", async () => {
  const { testSite, ana, ben, blog, postComment, setLevel } = await createPeople();
  const other = await ana.api.blogs.create.mutate(aBlog({ title: "Another" }));
  await postComment(ben, "Before.");
  await ben.api.comments.create.mutate(aComment(other, { text: "Elsewhere." }));
  const stream = followTopics(ana, ["me"]);
  const bensStream = followTopics(ben, ["me"]);
  await Promise.all([stream.waitForStart(), bensStream.waitForStart()]);
  await setLevel(ana, "mute");
  await stream.waitFor("viewer.subscription");
  await stream.waitFor("notification.withdrawn");
  expect(stream.events("notification.withdrawn")[0]).toMatchObject({ unread: 1 });
  expect(await kindsOf(ana)).toEqual(["comment Elsewhere."]);
  await postComment(ben, "Meanwhile.");
  await ben.api.social.likeBlog.mutate({ blogId: blog.id, liked: true });
  expect((await ana.api.social.notifications.query()).unread).toBe(1);
  await testSite.run(`update users set is_admin = 0`);
  await testSite.run(`update users set is_admin = 1 where id = '${ben.me.id}'`);
  await ben.api.moderation.resolveReport.mutate({
    kind: "blog",
    id: blog.id,
    outcome: "take-down",
    reason: "No.",
  });
  await ben.api.moderation.restore.mutate({ blogId: blog.id });
  expect((await kindsOf(ana)).map((one) => one.split(" ")[0])).toEqual(["restored", "taken-down", "comment"]);
  await setLevel(ana, null);
  expect(await kindsOf(ana)).toContain("comment Before.");
  expect((await ana.api.social.subscription.query({ blogId: blog.id })).level).toBeNull();
  expect(bensStream.kinds()).not.toContain("me viewer.subscription");
  for (const one of [stream, bensStream]) one.stop();
});

test("limits how many blogs a person subscribes to or mutes, and deletes a subscription with its blog", async () => {
  const { testSite, ana, eve, blog, setLevel } = await createPeople();
  const evesBlog = await eve.api.blogs.create.mutate(aBlog());
  await runStatements(
    testSite,
    `insert into blogs (id, slug, author_id, title, document, html, text, excerpt, words, reading_minutes, draft, private, created_at, published_at)
     select 'b' || n, 'b' || n, author_id, title, document, html, text, excerpt, words, reading_minutes, draft, private, created_at, published_at
     from blogs, numbers(${maxSubscriptions}) where id = '${evesBlog.id}'`,
    `insert into blog_subscriptions (user_id, blog_id, level) select '${eve.me.id}', 'b' || n, 'mute' from numbers(${maxSubscriptions})`,
  );
  await expectRefusal(setLevel(eve, "follow"), "BAD_REQUEST");
  await eve.api.social.setSubscription.mutate({ blogId: "b0", level: null }).catch(() => undefined);
  await testSite.run("delete from blog_subscriptions where blog_id <> 'b1'");
  await setLevel(eve, "follow");
  await ana.api.blogs.remove.mutate({ id: blog.id });
  expect(testSite.rows("select blog_id from blog_subscriptions")).toEqual([{ blog_id: "b1" }]);
});

test("lists the blogs that a person subscribed to or muted, as far as they may read them", async () => {
  const { ana, ben, setLevel } = await createPeople();
  const other = await ana.api.blogs.create.mutate(aBlog({ title: "Another" }));
  await setLevel(ben, "follow");
  await ben.api.social.setSubscription.mutate({ blogId: other.id, level: "mute" });
  const subscriptionsOf = async (person: SignedInBrowser) =>
    (await person.api.social.subscriptions.query()).blogs.map(({ title, level }) => `${title}: ${level}`);
  expect(await subscriptionsOf(ben)).toEqual(["Another: mute", "A walk at night: follow"]);
  expect(await subscriptionsOf(ana)).toEqual([]);
  await ana.api.blogs.remove.mutate({ id: other.id });
  await ana.api.users.updateSettings.mutate({ private: true });
  expect(await subscriptionsOf(ben)).toEqual([]);
  await ana.api.users.updateSettings.mutate({ private: false });
  expect(await subscriptionsOf(ben)).toEqual(["A walk at night: follow"]);
});
