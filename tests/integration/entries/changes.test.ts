import { expect, test } from "vitest";
import { expectRefusal } from "../../support/expect-refusal.ts";
import { addCoAuthor, createLiveBlog, listEntries, postEntry } from "../../support/live-blogs.ts";
import { siteWith } from "../../support/site-with.ts";
import { aBlog, followTopic, paragraphs, type SignedInBrowser } from "../../support/test-site.ts";

/** Ana's live blog with an entry of hers and one of her co-author Ben; Cleo writes it, too, and Eve reads it. */
async function createStory() {
  const [testSite, ana, ben, cleo, eve] = await siteWith("Ana", "Ben", "Cleo", "Eve");
  const blog = await createLiveBlog(ana);
  for (const who of [ben, cleo]) await addCoAuthor(ana, blog, who);
  const byAna = await postEntry(ana, blog, { title: "Ana’s", at: "2026-01-01T10:00:00Z" });
  const byBen = await postEntry(ben, blog, { title: "Ben’s", isKey: true, at: "2026-01-01T11:00:00Z" });
  return { testSite, ana, ben, cleo, eve, blog, byAna, byBen };
}

const edit = (who: Pick<SignedInBrowser, "api">, id: string, change: Record<string, unknown> = {}) =>
  who.api.blogs.editEntry.mutate({ id, title: "Edited", document: paragraphs("A bat."), ...change });
const withdraw = (who: SignedInBrowser, id: string, withdrawn = true) =>
  who.api.blogs.withdrawEntry.mutate({ id, withdrawn });

test("lets an entry's author and the blog's owner edit it, and nobody else", async () => {
  const { testSite, ana, ben, cleo, eve, blog, byAna, byBen } = await createStory();
  const edited = await edit(ben, byBen.id);
  expect(edited).toMatchObject({
    id: byBen.id,
    at: byBen.at,
    title: "Edited",
    isKey: false,
    html: '<p dir="auto">A bat.</p>',
    editedAt: expect.any(String),
    author: { name: "Ben" },
  });
  expect(await edit(ana, byBen.id, { title: "By the owner" })).toMatchObject({
    title: "By the owner",
    author: { name: "Ben" },
  });
  for (const [who, { id }] of [
    [cleo, byBen],
    [ben, byAna],
    [eve, byAna],
  ] as const)
    for (const call of [
      () => edit(who, id),
      () => withdraw(who, id),
      () => who.api.blogs.entryForEdit.query({ id }),
    ])
      await expectRefusal(call(), "FORBIDDEN");
  await expectRefusal(edit(testSite.browser(), byAna.id), "UNAUTHORIZED");
  expect((await listEntries(eve, blog)).entries.map(({ title }) => title)).toEqual(["Ana’s", "By the owner"]);
});

test("refuses a former co-author their own entry, which the owner can change", async () => {
  const { ana, ben, blog, byBen } = await createStory();
  await ana.api.blogs.removeAuthor.mutate({ id: blog.id, userId: ben.me.id });
  await expectRefusal(edit(ben, byBen.id), "FORBIDDEN");
  await expectRefusal(withdraw(ben, byBen.id), "FORBIDDEN");
  await expectRefusal(postEntry(ben, blog), "FORBIDDEN");
  expect((await edit(ana, byBen.id)).author).toMatchObject({ name: "Ben" });
});

test("opens an entry for its editor as it was written, with the time that readers see", async () => {
  const { ana, byBen } = await createStory();
  expect(await ana.api.blogs.entryForEdit.query({ id: byBen.id })).toMatchObject({
    id: byBen.id,
    title: "Ben’s",
    isKey: true,
    at: "2026-01-01T11:00:00.000Z",
    document: { type: "doc", content: [{ content: [{ text: "An owl calls." }] }] },
  });
});

test("an edit can move an entry to another time, but not into the future, also after the end", async () => {
  const { ana, blog, byAna, byBen } = await createStory();
  await ana.api.blogs.setLive.mutate({ id: blog.id, live: false });
  const times = async () => (await listEntries(ana, blog)).entries.map(({ id }) => id);
  await edit(ana, byBen.id, { at: "2026-01-01T09:00:00Z" });
  expect(await times()).toEqual([byBen.id, byAna.id]);
  const { at } = await edit(ana, byBen.id, { at: "2999-01-01T09:00:00Z" });
  expect(Date.parse(at)).toBeLessThanOrEqual(Date.now());
  expect(await times()).toEqual([byAna.id, byBen.id]);
});

test("hides a withdrawn entry from everyone, and shows it again at its time", async () => {
  const { ana, ben, eve, blog, byAna, byBen } = await createStory();
  await eve.api.blogs.likeEntry.mutate({ id: byBen.id, liked: true });
  expect(await withdraw(ben, byBen.id)).toMatchObject({ withdrawn: true, message: "Entry withdrawn." });
  for (const who of [ana, ben, eve])
    expect(await listEntries(who, blog)).toMatchObject({ entries: [{ id: byAna.id }], total: 1, keys: [] });
  await expectRefusal(eve.api.blogs.likeEntry.mutate({ id: byBen.id, liked: true }), "NOT_FOUND");
  // It can be corrected meanwhile, which shows it to nobody.
  await edit(ben, byBen.id, { isKey: true });
  expect((await listEntries(eve, blog)).total).toBe(1);
  expect(await withdraw(ana, byBen.id, false)).toMatchObject({ withdrawn: false });
  expect(await listEntries(eve, blog)).toMatchObject({
    entries: [{ id: byAna.id }, { id: byBen.id, title: "Edited", at: byBen.at, likesCount: 1, liked: true }],
    total: 2,
    keys: [{ id: byBen.id, headline: "Edited" }],
  });
});

