import { expect, test } from "vitest";
import type { TopicName } from "../../../src/shared/live.ts";
import { siteWith } from "../../support/site-with.ts";
import {
  aBlog,
  aComment,
  followTopics,
  password,
  startTestSite,
  type Browser,
  type SignedInBrowser,
  type TestSite,
} from "../../support/test-site.ts";

async function makeFollower(follower: SignedInBrowser, author: SignedInBrowser) {
  const { status } = await follower.api.social.follow.mutate({ userId: author.me.id, follow: true });
  if (status === "requested")
    await author.api.social.handleRequest.mutate({ requesterId: follower.me.id, action: "accept" });
}

/** Ana's blog, open and as a card, in tabs of Ana, of her follower Fay, of Eve who does not follow her, and of a guest. */
async function createAudience(testSite: TestSite, blog: Record<string, unknown> = {}) {
  const [ana, fay, eve] = [
    await testSite.createAccount("Ana"),
    await testSite.createAccount("Fay"),
    await testSite.createAccount("Eve"),
  ];
  await makeFollower(fay, ana);
  const { id, slug } = await ana.api.blogs.create.mutate(aBlog(blog));
  const { cursor } = await ana.api.blogs.bySlug.query({ slug });
  // A tab each, because a connection has one stream.
  const openTabs = ({ cookie }: Browser) => [
    followTopics(testSite.browser(cookie), [`blog:${id}`], cursor),
    followTopics(testSite.browser(cookie), [`card:${id}`, "feed"], cursor),
  ];
  const streams = {
    ana: openTabs(ana),
    fay: openTabs(fay),
    eve: openTabs(eve),
    guest: openTabs(testSite.browser()),
  };
  const all = Object.values(streams).flat();
  await Promise.all(all.map((stream) => stream.waitForStart()));
  const postComment = (text: string) => ana.api.comments.create.mutate(aComment({ id }, { text }));
  /** Waits until the streams of all members have reached the newest event. */
  const awaitNewestEvent = async () => {
    const { cursor: end } = await ana.api.blogs.list.query({});
    testSite.app.services.bus.signal([ana, fay, eve].map(({ me }) => `user:${me.id}`));
    await Promise.all(
      [...streams.ana, ...streams.fay, ...streams.eve].map((stream) => stream.waitForCursor(end)),
    );
  };
  /** The events that each got of the blog, open and as a card. */
  const kindsOf = (who: keyof typeof streams) =>
    streams[who].map((stream) =>
      stream
        .kinds()
        .filter((kind) => !kind.startsWith("feed"))
        .join(", "),
    );
  return { ana, fay, eve, id, slug, streams, postComment, awaitNewestEvent, kindsOf };
}

const awaitAccessLost = async (streams: ReturnType<typeof followTopics>[], count = 1) =>
  void (await Promise.all(streams.map((stream) => stream.waitFor("accessLost", count))));

test("a blog made private disappears for non-followers, who get no event of it until it is public again", async () => {
  await using testSite = await startTestSite();
  const { ana, id, streams, postComment, awaitNewestEvent, kindsOf } = await createAudience(testSite);
  await ana.api.blogs.update.mutate({ id, private: true });
  await awaitAccessLost([...streams.eve, ...streams.guest]);
  await postComment("for followers");
  await ana.api.blogs.update.mutate({ id, title: "A secret title" });
  await awaitNewestEvent();
  expect([kindsOf("eve"), kindsOf("guest")]).toEqual([
    ["blog accessLost", "card accessLost"],
    ["blog accessLost", "card accessLost"],
  ]);
  expect(kindsOf("fay")).toEqual([
    "blog blog.edited, blog comment.created, blog blog.edited",
    "card blog.edited, card blog.counted, card blog.edited",
  ]);
  await ana.api.blogs.update.mutate({ id, private: false, title: "An open title" });
  await Promise.all([...streams.eve, ...streams.guest].map((stream) => stream.waitFor("accessRestored")));
  await postComment("for all");
  await Promise.all([streams.eve[0]!.waitFor("comment.created"), streams.guest[1]!.waitFor("blog.counted")]);
  expect(JSON.stringify([...streams.eve, ...streams.guest].map(({ frames }) => frames))).not.toMatch(
    /secret|followers"/,
  );
  expect(streams.eve[0]!.kinds().slice(0, 2)).toEqual(["blog accessLost", "blog accessRestored"]);
});

test("a blog that becomes a draft disappears for all but its author, and a deleted one for everyone", async () => {
  await using testSite = await startTestSite();
  const { ana, id, streams, awaitNewestEvent, kindsOf } = await createAudience(testSite);
  await ana.api.blogs.update.mutate({ id, draft: true });
  await awaitAccessLost([...streams.fay, ...streams.eve, ...streams.guest]);
  await awaitNewestEvent();
  expect(kindsOf("ana")).toEqual(["blog blog.edited", "card blog.edited"]);
  await ana.api.blogs.remove.mutate({ id });
  await awaitAccessLost(streams.ana);
  expect([kindsOf("fay"), kindsOf("eve"), kindsOf("guest")]).toEqual(
    Array.from({ length: 3 }, () => ["blog accessLost", "card accessLost"]),
  );
});

