import { expect, test } from "vitest";
import { addCoAuthor, createLiveBlog, postEntry } from "../../support/live-blogs.ts";
import { siteWith } from "../../support/site-with.ts";
import { paragraphs, type SignedInBrowser } from "../../support/test-site.ts";

interface Thing {
  "@type": string;
  liveBlogUpdate?: Record<string, unknown>[];
}

/** Ana's live blog with an entry of Ben's; `describe` returns what its page tells programs of it, and the JSON. */
async function createStory() {
  const [testSite, boss, ana, ben] = await siteWith("Boss", "Ana", "Ben");
  const blog = await createLiveBlog(ana, { title: "A night" });
  await addCoAuthor(ana, blog, ben);
  const describe = async (who?: SignedInBrowser) => {
    const answer = await fetch(`${testSite.url}/blog/${blog.slug}`, {
      headers: who ? { cookie: who.cookie } : {},
    });
    const [, json = ""] =
      /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(await answer.text()) ?? [];
    const things = json ? (JSON.parse(json) as { "@graph": Thing[] })["@graph"] : [];
    return { json, thing: (type: string) => things.find((one) => one["@type"] === type) };
  };
  return {
    testSite,
    boss,
    ana,
    ben,
    blog,
    describe,
    address: `${testSite.config.publicUrl}/blog/${blog.slug}`,
  };
}

test("describes a live blog with the updates on its page, safely escaped", async () => {
  const { testSite, boss, ana, ben, blog, describe, address } = await createStory();
  const live = async () => (await describe()).thing("LiveBlogPosting");
  expect(await live()).not.toHaveProperty("liveBlogUpdate");
  const first = await postEntry(ben, blog, {
    title: "Dusk </script>",
    at: "2026-01-01T18:00:00Z",
    document: {
      type: "doc",
      content: [
        {
          type: "paragraph",
          content: [
            { type: "text", text: "An " },
            { type: "text", text: "owl", marks: [{ type: "strong" }] },
            { type: "text", text: ", <b>" },
          ],
        },
        ...paragraphs("and & more. ".repeat(60)).content,
      ],
    },
  });
  const second = await postEntry(ana, blog, { at: "2026-01-01T19:00:00Z", document: paragraphs("A bat.") });
  const edited = await ana.api.blogs.editEntry.mutate({
    id: second.id,
    title: "",
    document: paragraphs("Two bats."),
  });
  const gone = await postEntry(ana, blog, { document: paragraphs("A mistake.") });
  await ana.api.blogs.withdrawEntry.mutate({ id: gone.id, withdrawn: true });
  const page = await ana.api.blogs.bySlug.query({ slug: blog.slug });
  const thing = await live();
  const people = [ana, ben].map(({ me }) => ({
    "@type": "Person",
    name: me.name,
    url: `${testSite.config.publicUrl}/${me.username}`,
  }));
  expect(thing).toMatchObject({
    "@id": address,
    mainEntityOfPage: address,
    headline: "A night",
    author: people,
    coverageStartTime: page.live!.since,
    dateModified: edited.editedAt,
  });
  expect(thing).not.toHaveProperty("coverageEndTime");
  expect(thing!.liveBlogUpdate).toMatchObject([
    {
      "@type": "BlogPosting",
      url: `${address}/${second.id}`,
      headline: "Two bats.",
      datePublished: "2026-01-01T19:00:00.000Z",
      dateModified: edited.editedAt,
      author: people[0],
      articleBody: "Two bats.",
    },
    {
      "@type": "BlogPosting",
      url: `${address}/${first.id}`,
      headline: "Dusk </script>",
      datePublished: "2026-01-01T18:00:00.000Z",
      dateModified: "2026-01-01T18:00:00.000Z",
      author: people[1],
      articleBody: expect.stringMatching(/^An owl, <b> and & more\. .{240,275}…$/),
    },
  ]);
  const { json, thing: thingOf } = await describe();
  expect(json).toContain("Dusk \\u003c/script>");
  expect(thingOf("BlogPosting")).toBeUndefined();
  expect((await describe(ana)).json).toBe("");

  await ana.api.blogs.setLive.mutate({ id: blog.id, live: false });
  const { ended } = (await ana.api.blogs.bySlug.query({ slug: blog.slug })).live!;
  const afterEnd = await live();
  expect(afterEnd).toMatchObject({ coverageEndTime: ended });
  expect(afterEnd!.liveBlogUpdate!.map(({ headline }) => headline)).toEqual(["Dusk </script>", "Two bats."]);

  await boss.api.moderation.suspend.mutate({ userId: ben.me.id, suspended: true, reason: "Spam." });
  const [byBen, byAna] = (await live())!.liveBlogUpdate!;
  expect(byBen).not.toHaveProperty("author");
  expect(byAna).toHaveProperty("author");
});

test("describes at most thirty updates", async () => {
  const { ana, blog, describe } = await createStory();
  for (let number = 1; number <= 31; number++) await postEntry(ana, blog, { title: `Number ${number}` });
  const { liveBlogUpdate } = (await describe()).thing("LiveBlogPosting")!;
  expect([liveBlogUpdate!.length, liveBlogUpdate![0]!.headline]).toEqual([30, "Number 31"]);
});

test("describes nothing of a private live blog, and an ordinary blog as one", async () => {
  const { ana, blog, describe } = await createStory();
  await ana.api.blogs.setLive.mutate({ id: blog.id, live: false });
  const { thing } = await describe();
  expect([thing("LiveBlogPosting"), thing("BlogPosting")]).toMatchObject([
    undefined,
    { headline: "A night" },
  ]);
  await ana.api.blogs.setLive.mutate({ id: blog.id, live: true });
  await postEntry(ana, blog);
  await ana.api.blogs.update.mutate({ id: blog.id, private: true });
  for (const who of [undefined, ana]) expect((await describe(who)).json).toBe("");
});
