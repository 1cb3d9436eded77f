import { expect, test } from "vitest";
import { entryLimits } from "../../../src/shared/entries.ts";
import { newId } from "../../../src/server/runtime/ids.ts";
import { ApiClient, blogForm } from "../../support/api-client.ts";
import { insertEntriesSql, numberedId, runStatements } from "../../support/bulk-rows.ts";
import { addCoAuthor, createLiveBlog, listEntries, postEntry } from "../../support/live-blogs.ts";
import { paint } from "../../support/pictures.ts";
import { siteWith } from "../../support/site-with.ts";
import { aBlog, paragraphs } from "../../support/test-site.ts";

/* Live blogs over /api/v1. */

async function liveBlog() {
  const [testSite, ana, ben] = await siteWith("Ana", "Ben");
  return {
    testSite,
    ana,
    ben,
    blog: await createLiveBlog(ana),
    anas: await ApiClient.of(testSite, ana),
    bens: await ApiClient.of(testSite, ben),
    guest: new ApiClient(testSite),
  };
}

test("starts a live blog, posts to it, sums it up and ends it", async () => {
  const { ana, anas, guest } = await liveBlog();
  const { slug, id } = await ana.api.blogs.create.mutate(aBlog());
  const read = async () => (await guest.call("GET", `/blogs/${slug}`)).body.blog.live;
  expect(await read()).toBeNull();
  expect(await anas.call("POST", `/blogs/${slug}/entries`, { title: "Early" })).toMatchObject({
    status: 409,
    body: { success: false, field: "live" },
  });

  const started = await anas.call("PATCH", `/blogs/${slug}/live`, { live: true, summary: [" Dusk. ", ""] });
  expect(started).toMatchObject({ status: 200, body: { message: "This live blog is on air." } });
  expect(started.body.live).toEqual({
    since: expect.stringMatching(/Z$/),
    ended: null,
    summary: ["Dusk."],
    embeddable: false,
  });
  const posted = await anas.call("POST", `/blogs/${slug}/entries`, {
    title: "First owl",
    content: "<p>An <strong>owl</strong> calls.</p>",
    isKey: true,
    at: "2020-02-29T22:30:00+01:00",
  });
  expect(posted.body).toEqual({
    success: true,
    message: "Your entry is posted.",
    entry: {
      _id: expect.any(String),
      at: "2020-02-29T21:30:00.000Z",
      title: "First owl",
      headline: "First owl",
      isKey: true,
      content: "<p>An <strong>owl</strong> calls.</p>",
      creator: { _id: ana.me.id, name: "Ana", username: "ana", profilePic: null },
      editedAt: null,
      likesCount: 0,
    },
  });
  expect((await guest.call("GET", `/blogs/${id}/entries`)).body).toEqual({
    success: true,
    entries: [posted.body.entry],
    entriesCount: 1,
    hasMore: false,
    next: null,
  });
  const ended = await anas.call("PATCH", `/blogs/${slug}/live`, { live: false, summary: ["Owls.", "Bats."] });
  expect(ended.body).toMatchObject({
    message: "This live blog has ended.",
    live: { ended: expect.stringMatching(/Z$/), summary: ["Owls.", "Bats."] },
  });
  expect(await read()).toEqual(ended.body.live);
});

test("makes a live blog that ends without entries an ordinary one, and a draft none", async () => {
  const { blog, anas } = await liveBlog();
  expect(
    (await anas.call("PATCH", `/blogs/${blog.slug}/live`, { summary: ["Soon."], live: false })).body,
  ).toMatchObject({ message: "This is an ordinary blog.", live: null });
  const draft = (await anas.call("POST", "/blogs", blogForm({ draft: "true" }))).body.blog;
  expect(await anas.call("PATCH", `/blogs/${draft.blogId}/live`, { live: true })).toMatchObject({
    status: 400,
    body: { message: "Publish this draft first." },
  });
});