test("an account that becomes private, removes a follower or is deleted takes access away at once", async () => {
  const [testSite] = await siteWith("Administrator");
  const { ana, fay, streams, postComment, awaitNewestEvent, kindsOf } = await createAudience(testSite);
  await ana.api.users.updateSettings.mutate({ private: true });
  await awaitAccessLost([...streams.eve, ...streams.guest]);
  await postComment("for followers");
  await awaitNewestEvent();
  expect(kindsOf("fay")).toEqual(["blog comment.created", "card blog.counted"]);
  await ana.api.social.removeFollower.mutate({ userId: fay.me.id });
  await awaitAccessLost(streams.fay);
  await postComment("to herself");
  await awaitNewestEvent();
  expect(JSON.stringify([streams.eve, streams.guest].flat().map(({ frames }) => frames))).not.toContain(
    "comment",
  );
  expect(JSON.stringify(streams.fay[0]!.frames)).not.toContain("to herself");
  await makeFollower(fay, ana);
  await Promise.all(streams.fay.map((stream) => stream.waitFor("accessRestored")));
  await ana.api.users.remove.mutate({ password });
  await awaitAccessLost(streams.fay, 2);
  await streams.eve[1]!.waitFor("person.gone");
  expect(streams.eve[1]!.events("person.gone")).toMatchObject([{ personId: ana.me.id }]);
  expect(streams.eve[1]!.events("blog.gone")).toEqual([]);
});

test("an address reports that its blog became readable by a follow, a publication, a creation or a rename", async () => {
  await using testSite = await startTestSite();
  const { ana, eve, slug, id } = await createAudience(testSite, { private: true });
  const draft = await ana.api.blogs.create.mutate(aBlog({ draft: true }));
  const [privateStream, draftStream, missingStream, renamedStream] = [
    slug,
    draft.slug,
    "nothing-here-yet",
    "a-new-name",
  ].map((name) => followTopics(testSite.browser(eve.cookie), [`address:${name}`]));
  for (const stream of [privateStream, draftStream, missingStream, renamedStream]) {
    await stream!.waitForStart();
    expect(stream!.kinds()).toEqual([]);
  }
  await makeFollower(eve, ana);
  await privateStream!.waitFor("accessRestored");
  await ana.api.blogs.update.mutate({ id: draft.id, draft: false });
  await draftStream!.waitFor("accessRestored");
  await ana.api.blogs.create.mutate(aBlog({ slug: "nothing-here-yet" }));
  await missingStream!.waitFor("accessRestored");
  await ana.api.blogs.update.mutate({ id, slug: "a-new-name" });
  await renamedStream!.waitFor("accessRestored");
  // The previous address leads there, too.
  const oldAddressStream = followTopics(testSite.browser(eve.cookie), [`address:${slug}`]);
  await oldAddressStream.waitFor("accessRestored");
  await ana.api.blogs.update.mutate({ id, draft: true });
  await privateStream!.waitFor("accessLost");
});

test("publishes changes of a profile's lists only to those who see them", async () => {
  await using testSite = await startTestSite();
  const { ana, fay, eve } = await createAudience(testSite);
  const topics: TopicName[] = [`profile:${ana.me.id}`];
  const pages = { ana, fay, eve, guest: testSite.browser() };
  const streams = Object.entries(pages).map(([name, who]) => ({
    name,
    stream: followTopics(testSite.browser(who.cookie), topics),
  }));
  await Promise.all(streams.map(({ stream }) => stream.waitForStart()));
  const blog = await eve.api.blogs.create.mutate(aBlog());
  await ana.api.blogs.create.mutate(aBlog({ draft: true }));
  await ana.api.blogs.create.mutate(aBlog({ private: true }));
  await ana.api.social.saveBlog.mutate({ blogId: blog.id, saved: true });
  await ana.api.social.likeBlog.mutate({ blogId: blog.id, liked: true });
  await ana.api.users.updateProfile.mutate({ bio: "Done." });
  await Promise.all(streams.map(({ stream }) => stream.waitFor("profile.changed")));
  const lists = Object.fromEntries(
    streams.map(({ name, stream }) => [name, stream.events("profile.listed").map(({ list }) => list)]),
  );
  expect(lists).toEqual({
    ana: ["draft-blogs", "private-blogs", "saved-blogs", "liked-blogs"],
    fay: ["private-blogs", "liked-blogs"],
    eve: ["liked-blogs"],
    guest: ["liked-blogs"],
  });
});
