import { parseHTML } from "linkedom";
import { expect, test } from "vitest";
import { newId } from "../../../src/server/runtime/ids.ts";
import { schemaMark } from "../../../src/shared/document/schema-mark.ts";
import {
  aBlog,
  paragraphs,
  startTestSite,
  type SignedInBrowser,
  type TestSite,
} from "../../support/test-site.ts";

/* The preview of a draft as readers will see it, at its own address, for those who can edit the blog. */

const addressOf = (id: string) => `/edit/${id}/preview`;

async function openPreview(person: SignedInBrowser, id: string): Promise<Document> {
  const answer = await person.fetch(addressOf(id));
  expect(answer.status).toBe(200);
  return parseHTML(await answer.text()).document;
}

/** Inserts a paragraph before the text and sets these fields. */
async function write(
  person: SignedInBrowser,
  id: string,
  text: string,
  fields: Record<string, unknown> = {},
) {
  const { epoch, seq } = await person.api.blogs.openDraft.mutate({ id });
  const slice = { content: paragraphs(text).content };
  const result = await person.api.blogs.pushCommit.mutate({
    id,
    epoch,
    seq,
    client: newId(),
    number: 1,
    steps: JSON.stringify([{ stepType: "replace", from: 0, to: 0, slice }]),
    fields,
    schema: schemaMark,
  });
  expect(result.kind).toBe("stored");
}

async function createOwls(testSite: TestSite, change: Record<string, unknown> = {}) {
  const ana = await testSite.createAccount("Ana Torres");
  const blog = aBlog({ title: "Owls", document: paragraphs("They hoot."), ...change });
  const { slug } = await ana.api.blogs.create.mutate(blog);
  return { ana, id: blog.id, slug };
}

test("shows the author the draft as it will be published, and readers the published version", async () => {
  await using testSite = await startTestSite();
  const { ana, id, slug } = await createOwls(testSite);
  await write(ana, id, "At dusk.", { title: "Owls of the valley", description: "By ear.", tags: ["dusk"] });
  const preview = await openPreview(ana, id);
  const article = preview.querySelector("article")!;
  expect(article.querySelector("h1")?.textContent).toBe("Owls of the valley");
  expect([...article.querySelectorAll(".prose > p")].map((element) => element.textContent)).toEqual([
    "At dusk.",
    "They hoot.",
  ]);
  expect(preview.querySelector("[aria-label=Preview]")?.textContent).toContain("readers don’t see this yet");
  // A preview cannot be liked, saved, commented on or counted.
  expect(article.querySelector("button")).toBeNull();

  const before = await fetch(`${testSite.url}/blog/${slug}`);
  expect(await before.text()).not.toContain("At dusk.");
  await ana.api.blogs.publish.mutate({ id, draft: false });
  const published = parseHTML(await (await ana.fetch(`/blog/${slug}`)).text()).document;
  for (const selector of [
    ".article-title",
    ".article-description",
    ".prose",
    ".article-tags",
    ".article-author",
  ])
    expect(article.querySelector(selector)?.outerHTML, selector).toBe(
      published.querySelector(selector)?.outerHTML,
    );
  const after = await openPreview(ana, id);
  expect(after.querySelector("[aria-label=Preview]")?.textContent).toContain("readers see this version");
});

const german =
  "Die Eule sitzt in der Nacht auf dem alten Baum und wartet, bis die Maus aus ihrem Loch kommt. Dann fliegt sie leise.";
const arabic =
  "تجلس البومة ليلا على الشجرة القديمة وتنتظر حتى تخرج الفأرة من جحرها ثم تطير بهدوء نحو الحقل البعيد لتصطاد طعامها.";

test.each([
  ["a chosen language", { language: " EN-gb " }, german, "en-GB"],
  ["the guess for the new text", {}, arabic, "ar"],
  ["no language any more", { language: "" }, "42", null],
])("shows %s as the published page does", async (_name, fields, text, language) => {
  await using testSite = await startTestSite();
  const { ana, id, slug } = await createOwls(testSite, { language: "fr" });
  await write(ana, id, text, {
    language: "",
    ...fields,
    title: "Owls  of the\tvalley ",
    description: " By ear. ",
    tags: [" Dusk", "dusk"],
    canonicalUrl: " https://EXAMPLE.org/owls ",
    searchTitle: "Owls  at dusk",
  });
  const preview = await ana.api.blogs.preview.query({ id });
  const partsOf = (page: Document) =>
    [".article-title", ".article-description", ".prose", ".article-tags"].map(
      (selector) => page.querySelector(selector)?.outerHTML,
    );
  const previewed = partsOf(await openPreview(ana, id));
  await ana.api.blogs.publish.mutate({ id, draft: false });
  const published = await ana.api.blogs.bySlug.query({ slug });
  expect(previewed).toEqual(partsOf(parseHTML(await (await ana.fetch(`/blog/${slug}`)).text()).document));
  expect(/ lang="([^"]*)"/.exec(previewed[2] ?? "")?.[1] ?? null).toBe(language);
  for (const name of ["language", "title", "description", "tags", "canonicalUrl", "searchTitle"] as const)
    expect(preview.blog[name], name).toEqual(published[name]);
});

