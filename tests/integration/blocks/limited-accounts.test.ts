import { expect, test } from "vitest";
import { ApiClient } from "../../support/api-client.ts";
import { expectRefusal } from "../../support/expect-refusal.ts";
import { upload } from "../../support/pictures.ts";
import { startStaffedSite } from "../../support/staffed-site.ts";
import {
  aBlog,
  aComment,
  followTopics,
  until,
  type Client,
  type SignedInBrowser,
} from "../../support/test-site.ts";

/* Ana is limited: only her followers see her, and nothing shows her the limit. Fay follows her, Ben does not, Cem writes. */

async function createLimitedSite() {
  const { testSite, boss, mona, ana, ben } = await startStaffedSite();
  const [fay, cem] = [await testSite.createAccount("Fay"), await testSite.createAccount("Cem")];
  await fay.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  await ana.api.social.follow.mutate({ userId: cem.me.id, follow: true });
  const anasBlog = await ana.api.blogs.create.mutate(aBlog({ title: "Owls by Ana" }));
  const other = await cem.api.blogs.create.mutate(aBlog({ title: "Owls by Cem" }));
  const comment = await ana.api.comments.create.mutate(aComment(other, { text: "Mine, too." }));
  await ana.api.social.likeBlog.mutate({ blogId: other.id, liked: true });
  const limit = (limited: boolean) =>
    mona.api.moderation.limit.mutate({
      userId: ana.me.id,
      limited,
      ...(limited ? { reason: "Rude." } : {}),
    });
  return {
    testSite,
    boss,
    mona,
    ana,
    fay,
    ben,
    cem,
    anasBlog,
    other,
    comment,
    limit,
    guest: testSite.browser(),
  };
}
type TopicEvents = ReturnType<typeof followTopics>;
type LimitedSite = Awaited<ReturnType<typeof createLimitedSite>>;

/** All that `api` shows of Ana. */
async function visibleContent({ ana, cem, anasBlog, other }: LimitedSite, api: Client) {
  const names = (people: { name: string }[]) => people.map(({ name }) => name);
  const isVisible = async (call: Promise<unknown>) =>
    call.then(
      () => true,
      () => false,
    );
  return {
    feed: (await api.blogs.list.query({})).blogs.map(({ title }) => title),
    liked: (await api.blogs.list.query({ sort: "likes" })).blogs.map(({ title }) => title).toSorted(),
    found: (await api.blogs.search.query({ query: "owls" })).blogs.map(({ title }) => title).toSorted(),
    people: names((await api.users.search.query({ query: ana.me.username })).people),
    followers: names(
      (await api.social.people.query({ username: cem.me.username, list: "followers" })).people,
    ),
    comments: (await api.comments.list.query({ blogId: other.id })).comments.map(({ text }) => text),
    blog: await isVisible(api.blogs.bySlug.query({ slug: anasBlog.slug })),
    card: await isVisible(api.blogs.card.query({ id: anasBlog.id })),
    profile: await isVisible(api.users.profile.query({ username: ana.me.username })),
  };
}
const everythingVisible = {
  feed: ["Owls by Cem", "Owls by Ana"],
  liked: ["Owls by Ana", "Owls by Cem"],
  found: ["Owls by Ana", "Owls by Cem"],
  people: ["Ana"],
  followers: ["Ana"],
  comments: ["Mine, too."],
  blog: true,
  card: true,
  profile: true,
};
const nothingVisible = {
  feed: ["Owls by Cem"],
  liked: ["Owls by Cem"],
  found: ["Owls by Cem"],
  people: [],
  followers: [],
  comments: [],
  blog: false,
  card: false,
  profile: false,
};

test("a limited account is visible only to its followers and itself, and to everyone once the limit ends", async () => {
  const site = await createLimitedSite();
  const { guest, ben, cem, fay, ana, boss, limit } = site;
  for (const { api } of [guest, ben, ana]) expect(await visibleContent(site, api)).toEqual(everythingVisible);
  await limit(true);
  for (const { api } of [ana, fay]) expect(await visibleContent(site, api)).toEqual(everythingVisible);
  for (const { api } of [guest, ben, cem, boss])
    expect(await visibleContent(site, api)).toEqual(nothingVisible);
  const newBlog = await ana.api.blogs.create.mutate(aBlog({ title: "More owls" }));
  expect((await fay.api.blogs.list.query({})).blogs.map(({ title }) => title)).toContain("More owls");
  await expectRefusal(ben.api.blogs.card.query({ id: newBlog.id }), "NOT_FOUND");
  expect((await guest.api.blogs.list.query({})).blogs).toHaveLength(1);
  await ana.api.blogs.remove.mutate({ id: newBlog.id });
  await limit(false);
  for (const { api } of [guest, ben, cem, fay, ana])
    expect(await visibleContent(site, api)).toEqual(everythingVisible);
});

