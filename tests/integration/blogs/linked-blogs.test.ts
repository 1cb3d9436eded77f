import { expect, test } from "vitest";
import { expectRefusal } from "../../support/expect-refusal.ts";
import { siteWith } from "../../support/site-with.ts";
import { aBlog, startTestSite, type SignedInBrowser } from "../../support/test-site.ts";

/* Cards of own blogs in a text: the text stores their addresses, and each reader sees the cards of readable blogs. */

const titles = ["Barn owls in sight", "Tawny owls for followers", "Snowy owls unfinished"] as const;

/** Ben has a public blog, one for followers and a draft; Ana's text links to all of them and to an address without a blog. */
async function createLinkedBlogs() {
  const [testSite, ana, ben] = await siteWith("Ana", "Benjamin Strix");
  // A chosen slug does not contain the title.
  const write = (index: number, change: object) => {
    const title = titles[index]!;
    return ben.api.blogs.create.mutate(
      aBlog({ title, description: `Of ${title}.`, slug: `page-${index + 1}`, ...change }),
    );
  };
  const publicBlog = await write(0, { slug: "page-0" });
  await write(1, { private: true });
  await write(2, { draft: true });
  await ben.api.blogs.update.mutate(
    aBlog({ id: publicBlog.id, etag: publicBlog.etag, title: titles[0], slug: "page-1" }),
  );
  const slugs = ["page-1", "page-2", "page-3", "of-nobody"];
  const content = slugs.map((slug) => ({
    type: "embed",
    attrs: {
      href: `${testSite.config.publicUrl}/blog/${slug}`,
      title: titles[1],
      author: "Ben",
      text: "Hoo",
    },
  }));
  const text = await ana.api.blogs.create.mutate(aBlog({ document: { type: "doc", content } }));
  return { testSite, ana, ben, slugs, text, oldSlug: publicBlog.slug };
}

const titlesFor = async ({ api }: Pick<SignedInBrowser, "api">, slugs: string[]): Promise<string[]> =>
  (await api.blogs.linked.query({ slugs })).blogs.map(({ title }) => title);

test("returns cards of readable blogs only: not of drafts, private, blocked or muted ones", async () => {
  const { testSite, ana, ben, slugs, oldSlug } = await createLinkedBlogs();
  const guest = testSite.browser();
  expect((await guest.api.blogs.linked.query({ slugs })).blogs).toEqual([
    {
      asked: "page-1",
      slug: "page-1",
      title: titles[0],
      author: "Benjamin Strix",
      cover: null,
      readingMinutes: 1,
    },
  ]);
  // An old address works, too.
  expect((await guest.api.blogs.linked.query({ slugs: [oldSlug] })).blogs).toMatchObject([
    { asked: oldSlug, slug: "page-1" },
  ]);
  // A draft has no card even for its author, whose readers see a link.
  expect(await titlesFor(ben, slugs)).toEqual([titles[0], titles[1]]);
  expect(await titlesFor(ana, slugs)).toEqual([titles[0]]);
  await ana.api.social.follow.mutate({ userId: ben.me.id, follow: true });
  expect(await titlesFor(ana, slugs)).toEqual([titles[0], titles[1]]);
  await ana.api.users.updateSettings.mutate({ mutedWords: ["tawny"] });
  expect(await titlesFor(ana, slugs)).toEqual([titles[0]]);
  await ana.api.social.mute.mutate({ userId: ben.me.id, muted: true });
  expect(await titlesFor(ana, slugs)).toEqual([]);
  await ana.api.social.mute.mutate({ userId: ben.me.id, muted: false });
  expect(await titlesFor(ana, slugs)).toEqual([titles[0]]);
  await ben.api.social.block.mutate({ userId: ana.me.id, blocked: true });
  expect(await titlesFor(ana, slugs)).toEqual([]);
  expect(await titlesFor(guest, slugs)).toEqual([titles[0]]);
  await ben.api.users.updateSettings.mutate({ private: true });
  expect(await titlesFor(guest, slugs)).toEqual([]);
});

test("a text contains only the addresses of linked blogs, in every format", async () => {
  const { testSite, ana, slugs, text } = await createLinkedBlogs();
  const { publicUrl } = testSite.config;
  const links = slugs.map((slug) => `${publicUrl}/blog/${slug}`);
  const { html } = await ana.api.blogs.bySlug.query({ slug: text.slug });
  expect(html).toBe(
    slugs
      .map(
        (slug, index) =>
          `<figure dir="auto" class="embed" data-href="${links[index]}" data-blog="${slug}"><a href="${links[index]}">${links[index]}</a></figure>`,
      )
      .join(""),
  );
  const { document } = await ana.api.blogs.openDraft.mutate({ id: text.id });
  const outputs = { document: JSON.stringify(document) } as Record<string, string>;
  for (const path of [
    `/blog/${text.slug}`,
    `/blog/${text.slug}.md`,
    `/blog/${text.slug}.html`,
    `/${ana.me.username}/feed.xml`,
    `/${ana.me.username}/feed.json`,
    `/api/v1/blogs/${text.slug}`,
  ])
    outputs[path] = await (await testSite.browser(ana.cookie).fetch(path)).text();
  for (const [path, output] of Object.entries(outputs)) {
    for (const link of links) expect(output.replaceAll("\\/", "/"), path).toContain(link);
    // Nor the data of the card that was sent with the document.
    expect(output, path).not.toMatch(/Barn owls|Tawny|Snowy|Strix|Hoo/);
  }
  const markdown = outputs[`/blog/${text.slug}.md`]!;
  for (const link of links) expect(markdown).toContain(`\n<${link}>\n`);
});

test("refuses more cards than a page shows", async () => {
  await using testSite = await startTestSite();
  const slugs = Array.from({ length: 13 }, (_, index) => `page-${index}`);
  await expectRefusal(testSite.browser().api.blogs.linked.query({ slugs }), "BAD_REQUEST");
  expect((await testSite.browser().api.blogs.linked.query({ slugs: slugs.slice(1) })).blogs).toEqual([]);
});
