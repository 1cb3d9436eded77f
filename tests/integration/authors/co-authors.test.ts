import { expect, test } from "vitest";
import type { SignedInBrowser } from "../../support/browser.ts";
import { ApiClient } from "../../support/api-client.ts";
import { CoWriter } from "../../support/co-writer.ts";
import { upload } from "../../support/pictures.ts";
import { startStaffedSite } from "../../support/staffed-site.ts";
import {
  aBlog,
  aComment,
  followTopics,
  paragraphs,
  password,
  refusal,
  startTestSite,
  type TestSite,
} from "../../support/test-site.ts";

/* See docs/decisions/0021-co-authors-and-carets.md. The access matrix covers the rights. */

const invite = (owner: SignedInBrowser, id: string, who: SignedInBrowser) =>
  owner.api.blogs.inviteAuthor.mutate({ id, username: who.me.username });
const accept = (who: SignedInBrowser, id: string) =>
  who.api.blogs.answerInvitation.mutate({ id, accept: true });
async function addCoAuthors(owner: SignedInBrowser, id: string, ...people: SignedInBrowser[]) {
  for (const who of people) {
    await invite(owner, id, who);
    await accept(who, id);
  }
}
const authorsOf = async (who: SignedInBrowser, id: string) =>
  (await who.api.blogs.authors.query({ id })).authors.map(({ name, role }) => `${name} ${role}`);
const invitationsOf = async (who: SignedInBrowser) =>
  (await who.api.blogs.invitations.query()).invitations.map(({ title }) => title);
const notificationsOf = async (who: SignedInBrowser) =>
  (await who.api.social.notifications.query()).notifications.map(
    ({ kind, blog }) => `${kind} ${blog?.title}`,
  );
const titlesOf = async (
  who: SignedInBrowser,
  author: SignedInBrowser,
  tab: "blogs" | "draft-blogs" | "private-blogs",
) =>
  (await who.api.blogs.byAuthor.query({ username: author.me.username, tab })).blogs.map(({ title }) => title);
const countOf = async (who: SignedInBrowser, author: SignedInBrowser) =>
  (await who.api.users.profile.query({ username: author.me.username })).blogsCount;
const ownTitlesOf = async (who: SignedInBrowser) =>
  (await who.api.blogs.mine.query({})).blogs.map(({ title }) => title);

async function createPeople<const Names extends string[]>(testSite: TestSite, ...names: Names) {
  return (await Promise.all(names.map(testSite.createAccount))) as {
    [Index in keyof Names]: SignedInBrowser;
  };
}

test("lets an invited person accept, write with the author, and be named on the blog", async () => {
  await using testSite = await startTestSite();
  const [ana, ben, eve] = await createPeople(testSite, "Ana", "Ben", "Eve");
  const blog = aBlog({ title: "Owls", document: paragraphs("Owls, mostly."), draft: true });
  const { id } = await ana.api.blogs.create.mutate(blog);
  await ana.api.blogs.inviteAuthor.mutate({ id, username: " @BEN " });
  expect((await ben.api.blogs.invitations.query()).invitations).toMatchObject([
    { id, title: "Owls", by: { name: "Ana" } },
  ]);
  const [notification] = (await ben.api.social.notifications.query()).notifications;
  expect(notification).toMatchObject({ kind: "invited", target: id, blog: { title: "Owls" } });
  // An unanswered invitation grants no access.
  expect(await refusal(ben.api.blogs.openDraft.mutate({ id }))).toMatchObject({ code: "NOT_FOUND" });
  expect(await ownTitlesOf(ben)).toEqual([]);
  const { slug } = await accept(ben, id);
  expect(await notificationsOf(ben)).toEqual([]);
  expect(await notificationsOf(ana)).toEqual(["joined Owls"]);
  expect(await ana.api.blogs.authors.query({ id })).toMatchObject({ mine: true });
  expect(await ben.api.blogs.authors.query({ id })).toMatchObject({ mine: false });
  expect(await authorsOf(ben, id)).toEqual(["Ana owner", "Ben author"]);
  const [one, two] = [await CoWriter.open(() => ana.api, id), await CoWriter.open(() => ben.api, id)];
  one.type("Here: ");
  two.type(" And bats.", 14);
  await one.sync.push();
  await two.sync.push();
  await one.sync.fetchMissed();
  expect(one.text).toBe("Here: Owls, mostly. And bats.");
  await ben.api.blogs.publish.mutate({ id, draft: false });
  const page = await eve.api.blogs.bySlug.query({ slug: slug ?? "" });
  expect(page).toMatchObject({ author: { name: "Ana" }, coAuthors: [{ name: "Ben" }], writes: false });
  expect(page.html).toContain("Here: Owls, mostly. And bats.");
  expect(await ben.api.blogs.bySlug.query({ slug: page.slug })).toMatchObject({ mine: false, writes: true });
  const [version] = (await ana.api.blogs.versions.query({ id })).versions;
  expect(version).toMatchObject({ reason: "published", author: { name: "Ben" } });
  const { body } = await new ApiClient(testSite).call("GET", `/blogs/${page.slug}`);
  expect(body.blog).toMatchObject({
    creator: { name: "Ana" },
    coAuthors: [{ name: "Ben", username: "ben" }],
  });
});

