import { expect, test } from "vitest";
import { jobsTopic } from "../../../src/server/live/signals.ts";
import { maxSubscriptions } from "../../../src/server/notifications/subscriptions.ts";
import {
  aBlog,
  aComment,
  followTopics,
  refusal,
  startTestSite,
  until,
  type SignedInBrowser,
  type TestSite,
} from "../../support/test-site.ts";

const kindsOf = async (who: SignedInBrowser) =>
  (await who.api.social.notifications.query()).notifications.map(({ kind, excerpt }) => `${kind} ${excerpt}`);
const untilNotified = (testSite: TestSite) =>
  until(() => testSite.rows("select 1 from jobs where name = 'talk'").length === 0, "the end of the telling");

async function createPeople(testSite: TestSite, change: Record<string, unknown> = {}) {
  const [ana, ben, eve] = [
    await testSite.createAccount("Ana"),
    await testSite.createAccount("Ben"),
    await testSite.createAccount("Eve"),
  ];
  const blog = await ana.api.blogs.create.mutate(aBlog(change));
  const says = (who: SignedInBrowser, text: string, parentId: string | null = null) =>
    who.api.comments.create.mutate(aComment(blog, { text, parentId }));
  const watch = (who: SignedInBrowser, level: "follow" | "mute" | null) =>
    who.api.social.setSubscription.mutate({ blogId: blog.id, level });
  return { ana, ben, eve, blog, says, watch };
}

test("notifies a subscriber once of each comment by others, until they unsubscribe", async () => {
  await using testSite = await startTestSite();
  const { ana, ben, eve, says, watch } = await createPeople(testSite);
  await watch(eve, "follow");
  const first = await says(ben, "One.");
  await untilNotified(testSite);
  expect(await kindsOf(eve)).toEqual(["talk One."]);
  expect(await kindsOf(ana)).toEqual(["comment One."]);
  const own = await says(eve, "Mine.");
  await says(ben, "An answer.", own.id);
  await says(ana, "Another.", first.id);
  await untilNotified(testSite);
  // The comment's author gets the reply notification only.
  expect(await kindsOf(eve)).toEqual(["talk Another.", "reply An answer."]);
  const [entry] = (await eve.api.social.notifications.query()).notifications;
  expect(entry?.actors.map(({ name }) => name)).toEqual(["Ana", "Ben"]);
  await watch(eve, null);
  await says(ben, "Unheard.");
  await untilNotified(testSite);
  expect(await kindsOf(eve)).toHaveLength(2);
  expect(await refusal(watch(ana, "follow"))).toMatchObject({ code: "BAD_REQUEST" });
});

test("notifies many subscribers in steps, and a repeated job notifies no one twice nor replaces a newer comment", async () => {
  await using testSite = await startTestSite();
  const { ben, eve, blog, says, watch } = await createPeople(testSite);
  await watch(eve, "follow");
  const many = 150;
  await testSite.write(async (tx) => {
    for (let at = 0; at < many; at++) {
      const id = `follower-${at}`;
      tx.drizzle.run(
        `insert into users (id, username, email, name, created_at, verified_at) values ('${id}', '${id}', '${id}@example.org', 'One', 1, 1)`,
      );
      tx.drizzle.run(`insert into blog_watches values ('${id}', '${blog.id}', 'follow')`);
    }
  });
  const told = () =>
    testSite.rows<{ user_id: string; comment_id: string; read_at: number | null }>(
      "select user_id, comment_id, read_at from notifications where kind = 'talk' order by user_id",
    );
  const older = await says(ben, "The older.");
  await untilNotified(testSite);
  expect(told()).toHaveLength(many + 1);
  const newer = await says(ben, "The newer.");
  await untilNotified(testSite);
  await eve.api.social.readNotifications.mutate({});
  const before = told();
  expect(new Set(before.map((row) => row.comment_id))).toEqual(new Set([newer.id]));
  // As if the server was killed before the jobs' end.
  for (const { id } of [older, newer])
    await testSite.write(async (tx) => {
      tx.drizzle.run(
        `insert into jobs (id, name, payload, due_at, created_at) values ('again-${id}', 'talk', '{"commentId":"${id}"}', 0, ${Date.now()})`,
      );
      tx.signal(jobsTopic);
    });
  await untilNotified(testSite);
  expect(told()).toEqual(before);
});

test("stops notifying subscribers who may no longer read the blog, and resumes once they may", async () => {
  await using testSite = await startTestSite();
  const { ana, ben, eve, says, watch } = await createPeople(testSite);
  for (const who of [ben, eve]) await who.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  await watch(eve, "follow");
  await ana.api.users.updateSettings.mutate({ private: true });
  await ana.api.social.removeFollower.mutate({ userId: eve.me.id });
  await says(ben, "Behind the door.");
  await untilNotified(testSite);
  expect(await kindsOf(eve)).toEqual([]);
  expect(
    await refusal(
      eve.api.social.setSubscription.mutate({
        blogId: (await ana.api.blogs.mine.query({})).blogs[0]!.id,
        level: "mute",
      }),
    ),
  ).toMatchObject({ code: "NOT_FOUND" });
  await ana.api.users.updateSettings.mutate({ private: false });
  await says(ben, "Out again.");
  await untilNotified(testSite);
  expect(await kindsOf(eve)).toEqual(["talk Out again."]);
  await ben.api.social.block.mutate({ userId: eve.me.id, blocked: true });
  await says(ben, "Across a wall.");
  await untilNotified(testSite);
  expect(await kindsOf(eve)).toEqual([]);
});

