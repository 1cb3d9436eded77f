import { expect, test } from "vitest";
import { rejectedRequests } from "../../../src/server/database/schema/follows.ts";
import { newId } from "../../../src/server/runtime/ids.ts";
import { limits } from "../../../src/shared/limits.ts";
import { expectRefusal } from "../../support/expect-refusal.ts";
import { siteWith } from "../../support/site-with.ts";
import {
  aBlog,
  aComment,
  followTopic,
  password,
  until,
  type SignedInBrowser,
  type TestSite,
} from "../../support/test-site.ts";

const follow = (follower: SignedInBrowser, followee: SignedInBrowser, isFollowing = true) =>
  follower.api.social.follow.mutate({ userId: followee.me.id, follow: isFollowing });
const profileOf = (viewer: SignedInBrowser, person: SignedInBrowser) =>
  viewer.api.users.profile.query({ username: person.me.username });
const goPrivate = (who: SignedInBrowser, isPrivate = true) =>
  who.api.users.updateSettings.mutate({ private: isPrivate });
const requesterNames = async (who: SignedInBrowser) =>
  (await who.api.social.requests.query()).requests.map(({ name }) => name);

/** Expects the stored counts to equal the counted rows. */
function expectRightCounts(testSite: TestSite) {
  const wrongCounts = testSite.rows(`
    select 'blog' as what, id from blogs b where likes_count <> (select count(*) from blog_likes where blog_id = b.id)
      or saves_count <> (select count(*) from blog_saves where blog_id = b.id)
      or comments_count <> (select count(*) from comments where blog_id = b.id and deleted_at is null)
    union all select 'comment', id from comments c where likes_count <> (select count(*) from comment_likes where comment_id = c.id)
    union all select 'user', id from users u where followers_count <> (select count(*) from follows where followed_id = u.id)
      or following_count <> (select count(*) from follows where follower_id = u.id)`);
  expect(wrongCounts).toEqual([]);
}

test("counts each of twenty concurrent likes and saves once, with some withdrawn", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const { id } = await ana.api.blogs.create.mutate(aBlog());
  const crowd = await Promise.all(
    Array.from({ length: 20 }, (_, index) => testSite.createAccount(`Person ${index}`)),
  );
  const like = (who: SignedInBrowser, liked = true) => who.api.social.likeBlog.mutate({ blogId: id, liked });
  const save = (who: SignedInBrowser, saved = true) => who.api.social.saveBlog.mutate({ blogId: id, saved });
  await Promise.all(crowd.flatMap((person) => [like(person), like(person), save(person), save(person)]));
  expect(await ana.api.blogs.card.query({ id })).toMatchObject({
    likesCount: 20,
    savesCount: 20,
    liked: false,
    saved: false,
  });
  await Promise.all(
    crowd.slice(0, 5).flatMap((person) => [like(person, false), like(person, false), save(person, false)]),
  );
  expect(await crowd[19]?.api.blogs.card.query({ id })).toMatchObject({
    likesCount: 15,
    savesCount: 15,
    liked: true,
    saved: true,
  });
  expect(await like(ana, false)).toMatchObject({ liked: false, likesCount: 15 });
  expectRightCounts(testSite);
  // One event for each change, none for a repetition.
  expect(testSite.rows("select 1 from live_events where event like '%\"blog.liked\"%'")).toHaveLength(25);
});

test("follows a public account at once with both counts, idempotently", async () => {
  const [testSite, ana, eve] = await siteWith("Ana", "Eve");
  expect(await profileOf(eve, ana)).toMatchObject({ follow: "follow", followersCount: 0 });
  expect(await Promise.all([follow(eve, ana), follow(eve, ana), follow(eve, ana)])).toMatchObject(
    Array.from({ length: 3 }, () => ({ status: "following", followersCount: 1 })),
  );
  expect(await profileOf(eve, ana)).toMatchObject({ follow: "following", followersCount: 1 });
  expect(await profileOf(ana, eve)).toMatchObject({ follow: "follow", followingCount: 1 });
  expect(await follow(eve, ana, false)).toMatchObject({ status: "follow", followersCount: 0 });
  expect(await follow(eve, ana, false)).toMatchObject({ status: "follow", followersCount: 0 });
  await expectRefusal(follow(eve, eve), {
    code: "BAD_REQUEST",
    message: "You can’t follow yourself.",
  });
  await expectRefusal(eve.api.social.follow.mutate({ userId: newId(), follow: true }), "NOT_FOUND");
  expectRightCounts(testSite);
});

