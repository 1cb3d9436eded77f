import { expect, test } from "vitest";
import { newId } from "../../../src/server/runtime/ids.ts";
import { deleteOldNotifications } from "../../../src/server/notifications/housekeeping.ts";
import { limits } from "../../../src/shared/limits.ts";
import {
  aBlog,
  aComment,
  followTopics,
  startTestSite,
  type SignedInBrowser,
  type TestSite,
} from "../../support/test-site.ts";

/* How long notifications are kept, and what happens when their comment is deleted. */

async function createComments(testSite: TestSite) {
  const [ana, ben] = [await testSite.createAccount("Ana"), await testSite.createAccount("Ben")];
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const says = (who: SignedInBrowser, text: string, parentId: string | null = null) =>
    who.api.comments.create.mutate(aComment(blog, { text, parentId }));
  const forget = (who: SignedInBrowser, { id }: { id: string }) => who.api.comments.remove.mutate({ id });
  return { ana, ben, blog, says, forget };
}
const shownNotifications = async (who: SignedInBrowser) => {
  const { notifications, unread } = await who.api.social.notifications.query();
  return [
    ...notifications.map(({ kind, excerpt, unread: isNew }) => [kind, excerpt, isNew].join(" ")),
    unread,
  ];
};

test("deleting the newer of two comments leaves the notification of the older, read or unread as before", async () => {
  await using testSite = await startTestSite();
  const { ana, ben, says, forget } = await createComments(testSite);
  const one = await says(ben, "One.");
  const two = await says(ben, "Two.");
  expect(await shownNotifications(ana)).toEqual(["comment Two. true", 1]);
  await forget(ben, two);
  expect(await shownNotifications(ana)).toEqual(["comment One. true", 1]);
  await ana.api.social.readNotifications.mutate({});
  const three = await says(ben, "Three.");
  expect(await shownNotifications(ana)).toEqual(["comment Three. true", 1]);
  const four = await says(ben, "Four.");
  await forget(ben, four);
  expect(await shownNotifications(ana)).toEqual(["comment Three. true", 1]);
  const heard = followTopics(ana, ["me"]);
  await heard.live();
  await forget(ben, three);
  await heard.heard("notification.withdrawn");
  // The older one had been read.
  expect(await shownNotifications(ana)).toEqual(["comment One. false", 0]);
  await forget(ben, one);
  expect(await shownNotifications(ana)).toEqual([0]);
  heard.stop();
});

test("shows the older of two replies again; deleting the thread removes the notification", async () => {
  await using testSite = await startTestSite();
  const { ana, ben, says, forget } = await createComments(testSite);
  const [question, other] = [await says(ana, "Why?"), await says(ana, "Where?")];
  await says(ben, "Because.", question.id);
  const better = await says(ben, "For a reason.", question.id);
  await says(ben, "Here.", other.id);
  expect(await shownNotifications(ana)).toEqual(["reply Here. true", "reply For a reason. true", 2]);
  await forget(ben, better);
  expect(await shownNotifications(ana)).toEqual(["reply Here. true", "reply Because. true", 2]);
  await forget(ana, question);
  expect(await shownNotifications(ana)).toEqual(["reply Here. true", 1]);
});

test("a deletion does not renew the notification of a comment of another kind, or of one without any", async () => {
  await using testSite = await startTestSite();
  const { ana, ben, says, forget } = await createComments(testSite);
  const question = await says(ana, "Why?");
  await ana.api.social.setNotificationChannels.mutate({ topic: "comments", page: false });
  await says(ben, "Never told.");
  await ana.api.social.setNotificationChannels.mutate({ topic: "comments", page: true });
  const first = await says(ben, "Told.");
  await says(ben, "Because.", question.id);
  await forget(ben, first);
  expect(await shownNotifications(ana)).toEqual(["reply Because. true", 1]);
});

test("deletes notifications after half a year, in steps, and updates open lists", async () => {
  await using testSite = await startTestSite();
  const { ana, ben, blog } = await createComments(testSite);
  const [now, old] = [Date.now(), Date.now() - limits.notifications.keptFor - 60_000];
  const many = 1_000;
  const rows = Array.from({ length: many }, (_, at) => ({ id: newId(), target: `t${at}`, at: old - at }));
  await testSite.write(async (tx) => {
    for (const { id, target, at } of rows)
      tx.drizzle.run(
        `insert into notifications (id, user_id, kind, actor_id, target, created_at) values ('${id}', '${ana.me.id}', 'follow', '${ben.me.id}', '${target}', ${at})`,
      );
  });
  await ben.api.social.likeBlog.mutate({ blogId: blog.id, liked: true });
  const heard = followTopics(ana, ["me"]);
  const others = followTopics(ben, ["me"]);
  await Promise.all([heard.live(), others.live()]);
  await deleteOldNotifications(testSite.app.services.database, now);
  await heard.heard("notification.withdrawn");
  expect(await shownNotifications(ana)).toEqual(["like  true", 1]);
  expect(others.kinds()).toEqual([]);
  expect(testSite.rows<{ count: number }>("select count(*) as count from notifications")).toEqual([
    { count: 1 },
  ]);
  for (const one of [heard, others]) one.stop();
});
