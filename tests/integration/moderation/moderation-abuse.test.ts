import { expect, test } from "vitest";
import { createBlog } from "../../../src/server/writing/service.ts";
import { actingAs } from "../../../src/server/accounts/acting-as.ts";
import { NewBlog } from "../../../src/shared/blogs.ts";
import { ApiClient, blogForm } from "../../support/api-client.ts";
import { expectRefusal } from "../../support/expect-refusal.ts";
import { upload } from "../../support/pictures.ts";
import {
  aBlog,
  aComment,
  followTopic,
  password,
  type Browser,
  type SignedInBrowser,
} from "../../support/test-site.ts";
import { startStaffedSite } from "../../support/staffed-site.ts";

/* Attempts of an abuser, or of a moderator with something to hide. */

const suspend = (moderator: SignedInBrowser, person: SignedInBrowser, suspended = true) =>
  moderator.api.moderation.suspend.mutate({ userId: person.me.id, suspended, reason: "Spam." });
const pictureStatus = async (browser: Pick<Browser, "fetch">, src: string) =>
  (await browser.fetch(src)).status;

test("hides the pictures of a suspended account from everyone until the suspension ends", async () => {
  const { testSite, mona, ana, ben } = await startStaffedSite({ anaAs: "Anabel", benAs: "Bendix" });
  const guest = testSite.browser();
  const [cover, textPicture, portrait] = [await upload(ana), await upload(ana), await upload(ana)];
  await ana.api.users.updateProfile.mutate({ pictureId: portrait.id });
  await ben.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  await ana.api.blogs.create.mutate(
    aBlog({
      coverId: cover.id,
      document: {
        type: "doc",
        content: [
          { type: "paragraph", content: [{ type: "image", attrs: { src: textPicture.src, alt: "" } }] },
        ],
      },
    }),
  );
  const privatePicture = await upload(ana);
  await ana.api.blogs.create.mutate(aBlog({ coverId: privatePicture.id, private: true }));
  const all = () =>
    Promise.all(
      [cover, textPicture, portrait, privatePicture].map(async ({ src }) =>
        (await Promise.all([guest, ben].map((person) => pictureStatus(person, src)))).join(" "),
      ),
    );
  const before = ["200 200", "200 200", "200 200", "404 200"];
  expect(await all()).toEqual(before);
  await suspend(mona, ana);
  expect(await all()).toEqual(["404 404", "404 404", "404 404", "404 404"]);
  await suspend(mona, ana, false);
  expect(await all()).toEqual(before);
});

test.each([
  "the blog's author has blocked its writer",
  "the blog's author is suspended",
  "the blog is a draft again",
  "its writer is suspended",
])("moderators can delete a comment even if %s", async (situation) => {
  const { testSite, mona, ana, ben } = await startStaffedSite({ anaAs: "Anabel", benAs: "Bendix" });
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const { id } = await ben.api.comments.create.mutate(aComment(blog, { text: "You owl." }));
  await ana.api.moderation.report.mutate({ kind: "comment", id, reason: "abuse" });
  if (situation.endsWith("blocked its writer"))
    await ana.api.social.block.mutate({ userId: ben.me.id, blocked: true });
  if (situation.endsWith("suspended")) await suspend(mona, situation.startsWith("its writer") ? ben : ana);
  if (situation.endsWith("a draft again")) await ana.api.blogs.update.mutate({ id: blog.id, draft: true });
  const decision = { kind: "comment", id, outcome: "take-down", reason: "Be kind." } as const;
  await mona.api.moderation.resolveReport.mutate(decision);
  expect(testSite.rows(`select id from comments where id = '${id}'`)).toEqual([]);
});