test("gives a limited account no sign of the limit in responses, notifications or emails", async () => {
  const { testSite, ana, fay, anasBlog, limit } = await createLimitedSite();
  const before = JSON.stringify(await ana.api.users.me.query());
  const mails = await testSite.mailsTo(ana.email);
  await limit(true);
  expect(JSON.stringify(await ana.api.users.me.query()).replace(/"cursor":"[^"]*"/, "")).toBe(
    before.replace(/"cursor":"[^"]*"/, ""),
  );
  await fay.api.comments.create.mutate(aComment(anasBlog, { text: "Fine owls." }));
  expect((await ana.api.social.notifications.query()).notifications.map(({ kind }) => kind)).toContain(
    "comment",
  );
  expect(await testSite.mailsTo(ana.email)).toEqual(mails);
});

test("notifies only followers of a limited account's actions, and hides earlier notifications until the limit ends", async () => {
  const { ana, cem, fay, ben, other, limit } = await createLimitedSite();
  const kindsOf = async ({ api }: SignedInBrowser) =>
    (await api.social.notifications.query()).notifications.map(({ kind }) => kind);
  expect(await kindsOf(cem)).toEqual(expect.arrayContaining(["comment", "like", "follow"]));
  await ben.api.users.updateSettings.mutate({ private: true });
  await limit(true);
  expect(await kindsOf(cem)).toEqual([]);
  await ana.api.comments.create.mutate(aComment(other, { text: "Again." }));
  await ana.api.social.follow.mutate({ userId: ben.me.id, follow: true });
  expect(await kindsOf(cem)).toEqual([]);
  expect((await ben.api.social.requests.query()).requests).toEqual([]);
  const faysBlog = await fay.api.blogs.create.mutate(aBlog());
  await ana.api.comments.create.mutate(aComment(faysBlog, { text: "Yours." }));
  expect(await kindsOf(fay)).toEqual(["comment"]);
  await limit(false);
  expect(await kindsOf(cem)).toEqual(expect.arrayContaining(["comment", "like", "follow"]));
  // Actions during the limit are not notified later either.
  expect(JSON.stringify(await cem.api.social.notifications.query())).not.toContain("Again.");
});

test("a limit resets open pages at once, and only followers get the account's later events", async () => {
  const { ana, ben, fay, guest, anasBlog, other, limit } = await createLimitedSite();
  const streams = [ben, guest, fay, ana].map((person) =>
    followTopics(person, ["feed", `blog:${other.id}`, `blog:${anasBlog.id}`, `presence:${other.id}`]),
  );
  const [bensStream, guestsStream, faysStream, anasStream] = streams as [
    TopicEvents,
    TopicEvents,
    TopicEvents,
    TopicEvents,
  ];
  for (const one of streams) await one.waitForStart();
  await limit(true);
  for (const one of streams) await until(() => one.events("reset").length > 0, "everybody asks again");
  for (const one of [bensStream, guestsStream])
    await until(() => one.events("accessLost").length > 0, "the article goes");
  const { id } = await ana.api.comments.create.mutate(aComment(other, { text: "Unheard words." }));
  await ana.api.comments.edit.mutate({ id, text: "Unheard words, again." });
  await ana.api.comments.replying.mutate({ blogId: other.id }).catch(() => undefined);
  await ana.api.blogs.create.mutate(aBlog({ title: "Unheard title" }));
  // Events arrive in order: after this one, all earlier ones have arrived.
  await fay.api.comments.create.mutate(aComment(other, { text: "The last words." }));
  for (const one of streams)
    await until(
      () => JSON.stringify(one.events("comment.created")).includes("The last words."),
      "the last is told",
    );
  for (const one of [bensStream, guestsStream]) {
    expect(JSON.stringify(one.eventFrames())).not.toContain("Unheard");
    expect(JSON.stringify(one.events("blog.published"))).not.toContain(ana.me.id);
  }
  for (const one of [faysStream, anasStream]) {
    expect(one.events("comment.created")).toMatchObject([
      { comment: { text: expect.stringContaining("Unheard words"), author: { id: ana.me.id } } },
      { comment: { text: "The last words." } },
    ]);
    expect(one.events("blog.published")).toMatchObject([{ authorId: ana.me.id }]);
  }
  await limit(false);
  for (const one of streams) await until(() => one.events("reset").length > 1, "everybody asks again");
  for (const one of streams) one.stop();
});

test("an unfollow hides a limited account on open pages, and it gets no new follower until the limit ends", async () => {
  const site = await createLimitedSite();
  const { ana, ben, fay, limit } = site;
  await ana.api.users.updateSettings.mutate({ private: true });
  await ben.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  await limit(true);
  const faysStream = followTopics(fay, ["me"]);
  await faysStream.waitForStart();
  await fay.api.social.follow.mutate({ userId: ana.me.id, follow: false });
  await until(() => faysStream.events("reset").length > 0, "all is asked for again");
  expect(await visibleContent(site, fay.api)).toEqual(nothingVisible);
  await expectRefusal(fay.api.social.follow.mutate({ userId: ana.me.id, follow: true }), "NOT_FOUND");
  faysStream.stop();
  const accept = () => ana.api.social.handleRequest.mutate({ requesterId: ben.me.id, action: "accept" });
  const bensKinds = async () =>
    (await ben.api.social.notifications.query()).notifications.map(({ kind }) => kind);
  expect(await accept()).toMatchObject({ message: "Request accepted." });
  expect(await visibleContent(site, ben.api)).toEqual(nothingVisible);
  expect(await bensKinds()).toEqual([]);
  await limit(false);
  await accept();
  expect(await bensKinds()).toEqual(["accepted"]);
  await limit(true);
  expect(await visibleContent(site, ben.api)).toEqual(everythingVisible);
});