test("sends a private account a follow request that it can accept or reject", async () => {
  const [testSite, ana, eve, bob, kim] = await siteWith("Ana", "Eve", "Bob", "Kim");
  await goPrivate(ana);
  const { slug } = await ana.api.blogs.create.mutate(aBlog());
  const canRead = async (who: SignedInBrowser) =>
    (await who.api.blogs.bySlug.query({ slug }).catch(() => null)) !== null;
  for (const person of [eve, bob, kim])
    expect(await follow(person, ana)).toMatchObject({ status: "requested", followersCount: null });
  expect(await follow(eve, ana)).toMatchObject({ status: "requested" });
  expect((await requesterNames(ana)).toSorted()).toEqual(["Bob", "Eve", "Kim"]);
  expect(await requesterNames(eve)).toEqual([]);
  expect(await profileOf(eve, ana)).toMatchObject({ follow: "requested", closed: true });
  expect(await canRead(eve)).toBe(false);

  await ana.api.social.handleRequest.mutate({ requesterId: eve.me.id, action: "accept" });
  await ana.api.social.handleRequest.mutate({ requesterId: bob.me.id, action: "reject" });
  await follow(kim, ana, false);
  expect(await requesterNames(ana)).toEqual([]);
  expect(
    await Promise.all(
      [eve, bob, kim].map(async (who) => [(await profileOf(who, ana)).follow, await canRead(who)]),
    ),
  ).toEqual([
    ["following", true],
    ["follow", false],
    ["follow", false],
  ]);
  // These were answered already.
  for (const requesterId of [eve.me.id, bob.me.id, kim.me.id, newId()]) {
    for (const action of ["accept", "reject"] as const)
      await expectRefusal(ana.api.social.handleRequest.mutate({ requesterId, action }), "NOT_FOUND");
  }
  // Only the owner can answer a request.
  await follow(bob, ana);
  await expectRefusal(
    eve.api.social.handleRequest.mutate({ requesterId: bob.me.id, action: "accept" }),
    "NOT_FOUND",
  );
  await ana.api.social.removeFollower.mutate({ userId: eve.me.id });
  expect([(await profileOf(eve, ana)).follow, await canRead(eve)]).toEqual(["follow", false]);
  expectRightCounts(testSite);
});

test("changes nothing and sends no event when the person to remove is not a follower", async () => {
  const [testSite, ana, eve, bob] = await siteWith("Ana", "Eve", "Bob");
  await goPrivate(ana);
  await follow(eve, ana);
  // A change of a limited account's follow refreshes the follower's pages.
  await testSite.run(`update users set limited_at = 1 where id = '${ana.me.id}'`);
  const pages = [ana, eve, bob].map((who) => followTopic(who, "me"));
  await Promise.all(pages.map((page) => page.waitForStart()));
  for (const userId of [eve.me.id, bob.me.id, ana.me.id, newId()])
    await ana.api.social.removeFollower.mutate({ userId });
  for (const who of [ana, eve, bob]) await who.api.users.updateProfile.mutate({ bio: "the sentinel" });
  for (const page of pages) {
    await page.waitFor("viewer.profileChanged");
    expect(page.kinds()).toEqual(["viewer.profileChanged"]);
  }
  expect(await requesterNames(ana)).toEqual(["Eve"]);
  expectRightCounts(testSite);
});

test("restores a rejected request within a minute and notifies both people", async () => {
  const [testSite, ana, eve, bob] = await siteWith("Ana", "Eve", "Bob");
  await goPrivate(ana);
  const streams = [ana, eve].map((who) => followTopic(who, "me"));
  const [anaStream, eveStream] = streams;
  await Promise.all(streams.map((stream) => stream.waitForStart()));
  await follow(eve, ana);
  await follow(bob, ana);
  const { requests: before } = await ana.api.social.requests.query();
  const reject = () => ana.api.social.handleRequest.mutate({ requesterId: eve.me.id, action: "reject" });
  const restoreRequest = (who = ana) => who.api.social.restoreRequest.mutate({ userId: eve.me.id });
  const goneError = { code: "NOT_FOUND", message: "This request can’t be restored anymore." };

  await expectRefusal(restoreRequest(), goneError);
  await reject();
  await expectRefusal(restoreRequest(bob), goneError);
  await restoreRequest();
  expect((await ana.api.social.requests.query()).requests).toEqual(before);
  expect((await profileOf(eve, ana)).follow).toBe("requested");
  expect((await ana.api.social.notifications.query()).notifications.map(({ kind }) => kind)).toContain(
    "request",
  );
  await anaStream!.waitFor("follow.requested", 3);
  await eveStream!.waitFor("follow.settled", 2);
  expect(eveStream!.events("follow.settled").at(-1)).toMatchObject({
    userId: ana.me.id,
    status: "requested",
  });
  for (const stream of streams) stream.stop();
  await expectRefusal(restoreRequest(), goneError);

  // Eve withdraws it meanwhile.
  await reject();
  await follow(eve, ana);
  await follow(eve, ana, false);
  await expectRefusal(restoreRequest(), goneError);

  await follow(eve, ana);
  await reject();
  await testSite.write(async (tx) =>
    tx.drizzle.update(rejectedRequests).set({ rejectedAt: Date.now() - limits.rejection.undoneFor - 1 }),
  );
  await expectRefusal(restoreRequest(), goneError);
  expect(await requesterNames(ana)).toEqual(["Bob"]);
});