test("a moderator can neither dismiss a report about their own blog nor restore it", async () => {
  const { boss, mona, ben } = await startStaffedSite({ anaAs: "Anabel", benAs: "Bendix" });
  const { id } = await mona.api.blogs.create.mutate(aBlog());
  await ben.api.moderation.report.mutate({ kind: "blog", id, reason: "spam" });
  const decision = { kind: "blog", id, outcome: "keep" } as const;
  await expectRefusal(mona.api.moderation.resolveReport.mutate(decision), "FORBIDDEN");
  await boss.api.moderation.resolveReport.mutate({
    ...decision,
    outcome: "take-down",
    reason: "It is an ad.",
  });
  await expectRefusal(mona.api.moderation.restore.mutate({ blogId: id }), "FORBIDDEN");
  await boss.api.moderation.restore.mutate({ blogId: id });
  expect((await ben.api.blogs.card.query({ id })).draft).toBe(false);
});

test("refuses to close the reports of a target under another kind", async () => {
  const { mona, ben } = await startStaffedSite({ anaAs: "Anabel", benAs: "Bendix" });
  const { id } = await mona.api.blogs.create.mutate(aBlog());
  await ben.api.moderation.report.mutate({ kind: "blog", id, reason: "spam" });
  await ben.api.moderation.report.mutate({ kind: "profile", id: mona.me.id, reason: "spam" });
  for (const target of [
    { kind: "comment", id },
    { kind: "blog", id: mona.me.id },
  ] as const)
    await expectRefusal(mona.api.moderation.resolveReport.mutate({ ...target, outcome: "keep" }), "CONFLICT");
  expect((await mona.api.moderation.queue.query({})).waiting).toBe(2);
});

test("a page that reconnects gets no new name or bio of an account suspended since", async () => {
  const { testSite, mona, ana, ben } = await startStaffedSite({ anaAs: "Anabel", benAs: "Bendix" });
  const { cursor } = await testSite.browser().api.blogs.list.query({});
  for (const person of [ana, ben])
    await person.api.users.updateProfile.mutate({ name: `${person.me.name} the Owl`, bio: "I say who." });
  await suspend(mona, ana);
  const page = followTopic(testSite.browser(), "feed", cursor);
  await page.waitForStart();
  const frames = JSON.stringify(page.eventFrames());
  expect(frames).toContain("Bendix the Owl");
  expect(frames).not.toContain("Anabel the Owl");
});

test("hides a suspended account's follow request until the suspension ends", async () => {
  const { testSite, mona, ana, ben } = await startStaffedSite({ anaAs: "Anabel", benAs: "Bendix" });
  await ben.api.users.updateSettings.mutate({ private: true });
  await ana.api.social.follow.mutate({ userId: ben.me.id, follow: true });
  const client = await ApiClient.of(testSite, ben);
  const all = async () =>
    JSON.stringify([
      await ben.api.social.requests.query(),
      await ben.api.social.notifications.query(),
      (await client.call("GET", `/users/${ben.me.username}`)).body,
      await (await ben.fetch("/requests")).text(),
    ]);
  expect(await all()).toContain(ana.me.username);
  await suspend(mona, ana);
  expect(await all()).not.toContain(ana.me.username);
  await suspend(mona, ana, false);
  expect(await all()).toContain(ana.me.username);
});

test("a blog restored while its author is suspended is not public until the suspension ends", async () => {
  const { testSite, mona, ana, ben } = await startStaffedSite({ anaAs: "Anabel", benAs: "Bendix" });
  const { id } = await ana.api.blogs.create.mutate(aBlog());
  await ben.api.blogs.create.mutate(aBlog());
  await mona.api.moderation.resolveReport.mutate({ kind: "blog", id, outcome: "take-down", reason: "Owls." });
  await suspend(mona, ana);
  await mona.api.moderation.restore.mutate({ blogId: id });
  expect(testSite.rows("select id from blogs where is_public = 1")).toHaveLength(1);
  await suspend(mona, ana, false);
  expect(testSite.rows("select id from blogs where is_public = 1")).toHaveLength(2);
});