test("a limited account that goes public accepts waiting requests when the limit ends, and not before", async () => {
  const site = await createLimitedSite();
  const { ana, ben, limit } = site;
  await ana.api.users.updateSettings.mutate({ private: true });
  await ben.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  await limit(true);
  await ana.api.users.updateSettings.mutate({ private: false });
  expect(await visibleContent(site, ben.api)).toEqual(nothingVisible);
  await limit(false);
  const following = { username: ben.me.username, list: "following" } as const;
  await until(
    async () => (await ben.api.social.people.query(following)).people.length > 0,
    "who waited is let in",
  );
});

test("hides a limited account's picture and comments in cached pages and in /api/v1", async () => {
  const { testSite, ana, ben, fay, guest, other, limit } = await createLimitedSite();
  const picture = await upload(ana);
  await ana.api.users.updateProfile.mutate({ pictureId: picture.id });
  const statusOf = async (browser: { fetch: (path: string) => Promise<Response> }) =>
    (await browser.fetch(picture.src)).status;
  const guestsClient = new ApiClient(testSite);
  const [bensClient, faysClient] = [await ApiClient.of(testSite, ben), await ApiClient.of(testSite, fay)];
  const showsAna = async (client: ApiClient) =>
    JSON.stringify((await client.call("GET", `/blogs/${other.slug}`)).body).includes(ana.me.id);
  const page = async () => (await guest.fetch(`/blog/${other.slug}`)).text();
  expect(await page()).toContain("Mine, too.");
  expect([await showsAna(guestsClient), await showsAna(bensClient), await showsAna(faysClient)]).toEqual([
    true,
    true,
    true,
  ]);
  expect([await statusOf(guest), await statusOf(fay)]).toEqual([200, 200]);
  await limit(true);
  expect(await page()).not.toContain("Mine, too.");
  expect([await showsAna(guestsClient), await showsAna(bensClient), await showsAna(faysClient)]).toEqual([
    false,
    false,
    true,
  ]);
  expect([await statusOf(guest), await statusOf(ben), await statusOf(fay), await statusOf(ana)]).toEqual([
    404, 404, 200, 200,
  ]);
});

test("moderators limit members, which the log and the list show, but not administrators", async () => {
  const { boss, mona, ana, ben, limit } = await createLimitedSite();
  await limit(true);
  await limit(true);
  expect((await mona.api.moderation.people.query({ query: "ana" })).people).toMatchObject([
    { id: ana.me.id, suspended: null, limited: { reason: "Rude." } },
  ]);
  await limit(false);
  const log = (await mona.api.moderation.log.query({})).entries.map(
    ({ act, name, reason }) => `${act} ${name} ${reason}`,
  );
  expect(log.slice(0, 2)).toEqual([`unlimit ${ana.me.username} `, `limit ${ana.me.username} Rude.`]);
  for (const [person, userId] of [
    [mona, boss.me.id],
    [ben, ana.me.id],
  ] as const)
    await expectRefusal(person.api.moderation.limit.mutate({ userId, limited: true }), "FORBIDDEN");
});

test("hides a moderator's own limit from them, and refuses to make a limited account an administrator", async () => {
  const { boss, mona, ana, limit } = await createLimitedSite();
  await limit(true);
  await expectRefusal(boss.api.moderation.makeAdmin.mutate({ userId: ana.me.id }), "CONFLICT");
  const userId = mona.me.id;
  await boss.api.moderation.limit.mutate({ userId, limited: true, reason: "Quietly." });
  await boss.api.moderation.addNote.mutate({ userId, body: "Watch her." });
  const [monasEntry] = (await mona.api.moderation.people.query({ query: mona.me.username })).people;
  expect(monasEntry).toMatchObject({ id: userId, limited: null, notes: 0 });
  const limitedNames = async ({ api }: SignedInBrowser) =>
    (await api.moderation.people.query({ state: "limited" })).people.map(({ name }) => name).toSorted();
  expect(await limitedNames(mona)).toEqual(["Ana"]);
  expect(await limitedNames(boss)).toEqual(["Ana", "Mona"]);
  const logEntries = async ({ api }: SignedInBrowser) =>
    (await api.moderation.log.query({})).entries.map(({ act, name }) => `${act} ${name}`);
  const anasLimitEntry = `limit ${ana.me.username}`;
  expect((await logEntries(boss)).slice(0, 3)).toEqual([
    `note ${mona.me.username}`,
    `limit ${mona.me.username}`,
    anasLimitEntry,
  ]);
  expect((await logEntries(mona)).slice(0, 2)).toEqual([anasLimitEntry, `moderator ${mona.me.username}`]);
});