test("ends a removed co-author's access at once, and keeps their unsent changes in the editor", async () => {
  await using testSite = await startTestSite();
  const [ana, ben] = await createPeople(testSite, "Ana", "Ben");
  const { id, slug } = await ana.api.blogs.create.mutate(aBlog({ draft: true }));
  await addCoAuthors(ana, id, ben);
  const page = followTopics(ben, [`draft:${id}`, `blog:${id}`, "feed"]);
  await page.waitForStart();
  const writer = await CoWriter.open(() => ben.api, id);
  writer.type("Bats, too. ");
  await ana.api.blogs.removeAuthor.mutate({ id, userId: ben.me.id });
  await page.waitFor("accessLost", 2);
  await writer.sync.push();
  expect(writer.syncStates.at(-1)).toMatchObject({ name: "failed" });
  expect(writer.sync.isSaved).toBe(false);
  expect(writer.text).toBe("Bats, too. Owls, mostly.");
  // Later changes are not sent to him.
  const frameCount = page.eventFrames().length;
  const other = await CoWriter.open(() => ana.api, id);
  other.type("Alone. ");
  await other.sync.push();
  await ana.api.blogs.create.mutate(aBlog());
  await page.waitFor("blog.published");
  page.stop();
  expect(page.eventFrames().slice(frameCount)).toMatchObject([
    { topic: "feed", event: { kind: "blog.published" } },
  ]);
  const calls = [
    ben.api.blogs.bySlug.query({ slug }),
    ben.api.blogs.commitsSince.query({ id, epoch: "any", seq: 1 }),
    ben.api.blogs.publish.mutate({ id, draft: false }),
    ben.api.blogs.authors.query({ id }),
    ben.api.blogs.versions.query({ id }),
  ];
  for (const error of await Promise.all(calls.map((call) => refusal(call))))
    expect(error).toMatchObject({ code: "NOT_FOUND" });
  expect(await ownTitlesOf(ben)).toEqual([]);
});

test("allows inviting a co-author who left, and withdrawing or declining an invitation", async () => {
  await using testSite = await startTestSite();
  const [ana, ben, eve] = await createPeople(testSite, "Ana", "Ben", "Eve");
  const { id } = await ana.api.blogs.create.mutate(aBlog({ title: "Owls", draft: true }));
  await addCoAuthors(ana, id, ben);
  await ben.api.blogs.removeAuthor.mutate({ id, userId: ben.me.id });
  expect(await authorsOf(ana, id)).toEqual(["Ana owner"]);
  expect(await notificationsOf(ana)).toEqual([]);
  await invite(ana, id, ben);
  await invite(ana, id, eve);
  expect(await authorsOf(ana, id)).toEqual(["Ana owner", "Ben invited", "Eve invited"]);
  await ana.api.blogs.removeAuthor.mutate({ id, userId: ben.me.id });
  expect([await invitationsOf(ben), await notificationsOf(ben)]).toEqual([[], []]);
  expect(await refusal(accept(ben, id))).toMatchObject({ code: "NOT_FOUND" });
  expect(await eve.api.blogs.answerInvitation.mutate({ id, accept: false })).toMatchObject({ slug: null });
  expect([await invitationsOf(eve), await notificationsOf(eve), await authorsOf(ana, id)]).toEqual([
    [],
    [],
    ["Ana owner"],
  ]);
  expect(await refusal(ana.api.blogs.removeAuthor.mutate({ id, userId: ana.me.id }))).toMatchObject({
    code: "BAD_REQUEST",
  });
});