test("hides a suspended account in every page, list, cache and API response until the suspension ends", async () => {
  const { testSite, mona, ana, ben } = await startStaffedSite({ anaAs: "Anabel", benAs: "Bendix" });
  const cem = await testSite.createAccount("Cemre");
  const blog = await ana.api.blogs.create.mutate(aBlog({ title: "The Anabelblog", tags: ["night"] }));
  const bens = await ben.api.blogs.create.mutate(aBlog({ title: "Bens", tags: ["night"] }));
  await ben.api.users.updateSettings.mutate({ interests: ["night"], showSavedBlogs: true });
  for (const person of [ben, cem]) {
    await person.api.social.follow.mutate({ userId: ana.me.id, follow: true });
    await person.api.social.likeBlog.mutate({ blogId: blog.id, liked: true });
    await person.api.social.saveBlog.mutate({ blogId: blog.id, saved: true });
  }
  await ana.api.social.follow.mutate({ userId: ben.me.id, follow: true });
  await ana.api.social.likeBlog.mutate({ blogId: bens.id, liked: true });
  await ana.api.social.saveBlog.mutate({ blogId: bens.id, saved: true });
  const comment = await ana.api.comments.create.mutate(
    aComment(bens, { text: `Anabelsays @${ben.me.username}` }),
  );
  const reply = await ben.api.comments.create.mutate(
    aComment(bens, { parentId: comment.id, text: "Thanks." }),
  );
  const likedComment = await ben.api.comments.create.mutate(aComment(bens, { text: "Second." }));
  await ana.api.comments.like.mutate({ id: reply.id, liked: true });
  await ana.api.comments.like.mutate({ id: likedComment.id, liked: true });
  const loneComment = await ana.api.comments.create.mutate(aComment(bens, { text: "Anabelsays alone" }));
  const markers = [ana.me.id, ana.me.username, blog.id, "Anabelblog", "Anabelsays", loneComment.id];
  const username = ben.me.username;
  const paths = [
    "/",
    "/?sort=likes",
    "/search?q=night",
    `/blog/${bens.slug}?comments`,
    `/${username}`,
    `/${username}/liked-blogs`,
    `/${username}/saved-blogs`,
    `/followers/${username}`,
    `/following/${username}`,
    "/sitemap.xml",
    "/feed.xml",
    "/notifications",
    "/requests",
  ];
  const restPaths = [
    "/blogs",
    "/blogs?sort=likes",
    `/blogs/${bens.slug}`,
    `/blogs/user/${ben.me.id}`,
    "/search-blogs?search=night",
    "/search-users?search=anab",
    "/recommended",
    `/users/${username}`,
  ];
  const clients = new Map<Browser, ApiClient>();
  for (const person of [ben, cem]) clients.set(person, await ApiClient.of(testSite, person));
  const guest = testSite.browser();
  clients.set(guest, new ApiClient(testSite));
  const exposures = async (browser: Browser) => {
    const { api } = browser;
    const places: string[] = [];
    const check = (place: string, content: unknown) => {
      const text = typeof content === "string" ? content : JSON.stringify(content ?? "");
      const marker = markers.find((one) => text.includes(one));
      if (marker) places.push(place);
    };
    for (const path of paths) check(path, await (await browser.fetch(path)).text());
    for (const path of restPaths) check(`GET ${path}`, (await clients.get(browser)!.call("GET", path)).body);
    for (const tab of ["liked-blogs", "saved-blogs"] as const)
      check(tab, await api.blogs.byAuthor.query({ username, tab }).catch(() => ""));
    for (const list of ["followers", "following"] as const)
      check(list, await api.social.people.query({ username, list }).catch(() => ""));
    check("comments", await api.comments.list.query({ blogId: bens.id }));
    if (browser !== guest) {
      check("ties", await api.social.ties.query());
      check("notifications", await api.social.notifications.query());
      check("recommended", await api.blogs.recommended.query());
    }
    return places;
  };
  const readers = [guest, ben, cem];
  const before: string[][] = [];
  for (const person of readers) before.push(await exposures(person));
  for (const list of before) expect(list.length).toBeGreaterThan(10);
  await suspend(mona, ana);
  for (const person of readers) expect(await exposures(person)).toEqual([]);
  await suspend(mona, ana, false);
  for (const [index, person] of readers.entries()) expect(await exposures(person)).toEqual(before[index]);
});