test("settles a concurrent acceptance and withdrawal with one outcome and right counts", async () => {
  const [testSite, ana, eve] = await siteWith("Ana", "Eve");
  await goPrivate(ana);
  for (let round = 0; round < 10; round++) {
    await follow(eve, ana);
    await Promise.allSettled([
      ana.api.social.handleRequest.mutate({
        requesterId: eve.me.id,
        action: round % 2 ? "accept" : "reject",
      }),
      follow(eve, ana, false),
    ]);
    expect(await requesterNames(ana)).toEqual([]);
    expectRightCounts(testSite);
    await follow(eve, ana, false);
  }
});

test("accepts pending requests when an account goes public, and keeps followers when it goes private", async () => {
  const [testSite, ana, eve, bob] = await siteWith("Ana", "Eve", "Bob");
  await follow(bob, ana);
  await goPrivate(ana);
  expect((await profileOf(bob, ana)).follow).toBe("following");
  await follow(eve, ana);
  const [stream, ownStream] = [followTopic(eve, "me"), followTopic(ana, "me")];
  await Promise.all([stream.waitForStart(), ownStream.waitForStart()]);
  await goPrivate(ana, false);
  await ownStream.waitFor("follow.withdrawn");
  expect(ownStream.events("follow.withdrawn")).toEqual([
    { kind: "follow.withdrawn", requesterId: eve.me.id, requestsCount: 0 },
  ]);
  await stream.waitFor("follow.settled");
  expect(stream.events("follow.settled")).toContainEqual({
    kind: "follow.settled",
    userId: ana.me.id,
    status: "following",
  });
  expect((await profileOf(eve, ana)).follow).toBe("following");
  expect(await requesterNames(ana)).toEqual([]);
  expect((await profileOf(ana, ana)).followersCount).toBe(2);
  expectRightCounts(testSite);
});

test("updates requests live in every tab of the two people and in no one else's", async () => {
  const [testSite, ana, eve, bob] = await siteWith("Ana", "Eve", "Bob");
  await goPrivate(ana);
  const tabs = {
    ana: followTopic(ana, "me"),
    anaToo: followTopic(testSite.browser(ana.cookie), "me"),
    eve: followTopic(eve, "me"),
    bob: followTopic(bob, "me"),
  };
  await Promise.all(Object.values(tabs).map((tab) => tab.waitForStart()));
  await follow(eve, ana);
  await Promise.all([tabs.ana, tabs.anaToo].map((tab) => tab.waitFor("follow.requested")));
  expect(tabs.anaToo.events("follow.requested")[0]).toMatchObject({
    request: { name: "Eve" },
    requestsCount: 1,
  });
  await ana.api.social.handleRequest.mutate({ requesterId: eve.me.id, action: "accept" });
  await tabs.eve.waitFor("follow.settled");
  await Promise.all([tabs.ana, tabs.anaToo].map((tab) => tab.waitFor("follow.withdrawn")));
  await bob.api.users.updateProfile.mutate({ bio: "the sentinel" });
  await tabs.bob.waitFor("viewer.profileChanged");
  expect(tabs.bob.kinds()).toEqual(["viewer.profileChanged"]);
});

