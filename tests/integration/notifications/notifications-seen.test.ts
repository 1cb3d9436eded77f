import { expect, test } from "vitest";
import { siteWith } from "../../support/site-with.ts";
import {
  aBlog,
  aComment,
  followTopic,
  password,
  until,
  type SignedInBrowser,
} from "../../support/test-site.ts";

const counts = async (person: SignedInBrowser) => {
  const { unread, unseen, newest } = await person.api.social.notifications.query();
  return { unread, unseen, newest };
};
const markSeen = async (person: SignedInBrowser) => {
  const { newest } = await counts(person);
  if (!newest) throw new Error("There is nothing to see.");
  return person.api.social.seeNotifications.mutate({ newest });
};

test("opening the list clears the bell on every page of the account, and of no other", async () => {
  const [testSite, ana, ben] = await siteWith("Ana", "Ben");
  const blog = await ana.api.blogs.create.mutate(aBlog());
  await ben.api.social.likeBlog.mutate({ blogId: blog.id, liked: true });
  await ben.api.comments.create.mutate(aComment(blog));
  expect(await counts(ana)).toMatchObject({ unread: 2, unseen: 2 });

  const phone = testSite.browser();
  await phone.api.users.signIn.mutate({ email: ana.email, password });
  const [one, two, bens] = [followTopic(ana, "me"), followTopic(phone, "me"), followTopic(ben, "me")];
  await Promise.all([one, two, bens].map((page) => page.waitForStart()));
  expect(await markSeen(ana)).toMatchObject({ unseen: 0 });
  for (const page of [one, two])
    await until(() => page.events("notification.seen").length === 1, "a bell that was emptied");
  expect(one.events("notification.seen")).toMatchObject([{ unseen: 0 }]);
  expect(await counts(ana)).toMatchObject({ unread: 2, unseen: 0 });

  // Later ones count from one again, and seeing the same list twice publishes nothing.
  await ben.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  await until(() => two.events("notification.created").length === 1, "a newer notification");
  expect(two.events("notification.created")).toMatchObject([{ unread: 3, unseen: 1 }]);
  expect(await markSeen(ana)).toMatchObject({ unseen: 0 });
  await markSeen(ana);
  await ana.api.social.readNotifications.mutate({});
  await until(() => two.events("notification.read").length === 1, "that all are read");
  expect(two.events("notification.seen")).toHaveLength(2);
  expect(bens.events("notification.seen")).toEqual([]);
});

test("a notification created after the list was fetched stays new, and an older opening changes nothing", async () => {
  const [testSite, ana, ben] = await siteWith("Ana", "Ben");
  const blog = await ana.api.blogs.create.mutate(aBlog());
  await ben.api.social.likeBlog.mutate({ blogId: blog.id, liked: true });
  const { newest } = await counts(ana);
  await until(() => Date.now() > Date.parse(newest!), "another millisecond");
  await ben.api.comments.create.mutate(aComment(blog));
  expect(await ana.api.social.seeNotifications.mutate({ newest: newest! })).toMatchObject({ unseen: 1 });
  await markSeen(ana);
  expect(await ana.api.social.seeNotifications.mutate({ newest: newest! })).toMatchObject({ unseen: 0 });
  // A time in the future counts as now.
  await ana.api.social.seeNotifications.mutate({ newest: "2999-01-01T00:00:00.000Z" });
  const [{ at }] = testSite.rows<{ at: number }>(
    "select notifications_seen_at as at from users where name = 'Ana'",
  ) as [{ at: number }];
  expect(at).toBeLessThanOrEqual(Date.now());
});

test("a seen notification that the same person renews is new again, until it is read", async () => {
  const [, ana, ben] = await siteWith("Ana", "Ben");
  const blog = await ana.api.blogs.create.mutate(aBlog());
  await ben.api.comments.create.mutate(aComment(blog));
  const { newest } = await counts(ana);
  await markSeen(ana);
  await until(() => Date.now() > Date.parse(newest!), "another millisecond");
  await ben.api.comments.create.mutate(aComment(blog));
  expect(await counts(ana)).toMatchObject({ unread: 1, unseen: 1 });
  await ana.api.social.readNotifications.mutate({});
  expect(await counts(ana)).toMatchObject({ unread: 0, unseen: 0 });
});
