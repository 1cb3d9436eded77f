import { expect, test } from "vitest";
import { execute } from "../../../src/server/database/connection.ts";
import { newId } from "../../../src/server/runtime/ids.ts";
import { deleteOldNotifications } from "../../../src/server/notifications/service.ts";
import { limits } from "../../../src/shared/limits.ts";
import { siteWith } from "../../support/site-with.ts";
import { aBlog, aComment, followTopics, type SignedInBrowser } from "../../support/test-site.ts";

/* How long notifications are kept, and what happens when their comment is deleted. */

async function createComments() {
  const [testSite, ana, ben] = await siteWith("Ana", "Ben");
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const postComment = (person: SignedInBrowser, text: string, parentId: string | null = null) =>
    person.api.comments.create.mutate(aComment(blog, { text, parentId }));
  const removeComment = (person: SignedInBrowser, { id }: { id: string }) =>
    person.api.comments.remove.mutate({ id });
  return { testSite, ana, ben, blog, postComment, removeComment };
}
const shownNotifications = async (person: SignedInBrowser) => {
  const { notifications, unread } = await person.api.social.notifications.query();
  return [
    ...notifications.map(({ kind, excerpt, unread: isNew }) => [kind, excerpt, isNew].join(" ")),
    unread,
  ];
};

test("deleting the newer of two comments leaves the notification of the older, read or unread as before", async () => {
  const { ana, ben, postComment, removeComment } = await createComments();
  const one = await postComment(ben, "One.");
  const two = await postComment(ben, "Two.");
  expect(await shownNotifications(ana)).toEqual(["comment Two. true", 1]);
  await removeComment(ben, two);
  expect(await shownNotifications(ana)).toEqual(["comment One. true", 1]);
  await ana.api.social.readNotifications.mutate({});
  const three = await postComment(ben, "Three.");
  expect(await shownNotifications(ana)).toEqual(["comment Three. true", 1]);
  const four = await postComment(ben, "Four.");
  await removeComment(ben, four);
  expect(await shownNotifications(ana)).toEqual(["comment Three. true", 1]);
  const stream = followTopics(ana, ["me"]);
  await stream.waitForStart();
  await removeComment(ben, three);
  await stream.waitFor("notification.withdrawn");
  // The older one had been read.
  expect(await shownNotifications(ana)).toEqual(["comment One. false", 0]);
  await removeComment(ben, one);
  expect(await shownNotifications(ana)).toEqual([0]);
  stream.stop();
});

test("shows the older of two replies again; deleting the thread removes the notification", async () => {
  const { ana, ben, postComment, removeComment } = await createComments();
  const [question, other] = [await postComment(ana, "Why?"), await postComment(ana, "Where?")];
  await postComment(ben, "Because.", question.id);
  const secondAnswer = await postComment(ben, "For a reason.", question.id);
  await postComment(ben, "Here.", other.id);
  expect(await shownNotifications(ana)).toEqual(["reply Here. true", "reply For a reason. true", 2]);
  await removeComment(ben, secondAnswer);
  expect(await shownNotifications(ana)).toEqual(["reply Here. true", "reply Because. true", 2]);
  await removeComment(ana, question);
  expect(await shownNotifications(ana)).toEqual(["reply Here. true", 1]);
});

test("a deletion does not renew the notification of a comment of another kind, or of one without any", async () => {
  const { ana, ben, postComment, removeComment } = await createComments();
  const question = await postComment(ana, "Why?");
  await ana.api.social.setNotificationChannels.mutate({ topic: "comments", page: false });
  await postComment(ben, "Never told.");
  await ana.api.social.setNotificationChannels.mutate({ topic: "comments", page: true });
  const first = await postComment(ben, "Told.");
  await postComment(ben, "Because.", question.id);
  await removeComment(ben, first);
  expect(await shownNotifications(ana)).toEqual(["reply Because. true", 1]);
});

test("deletes notifications after half a year, in steps, and updates open lists", async () => {
  const { testSite, ana, ben, blog } = await createComments();
  const [now, expiredAt] = [Date.now(), Date.now() - limits.notifications.keptFor - 60_000];
  const count = 1_000;
  const rows = Array.from({ length: count }, (_, index) => ({
    id: newId(),
    target: `t${index}`,
    at: expiredAt - index,
  }));
  await testSite.write(async (tx) => {
    for (const { id, target, at } of rows)
      await execute(
        tx,
        `insert into notifications (id, user_id, kind, actor_id, target, created_at) values ('${id}', '${ana.me.id}', 'follow', '${ben.me.id}', '${target}', ${at})`,
      );
  });
  await ben.api.social.likeBlog.mutate({ blogId: blog.id, liked: true });
  const stream = followTopics(ana, ["me"]);
  const bensStream = followTopics(ben, ["me"]);
  await Promise.all([stream.waitForStart(), bensStream.waitForStart()]);
  await deleteOldNotifications(testSite.app.services.database, now);
  await stream.waitFor("notification.withdrawn");
  expect(await shownNotifications(ana)).toEqual(["like  true", 1]);
  expect(bensStream.kinds()).toEqual([]);
  expect(testSite.rows<{ count: number }>("select count(*) as count from notifications")).toEqual([
    { count: 1 },
  ]);
  for (const one of [stream, bensStream]) one.stop();
});