test("notifies people once of what concerns them, never of their own actions, until it is undone", async () => {
  const [, ana, eve] = await siteWith("Ana", "Eve");
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const notifications = async (who: SignedInBrowser) => {
    const { notifications: list, unread } = await who.api.social.notifications.query();
    return { kinds: list.map(({ kind }) => kind).toSorted(), unread };
  };
  await ana.api.social.likeBlog.mutate({ blogId: blog.id, liked: true });
  const ownComment = await ana.api.comments.create.mutate(aComment(blog));
  await ana.api.comments.like.mutate({ id: ownComment.id, liked: true });
  expect(await notifications(ana)).toEqual({ kinds: [], unread: 0 });

  await eve.api.social.likeBlog.mutate({ blogId: blog.id, liked: true });
  const comment = await eve.api.comments.create.mutate(aComment(blog, { text: "For @ana and @nobody" }));
  await eve.api.comments.create.mutate(aComment(blog, { parentId: ownComment.id }));
  await eve.api.comments.like.mutate({ id: ownComment.id, liked: true });
  await follow(eve, ana);
  expect(await notifications(ana)).toEqual({
    kinds: ["comment", "comment-like", "follow", "like", "reply"],
    unread: 5,
  });
  expect(await notifications(eve)).toEqual({ kinds: [], unread: 0 });

  await eve.api.social.likeBlog.mutate({ blogId: blog.id, liked: false });
  await eve.api.comments.like.mutate({ id: ownComment.id, liked: false });
  await follow(eve, ana, false);
  await eve.api.comments.remove.mutate({ id: comment.id });
  expect(await notifications(ana)).toEqual({ kinds: ["reply"], unread: 1 });
  await ana.api.social.readNotifications.mutate({});
  expect(await notifications(ana)).toEqual({ kinds: ["reply"], unread: 0 });
});

test("notifies no one of what they may not read", async () => {
  const [, ana, eve, bob] = await siteWith("Ana", "Eve", "Bob");
  await follow(eve, ana);
  const privateBlog = await ana.api.blogs.create.mutate(aBlog({ private: true }));
  const stream = followTopic(bob, "me");
  await stream.waitForStart();
  await eve.api.comments.create.mutate(
    aComment(privateBlog, { text: `See @${bob.me.username} and @${ana.me.username}` }),
  );
  expect(await bob.api.social.notifications.query()).toMatchObject({ notifications: [], unread: 0 });
  expect((await ana.api.social.notifications.query()).notifications).toMatchObject([
    { kind: "comment" },
    { kind: "follow" },
  ]);
  // What the person can no longer read disappears from notifications.
  const evesComment = await eve.api.comments.create.mutate(aComment(privateBlog));
  await ana.api.comments.create.mutate(aComment(privateBlog, { parentId: evesComment.id }));
  expect((await eve.api.social.notifications.query()).unread).toBe(1);
  await ana.api.social.removeFollower.mutate({ userId: eve.me.id });
  expect(await eve.api.social.notifications.query()).toMatchObject({ notifications: [], unread: 0 });
  await bob.api.users.updateProfile.mutate({ bio: "the sentinel" });
  await stream.waitFor("viewer.profileChanged");
  expect(stream.kinds()).toEqual(["viewer.profileChanged"]);
});

test("updates the unread count at once when its cause becomes unreadable, readable or deleted", async () => {
  const [, , ana, eve, bob] = await siteWith("Administrator", "Ana", "Eve", "Bob");
  await follow(bob, ana);
  const stream = followTopic(bob, "me");
  await stream.waitForStart();
  /** Returns the latest unread count that Bob received. */
  const latestUnread = () =>
    stream
      .eventFrames()
      .flatMap(({ event }) => ("unread" in event ? [event.unread] : []))
      .at(-1);
  const waitForUnread = (unread: number) => until(() => latestUnread() === unread, `a bell of ${unread}`);
  const createAnsweredBlog = async () => {
    const blog = await ana.api.blogs.create.mutate(aBlog());
    const comment = await bob.api.comments.create.mutate(aComment(blog));
    await eve.api.comments.create.mutate(aComment(blog, { parentId: comment.id }));
    return blog;
  };
  const blog = await createAnsweredBlog();
  await waitForUnread(1);
  await ana.api.blogs.update.mutate({ id: blog.id, draft: true });
  await waitForUnread(0);
  await ana.api.blogs.update.mutate({ id: blog.id, draft: false });
  await waitForUnread(1);
  await ana.api.users.updateSettings.mutate({ private: true });
  await ana.api.social.removeFollower.mutate({ userId: bob.me.id });
  await waitForUnread(0);
  await ana.api.users.updateSettings.mutate({ private: false });
  await waitForUnread(1);
  await ana.api.users.updateSettings.mutate({ private: true });
  await waitForUnread(0);
  await follow(bob, ana);
  await ana.api.social.handleRequest.mutate({ requesterId: bob.me.id, action: "accept" });
  // The other one is about the accepted request.
  await waitForUnread(2);
  await ana.api.users.updateSettings.mutate({ private: false });
  await ana.api.blogs.remove.mutate({ id: blog.id });
  await waitForUnread(1);
  await createAnsweredBlog();
  await waitForUnread(2);
  await ana.api.users.remove.mutate({ password });
  await waitForUnread(0);
  expect((await bob.api.social.notifications.query()).unread).toBe(0);
});

