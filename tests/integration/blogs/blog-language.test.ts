import { parseHTML } from "linkedom";
import { expect, test } from "vitest";
import { ApiClient } from "../../support/api-client.ts";
import { aBlog, paragraphs } from "../../support/sample-content.ts";
import { siteWith } from "../../support/site-with.ts";

const german =
  "Man hört vor allem Eulen und ab und zu einen Zug. Am Sonntag kommt der Markt auf den Platz, und die ganze Straße riecht nach Brot.";

test("shows the detected language of a blog's text everywhere, until its author sets another", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const blog = aBlog({ title: "Eulen", document: paragraphs(german) });
  const { slug } = await ana.api.blogs.create.mutate(blog);
  const shownLanguages = async () => {
    const read = async (path: string) => (await testSite.browser().fetch(path)).text();
    const { document } = parseHTML(await read(`/blog/${slug}`));
    const list = parseHTML(await read(`/home`)).document;
    const api = JSON.parse(await read(`/api/v1/blogs/${blog.id}`)) as { blog: { language: string } };
    return {
      text: document.querySelector(".prose")!.getAttribute("lang"),
      title: document.querySelector("h1")!.getAttribute("lang"),
      card: list.querySelector(".card-title")?.getAttribute("lang"),
      summary: list.querySelector(".card-description")?.getAttribute("lang"),
      api: api.blog.language,
      rss: /<dc:language>([^<]*)</.exec(await read("/feed.xml"))?.[1],
      atom: /<entry xml:lang="([^"]*)"/.exec(await read("/atom.xml"))?.[1],
      json: (JSON.parse(await read("/feed.json")) as { items: { language: string }[] }).items[0]!.language,
      page: /<html lang="([^"]*)"/.exec(await read(`/blog/${slug}.html`))?.[1],
      markdown: /^language: (.*)$/m.exec(await read(`/blog/${slug}.md`))?.[1],
    };
  };
  const first = await shownLanguages();
  const all = (tag: string) => Object.fromEntries(Object.keys(first).map((name) => [name, tag]));
  expect(first).toEqual(all("de"));
  await ana.api.blogs.update.mutate({ id: blog.id, language: "de-at" });
  expect(await shownLanguages()).toEqual(all("de-AT"));
  const { slug: _slug, ...edited } = await ana.api.blogs.forEdit.query({ slug });
  expect(edited).toMatchObject({ language: "de-AT" });
  // Without a language it stays; an empty one detects it again.
  await ana.api.blogs.update.mutate({ id: blog.id, title: "Eulen, und Züge" });
  expect((await shownLanguages()).text).toBe("de-AT");
  await ana.api.blogs.update.mutate({ id: blog.id, language: "" });
  expect(await shownLanguages()).toEqual(all("de"));
});

test("shows no language where none is detected, and refuses an invalid language tag", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const blog = aBlog();
  const { slug } = await ana.api.blogs.create.mutate(blog);
  expect(await ana.api.blogs.bySlug.query({ slug })).not.toHaveProperty("language");
  await expect(ana.api.blogs.update.mutate({ id: blog.id, language: "english" })).rejects.toThrow(
    "Please name the language by its tag, such as en or pt-BR.",
  );
  const api = await ApiClient.of(testSite, ana);
  const change = async (language: string) =>
    (await api.call("PATCH", `/blogs/${blog.id}`, { language })).status;
  expect([await change("<b>"), await change("pt-BR")]).toEqual([400, 200]);
  expect((await api.call("GET", `/blogs/${blog.id}`)).body.blog).toMatchObject({ language: "pt-BR" });
});