test("limits a blog to eight authors, and hides the existence of people who blocked the inviter", async () => {
  await using testSite = await startTestSite();
  const [ana, ben, eve, ...others] = await createPeople(
    testSite,
    "Ana",
    "Ben",
    "Eve",
    "Cem",
    "Dora",
    "Emil",
    "Fay",
    "Gil",
    "Hal",
  );
  const { id } = await ana.api.blogs.create.mutate(aBlog({ title: "Owls", draft: true }));
  await eve.api.social.block.mutate({ userId: ana.me.id, blocked: true });
  const notFound = await refusal(ana.api.blogs.inviteAuthor.mutate({ id, username: "nobody-at-all" }));
  expect(notFound).toMatchObject({ code: "NOT_FOUND", field: "username" });
  expect(await refusal(invite(ana, id, eve))).toEqual(notFound);
  expect(await refusal(invite(ana, id, ana))).toMatchObject({ code: "BAD_REQUEST", field: "username" });
  // An invitee who muted the author is not notified.
  await ben.api.social.mute.mutate({ userId: ana.me.id, muted: true });
  expect(await invite(ana, id, ben)).toEqual({
    message: "Ben is invited.",
    cursor: expect.any(String) as string,
  });
  expect([await invitationsOf(ben), await notificationsOf(ben)]).toEqual([[], []]);
  await ben.api.social.mute.mutate({ userId: ana.me.id, muted: false });
  expect([await invitationsOf(ben), await notificationsOf(ben)]).toEqual([["Owls"], ["invited Owls"]]);
  for (const other of others) await invite(ana, id, other);
  expect(await authorsOf(ana, id)).toHaveLength(8);
  const ira = await testSite.createAccount("Ira");
  expect(await refusal(invite(ana, id, ira))).toMatchObject({ code: "CONFLICT", field: "username" });
  expect((await invite(ana, id, ben)).message).toBe("Ben is invited already.");
});

test("ends co-authorship and invitations on a block in either direction, and hides suspended co-authors", async () => {
  const staffed = await startStaffedSite();
  const { mona, ana, ben } = staffed;
  const [eve, cem] = await createPeople(staffed.testSite, "Eve", "Cem");
  const { id, slug } = await ana.api.blogs.create.mutate(aBlog());
  await addCoAuthors(ana, id, ben, eve, cem);
  const coAuthorNames = async () =>
    (await new ApiClient(staffed.testSite).call("GET", `/blogs/${slug}`)).body.blog.coAuthors.map(
      ({ name }: { name: string }) => name,
    ) as string[];
  expect(await coAuthorNames()).toEqual(["Ben", "Eve", "Cem"]);
  await ben.api.social.block.mutate({ userId: ana.me.id, blocked: true });
  await ana.api.social.block.mutate({ userId: eve.me.id, blocked: true });
  expect(await coAuthorNames()).toEqual(["Cem"]);
  await ben.api.social.block.mutate({ userId: ana.me.id, blocked: false });
  expect(await authorsOf(ana, id)).toEqual(["Ana owner", "Cem author"]);
  await invite(ana, id, ben);
  await ana.api.social.block.mutate({ userId: ben.me.id, blocked: true });
  await ana.api.social.block.mutate({ userId: ben.me.id, blocked: false });
  expect(await invitationsOf(ben)).toEqual([]);
  // Blocked people are not named to the reader.
  await ben.api.social.block.mutate({ userId: cem.me.id, blocked: true });
  expect((await ben.api.blogs.bySlug.query({ slug })).coAuthors).toBeUndefined();
  expect(await coAuthorNames()).toEqual(["Cem"]);
  await mona.api.moderation.suspend.mutate({ userId: cem.me.id, suspended: true, reason: "Spam." });
  expect(await coAuthorNames()).toEqual([]);
  await mona.api.moderation.suspend.mutate({ userId: cem.me.id, suspended: false, reason: "" });
  expect(await coAuthorNames()).toEqual(["Cem"]);
});