test("posts an entry that is sent again with its id once", async () => {
  const { blog, anas, guest } = await liveBlog();
  const entry = { _id: newId(), title: "Once" };
  const path = `/blogs/${blog.slug}/entries`;
  const answers = await Promise.all(Array.from({ length: 4 }, () => anas.call("POST", path, entry)));
  for (const { status, body } of answers) expect([status, body]).toEqual([200, answers[0]!.body]);
  expect(answers[0]!.body.entry._id).toBe(entry._id);
  expect((await guest.call("GET", path)).body.entriesCount).toBe(1);
  expect(await anas.call("POST", path, { _id: "one", title: "Bad" })).toMatchObject({
    status: 400,
    body: { field: "_id" },
  });
});

test.each([["newest"], ["oldest"]])("lists 75 entries page by page, %s first", async (order) => {
  const { testSite, ana, blog, guest } = await liveBlog();
  await runStatements(testSite, insertEntriesSql(1, 75, { blogId: blog.id, authorId: ana.me.id }));
  const ids: string[] = [];
  const sizes: number[] = [];
  let after = "";
  do {
    const { body } = await guest.call("GET", `/blogs/${blog.slug}/entries?order=${order}${after}`);
    expect([body.entriesCount, body.hasMore]).toEqual([75, body.next !== null]);
    sizes.push(body.entries.length);
    ids.push(...body.entries.map(({ _id }: { _id: string }) => _id));
    after = body.next === null ? "" : `&after=${encodeURIComponent(body.next)}`;
  } while (after);
  expect(sizes).toEqual([entryLimits.page, entryLimits.page, 15]);
  const all = Array.from({ length: 75 }, (_, index) => numberedId(1, index));
  expect(ids).toEqual(order === "oldest" ? all : all.toReversed());
});

test.each([
  ["after=", "after is next of the page before.", "after"],
  ["after=2026-01-01T00:00:00Z", "after is next of the page before.", "after"],
  ["after=x,y", "after is next of the page before.", "after"],
  ["order=latest", 'order has to be "newest" or "oldest".', "order"],
])("refuses a list with %s: %s", async (query, message, field) => {
  const { blog, guest } = await liveBlog();
  expect(await guest.call("GET", `/blogs/${blog.slug}/entries?${query}`)).toMatchObject({
    status: 400,
    body: { success: false, message, field },
  });
});

test("keeps the missing fields of an edit, and the content that is sent back", async () => {
  const { ana, blog, anas, guest } = await liveBlog();
  const content =
    '<p class="ql-align-center"><span style="color: rgb(230, 0, 0);">Red</span></p><ul><li>one</li><li class="ql-indent-1">two</li></ul>';
  const sent = { title: "Dusk", content, at: "2020-01-01T00:00:00Z" };
  const { entry } = (await anas.call("POST", `/blogs/${blog.slug}/entries`, sent)).body;
  const edit = async (change: object) =>
    (await anas.call("PATCH", `/entries/${entry._id}`, change)).body.entry;
  expect(await edit({ isKey: true })).toEqual({ ...entry, isKey: true, editedAt: expect.any(String) });
  expect(await edit({ title: "" })).toMatchObject({
    title: "",
    headline: "Red one two",
    isKey: true,
    content: entry.content,
  });
  expect(await edit({ content: entry.content, at: "2021-01-01T00:00:00Z" })).toMatchObject({
    isKey: true,
    content: entry.content,
    at: "2021-01-01T00:00:00.000Z",
  });
  const [listed] = (await guest.call("GET", `/blogs/${blog.slug}/entries`)).body.entries;
  expect(listed.content).toBe(entry.content);
  expect((await listEntries(ana, blog)).entries[0]!.html).toContain("Red");
});

test("refuses to take the title of an entry without a text", async () => {
  const { blog, anas } = await liveBlog();
  const { entry } = (await anas.call("POST", `/blogs/${blog.slug}/entries`, { title: "Dusk" })).body;
  expect(await anas.call("PATCH", `/entries/${entry._id}`, { title: " " })).toMatchObject({
    status: 400,
    body: { message: "Write something first." },
  });
});