test("hides the notifications of a muted blog until it is unmuted, except decisions of moderators", async () => {
  await using testSite = await startTestSite();
  const { ana, ben, blog, says, watch } = await createPeople(testSite);
  const other = await ana.api.blogs.create.mutate(aBlog({ title: "Another" }));
  await says(ben, "Before.");
  await ben.api.comments.create.mutate(aComment(other, { text: "Elsewhere." }));
  const heard = followTopics(ana, ["me"]);
  const others = followTopics(ben, ["me"]);
  await Promise.all([heard.live(), others.live()]);
  await watch(ana, "mute");
  await heard.heard("viewer.subscription");
  await heard.heard("notification.withdrawn");
  expect(heard.events("notification.withdrawn")[0]).toMatchObject({ unread: 1 });
  expect(await kindsOf(ana)).toEqual(["comment Elsewhere."]);
  await says(ben, "Meanwhile.");
  await ben.api.social.likeBlog.mutate({ blogId: blog.id, liked: true });
  expect((await ana.api.social.notifications.query()).unread).toBe(1);
  await testSite.write(async (tx) => void tx.drizzle.run(`update users set is_admin = 0`));
  await testSite.write(
    async (tx) => void tx.drizzle.run(`update users set is_admin = 1 where id = '${ben.me.id}'`),
  );
  await ben.api.moderation.resolveReport.mutate({
    kind: "blog",
    id: blog.id,
    outcome: "hide",
    reason: "No.",
  });
  await ben.api.moderation.restore.mutate({ blogId: blog.id });
  expect((await kindsOf(ana)).map((one) => one.split(" ")[0])).toEqual(["restored", "hidden", "comment"]);
  await watch(ana, null);
  expect(await kindsOf(ana)).toContain("comment Before.");
  expect((await ana.api.social.subscription.query({ blogId: blog.id })).level).toBeNull();
  expect(others.kinds()).not.toContain("me viewer.subscription");
  for (const one of [heard, others]) one.stop();
});

test("limits how many blogs a person subscribes to or mutes, and deletes a subscription with its blog", async () => {
  await using testSite = await startTestSite();
  const { ana, eve, blog, watch } = await createPeople(testSite);
  const hers = await eve.api.blogs.create.mutate(aBlog());
  await testSite.write(async (tx) => {
    for (let at = 0; at < maxSubscriptions; at++) {
      tx.drizzle.run(
        `insert into blogs (id, slug, author_id, title, document, html, text, excerpt, words, reading_minutes, draft, private, created_at, published_at) select 'b${at}', 'b${at}', author_id, title, document, html, text, excerpt, words, reading_minutes, draft, private, created_at, published_at from blogs where id = '${hers.id}'`,
      );
      tx.drizzle.run(`insert into blog_watches values ('${eve.me.id}', 'b${at}', 'mute')`);
    }
  });
  expect(await refusal(watch(eve, "follow"))).toMatchObject({ code: "BAD_REQUEST" });
  await eve.api.social.setSubscription.mutate({ blogId: "b0", level: null }).catch(() => undefined);
  await testSite.write(async (tx) => void tx.drizzle.run("delete from blog_watches where blog_id <> 'b1'"));
  await watch(eve, "follow");
  await ana.api.blogs.remove.mutate({ id: blog.id });
  expect(testSite.rows("select blog_id from blog_watches")).toEqual([{ blog_id: "b1" }]);
});

test("lists the blogs that a person subscribed to or muted, as far as they may read them", async () => {
  await using testSite = await startTestSite();
  const { ana, ben, watch } = await createPeople(testSite);
  const other = await ana.api.blogs.create.mutate(aBlog({ title: "Another" }));
  await watch(ben, "follow");
  await ben.api.social.setSubscription.mutate({ blogId: other.id, level: "mute" });
  const listed = async (who: SignedInBrowser) =>
    (await who.api.social.subscriptions.query()).blogs.map(({ title, level }) => `${title}: ${level}`);
  expect(await listed(ben)).toEqual(["Another: mute", "A walk at night: follow"]);
  expect(await listed(ana)).toEqual([]);
  await ana.api.blogs.remove.mutate({ id: other.id });
  await ana.api.users.updateSettings.mutate({ private: true });
  expect(await listed(ben)).toEqual([]);
  await ana.api.users.updateSettings.mutate({ private: false });
  expect(await listed(ben)).toEqual(["A walk at night: follow"]);
});