test("publishes the new unread count at once when someone in the notifications is suspended or reinstated", async () => {
  const { mona, ana, ben } = await startStaffedSite({ anaAs: "Anabel", benAs: "Bendix" });
  const { id } = await ben.api.blogs.create.mutate(aBlog());
  await ana.api.social.likeBlog.mutate({ blogId: id, liked: true });
  const stream = followTopic(ben, "me");
  await stream.waitForStart();
  await suspend(mona, ana);
  await stream.waitFor("notification.withdrawn");
  expect(stream.events("notification.withdrawn").at(-1)).toMatchObject({ unread: 0 });
  await suspend(mona, ana, false);
  await stream.waitFor("notification.withdrawn", 2);
  expect(stream.events("notification.withdrawn").at(-1)).toMatchObject({ unread: 1 });
  stream.stop();
});

test("refuses the second of two moderators who take down a blog at once", async () => {
  const { boss, mona, ana } = await startStaffedSite({ anaAs: "Anabel", benAs: "Bendix" });
  const { id } = await ana.api.blogs.create.mutate(aBlog());
  const hideBlog = (moderator: SignedInBrowser) =>
    moderator.api.moderation.resolveReport.mutate({
      kind: "blog",
      id,
      outcome: "take-down",
      reason: moderator.me.name,
    });
  const outcomes = await Promise.allSettled([hideBlog(boss), hideBlog(mona)]);
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  const { entries } = await boss.api.moderation.log.query({});
  expect(entries.filter((entry) => entry.act === "take-down")).toHaveLength(1);
});

test("an administrator, who may be alone, can resolve a report about themselves", async () => {
  const { boss, ben } = await startStaffedSite({ anaAs: "Anabel", benAs: "Bendix" });
  await ben.api.moderation.report.mutate({ kind: "profile", id: boss.me.id, reason: "other", body: "Hm." });
  expect((await boss.api.moderation.queue.query({})).targets).toMatchObject([{ owner: { id: boss.me.id } }]);
  await boss.api.moderation.resolveReport.mutate({ kind: "profile", id: boss.me.id, outcome: "keep" });
  expect((await boss.api.moderation.queue.query({})).targets).toEqual([]);
});

test("a blog that was taken down cannot be published in any way, and guests get no cached copy", async () => {
  const { testSite, mona, ana } = await startStaffedSite({ anaAs: "Anabel", benAs: "Bendix" });
  const cover = await upload(ana);
  const blog = aBlog({ title: "Owls to sell", tags: ["night"], coverId: cover.id });
  const { slug, id } = await ana.api.blogs.create.mutate(blog);
  const [guest, client] = [testSite.browser(), await ApiClient.of(testSite, ana)];
  const open = new ApiClient(testSite);
  const publicPlaces = async () => {
    const pages = ["/", "/?sort=likes", "/search?q=owls", `/blog/${slug}`, `/${ana.me.username}`];
    const calls = ["/blogs", `/blogs/${slug}`, "/search-blogs?search=owls", `/blogs/user/${ana.me.id}`];
    const texts = await Promise.all([
      ...pages.map(async (path) => (await guest.fetch(path)).text()),
      ...calls.map(async (path) => JSON.stringify((await open.call("GET", path)).body)),
    ]);
    const shownPaths = [...pages, ...calls].filter((_path, index) => texts[index]?.includes("to sell"));
    return [...shownPaths, await pictureStatus(guest, cover.src)];
  };
  const before = await publicPlaces();
  expect(before.length).toBeGreaterThan(7);
  await mona.api.moderation.resolveReport.mutate({ kind: "blog", id, outcome: "take-down", reason: "Owls." });
  expect(await publicPlaces()).toEqual([404]);
  // A retry of its creation: the blog has been changed since.
  await expectRefusal(ana.api.blogs.create.mutate(blog), "CONFLICT");
  const patched = await client.call("PATCH", `/blogs/${id}`, blogForm({ title: undefined, draft: "false" }));
  expect(patched.status).toBe(403);
  expect(
    (
      await client.call(
        "PATCH",
        `/blogs/${id}`,
        blogForm({ title: undefined, draft: undefined, private: "true" }),
      )
    ).status,
  ).toBe(200);
  expect(await publicPlaces()).toEqual([404]);
  // As before, except for what its author changed.
  await mona.api.moderation.restore.mutate({ blogId: id });
  expect(await publicPlaces()).toEqual([404]);
  await ana.api.blogs.update.mutate({ id, private: false });
  expect(await publicPlaces()).toEqual(before);
});