test("emits one event for a withdrawal that is sent again", async () => {
  const { testSite, ben, byBen } = await createStory();
  const events = () =>
    testSite
      .rows<{ event: string }>("select event from live_events where event like '%entry.%' order by seq")
      .map(({ event }) => (JSON.parse(event) as { kind: string }).kind);
  for (const withdrawn of [false, true, true, false, false]) await withdraw(ben, byBen.id, withdrawn);
  expect(events()).toEqual(["entry.posted", "entry.posted", "entry.withdrawn", "entry.posted"]);
});

test("counts each person's like once, and shows it as theirs on their other pages", async () => {
  const { testSite, ben, eve, blog, byAna } = await createStory();
  const otherPage = followTopic(testSite.browser(eve.cookie), "me");
  await otherPage.waitForStart();
  const like = (who: SignedInBrowser, liked: boolean) =>
    who.api.blogs.likeEntry.mutate({ id: byAna.id, liked });
  for (let count = 0; count < 2; count++)
    expect(await like(eve, true)).toMatchObject({ liked: true, likesCount: 1 });
  expect(await like(ben, true)).toMatchObject({ liked: true, likesCount: 2 });
  const seenBy = async (who: Pick<SignedInBrowser, "api">) => {
    const [entry] = (await listEntries(who, blog)).entries;
    return [entry!.liked, entry!.likesCount];
  };
  expect([await seenBy(eve), await seenBy(testSite.browser())]).toEqual([
    [true, 2],
    [false, 2],
  ]);
  for (let count = 0; count < 2; count++)
    expect(await like(eve, false)).toMatchObject({ liked: false, likesCount: 1 });
  expect(await seenBy(eve)).toEqual([false, 1]);
  await otherPage.waitFor("viewer.entryLike", 2);
  const told = { entryId: byAna.id, blogId: blog.id };
  expect(otherPage.events("viewer.entryLike")).toMatchObject([
    { ...told, liked: true },
    { ...told, liked: false },
  ]);
});

test("says of an entry that one cannot read, and of none, that it does not exist", async () => {
  const { ana, eve } = await createStory();
  const hidden = await createLiveBlog(ana, { private: true });
  const { id } = await postEntry(ana, hidden);
  const missing = "018f0000-0000-7000-8000-000000000000";
  const refused = { code: "NOT_FOUND", message: "This entry no longer exists." };
  for (const entryId of [id, missing]) {
    await expectRefusal(edit(eve, entryId), refused);
    await expectRefusal(withdraw(eve, entryId), refused);
    await expectRefusal(eve.api.blogs.likeEntry.mutate({ id: entryId, liked: true }), refused);
    await expectRefusal(eve.api.blogs.entryForEdit.query({ id: entryId }), refused);
  }
  await expectRefusal(listEntries(eve, hidden), "NOT_FOUND");
  await expectRefusal(listEntries(eve, { id: missing }), "NOT_FOUND");
  // An ordinary blog has none.
  expect(await listEntries(eve, await ana.api.blogs.create.mutate(aBlog()))).toMatchObject({ total: 0 });
});

test("a withdrawn entry's words are at no address: page, call, feeds, frame, card, REST and export", async () => {
  const { testSite, ana, ben, eve, blog } = await createStory();
  const secret = await postEntry(ben, blog, {
    title: "Wordoftitle",
    document: paragraphs("Wordoftext."),
    isKey: true,
  });
  await ana.api.blogs.setEmbeddable.mutate({ id: blog.id, embeddable: true });
  const guest = testSite.browser();
  const page = `/blog/${blog.slug}`;
  const entryPage = `${page}/${secret.id}`;
  const card = /property="og:image" content="https?:\/\/[^/]+(\/cards\/[^"]+)"/.exec(
    await (await guest.fetch(entryPage)).text(),
  )?.[1];
  expect(card).toContain(secret.id);
  const addresses = [
    page,
    entryPage,
    `${page}/feed.xml`,
    `${page}/embed`,
    `${page}.md`,
    `${page}.html`,
    "/feed.xml",
    `/api/v1/blogs/${blog.id}/entries`,
  ];
  const isIn = async (address: string, who: Pick<SignedInBrowser, "fetch"> = guest) =>
    /Wordof(?:title|text)/.test(await (await who.fetch(address)).text());
  for (const address of addresses) expect([address, await isIn(address)]).toEqual([address, true]);
  expect((await guest.fetch(card!)).status).toBe(200);
  await withdraw(ben, secret.id);
  for (const who of [guest, eve, ana])
    for (const address of addresses) expect([address, await isIn(address, who)]).toEqual([address, false]);
  expect((await guest.fetch(entryPage)).status).toBe(404);
  expect((await guest.fetch(card!)).status).toBe(404);
  for (const { api } of [guest, eve, ana])
    expect(await api.blogs.entry.query({ blogId: blog.id, id: secret.id })).toMatchObject({ entry: null });
});