test("keeps what another person changes of an entry at the same time", async () => {
  const { ana, ben, blog, anas, bens } = await liveBlog();
  await addCoAuthor(ana, blog, ben);
  const { id } = await postEntry(ben, blog);
  for (let turn = 0; turn < 5; turn++) {
    const title = `Turn ${turn}`;
    const [one, other] = await Promise.all([
      anas.call("PATCH", `/entries/${id}`, { title }),
      bens.call("PATCH", `/entries/${id}`, { content: `<p>${title}</p>` }),
    ]);
    expect([one.status, other.status]).toEqual([200, 200]);
    const [entry] = (await bens.call("GET", `/blogs/${blog.slug}/entries`)).body.entries;
    expect([entry.title, entry.content]).toEqual([title, `<p>${title}</p>`]);
  }
});

test("takes a form, too, moves pictures to the media store, and names them by their addresses", async () => {
  const { testSite, ana, blog, anas, guest } = await liveBlog();
  const data = `data:image/png;base64,${(await paint()).toString("base64")}`;
  const form = new FormData();
  form.append("content", JSON.stringify(`<p>Look <img src="${data}"></p>`));
  form.append("isKey", "true");
  const { status, body } = await anas.call("POST", `/blogs/${blog.slug}/entries`, form);
  expect([status, body.entry.isKey]).toEqual([200, true]);
  const address = new RegExp(`src="${testSite.config.publicUrl}/media/[^"]+"`);
  expect(body.entry.content).toMatch(address);
  expect(testSite.rows("select 1 from entry_media")).toHaveLength(1);
  // Readers of a private blog get signed addresses, which need no cookie.
  await ana.api.blogs.update.mutate({ id: blog.id, private: true });
  expect((await guest.call("GET", `/blogs/${blog.slug}/entries`)).status).toBe(404);
  const { entries } = (await anas.call("GET", `/blogs/${blog.slug}/entries`)).body;
  const src = /src="([^"]+)"/.exec(entries[0].content)![1]!.replaceAll("&amp;", "&");
  expect((await fetch(src.replace(testSite.config.publicUrl, testSite.url))).status).toBe(200);
});

test("withdraws an entry, which readers no longer get", async () => {
  const { ana, blog, anas, bens, guest } = await liveBlog();
  const { id } = await postEntry(ana, blog, { document: paragraphs("A bat.") });
  expect((await bens.call("DELETE", `/entries/${id}`)).status).toBe(403);
  expect((await anas.call("DELETE", `/entries/${id}`)).body.message).toBe("Entry withdrawn.");
  expect((await guest.call("GET", `/blogs/${blog.slug}/entries`)).body).toMatchObject({
    entries: [],
    entriesCount: 0,
  });
});

test("names no author whom a block hides", async () => {
  const { testSite, ana, ben, blog, guest } = await liveBlog();
  const eve = await testSite.createAccount("Eve");
  await addCoAuthor(ana, blog, ben);
  await postEntry(ben, blog);
  await eve.api.social.block.mutate({ userId: ben.me.id, blocked: true });
  const creators = async (client: ApiClient) =>
    (await client.call("GET", `/blogs/${blog.slug}/entries`)).body.entries.map(
      ({ creator }: { creator: { username: string } | null }) => creator && creator.username,
    );
  expect(await creators(guest)).toEqual(["ben"]);
  expect(await creators(await ApiClient.of(testSite, eve))).toEqual([null]);
});

test.each([
  ["an unknown field", { text: "Owls." }, /no field “text”/],
  ["a time without a zone", { title: "Dusk", at: "2026-01-01T00:00:00" }, /valid time/],
  ["a title of 151 characters", { title: "x".repeat(151) }, /title/i],
  ["a flag that is none", { title: "Dusk", isKey: "perhaps" }, /isKey is true or false/],
  ["content that is no JSON", { content: "{" }, /content/],
  ["nothing to show", { content: "<p> </p>" }, /Write something/],
])("refuses an entry with %s", async (_what, fields, message) => {
  const { blog, anas } = await liveBlog();
  const answer = await anas.call("POST", `/blogs/${blog.slug}/entries`, fields);
  expect(answer).toMatchObject({ status: 400, body: { message: expect.stringMatching(message) } });
});
