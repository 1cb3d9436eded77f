import { expect, test } from "vitest";
import { aBlog, refusal, startTown, type Resident, type Town } from "../support/town.ts";

/* Cards of the site's own blogs in a text: it holds their addresses, and each reader sees what is theirs to read. */

const titles = ["Barn owls in sight", "Tawny owls for followers", "Snowy owls unfinished"] as const;

/** A writer with a blog for everybody, one for followers and a draft; and somebody whose text leads to all of them and to none. */
async function neighbours(town: Town) {
  const [ana, ben] = [await town.resident("Ana"), await town.resident("Benjamin Strix")];
  // An address of one's own tells nothing of what is there.
  const write = (at: number, change: object) => {
    const title = titles[at]!;
    return ben.api.blogs.create.mutate(
      aBlog({ title, description: `Of ${title}.`, slug: `page-${at + 1}`, ...change }),
    );
  };
  const open = await write(0, { slug: "page-0" });
  await write(1, { private: true });
  await write(2, { draft: true });
  await ben.api.blogs.update.mutate(
    aBlog({ id: open.id, version: open.version, title: titles[0], slug: "page-1" }),
  );
  const slugs = ["page-1", "page-2", "page-3", "of-nobody"];
  const content = slugs.map((slug) => ({
    type: "embed",
    attrs: { href: `${town.config.publicUrl}/blog/${slug}`, title: titles[1], author: "Ben", text: "Hoo" },
  }));
  const text = await ana.api.blogs.create.mutate(aBlog({ document: { type: "doc", content } }));
  return { ana, ben, slugs, text, before: open.slug };
}

const titlesFor = async ({ api }: Pick<Resident, "api">, slugs: string[]): Promise<string[]> =>
  (await api.blogs.linked.query({ slugs })).blogs.map(({ title }) => title);

test("each reader has cards of what they may read; what is a draft, closed, walled or muted is as what is not there", async () => {
  await using town = await startTown();
  const { ana, ben, slugs, before } = await neighbours(town);
  const guest = town.browser();
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
  // At an old address it is found, too.
  expect((await guest.api.blogs.linked.query({ slugs: [before] })).blogs).toMatchObject([
    { asked: before, slug: "page-1" },
  ]);
  // Nobody has a card of a draft, not even who writes it: their readers see a link.
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

test("a text holds and sends no more than the addresses, for whoever and in whatever form it is asked for", async () => {
  await using town = await startTown();
  const { ana, slugs, text } = await neighbours(town);
  const { publicUrl } = town.config;
  const links = slugs.map((slug) => `${publicUrl}/blog/${slug}`);
  const { html } = await ana.api.blogs.bySlug.query({ slug: text.slug });
  expect(html).toBe(
    slugs
      .map(
        (slug, at) =>
          `<figure dir="auto" class="embed" data-href="${links[at]}" data-blog="${slug}"><a href="${links[at]}">${links[at]}</a></figure>`,
      )
      .join(""),
  );
  const { document } = await ana.api.blogs.openWriting.mutate({ id: text.id });
  const outputs = { document: JSON.stringify(document) } as Record<string, string>;
  for (const path of [
    `/blog/${text.slug}`,
    `/blog/${text.slug}.md`,
    `/blog/${text.slug}.html`,
    `/${ana.me.username}/feed.xml`,
    `/${ana.me.username}/feed.json`,
    `/api/v1/blogs/${text.slug}`,
  ])
    outputs[path] = await (await town.browser(ana.cookie).fetch(path)).text();
  for (const [path, said] of Object.entries(outputs)) {
    for (const link of links) expect(said.replaceAll("\\/", "/"), path).toContain(link);
    // Nor what came with it, when it was saved.
    expect(said, path).not.toMatch(/Barn owls|Tawny|Snowy|Strix|Hoo/);
  }
  const markdown = outputs[`/blog/${text.slug}.md`]!;
  for (const link of links) expect(markdown).toContain(`\n<${link}>\n`);
});

test("more than a page shows are not answered", async () => {
  await using town = await startTown();
  const slugs = Array.from({ length: 13 }, (_, at) => `page-${at}`);
  expect(await refusal(town.browser().api.blogs.linked.query({ slugs }))).toMatchObject({
    code: "BAD_REQUEST",
  });
  expect((await town.browser().api.blogs.linked.query({ slugs: slugs.slice(1) })).blogs).toEqual([]);
});