test("lists and counts a blog on the profile of each of its authors", async () => {
  await using testSite = await startTestSite();
  const [ana, ben, eve] = await createPeople(testSite, "Ana", "Ben", "Eve");
  const titles: string[] = [];
  for (let index = 0; index < 5; index++) {
    const who = index % 2 === 0 ? ana : ben;
    const { id } = await who.api.blogs.create.mutate(aBlog({ title: `Number ${index}` }));
    if (who === ana) await addCoAuthors(ana, id, ben);
    titles.unshift(`Number ${index}`);
  }
  const draft = await ana.api.blogs.create.mutate(aBlog({ title: "A draft", draft: true }));
  const privateBlog = await ana.api.blogs.create.mutate(aBlog({ title: "For followers", private: true }));
  await addCoAuthors(ana, draft.id, ben);
  await addCoAuthors(ana, privateBlog.id, ben);
  expect(await titlesOf(eve, ben, "blogs")).toEqual(titles);
  expect([await countOf(eve, ben), await countOf(eve, ana)]).toEqual([5, 3]);
  expect(await titlesOf(ben, ben, "draft-blogs")).toEqual(["A draft"]);
  expect(await titlesOf(ben, ben, "private-blogs")).toEqual(["For followers"]);
  expect((await ownTitlesOf(ben)).toSorted()).toEqual(
    [...titles.slice(0, 4), "A draft", "For followers"].toSorted(),
  );
  // Following only the co-author is not enough for what is for the author's followers.
  await eve.api.social.follow.mutate({ userId: ben.me.id, follow: true });
  expect(await titlesOf(eve, ben, "private-blogs")).toEqual([]);
  await eve.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  expect(await titlesOf(eve, ben, "private-blogs")).toEqual(["For followers"]);
  await eve.api.social.follow.mutate({ userId: ana.me.id, follow: false });
  await ben.api.blogs.update.mutate({ id: draft.id, draft: false, private: false });
  expect([(await titlesOf(eve, ben, "blogs"))[0], await countOf(eve, ben)]).toEqual(["A draft", 6]);
  await ben.api.blogs.update.mutate({ id: draft.id, draft: true });
  expect(await countOf(eve, ben)).toBe(5);
  await ana.api.users.updateSettings.mutate({ private: true });
  expect([await titlesOf(eve, ben, "blogs"), await countOf(eve, ben)]).toEqual([["Number 3", "Number 1"], 2]);
  expect(await titlesOf(ben, ben, "blogs")).toEqual(titles);
  await ana.api.users.updateSettings.mutate({ private: false });
  const feed = await (await eve.fetch(`/${ben.me.username}/feed.xml`)).text();
  expect(feed.match(/Number \d/g)?.length).toBeGreaterThanOrEqual(5);
  // REST lists have only the person's own blogs.
  const apiClient = await ApiClient.of(testSite, eve);
  expect((await apiClient.call("GET", `/blogs/user/${ben.me.id}`)).body).toMatchObject({ blogsCount: 2 });
});