test("withdraws notifications that were read already when their cause is gone", async () => {
  const [, ana, eve, bob] = await siteWith("Ana", "Eve", "Bob");
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const comment = await eve.api.comments.create.mutate(aComment(blog));
  await ana.api.comments.create.mutate(aComment(blog, { parentId: comment.id }));
  await eve.api.social.likeBlog.mutate({ blogId: blog.id, liked: true });
  await follow(eve, ana);
  await bob.api.social.likeBlog.mutate({ blogId: blog.id, liked: true });
  for (const reader of [ana, eve]) await reader.api.social.readNotifications.mutate({});
  const [anaStream, eveStream] = [followTopic(ana, "me"), followTopic(eve, "me")];
  await Promise.all([anaStream.waitForStart(), eveStream.waitForStart()]);

  await eve.api.social.likeBlog.mutate({ blogId: blog.id, liked: false });
  await anaStream.waitFor("notification.withdrawn", 1);
  await eve.api.comments.remove.mutate({ id: comment.id });
  await anaStream.waitFor("notification.withdrawn", 2);
  await eveStream.waitFor("notification.withdrawn", 1);
  await follow(eve, ana, false);
  await anaStream.waitFor("notification.withdrawn", 3);
  await bob.api.users.remove.mutate({ password });
  await anaStream.waitFor("notification.withdrawn", 4);
  expect(await ana.api.social.notifications.query()).toMatchObject({ notifications: [], unread: 0 });

  // When Eve can no longer read it, her read notifications about it are withdrawn, too.
  const secondBlog = await ana.api.blogs.create.mutate(aBlog());
  const evesComment = await eve.api.comments.create.mutate(aComment(secondBlog));
  await ana.api.comments.create.mutate(aComment(secondBlog, { parentId: evesComment.id }));
  await eve.api.social.readNotifications.mutate({});
  await ana.api.blogs.update.mutate({ id: secondBlog.id, private: true });
  await eveStream.waitFor("notification.withdrawn", 2);
  await ana.api.blogs.update.mutate({ id: secondBlog.id, private: false });
  await eveStream.waitFor("notification.withdrawn", 3);
  await goPrivate(ana);
  await eveStream.waitFor("notification.withdrawn", 4);
  expect(await eve.api.social.notifications.query()).toMatchObject({ notifications: [], unread: 0 });
});

test("lists followers and following with the viewer's relation to each, unless they are hidden", async () => {
  const [, ana, eve, bob] = await siteWith("Ana", "Eve", "Bob");
  await follow(eve, ana);
  await follow(bob, ana);
  await follow(bob, eve);
  const people = async (who: SignedInBrowser, list: "followers" | "following", username = ana.me.username) =>
    (await who.api.social.people.query({ username, list })).people.map(
      ({ name, follow: status }) => `${name} ${status}`,
    );
  expect((await people(bob, "followers")).toSorted()).toEqual(["Bob self", "Eve following"]);
  expect(await people(ana, "following", bob.me.username)).toEqual(
    expect.arrayContaining(["Ana self", "Eve follow"]),
  );
  await ana.api.users.updateSettings.mutate({ showFollowers: false });
  await expectRefusal(people(bob, "followers"), {
    code: "FORBIDDEN",
    message: "This user does not want to disclose followers and following.",
  });
  expect(await people(ana, "followers")).toHaveLength(2);
});

test("returns the ids of an account's own followers and of those it follows", async () => {
  const [, ana, ben, eve] = await siteWith("Ana", "Ben", "Eve");
  for (const follower of [ben, eve])
    await follower.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  await ana.api.social.follow.mutate({ userId: eve.me.id, follow: true });
  const ties = await ana.api.social.ties.query();
  expect(ties.followers.toSorted()).toEqual([ben.me.id, eve.me.id].toSorted());
  expect(ties.following).toEqual([eve.me.id]);
});
