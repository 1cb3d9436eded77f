import { expect, test } from "vitest";
import { createBlog } from "../../src/server/blogs/service.ts";
import { actingAs } from "../../src/server/commands/parts.ts";
import { NewBlog } from "../../src/shared/blogs.ts";
import { ApiClient, blogForm } from "../support/api-client.ts";
import { upload } from "../support/pictures.ts";
import { aBlog, aComment, listen, password, refusal, type Browser, type Resident } from "../support/town.ts";
import { startStaffedTown } from "../support/staffed-town.ts";

/* What an abuser, or a moderator with something to hide, would try. */

const suspend = (by: Resident, who: Resident, suspended = true) =>
  by.api.moderation.suspend.mutate({ userId: who.me.id, suspended, reason: "Spam." });
const sees = async (browser: Pick<Browser, "fetch">, src: string) => (await browser.fetch(src)).status;

test("the pictures of a suspended account are nobody's to see, and come back with it", async () => {
  await using site = await startStaffedTown({ anaAs: "Anabel", benAs: "Bendix" });
  const { town, mona, ana, ben } = site;
  const guest = town.browser();
  const [cover, inText, face] = [await upload(ana), await upload(ana), await upload(ana)];
  await ana.api.users.updateProfile.mutate({ pictureId: face.id });
  await ben.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  await ana.api.blogs.create.mutate(
    aBlog({
      coverId: cover.id,
      document: {
        type: "doc",
        content: [{ type: "paragraph", content: [{ type: "image", attrs: { src: inText.src, alt: "" } }] }],
      },
    }),
  );
  const closed = await upload(ana);
  await ana.api.blogs.create.mutate(aBlog({ coverId: closed.id, private: true }));
  const all = () =>
    Promise.all(
      [cover, inText, face, closed].map(async ({ src }) =>
        (await Promise.all([guest, ben].map((who) => sees(who, src)))).join(" "),
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
])("a comment that moderators delete goes also where %s", async (how) => {
  await using site = await startStaffedTown({ anaAs: "Anabel", benAs: "Bendix" });
  const { town, mona, ana, ben } = site;
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const { id } = await ben.api.comments.create.mutate(aComment(blog, { text: "You owl." }));
  await ana.api.moderation.report.mutate({ kind: "comment", id, reason: "abuse" });
  if (how.endsWith("blocked its writer"))
    await ana.api.social.block.mutate({ userId: ben.me.id, blocked: true });
  if (how.endsWith("suspended")) await suspend(mona, how.startsWith("its writer") ? ben : ana);
  if (how.endsWith("a draft again")) await ana.api.blogs.update.mutate({ id: blog.id, draft: true });
  const act = { kind: "comment", id, outcome: "hide", reason: "Be kind." } as const;
  await mona.api.moderation.resolveReport.mutate(act);
  expect(town.rows(`select id from comments where id = '${id}'`)).toEqual([]);
});

test("nobody answers for what is their own: neither lets it be read again nor leaves it as it is", async () => {
  await using site = await startStaffedTown({ anaAs: "Anabel", benAs: "Bendix" });
  const { boss, mona, ben } = site;
  const { id } = await mona.api.blogs.create.mutate(aBlog());
  await ben.api.moderation.report.mutate({ kind: "blog", id, reason: "spam" });
  const keep = { kind: "blog", id, outcome: "keep" } as const;
  expect(await refusal(mona.api.moderation.resolveReport.mutate(keep))).toMatchObject({ code: "FORBIDDEN" });
  await boss.api.moderation.resolveReport.mutate({ ...keep, outcome: "hide" });
  expect(await refusal(mona.api.moderation.restore.mutate({ blogId: id }))).toMatchObject({
    code: "FORBIDDEN",
  });
  await boss.api.moderation.restore.mutate({ blogId: id });
  expect((await ben.api.blogs.card.query({ id })).draft).toBe(false);
});

test("a page that comes back hears nothing of the new name and bio of an account that was suspended since", async () => {
  await using site = await startStaffedTown({ anaAs: "Anabel", benAs: "Bendix" });
  const { town, mona, ana, ben } = site;
  const { cursor } = await town.browser().api.blogs.list.query({});
  for (const who of [ana, ben])
    await who.api.users.updateProfile.mutate({ name: `${who.me.name} the Owl`, bio: "I say who." });
  await suspend(mona, ana);
  const page = listen(town.browser(), "feed", cursor);
  await page.live();
  const said = JSON.stringify(page.told());
  expect(said).toContain("Bendix the Owl");
  expect(said).not.toContain("Anabel the Owl");
});

test("a request to follow of a suspended account waits where nobody sees it, and is there again with it", async () => {
  await using site = await startStaffedTown({ anaAs: "Anabel", benAs: "Bendix" });
  const { town, mona, ana, ben } = site;
  await ben.api.users.updateSettings.mutate({ private: true });
  await ana.api.social.follow.mutate({ userId: ben.me.id, follow: true });
  const rest = await ApiClient.of(town, ben);
  const all = async () =>
    JSON.stringify([
      await ben.api.social.requests.query(),
      await ben.api.social.notifications.query(),
      (await rest.call("GET", `/users/${ben.me.username}`)).body,
      await (await ben.fetch("/requests")).text(),
    ]);
  expect(await all()).toContain(ana.me.username);
  await suspend(mona, ana);
  expect(await all()).not.toContain(ana.me.username);
  await suspend(mona, ana, false);
  expect(await all()).toContain(ana.me.username);
});

test("a blog that is let be read again while its author is suspended is in nobody's list, nor counted in one", async () => {
  await using site = await startStaffedTown({ anaAs: "Anabel", benAs: "Bendix" });
  const { town, mona, ana, ben } = site;
  const { id } = await ana.api.blogs.create.mutate(aBlog());
  await ben.api.blogs.create.mutate(aBlog());
  await mona.api.moderation.resolveReport.mutate({ kind: "blog", id, outcome: "hide" });
  await suspend(mona, ana);
  await mona.api.moderation.restore.mutate({ blogId: id });
  expect(town.rows("select id from blogs where open = 1")).toHaveLength(1);
  await suspend(mona, ana, false);
  expect(town.rows("select id from blogs where open = 1")).toHaveLength(2);
});

test("who has everything of an account that is suspended finds it nowhere, whoever they are and whatever was kept", async () => {
  await using site = await startStaffedTown({ anaAs: "Anabel", benAs: "Bendix" });
  const { town, mona, ana, ben } = site;
  const cem = await town.resident("Cemre");
  const blog = await ana.api.blogs.create.mutate(aBlog({ title: "The Anabelblog", tags: ["night"] }));
  const bens = await ben.api.blogs.create.mutate(aBlog({ title: "Bens", tags: ["night"] }));
  await ben.api.users.updateSettings.mutate({ interests: ["night"], showSavedBlogs: true });
  for (const who of [ben, cem]) {
    await who.api.social.follow.mutate({ userId: ana.me.id, follow: true });
    await who.api.social.likeBlog.mutate({ blogId: blog.id, liked: true });
    await who.api.social.saveBlog.mutate({ blogId: blog.id, saved: true });
  }
  await ana.api.social.follow.mutate({ userId: ben.me.id, follow: true });
  await ana.api.social.likeBlog.mutate({ blogId: bens.id, liked: true });
  await ana.api.social.saveBlog.mutate({ blogId: bens.id, saved: true });
  const said = await ana.api.comments.create.mutate(
    aComment(bens, { text: `Anabelsays @${ben.me.username}` }),
  );
  const reply = await ben.api.comments.create.mutate(aComment(bens, { parentId: said.id, text: "Thanks." }));
  const likedOne = await ben.api.comments.create.mutate(aComment(bens, { text: "Second." }));
  await ana.api.comments.like.mutate({ id: reply.id, liked: true });
  await ana.api.comments.like.mutate({ id: likedOne.id, liked: true });
  const lone = await ana.api.comments.create.mutate(aComment(bens, { text: "Anabelsays alone" }));
  const signs = [ana.me.id, ana.me.username, blog.id, "Anabelblog", "Anabelsays", lone.id];
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
  const rest = [
    "/blogs",
    "/blogs?sort=likes",
    `/blogs/${bens.slug}`,
    `/blogs/user/${ben.me.id}`,
    "/search-blogs?search=night",
    "/search-users?search=anab",
    "/recommended",
    `/users/${username}`,
  ];
  const bearers = new Map<Browser, ApiClient>();
  for (const who of [ben, cem]) bearers.set(who, await ApiClient.of(town, who));
  const guest = town.browser();
  bearers.set(guest, new ApiClient(town));
  const found = async (who: Browser) => {
    const { api } = who;
    const seen: string[] = [];
    const note = (where: string, what: unknown) => {
      const text = typeof what === "string" ? what : JSON.stringify(what ?? "");
      const sign = signs.find((one) => text.includes(one));
      if (sign) seen.push(where);
    };
    for (const path of paths) note(path, await (await who.fetch(path)).text());
    for (const path of rest) note(`GET ${path}`, (await bearers.get(who)!.call("GET", path)).body);
    for (const tab of ["liked-blogs", "saved-blogs"] as const)
      note(tab, await api.blogs.byAuthor.query({ username, tab }).catch(() => ""));
    for (const list of ["followers", "following"] as const)
      note(list, await api.social.people.query({ username, list }).catch(() => ""));
    note("comments", await api.comments.list.query({ blogId: bens.id }));
    if (who !== guest) {
      note("ties", await api.social.ties.query());
      note("notifications", await api.social.notifications.query());
      note("recommended", await api.blogs.recommended.query());
    }
    return seen;
  };
  const readers = [guest, ben, cem];
  const before: string[][] = [];
  for (const who of readers) before.push(await found(who));
  for (const list of before) expect(list.length).toBeGreaterThan(10);
  await suspend(mona, ana);
  for (const who of readers) expect(await found(who)).toEqual([]);
  await suspend(mona, ana, false);
  for (const [place, who] of readers.entries()) expect(await found(who)).toEqual(before[place]);
});

test("what is left of one's unread notifications is told at once when somebody in them is suspended", async () => {
  await using site = await startStaffedTown({ anaAs: "Anabel", benAs: "Bendix" });
  const { mona, ana, ben } = site;
  const { id } = await ben.api.blogs.create.mutate(aBlog());
  await ana.api.social.likeBlog.mutate({ blogId: id, liked: true });
  const heard = listen(ben, "me");
  await heard.live();
  await suspend(mona, ana);
  await heard.heard("notification.withdrawn");
  expect(heard.events("notification.withdrawn").at(-1)).toMatchObject({ unread: 0 });
  await suspend(mona, ana, false);
  await heard.heard("notification.withdrawn", 2);
  expect(heard.events("notification.withdrawn").at(-1)).toMatchObject({ unread: 1 });
  heard.stop();
});

test("of two moderators who take a blog back at once one is told that the other has", async () => {
  await using site = await startStaffedTown({ anaAs: "Anabel", benAs: "Bendix" });
  const { boss, mona, ana } = site;
  const { id } = await ana.api.blogs.create.mutate(aBlog());
  const act = (by: Resident) =>
    by.api.moderation.resolveReport.mutate({ kind: "blog", id, outcome: "hide", reason: by.me.name });
  const ends = await Promise.allSettled([act(boss), act(mona)]);
  expect(ends.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  const { entries } = await boss.api.moderation.log.query({});
  expect(entries.filter((entry) => entry.act === "hide")).toHaveLength(1);
});

test("of their own a moderator may not be the judge, and an administrator, who may be alone, is", async () => {
  await using site = await startStaffedTown({ anaAs: "Anabel", benAs: "Bendix" });
  const { boss, ben } = site;
  await ben.api.moderation.report.mutate({ kind: "profile", id: boss.me.id, reason: "other", words: "Hm." });
  expect((await boss.api.moderation.queue.query({})).targets).toMatchObject([{ owner: { id: boss.me.id } }]);
  await boss.api.moderation.resolveReport.mutate({ kind: "profile", id: boss.me.id, outcome: "keep" });
  expect((await boss.api.moderation.queue.query({})).targets).toEqual([]);
});

test("a blog that is taken back is published by no way round, and guests are answered nothing that was kept of it", async () => {
  await using site = await startStaffedTown({ anaAs: "Anabel", benAs: "Bendix" });
  const { town, mona, ana } = site;
  const cover = await upload(ana);
  const blog = aBlog({ title: "Owls to sell", tags: ["night"], coverId: cover.id });
  const { slug, id } = await ana.api.blogs.create.mutate(blog);
  const [guest, rest] = [town.browser(), await ApiClient.of(town, ana)];
  const open = new ApiClient(town);
  const kept = async () => {
    const pages = ["/", "/?sort=likes", "/search?q=owls", `/blog/${slug}`, `/${ana.me.username}`];
    const calls = ["/blogs", `/blogs/${slug}`, "/search-blogs?search=owls", `/blogs/user/${ana.me.id}`];
    const texts = await Promise.all([
      ...pages.map(async (path) => (await guest.fetch(path)).text()),
      ...calls.map(async (path) => JSON.stringify((await open.call("GET", path)).body)),
    ]);
    const found = [...pages, ...calls].filter((_path, place) => texts[place]?.includes("to sell"));
    return [...found, await sees(guest, cover.src)];
  };
  const before = await kept();
  expect(before.length).toBeGreaterThan(7);
  await mona.api.moderation.resolveReport.mutate({ kind: "blog", id, outcome: "hide", reason: "Owls." });
  expect(await kept()).toEqual([404]);
  // A retry of what made it: the blog has been changed since.
  expect(await refusal(ana.api.blogs.create.mutate(blog))).toMatchObject({ code: "CONFLICT" });
  const patched = await rest.call("PATCH", `/blogs/${id}`, blogForm({ title: undefined, draft: "false" }));
  expect(patched.status).toBe(403);
  expect(
    (
      await rest.call(
        "PATCH",
        `/blogs/${id}`,
        blogForm({ title: undefined, draft: undefined, private: "true" }),
      )
    ).status,
  ).toBe(200);
  expect(await kept()).toEqual([404]);
  // As it was, but for what its author changed.
  await mona.api.moderation.restore.mutate({ blogId: id });
  expect(await kept()).toEqual([404]);
  await ana.api.blogs.update.mutate({ id, private: false });
  expect(await kept()).toEqual(before);
});

test("neither a token of an account nor links that were mailed to it open anything once it is suspended: it neither goes nor gets another address", async () => {
  await using site = await startStaffedTown({ anaAs: "Anabel", benAs: "Bendix" });
  const { town, mona, ana } = site;
  await ana.api.users.sendDeletionLink.mutate();
  await ana.api.users.changeEmail.mutate({ email: "elsewhere@example.org", password });
  const removal = await town.mailedToken(ana.email, "delete-account");
  const change = await town.mailedToken("elsewhere@example.org", "change-email");
  const rest = await ApiClient.of(town, ana);
  const recommended = async () => (await rest.call("GET", "/recommended")).status;
  expect(await recommended()).toBe(200);
  await suspend(mona, ana);
  expect(await recommended()).toBe(401);
  const guest = town.browser();
  for (const call of [
    () => guest.api.users.deleteByLink.mutate({ token: removal }),
    () => guest.api.users.followEmailLink.mutate({ token: change }),
  ])
    expect(await refusal(call())).toMatchObject({ code: "BAD_REQUEST" });
  expect(town.rows(`select email from users where id = '${ana.me.id}'`)).toEqual([{ email: ana.email }]);
});

test("moderators may look for anything, and for nobody by what is a pattern elsewhere", async () => {
  await using site = await startStaffedTown({ anaAs: "Anabel", benAs: "Bendix" });
  const { mona } = site;
  for (const query of ["%", "_", "\\", "'", '"', "\ud800", "@", "-- ", "a".repeat(200)])
    expect([query, (await mona.api.moderation.people.query({ query })).people.length]).toEqual([
      query,
      query === "@" ? 4 : 0,
    ]);
});

test("whoever blocks the moderators is judged by what was reported, which stands in the queue", async () => {
  await using site = await startStaffedTown({ anaAs: "Anabel", benAs: "Bendix" });
  const { mona, ana, ben } = site;
  const { id } = await ana.api.blogs.create.mutate(aBlog());
  await ben.api.moderation.report.mutate({ kind: "blog", id, reason: "spam" });
  await ana.api.social.block.mutate({ userId: mona.me.id, blocked: true });
  const [target] = (await mona.api.moderation.queue.query({})).targets;
  expect(target?.beginning).toContain("Owls");
  await ana.api.blogs.update.mutate({ id, draft: true });
  expect((await mona.api.moderation.queue.query({})).targets).toMatchObject([{ text: "", beginning: "" }]);
});

test("what comes to be of a suspended account, by what was on its way, is open to nobody", async () => {
  await using site = await startStaffedTown({ anaAs: "Anabel", benAs: "Bendix" });
  const { town, mona, ana } = site;
  await suspend(mona, ana);
  await createBlog(actingAs(town.app.parts, ana.me), NewBlog.parse(aBlog({ title: "Late owls" })));
  expect(town.rows("select title, open from blogs")).toEqual([{ title: "Late owls", open: 0 }]);
  await suspend(mona, ana, false);
  expect(town.rows("select title, open from blogs")).toEqual([{ title: "Late owls", open: 1 }]);
});