test("the API token and the emailed links of a suspended account do not work", async () => {
  const { testSite, mona, ana } = await startStaffedSite({ anaAs: "Anabel", benAs: "Bendix" });
  await ana.api.users.sendDeletionLink.mutate();
  await ana.api.users.changeEmail.mutate({ email: "elsewhere@example.org", password });
  const removal = await testSite.mailedToken(ana.email, "delete-account");
  const change = await testSite.mailedToken("elsewhere@example.org", "change-email");
  const client = await ApiClient.of(testSite, ana);
  const recommended = async () => (await client.call("GET", "/recommended")).status;
  expect(await recommended()).toBe(200);
  await suspend(mona, ana);
  expect(await recommended()).toBe(401);
  const guest = testSite.browser();
  for (const call of [
    () => guest.api.users.deleteByLink.mutate({ token: removal }),
    () => guest.api.users.followEmailLink.mutate({ token: change }),
  ])
    await expectRefusal(call(), "BAD_REQUEST");
  expect(testSite.rows(`select email from users where id = '${ana.me.id}'`)).toEqual([{ email: ana.email }]);
});

test("moderators can search for any text, and wildcards match no one", async () => {
  const { mona } = await startStaffedSite({ anaAs: "Anabel", benAs: "Bendix" });
  for (const query of ["%", "_", "\\", "'", '"', "\ud800", "@", "-- ", "a".repeat(200)])
    expect([query, (await mona.api.moderation.people.query({ query })).people.length]).toEqual([
      query,
      query === "@" ? 4 : 0,
    ]);
});

test("shows a reported blog to a moderator whom its author blocked, but not once it is a draft", async () => {
  const { mona, ana, ben } = await startStaffedSite({ anaAs: "Anabel", benAs: "Bendix" });
  const { id } = await ana.api.blogs.create.mutate(aBlog());
  await ben.api.moderation.report.mutate({ kind: "blog", id, reason: "spam" });
  await ana.api.social.block.mutate({ userId: mona.me.id, blocked: true });
  const [target] = (await mona.api.moderation.queue.query({})).targets;
  expect(target?.beginning).toContain("Owls");
  await ana.api.blogs.update.mutate({ id, draft: true });
  expect((await mona.api.moderation.queue.query({})).targets).toMatchObject([{ text: "", beginning: "" }]);
});

test("a blog that a suspended account creates is not public until the suspension ends", async () => {
  const { testSite, mona, ana } = await startStaffedSite({ anaAs: "Anabel", benAs: "Bendix" });
  await suspend(mona, ana);
  await createBlog(actingAs(testSite.app.services, ana.me.id), NewBlog.parse(aBlog({ title: "Late owls" })));
  expect(testSite.rows("select title, is_public from blogs")).toEqual([{ title: "Late owls", is_public: 0 }]);
  await suspend(mona, ana, false);
  expect(testSite.rows("select title, is_public from blogs")).toEqual([{ title: "Late owls", is_public: 1 }]);
});