test("guesses the language while the chosen one can't be saved", async () => {
  await using testSite = await startTestSite();
  const { ana, id } = await createOwls(testSite);
  await write(ana, id, german, { language: "no language" });
  expect((await ana.api.blogs.preview.query({ id })).blog.language).toBe("de");
});

test("answers 404 to others, redirects guests to sign-in, and is neither cached nor indexed", async () => {
  await using testSite = await startTestSite();
  const { ana, id } = await createOwls(testSite);
  const ben = await testSite.createAccount("Ben");
  await write(ana, id, "A secret yet.");
  const missing = await ben.fetch(addressOf(newId()));
  for (const path of [addressOf(id), `${addressOf(id)}/`, addressOf(id).replace("edit", "Edit")]) {
    const answer = await ben.fetch(path);
    expect(answer.status, path).toBe(missing.status);
    expect(await answer.text(), path).not.toContain("A secret yet.");
  }
  expect(missing.status).toBe(404);
  const guest = await fetch(testSite.url + addressOf(id), { redirect: "manual" });
  expect(guest.status).toBe(302);
  expect(guest.headers.get("location")).toMatch(/^\/signin/);

  const answer = await ana.fetch(addressOf(id));
  expect(answer.headers.get("cache-control")).toBe("private, no-store");
  expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
  expect(await answer.text()).toContain('<meta name="robots" content="noindex">');
});

test("previews a draft, a newly begun blog and a blog without a draft", async () => {
  await using testSite = await startTestSite();
  const { ana, id } = await createOwls(testSite, { draft: true });
  expect((await openPreview(ana, id)).querySelector(".prose")?.textContent).toContain("They hoot.");
  expect((await openPreview(ana, id)).querySelector(".article-badges")).toBeNull();
  const newBlogId = newId();
  await ana.api.blogs.begin.mutate({ id: newBlogId });
  await write(ana, newBlogId, "First words.");
  const preview = await openPreview(ana, newBlogId);
  expect(preview.querySelector("h1")?.textContent).toBe("Untitled");
  expect(preview.querySelector(".prose")?.textContent).toContain("First words.");
});

test("replaces a remote picture by the name of its host without loading it", async () => {
  await using testSite = await startTestSite();
  const { ana, id } = await createOwls(testSite);
  const { epoch, seq } = await ana.api.blogs.openDraft.mutate({ id });
  const image = { type: "image", attrs: { src: "https://photos.example.org/owl.png", alt: "An owl" } };
  const slice = { content: [{ type: "paragraph", content: [image] }] };
  const steps = JSON.stringify([{ stepType: "replace", from: 0, to: 0, slice }]);
  const commit = { id, epoch, seq, client: newId(), number: 1, steps, schema: schemaMark };
  await ana.api.blogs.pushCommit.mutate(commit);
  const preview = await openPreview(ana, id);
  expect(preview.querySelector(".prose img")).toBeNull();
  expect(preview.querySelector(".prose .picture-elsewhere")?.textContent).toBe(
    "Picture from photos.example.org: a copy will be made here",
  );
});

test("derives the audience from the blog and its owner's account, not from the co-author who looks", async () => {
  await using testSite = await startTestSite();
  const { ana, id } = await createOwls(testSite);
  const ben = await testSite.createAccount("Ben");
  await ana.api.blogs.inviteAuthor.mutate({ id, username: ben.me.username });
  await ben.api.blogs.answerInvitation.mutate({ id, accept: true });
  const audience = async () => [
    (await ben.api.blogs.preview.query({ id })).forFollowers,
    (await ben.api.blogs.authors.query({ id })).closed,
  ];
  await ben.api.users.updateSettings.mutate({ private: true });
  expect(await audience()).toEqual([false, false]);
  await ana.api.users.updateSettings.mutate({ private: true });
  expect(await audience()).toEqual([true, true]);
});