test("sends changes of co-authors to open pages, and invitations only to the authors and the invited person", async () => {
  await using testSite = await startTestSite();
  const [ana, ben, eve] = await createPeople(testSite, "Ana", "Ben", "Eve");
  const { id } = await ana.api.blogs.create.mutate(aBlog());
  const form = followTopics(ana, [`draft:${id}`, "me"]);
  const invitee = followTopics(ben, ["me", `draft:${id}`]);
  const reader = followTopics(eve, [`blog:${id}`, `card:${id}`, `profile:${ben.me.id}`, `draft:${id}`]);
  await Promise.all([form.waitForStart(), invitee.waitForStart(), reader.waitForStart()]);
  await invite(ana, id, ben);
  await invitee.waitFor("viewer.invitationsChanged");
  await invitee.waitFor("notification.created");
  await form.waitFor("draft.authors");
  await eve.api.social.likeBlog.mutate({ blogId: id, liked: true });
  await reader.waitFor("blog.counted", 2);
  expect(reader.kinds().toSorted()).toEqual(["blog blog.counted", "card blog.counted", "draft accessLost"]);
  await accept(ben, id);
  await form.waitFor("draft.authors", 2);
  await form.waitFor("notification.created");
  await reader.waitFor("blog.authors", 2);
  await reader.waitFor("profile.listed");
  expect(reader.events("profile.changed").at(-1)).toMatchObject({ counts: { blogs: 1 } });
  await invitee.waitFor("viewer.blogsChanged");
  await invitee.waitFor("accessRestored");
  const writer = await CoWriter.open(() => ana.api, id);
  writer.type("Hear, hear. ");
  await writer.sync.push();
  await invitee.waitFor("draft.committed");
  expect(reader.events("draft.committed")).toEqual([]);
  await ana.api.blogs.remove.mutate({ id });
  await invitee.waitFor("viewer.blogsChanged", 2);
  await invitee.waitFor("accessLost", 2);
  for (const stream of [form, invitee, reader]) stream.stop();
  expect(await countOf(eve, ben)).toBe(0);
});

test("shows images of every author in a draft to its authors, and to readers once it is published", async () => {
  await using testSite = await startTestSite();
  const [ana, ben, eve] = await createPeople(testSite, "Ana", "Ben", "Eve");
  const [anaPicture, benPicture, unusedPicture] = [await upload(ana), await upload(ben), await upload(ana)];
  const { id, slug } = await ana.api.blogs.create.mutate(aBlog({ draft: true }));
  await addCoAuthors(ana, id, ben);
  const canSee = async (who: SignedInBrowser, src: string) => (await who.fetch(src)).status === 200;
  const writer = await CoWriter.open(() => ben.api, id);
  const { schema } = writer.state;
  for (const { src } of [anaPicture, benPicture])
    writer.edit((tr) => tr.insert(1, schema.nodes.image!.create({ src, alt: "A picture" })));
  writer.sync.changeFields({ coverId: benPicture.id });
  await writer.sync.push();
  expect(writer.sync.isSaved).toBe(true);
  expect([
    await canSee(ana, benPicture.src),
    await canSee(ben, anaPicture.src),
    await canSee(eve, benPicture.src),
  ]).toEqual([true, true, false]);
  // Nothing else of hers is visible to him.
  expect(await canSee(ben, unusedPicture.src)).toBe(false);
  await ana.api.blogs.publish.mutate({ id, draft: false });
  expect([await canSee(eve, benPicture.src), await canSee(eve, anaPicture.src)]).toEqual([true, true]);
  const { html, cover } = await eve.api.blogs.bySlug.query({ slug });
  expect([html.includes(benPicture.src), html.includes(anaPicture.src), cover?.id]).toEqual([
    true,
    true,
    benPicture.id,
  ]);
  // His image stays: the next save copies it.
  await ana.api.blogs.removeAuthor.mutate({ id, userId: ben.me.id });
  const anaWriter = await CoWriter.open(() => ana.api, id);
  anaWriter.type("Alone. ");
  await anaWriter.sync.push();
  await ana.api.blogs.publish.mutate({ id, draft: false });
  const page = await eve.api.blogs.bySlug.query({ slug });
  expect(page.html).toContain("Alone.");
  for (const [, src = ""] of page.html.matchAll(/src="(\/media\/[^"]+)"/g))
    expect(await canSee(eve, src)).toBe(true);
});

