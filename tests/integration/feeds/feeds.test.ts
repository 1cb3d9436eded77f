import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { xmlText } from "../../../src/server/feeds/xml.ts";
import type { FeedFile } from "../../../src/shared/feeds.ts";
import { formats, readFeed } from "../../support/feeds.ts";
import { recordStatements } from "../../support/statements.ts";
import { upload } from "../../support/pictures.ts";
import {
  aBlog,
  paragraphs,
  startTestSite,
  until,
  type SignedInBrowser,
  type TestSite,
  password,
} from "../../support/test-site.ts";

let testSite: TestSite;
let boss: SignedInBrowser;
let ana: SignedInBrowser;
let ben: SignedInBrowser;

beforeEach(async () => {
  testSite = await startTestSite();
  // The first account is the administrator.
  boss = await testSite.createAccount("Boss");
  [ana, ben] = [await testSite.createAccount("Ana"), await testSite.createAccount("Ben")];
});
afterEach(() => testSite[Symbol.asyncDispose]());

const fetchPath = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  fetch(testSite.url + path, { headers, method, redirect: "manual" });
const readPath = async (path: string, headers?: Record<string, string>) => {
  const answer = await fetchPath(path, headers);
  expect(answer.status, path).toBe(200);
  return readFeed(path.split("?")[0]!.split("/").at(-1) as FeedFile, await answer.text());
};
const titles = async (path: string) => (await readPath(path)).entries.map(({ title }) => title);
const idOf = (blog: { id: string }) => `urn:uuid:${blog.id}`;
/** Every feed that could contain Ana's `aBlog`. */
const allFeedPaths = () =>
  formats.flatMap(([file]) => [
    `/${file}`,
    `/${ana.me.username}/${file}`,
    `/tag/night/${file}`,
    `/search/${file}?q=owls`,
  ]);
const feedContains = async (path: string, text: string): Promise<boolean> =>
  (await (await fetchPath(path)).text()).includes(text);
const countFeedsWith = async (text: string) => {
  const matches = await Promise.all(allFeedPaths().map((path) => feedContains(path, text)));
  return matches.filter(Boolean).length;
};

