import { parseHTML } from "linkedom";
import { expect, test } from "vitest";
import { newId } from "../../src/server/ids.ts";
import { schemaMark } from "../../src/shared/document/schema-mark.ts";
import { aBlog, paragraphs, startTown, type Resident, type Town } from "../support/town.ts";

/* What is being written, as its readers will see it, at an address of its own for whoever may change it. */

const addressOf = (id: string) => `/edit/${id}/preview`;

async function shown(person: Resident, id: string): Promise<Document> {
  const answer = await person.fetch(addressOf(id));
  expect(answer.status).toBe(200);
  return parseHTML(await answer.text()).document;
}

/** Writes a paragraph before the text, and these fields. */
async function write(person: Resident, id: string, words: string, fields: Record<string, unknown> = {}) {
  const { epoch, seq } = await person.api.blogs.openWriting.mutate({ id });
  const slice = { content: paragraphs(words).content };
  const pushed = await person.api.blogs.pushCommit.mutate({
    id,
    epoch,
    seq,
    client: newId(),
    number: 1,
    steps: JSON.stringify([{ stepType: "replace", from: 0, to: 0, slice }]),
    fields,
    schema: schemaMark,
  });
  expect(pushed.kind).toBe("stored");
}

async function owls(town: Town, about: Record<string, unknown> = {}) {
  const ana = await town.resident("Ana Torres");
  const blog = aBlog({ title: "Owls", document: paragraphs("They hoot."), ...about });
  const { slug } = await ana.api.blogs.create.mutate(blog);
  return { ana, id: blog.id, slug };
}

test("its author sees what stands in the working copy as the article will be, drawn by the server, and readers what was published", async () => {
  await using town = await startTown();
  const { ana, id, slug } = await owls(town);
  await write(ana, id, "At dusk.", { title: "Owls of the valley", description: "By ear.", tags: ["dusk"] });
  const preview = await shown(ana, id);
  const article = preview.querySelector("article")!;
  expect(article.querySelector("h1")?.textContent).toBe("Owls of the valley");
  expect([...article.querySelectorAll(".prose > p")].map((one) => one.textContent)).toEqual([
    "At dusk.",
    "They hoot.",
  ]);
  expect(preview.querySelector("[aria-label=Preview]")?.textContent).toContain("readers don’t see this yet");
  // Nothing of it can be liked, saved, answered or counted.
  expect(article.querySelector("button")).toBeNull();

  const before = await fetch(`${town.url}/blog/${slug}`);
  expect(await before.text()).not.toContain("At dusk.");
  await ana.api.blogs.publishWriting.mutate({ id, draft: false });
  const now = parseHTML(await (await ana.fetch(`/blog/${slug}`)).text()).document;
  for (const part of [".article-title", ".article-description", ".prose", ".article-tags", ".article-author"])
    expect(article.querySelector(part)?.outerHTML, part).toBe(now.querySelector(part)?.outerHTML);
  const after = await shown(ana, id);
  expect(after.querySelector("[aria-label=Preview]")?.textContent).toContain("readers see this version");
});

test("it is nobody else's: absent for those who may read the blog, and kept, listed and told on by nobody", async () => {
  await using town = await startTown();
  const { ana, id } = await owls(town);
  const ben = await town.resident("Ben");
  await write(ana, id, "A secret yet.");
  const none = await ben.fetch(addressOf(newId()));
  for (const path of [addressOf(id), `${addressOf(id)}/`, addressOf(id).replace("edit", "Edit")]) {
    const answer = await ben.fetch(path);
    expect(answer.status, path).toBe(none.status);
    expect(await answer.text(), path).not.toContain("A secret yet.");
  }
  expect(none.status).toBe(404);
  const guest = await fetch(town.url + addressOf(id), { redirect: "manual" });
  expect(guest.status).toBe(302);
  expect(guest.headers.get("location")).toMatch(/^\/signin/);

  const answer = await ana.fetch(addressOf(id));
  expect(answer.headers.get("cache-control")).toBe("private, no-store");
  expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
  expect(await answer.text()).toContain('<meta name="robots" content="noindex">');
});

test("a draft, a new blog that was begun, and one that nobody writes in can be previewed", async () => {
  await using town = await startTown();
  const { ana, id } = await owls(town, { draft: true });
  expect((await shown(ana, id)).querySelector(".prose")?.textContent).toContain("They hoot.");
  expect((await shown(ana, id)).querySelector(".article-badges")).toBeNull();
  const begun = newId();
  await ana.api.blogs.begin.mutate({ id: begun });
  await write(ana, begun, "First words.");
  const preview = await shown(ana, begun);
  expect(preview.querySelector("h1")?.textContent).toBe("Untitled");
  expect(preview.querySelector(".prose")?.textContent).toContain("First words.");
});

test("a picture that is elsewhere is named in its place, and loaded by nobody", async () => {
  await using town = await startTown();
  const { ana, id } = await owls(town);
  const { epoch, seq } = await ana.api.blogs.openWriting.mutate({ id });
  const image = { type: "image", attrs: { src: "https://photos.example.org/owl.png", alt: "An owl" } };
  const slice = { content: [{ type: "paragraph", content: [image] }] };
  const steps = JSON.stringify([{ stepType: "replace", from: 0, to: 0, slice }]);
  const commit = { id, epoch, seq, client: newId(), number: 1, steps, schema: schemaMark };
  await ana.api.blogs.pushCommit.mutate(commit);
  const preview = await shown(ana, id);
  expect(preview.querySelector(".prose img")).toBeNull();
  expect(preview.querySelector(".prose .picture-elsewhere")?.textContent).toBe(
    "Picture from photos.example.org: a copy will be made here",
  );
});

test("who will read it hangs on the blog and on whose it is, not on the account of who looks", async () => {
  await using town = await startTown();
  const { ana, id } = await owls(town);
  const ben = await town.resident("Ben");
  await ana.api.blogs.inviteAuthor.mutate({ id, username: ben.me.username });
  await ben.api.blogs.answerInvitation.mutate({ id, accept: true });
  const asked = async () => [
    (await ben.api.blogs.preview.query({ id })).forFollowers,
    (await ben.api.blogs.authors.query({ id })).closed,
  ];
  await ben.api.users.updateSettings.mutate({ private: true });
  expect(await asked()).toEqual([false, false]);
  await ana.api.users.updateSettings.mutate({ private: true });
  expect(await asked()).toEqual([true, true]);
});