test("removes a co-author when their account is deleted, and deletes the blog with its owner", async () => {
  await using testSite = await startTestSite();
  const [ana, ben, eve] = await createPeople(testSite, "Ana", "Ben", "Eve");
  const one = await ana.api.blogs.create.mutate(aBlog({ title: "One" }));
  const two = await ben.api.blogs.create.mutate(aBlog({ title: "Two" }));
  await addCoAuthors(ana, one.id, ben, eve);
  await addCoAuthors(ben, two.id, eve);
  expect(await countOf(ana, eve)).toBe(2);
  await ben.api.users.remove.mutate({ password });
  expect(await authorsOf(ana, one.id)).toEqual(["Ana owner", "Eve author"]);
  expect([await titlesOf(ana, eve, "blogs"), await countOf(ana, eve)]).toEqual([["One"], 1]);
});

test("lets a co-author comment where comments are off for others", async () => {
  await using testSite = await startTestSite();
  const [ana, ben, eve] = await createPeople(testSite, "Ana", "Ben", "Eve");
  const blog = await ana.api.blogs.create.mutate(aBlog());
  await addCoAuthors(ana, blog.id, ben);
  await ana.api.blogs.setCommenters.mutate({ id: blog.id, commentsFrom: "nobody" });
  expect((await ben.api.comments.create.mutate(aComment(blog))).blogId).toBe(blog.id);
  expect(await refusal(eve.api.comments.create.mutate(aComment(blog)))).toMatchObject({ code: "FORBIDDEN" });
});

test("hides co-authors who block each other from each other in the list of authors and the history", async () => {
  await using testSite = await startTestSite();
  const [ana, ben, eve] = await createPeople(testSite, "Ana", "Ben", "Eve");
  const { id } = await ana.api.blogs.create.mutate(aBlog());
  await addCoAuthors(ana, id, ben, eve);
  await ben.api.blogs.update.mutate({ id, description: "By Ben." });
  const savedBy = async (who: SignedInBrowser) =>
    (await who.api.blogs.versions.query({ id })).versions.map(({ author }) => author?.name ?? null);
  expect(await savedBy(eve)).toEqual(["Ben", "Ana"]);
  await ben.api.social.block.mutate({ userId: eve.me.id, blocked: true });
  expect(await authorsOf(eve, id)).toEqual(["Ana owner", "Eve author"]);
  expect(await authorsOf(ben, id)).toEqual(["Ana owner", "Ben author"]);
  expect(await authorsOf(ana, id)).toEqual(["Ana owner", "Ben author", "Eve author"]);
  expect(await savedBy(eve)).toEqual([null, "Ana"]);
  expect(await savedBy(ana)).toEqual(["Ben", "Ana"]);
});

test("keeps a removed co-author's image in the unpublished text, and refuses any other of theirs", async () => {
  await using testSite = await startTestSite();
  const [ana, ben, eve] = await createPeople(testSite, "Ana", "Ben", "Eve");
  const [benPicture, unusedPicture] = [await upload(ben), await upload(ben)];
  const { id, slug } = await ana.api.blogs.create.mutate(aBlog());
  await addCoAuthors(ana, id, ben);
  const insertImage = (page: CoWriter, src: string) =>
    page.edit((tr) => tr.insert(1, page.state.schema.nodes.image!.create({ src, alt: "A picture" })));
  const writer = await CoWriter.open(() => ben.api, id);
  insertImage(writer, benPicture.src);
  await writer.sync.push();
  await ana.api.blogs.removeAuthor.mutate({ id, userId: ben.me.id });
  const status = async (who: SignedInBrowser, src: string) => (await who.fetch(src)).status;
  expect(await status(ana, benPicture.src)).toBe(200);
  const anaWriter = await CoWriter.open(() => ana.api, id);
  insertImage(anaWriter, unusedPicture.src);
  await anaWriter.sync.push();
  expect(await status(ana, unusedPicture.src)).toBe(404);
  expect(await refusal(ana.api.blogs.publish.mutate({ id, draft: false }))).toMatchObject({
    code: "BAD_REQUEST",
  });
  anaWriter.edit((tr) => tr.delete(1, 2));
  await anaWriter.sync.push();
  await ana.api.blogs.publish.mutate({ id, draft: false });
  const { html } = await eve.api.blogs.bySlug.query({ slug });
  const [, src = ""] = /src="(\/media\/[^"]+)"/.exec(html) ?? [];
  expect(await status(eve, src)).toBe(200);
});