test.each(formats)(
  "lists the newest blogs in /%s in full, with cover, tags and absolute links",
  async (file, type) => {
    const [cover, textPicture] = [await upload(ana), await upload(ana)];
    const document = {
      type: "doc",
      content: [
        { type: "heading", attrs: { level: 2 }, content: [{ type: "text", text: "Owls" }] },
        {
          type: "paragraph",
          content: [
            {
              type: "text",
              text: "here",
              marks: [{ type: "link", attrs: { href: `${testSite.config.publicUrl}/home` } }],
            },
            {
              type: "text",
              text: " away",
              marks: [{ type: "link", attrs: { href: "https://owls.example/a?b=1&c=2" } }],
            },
            { type: "text", text: ' src="/none" < & >' },
          ],
        },
        {
          type: "paragraph",
          content: [{ type: "image", attrs: { src: textPicture.src, alt: 'say > " src="/x"' } }],
        },
      ],
    };
    const first = await ana.api.blogs.create.mutate(
      aBlog({ title: "First", tags: ["night", "owls"], document }),
    );
    const second = await ben.api.blogs.create.mutate(aBlog({ title: "Second", coverId: null }));
    await ana.api.blogs.update.mutate({ id: first.id, coverId: cover.id });
    const answer = await fetchPath(`/${file}`);
    expect(answer.headers.get("content-type")).toBe(`${type}; charset=utf-8`);
    const feed = await readFeed(file, await answer.text());
    const { publicUrl } = testSite.config;
    expect(feed).toMatchObject({
      title: "Reprise",
      description: "Write. Inspire. Repeat.",
      page: `${publicUrl}/home`,
      self: `${publicUrl}/${file}`,
      hub: undefined,
      language: "en",
    });
    expect(feed.entries.map(({ id }) => id)).toEqual([idOf(second), idOf(first)]);
    const entry = feed.entries[1]!;
    expect(entry).toMatchObject({
      url: `${publicUrl}/blog/${first.slug}`,
      title: "First",
      authors: [ana.me.name],
      tags: ["night", "owls"],
    });
    expect(entry.updated).toBeGreaterThan(entry.published - 1);
    // Links and images are absolute; text that looks like an attribute stays text.
    expect(entry.html).toContain(`href="${publicUrl}/home"`);
    expect(entry.html).toContain('href="https://owls.example/a?b=1&amp;c=2"');
    expect(entry.html).toContain("src=&quot;/none&quot; &lt; &amp; &gt;");
    expect(entry.html).toContain('src="/x"'.replaceAll('"', "&quot;"));
    const shown = [...(entry.html ?? "").matchAll(/<img src="([^"]+)"[^]*?srcset="([^"]+)"/g)].flatMap(
      ([, src = "", srcset = ""]) => [src, ...srcset.split(", ").map((one) => one.split(" ")[0] ?? "")],
    );
    expect(shown.length).toBeGreaterThan(1);
    for (const src of shown) {
      expect(src.startsWith(`${publicUrl}/media/${textPicture.id}/`)).toBe(true);
      expect((await fetchPath(src.slice(publicUrl.length))).status).toBe(200);
    }
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect(answer.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
    const picture = await fetchPath((entry.picture?.url ?? "").slice(publicUrl.length));
    expect(entry.picture?.url).toContain(cover.id);
    expect([entry.picture?.type, picture.headers.get("content-type")]).toEqual(["image/jpeg", "image/jpeg"]);
    expect(entry.picture?.length).toBe((await picture.arrayBuffer()).byteLength);
    expect(feed.entries[0]?.picture).toBeUndefined();
  },
);

test("gives the card of another site's page a structure without a style sheet", async () => {
  const href = "https://owls.example/@ana/123456789012345678";
  const attrs = { href, title: "Ana & Bo", author: "@ana", text: "Hoo." };
  await ana.api.blogs.create.mutate(
    aBlog({ document: { type: "doc", content: [{ type: "embed", attrs }] } }),
  );
  for (const [file] of formats)
    expect((await readPath(`/${file}`)).entries[0]?.html).toContain(
      `><p><a href="${href}" rel="nofollow noopener ugc"><strong>Ana &amp; Bo</strong></a></p>` +
        "<p>Hoo.</p><p><small>@ana · owls.example</small></p></figure>",
    );
});

test("uses the first image of a text as the enclosure of a blog without a cover", async () => {
  const { src, id } = await upload(ana);
  const document = {
    type: "doc",
    content: [{ type: "paragraph", content: [{ type: "image", attrs: { src } }] }],
  };
  await ana.api.blogs.create.mutate(aBlog({ document }));
  for (const [file] of formats) expect((await readPath(`/${file}`)).entries[0]?.picture?.url).toContain(id);
});

test("names the site's or the person's picture as icon, in RSS only a PNG", async () => {
  const { publicUrl } = testSite.config;
  const expectIcons = async (path: string, icon: string) => {
    for (const [file] of formats) {
      const expected = file === "feed.xml" && icon.endsWith(".webp") ? undefined : publicUrl + icon;
      expect([file, (await readPath(`${path}/${file}`)).icon]).toEqual([file, expected]);
    }
  };
  for (const path of ["", `/${ana.me.username}`]) await expectIcons(path, "/static/icons/192.png");
  for (const icon of ["/static/icons/192.png", "/favicon.svg"])
    expect((await fetchPath(icon)).headers.get("access-control-allow-origin")).toBe("*");
  const [sitePicture, anasPicture] = [await upload(boss), await upload(ana)];
  await ana.api.users.updateProfile.mutate({ pictureId: anasPicture.id });
  await boss.api.administration.setSite.mutate({ picture: sitePicture.id });
  await expectIcons("", `/media/${sitePicture.id}/192.webp`);
  await expectIcons(`/${ana.me.username}`, `/media/${anasPicture.id}/192.webp`);
  await expectIcons(`/${ben.me.username}`, `/media/${sitePicture.id}/192.webp`);
});

test("has a feed for each person, each tag and each search", async () => {
  await ana.api.users.updateProfile.mutate({ bio: "On birds." });
  const owls = await ana.api.blogs.create.mutate(aBlog({ title: "Owls by Ana" }));
  await ben.api.blogs.create.mutate(
    aBlog({ title: "Bees by Ben", tags: ["day"], document: paragraphs("Hum.") }),
  );
  const { publicUrl } = testSite.config;
  for (const [file] of formats) {
    const person = await readPath(`/${ana.me.username}/${file}`);
    expect(person).toMatchObject({
      title: `${ana.me.name} · Reprise`,
      description: "On birds.",
      page: `${publicUrl}/${ana.me.username}`,
      self: `${publicUrl}/${ana.me.username}/${file}`,
    });
    expect(person.entries.map(({ id }) => id)).toEqual([idOf(owls)]);
    const tag = await readPath(`/tag/night/${file}`);
    expect(tag).toMatchObject({ page: `${publicUrl}/tag/night`, self: `${publicUrl}/tag/night/${file}` });
    expect(tag.entries.map(({ id }) => id)).toEqual([idOf(owls)]);
    const search = await readPath(`/search/${file}?q=by+bees`);
    expect(search).toMatchObject({
      page: `${publicUrl}/search?q=by+bees`,
      self: `${publicUrl}/search/${file}?q=by+bees`,
    });
    expect(search.entries.map(({ title }) => title)).toEqual(["Bees by Ben"]);
    expect(await titles(`/search/${file}?q=nowhere-to-be-found`)).toEqual([]);
  }
});

test("sorts a search feed by date rather than by relevance", async () => {
  await ana.api.blogs.create.mutate(aBlog({ title: "Owls, owls", document: paragraphs("Owls.") }));
  await ana.api.blogs.create.mutate(aBlog({ title: "Later", tags: [], description: "" }));
  expect(await titles("/search/feed.json?q=owls")).toEqual(["Later", "Owls, owls"]);
});

test("lists at most the newest twenty blogs", async () => {
  for (let count = 1; count <= 21; count++)
    await ana.api.blogs.create.mutate(aBlog({ title: `Number ${count}` }));
  for (const path of allFeedPaths().filter((one) => !one.includes("json"))) {
    const shownTitles = await titles(path);
    expect([shownTitles.length, shownTitles[0], shownTitles.at(-1)], path).toEqual([
      20,
      "Number 21",
      "Number 2",
    ]);
  }
});

test("lists fewer entries where texts are long, and each in full", async () => {
  const longText = "word ".repeat(99_900);
  for (let count = 1; count <= 4; count++)
    await ana.api.blogs.create.mutate(aBlog({ title: `Long ${count}`, document: paragraphs(longText) }));
  for (const [file] of formats) {
    const { entries } = await readPath(`/${file}`);
    expect(entries.map(({ title }) => title)).toEqual(["Long 4", "Long 3", "Long 2"]);
    expect(entries[2]?.html?.length).toBeGreaterThan(longText.length);
  }
});

test("writes feeds of long texts in a thread, and short ones on the main thread", async () => {
  const { workers } = testSite.app.services;
  const runTask = workers.run.bind(workers);
  const run = vi.spyOn(workers, "run");
  try {
    const tasks = () => run.mock.calls.filter(([name]) => name === "feed").length;
    await ben.api.social.follow.mutate({ userId: ana.me.id, follow: true });
    const { address } = await ben.api.users.ownFeed.mutate({ password });
    const paths = [...allFeedPaths(), `${new URL(address).pathname}/feed.xml`];
    const publish = (title: string) =>
      ana.api.blogs.create.mutate(aBlog({ title, document: paragraphs(`${title} & owls. `.repeat(6_000)) }));
    await publish("The first text");
    for (const path of paths) expect(await titles(path)).toEqual(["The first text"]);
    expect(tasks()).toBe(0);
    await publish("The second text");
    await publish("The third text");
    for (const path of paths) {
      const { entries } = await readPath(path);
      expect(entries.map(({ title }) => title)).toEqual([
        "The third text",
        "The second text",
        "The first text",
      ]);
      expect(entries[2]?.html).toContain("The first text &amp; owls. ".repeat(5_999));
    }
    expect(tasks()).toBe(paths.length);

    // What happens elsewhere while a feed is written does not keep it out of the cache; a change of the feed does.
    const whileWriting = async (change: () => Promise<unknown>) => {
      await ana.api.blogs.update.mutate({ id: (await publish("Another text")).id, draft: true });
      // What they change counts as a change while the feed is read.
      await until(() => testSite.jobs().length === 0, "the end of all jobs");
      const before = tasks();
      run.mockImplementation(async (...task) => {
        if (task[0] === "feed" && tasks() === before + 1) await change();
        return runTask(...task);
      });
      for (let time = 0; time < 2; time++) await readPath("/feed.xml");
      return tasks() - before;
    };
    const { id } = await ben.api.blogs.create.mutate(aBlog({ draft: true }));
    expect(await whileWriting(() => ben.api.blogs.update.mutate({ id, title: "A draft" }))).toBe(1);
    expect(await whileWriting(() => publish("A new text"))).toBe(2);
  } finally {
    run.mockRestore();
  }
});

describe("with rate limits", () => {
  let rateLimitedSite: TestSite;
  let author: SignedInBrowser;
  beforeEach(async () => {
    rateLimitedSite = await startTestSite({ RATE_LIMIT: "on" });
    author = await rateLimitedSite.createAccount("Ana");
  });
  afterEach(() => rateLimitedSite[Symbol.asyncDispose]());
  /** Of 3,000 a minute. */
  const usePoints = (points: number) => rateLimitedSite.app.services.limits.take("read", "127.0.0.1", points);

  test("counts a feed that is not cached by its length", async () => {
    const document = paragraphs("& ".repeat(14_000));
    for (let count = 1; count <= 18; count++)
      await author.api.blogs.create.mutate(aBlog({ title: `Long ${count}`, document }));
    const statusOf = async (path: string) => {
      const answer = await fetch(rateLimitedSite.url + path);
      await answer.arrayBuffer();
      return answer.status;
    };
    await rateLimitedSite.app.services.limits.reset("read", "127.0.0.1");
    await usePoints(2_940);
    expect(await statusOf("/search/feed.xml?q=long")).toBe(200);
    expect(await statusOf("/search/feed.xml?q=night")).toBe(429);
  });
});

test("escapes markup and control characters in titles, names and texts", async () => {
  const hostile = "a < b & c ]]> <![CDATA[ &amp; 😀 \u202eעברית\u202c 'q' \"q\" <script>alert(1)</script>";
  await ana.api.users.updateProfile.mutate({
    name: "Ana & ]]> <b>",
    bio: hostile.replace(/\u202e|\u202c/g, ""),
  });
  const blog = await ana.api.blogs.create.mutate(
    aBlog({
      title: hostile,
      description: "x]]>y, if a < b && <b>c</b> &amp; d",
      tags: ["a&b", "]]>", "c<d"],
      document: paragraphs(hostile),
    }),
  );
  // As an old import may have left it.
  await testSite.run(sql`update blogs set title = title || ${"\u0001\u000b\ufffe!"} where id = ${blog.id}`);
  await ana.api.users.updateProfile.mutate({ bio: "Other." });
  const title = (await ana.api.blogs.card.query({ id: blog.id })).title.replace(/[\u0001\u000b\ufffe]/g, "");
  for (const [file] of formats) {
    const { entries } = await readPath(`/${file}`);
    expect(entries[0]).toMatchObject({ authors: ["Ana & ]]> <b>"], tags: ["a&b", "]]>", "c<d"] });
    expect(entries[0]?.title?.replace(/[\u0001\u000b\ufffe]/g, "").trim()).toBe(title.trim());
    expect(entries[0]?.html).toContain("&lt;script&gt;");
    // Readers take RSS's for HTML, the others for text.
    const summary = "x]]>y, if a < b && <b>c</b> &amp; d";
    expect(entries[0]?.summary).toBe(file === "feed.xml" ? xmlText(summary) : summary);
    for (const tag of ["a&b", "]]>", "c<d"])
      expect(await titles(`/tag/${encodeURIComponent(tag)}/${file}`)).toHaveLength(1);
    expect(await titles(`/search/${file}?q=${encodeURIComponent("]]> & <")}`)).toEqual([]);
  }
});

test("keeps the id of an entry when its address, text or author's name change", async () => {
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const before = await Promise.all(formats.map(([file]) => readPath(`/${file}`)));
  await ana.api.blogs.update.mutate({ id: blog.id, slug: "another-address", title: "Another title" });
  await ana.api.users.updateProfile.mutate({ username: "ana-somewhere", name: "Another" });
  for (const [index, [file]] of formats.entries()) {
    const { entries } = await readPath(`/${file}`);
    expect(entries[0]).toMatchObject({
      id: before[index]?.entries[0]?.id,
      title: "Another title",
      authors: ["Another"],
      url: `${testSite.config.publicUrl}/blog/another-address`,
      published: before[index]?.entries[0]?.published,
    });
    expect(entries[0]?.updated).toBeGreaterThan(entries[0]!.published);
  }
});

/** A feed has a date once a second has passed since its last change. */
async function expectDates(path: string): Promise<void> {
  const since = await until(
    async () => (await fetchPath(path)).headers.get("last-modified"),
    `the date of ${path}`,
  );
  expect((await fetchPath(path, { "if-modified-since": since })).status).toBe(304);
  const long = new Date(Date.parse(since) - 60_000).toUTCString();
  expect((await fetchPath(path, { "if-modified-since": long })).status).toBe(200);
  // The ETag takes precedence.
  expect((await fetchPath(path, { "if-modified-since": since, "if-none-match": '"other"' })).status).toBe(
    200,
  );
}

test("answers 304 to a known ETag or date, and HEAD without a body", async () => {
  const blog = await ana.api.blogs.create.mutate(aBlog());
  for (const path of allFeedPaths()) {
    const answer = await fetchPath(path);
    const etag = answer.headers.get("etag")!;
    expect(answer.headers.get("cache-control")).toBe("public, max-age=0, must-revalidate");
    expect(etag).toMatch(/^W\/".+"$/);
    const notModified = await fetchPath(path, { "if-none-match": etag });
    expect([notModified.status, await notModified.text(), notModified.headers.get("etag")]).toEqual([
      304,
      "",
      etag,
    ]);
    expect((await fetchPath(path, { "if-none-match": "*" })).status).toBe(304);
    // As a proxy in between may send it.
    expect((await fetchPath(path, { "if-none-match": `"x", ${etag.slice(2)}` })).status).toBe(304);
    expect((await fetchPath(path, { "if-none-match": `${etag.slice(0, -1)}x"` })).status).toBe(200);
    const head = await fetchPath(path, {}, "HEAD");
    expect([head.status, await head.text(), head.headers.get("etag")]).toEqual([200, "", etag]);
    expect(head.headers.get("content-type")).toBe(answer.headers.get("content-type"));
  }
  await Promise.all(allFeedPaths().map(expectDates));
  // A removed entry has no newer date, but the feed has changed.
  const dates = await Promise.all(
    allFeedPaths().map(async (path) => (await fetchPath(path)).headers.get("last-modified")!),
  );
  await ana.api.blogs.update.mutate({ id: blog.id, private: true });
  for (const [index, path] of allFeedPaths().entries())
    expect([200, 404]).toContain((await fetchPath(path, { "if-modified-since": dates[index]! })).status);
});

/** Counts how often blogs' texts are read, which each rendering of a feed does. */
function countTextReads() {
  const { texts, stop } = recordStatements();
  onTestFinished(stop);
  return () => texts.splice(0).filter((text) => text.startsWith('select "html" from "blogs"')).length;
}

test("answers repeated and conditional requests from the cache, and renders again after a change", async () => {
  const { id } = await ana.api.blogs.create.mutate(aBlog());
  // A page is cached only if nothing else happened while it was rendered.
  await until(() => testSite.jobs().length === 0, "the end of all jobs");
  const textReads = countTextReads();
  const expectReads = async (path: string, headers: Record<string, string>, status: number, reads: number) =>
    expect([path, (await fetchPath(path, headers)).status, textReads()]).toEqual([path, status, reads]);
  for (const path of allFeedPaths()) {
    await expectReads(path, {}, 200, 1);
    await expectReads(path, {}, 200, 0);
    await expectReads(path, { "accept-encoding": "br" }, 200, 0);
    await expectReads(path, { "if-none-match": (await fetchPath(path)).headers.get("etag")! }, 304, 0);
    await expectReads(path, { "if-none-match": '"other"' }, 200, 0);
  }
  const path = allFeedPaths()[0]!;
  const since = await until(async () => (await fetchPath(path)).headers.get("last-modified"), "a date");
  await expectReads(path, { "if-modified-since": since }, 304, 0);
  await ana.api.blogs.update.mutate({ id, title: "Another" });
  textReads();
  await expectReads(path, { "if-modified-since": since }, 200, 1);
  await expectReads(path, {}, 200, 0);
});

test("compresses feeds for clients that accept it", async () => {
  await ana.api.blogs.create.mutate(aBlog({ document: paragraphs("Owls. ".repeat(1_000)) }));
  for (const path of allFeedPaths()) {
    const uncompressed = await fetchPath(path, { "accept-encoding": "identity" });
    expect(uncompressed.headers.get("content-encoding")).toBeNull();
    const { body, headers } = await fetchPath(path, { "accept-encoding": "gzip" }).then(async (answer) => ({
      body: await answer.text(),
      headers: answer.headers,
    }));
    expect([headers.get("content-encoding"), headers.get("vary")]).toEqual(["gzip", "accept-encoding"]);
    expect(body).toBe(await uncompressed.text());
  }
});

test("removes a blog that becomes private, a draft or deleted from every feed, and lists it again later", async () => {
  const { id } = await ana.api.blogs.create.mutate(aBlog({ title: "The one" }));
  const all = allFeedPaths().length;
  expect(await countFeedsWith("The one")).toBe(all);
  for (const [closing, opening] of [
    [{ private: true }, { private: false }],
    [{ draft: true }, { draft: false }],
  ]) {
    await ana.api.blogs.update.mutate({ id, ...closing });
    expect(await countFeedsWith("The one")).toBe(0);
    await ana.api.blogs.update.mutate({ id, ...opening });
    expect(await countFeedsWith("The one")).toBe(all);
  }
  await ana.api.blogs.update.mutate({ id, title: "The other" });
  expect([await countFeedsWith("The one"), await countFeedsWith("The other")]).toEqual([0, all]);
  await ana.api.blogs.remove.mutate({ id });
  expect(await countFeedsWith("The other")).toBe(0);
});

const addCoAuthor = async (id: string, person: SignedInBrowser) => {
  await ana.api.blogs.inviteAuthor.mutate({ id, username: person.me.username });
  await person.api.blogs.answerInvitation.mutate({ id, accept: true });
};

test("names all authors of a blog in each format, and at once when a co-author joins or leaves", async () => {
  const { id } = await ana.api.blogs.create.mutate(aBlog());
  const expectAuthors = async (...authors: SignedInBrowser[]) => {
    const names = authors.map(({ me }) => me.name);
    for (const path of allFeedPaths()) {
      const { entries } = await readPath(path);
      expect([path, entries.map((entry) => entry.authors)]).toEqual([path, [names]]);
    }
    for (const person of [boss, ben])
      for (const [file] of formats)
        expect(await titles(`/${person.me.username}/${file}`)).toHaveLength(authors.includes(person) ? 1 : 0);
  };
  await expectAuthors(ana);
  await addCoAuthor(id, ben);
  await expectAuthors(ana, ben);
  await addCoAuthor(id, boss);
  await expectAuthors(ana, ben, boss);
  await ana.api.blogs.removeAuthor.mutate({ id, userId: ben.me.id });
  await expectAuthors(ana, boss);
  await boss.api.social.block.mutate({ userId: ana.me.id, blocked: true });
  await expectAuthors(ana);
});

test("hides the blogs and the feed of a private, suspended or limited account until it is public again", async () => {
  await ana.api.blogs.create.mutate(aBlog({ title: "The one" }));
  const all = allFeedPaths().length;
  const missingAnswer = await fetchPath("/nobody-of-this-name/feed.xml");
  const notFoundAnswer = [
    missingAnswer.status,
    await missingAnswer.text(),
    missingAnswer.headers.get("content-type"),
    missingAnswer.headers.get("cache-control"),
  ];
  expect(notFoundAnswer.slice(0, 2)).toEqual([404, "There is no feed at this address.\n"]);
  const userId = ana.me.id;
  const closeAndReopen: [() => Promise<unknown>, () => Promise<unknown>][] = [
    [
      () => ana.api.users.updateSettings.mutate({ private: true }),
      () => ana.api.users.updateSettings.mutate({ private: false }),
    ],
    [
      () => boss.api.moderation.suspend.mutate({ userId, suspended: true, reason: "Spam." }),
      () => boss.api.moderation.suspend.mutate({ userId, suspended: false }),
    ],
    [
      () => boss.api.moderation.limit.mutate({ userId, limited: true, reason: "Rude." }),
      () => boss.api.moderation.limit.mutate({ userId, limited: false }),
    ],
  ];
  for (const [close, open] of closeAndReopen) {
    expect(await countFeedsWith("The one")).toBe(all);
    await close();
    expect(await countFeedsWith("The one")).toBe(0);
    for (const [file] of formats) {
      const answer = await fetchPath(`/${ana.me.username}/${file}`);
      expect([
        answer.status,
        await answer.text(),
        answer.headers.get("content-type"),
        answer.headers.get("cache-control"),
      ]).toEqual(notFoundAnswer);
    }
    await open();
  }
  expect(await countFeedsWith("The one")).toBe(all);
});

test("serves a signed-in person the same feed as everyone, without a cookie", async () => {
  await ana.api.blogs.create.mutate(aBlog({ title: "Open" }));
  await ana.api.blogs.create.mutate(aBlog({ title: "Closed", private: true }));
  for (const path of allFeedPaths()) {
    const answer = await ana.fetch(path);
    expect(await answer.text()).toBe(await (await fetchPath(path)).text());
    expect(answer.headers.get("set-cookie")).toBeNull();
  }
});

test("redirects old usernames and other spellings of an address to the feed", async () => {
  await ana.api.blogs.create.mutate(aBlog());
  const before = ana.me.username;
  await ana.api.users.updateProfile.mutate({ username: "ana-somewhere" });
  for (const [file] of formats) {
    for (const [address, location] of [
      [`/${before}/${file}`, `/ana-somewhere/${file}`],
      [`/Ana-Somewhere/${file}`, `/ana-somewhere/${file}`],
      [`/tag/NIGHT/${file}`, `/tag/night/${file}`],
      [`/search/${file}`, `/${file}`],
      [`/search/${file}?q=%20owls`, `/search/${file}?q=owls`],
    ] as const) {
      const answer = await fetchPath(address);
      expect([answer.status, answer.headers.get("location")], address).toEqual([301, location]);
    }
    await ana.api.users.updateSettings.mutate({ private: true });
    expect((await fetchPath(`/${before}/${file}`)).status).toBe(404);
    await ana.api.users.updateSettings.mutate({ private: false });
  }
});

test("redirects another program's addresses of a feed, except where a page has that address", async () => {
  await ana.api.blogs.create.mutate(aBlog({ slug: "feed" }));
  const locationOf = async (path: string) => {
    const answer = await fetchPath(path, { "if-none-match": '"old"' });
    expect([answer.status, answer.headers.get("cache-control")], path).toEqual([301, "no-cache"]);
    expect(answer.headers.get("access-control-allow-origin"), path).toBe("*");
    return answer.headers.get("location");
  };
  for (const path of ["/feed/", "/rss/", "/index.xml", "/blog/feed.xml", "/blog/rss/", "/?feed=rss2"])
    expect(await locationOf(path)).toBe("/feed.xml");
  expect(await locationOf("/feed/atom/")).toBe("/atom.xml");
  expect(await locationOf("/category/night/feed/")).toBe("/tag/night/feed.xml");
  expect(await locationOf(`/author/${ana.me.username}/rss/`)).toBe(`/${ana.me.username}/feed.xml`);
  expect((await fetchPath("/blog/feed")).status).toBe(200);
  // A name that a person can have, now or later.
  expect((await fetchPath("/notes/feed.xml")).status).toBe(404);
  // The comments of one post.
  expect((await fetchPath("/a-night-walk/feed/")).status).toBe(404);
});

test("answers 404 where there is no content for a feed", async () => {
  for (const [file] of formats) {
    expect(await titles(`/${file}`)).toEqual([]);
    for (const path of [
      `/docs/${file}`,
      `/tag/nothing/${file}`,
      `/tag/%00/${file}`,
      `/${"x".repeat(200)}/${file}`,
      `/tag/${"x".repeat(200)}/${file}`,
      `/search/${file}?q=${"x".repeat(10_001)}`,
    ])
      expect((await fetchPath(path)).status, path.slice(0, 60)).toBe(404);
    expect((await fetchPath(`/search/${file}?q=a&q=b`)).status).toBe(301);
  }
});

test("names the page's own feeds and the site's in each page", async () => {
  await ana.api.blogs.create.mutate(aBlog());
  const named = async (path: string) =>
    [
      ...(await (await fetchPath(path)).text()).matchAll(
        /<link rel="alternate" type="(application\/(?:rss|atom|feed)\+[^"]+)" title="([^"]+)" href="([^"]+)">/g,
      ),
    ].map(([, type, title, href]) => [type, title, href?.replace(testSite.config.publicUrl, "")]);
  const siteLinks = formats.map(([file, type]) => [type, "Reprise", `/${file}`]);
  const feedLinks = (title: string, path: string, query = "") =>
    formats.map(([file, type]) => [type, `${title} · Reprise`, `${path}/${file}${query}`]);
  const { username, name } = ana.me;
  expect(await named("/home")).toEqual(siteLinks);
  expect(await named("/blog/a-walk-at-night")).toEqual(siteLinks);
  expect(await named("/search")).toEqual(siteLinks);
  expect(await named("/search?q=a+%26+b")).toEqual([
    ...feedLinks("“a &amp; b”", "/search", "?q=a+%26+b"),
    ...siteLinks,
  ]);
  expect(await named(`/${username}`)).toEqual([...feedLinks(name, `/${username}`), ...siteLinks]);
  await ana.api.users.updateSettings.mutate({ private: true });
  expect(await named(`/${username}`)).toEqual(siteLinks);
});
