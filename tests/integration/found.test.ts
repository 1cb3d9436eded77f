import fastify from "fastify";
import { SaxesParser } from "saxes";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { siteMapRoutes } from "../../src/server/feeds/site-map.ts";
import { paint, upload } from "../support/pictures.ts";
import { aBlog, startTown, type Resident, type Town } from "../support/town.ts";

/* What search engines and programs that show links are told of the site, which is what everybody may read. */

const get = (town: Town, path: string, headers: Record<string, string> = {}) =>
  fetch(town.url + path, { headers, redirect: "manual" });

interface Place {
  loc: string;
  lastmod?: string;
}
/** The elements of a document that have a text, by their paths, in order. Throws where it is no XML. */
function textsOf(xml: string): [path: string, text: string][] {
  const parser = new SaxesParser({ xmlns: true });
  const open: { name: string; text: string }[] = [];
  const texts: [string, string][] = [];
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name }) => open.push({ name, text: "" }));
  parser.on("text", (text) => {
    const last = open.at(-1);
    if (last) last.text += text;
  });
  parser.on("closetag", () => {
    const path = open.map(({ name }) => `/${name}`).join("");
    const { text = "" } = open.pop() ?? {};
    if (text.trim() !== "") texts.push([path, text]);
  });
  parser.write(xml).close();
  return texts;
}

/** Places of a part of the map, or parts of the map; null where there is none. */
async function mapAt(town: Town, path: string): Promise<Place[] | null> {
  const answer = await get(town, path);
  if (answer.status !== 200) return null;
  expect(answer.headers.get("content-type")).toBe("application/xml; charset=utf-8");
  const xml = await answer.text();
  const texts = textsOf(xml);
  return texts.flatMap(([name, text], index): Place[] => {
    if (!name.endsWith("/loc")) return [];
    const [next, lastmod = ""] = texts[index + 1] ?? [];
    return [{ loc: text, ...(next?.endsWith("/lastmod") && { lastmod }) }];
  });
}
/** Every path that the map has, by way of its index. */
async function mapped(town: Town): Promise<string[]> {
  const { publicUrl } = town.config;
  const parts = (await mapAt(town, "/sitemap.xml")) ?? [];
  const places = await Promise.all(parts.map(({ loc }) => mapAt(town, loc.slice(publicUrl.length))));
  return places.flatMap((part) => (part ?? []).map(({ loc }) => loc.slice(publicUrl.length)));
}
const embedded = (town: Town, path: string, more = "") =>
  get(town, `/oembed?url=${encodeURIComponent(town.config.publicUrl + path)}${more}`);

/** The card that a page's head names. */
const cardAt = async (town: Town, path: string): Promise<string> => {
  const html = await (await get(town, path)).text();
  return (
    new RegExp(`<meta property="og:image" content="${town.config.publicUrl}(/cards/[^"]+)">`).exec(
      html,
    )?.[1] ?? ""
  );
};

/** The ways in which a blog comes to be not everybody's any more, and whether its author is not, either. */
const closings: Record<string, { person: boolean; close: (staff: Resident, author: Resident, id: string) => Promise<unknown> }> = {
  "a draft": { person: false, close: (_staff, { api }, id) => api.blogs.update.mutate({ id, draft: true }) },
  "a private blog": { person: false, close: (_staff, { api }, id) => api.blogs.update.mutate({ id, private: true }) },
  "a private account's": { person: true, close: (_staff, { api }) => api.users.updateSettings.mutate({ private: true }) },
  "a limited account's": { person: true, close: (staff, { me }) => staff.api.moderation.limit.mutate({ userId: me.id, limited: true }) },
  "a suspended account's": {
    person: true,
    close: (staff, { me }) => staff.api.moderation.suspend.mutate({ userId: me.id, suspended: true, reason: "Spam." }),
  },
  "one that was taken back": {
    person: false,
    close: (staff, _author, id) => staff.api.moderation.resolveReport.mutate({ kind: "blog", id, outcome: "hide", reason: "Spam." }),
  },
  "a deleted one": { person: false, close: (_staff, { api }, id) => api.blogs.remove.mutate({ id }) },
}; // prettier-ignore

describe("what is not everybody's any more leaves the map, the links and the cards at once:", () => {
  let town: Town;
  let staff: Resident;
  beforeAll(async () => {
    town = await startTown();
    staff = await town.resident("Staff");
  });
  afterAll(() => town[Symbol.asyncDispose]());

  test.each(Object.entries(closings))("%s", async (_what, { person, close }) => {
    const author = await town.resident("Ana");
    const kept = await author.api.blogs.create.mutate(aBlog());
    const tag = `of-${author.me.username}`;
    const { id, slug } = await author.api.blogs.create.mutate(aBlog({ tags: [tag] }));
    const [blog, profile] = [`/blog/${slug}`, `/${author.me.username}`];
    // Twice, so that the second comes from memory.
    for (let time = 0; time < 2; time++)
      expect(await mapped(town)).toEqual(expect.arrayContaining([blog, profile, `/tag/${tag}`]));
    expect([(await embedded(town, blog)).status, (await embedded(town, profile)).status]).toEqual([200, 200]);

    const cards = [await cardAt(town, blog), await cardAt(town, profile)] as const;
    for (const card of cards) expect((await get(town, card)).status).toBe(200);

    await close(staff, author, id);
    expect([(await get(town, cards[0])).status, (await get(town, cards[1])).status]).toEqual([
      404,
      person ? 404 : 200,
    ]);
    expect((await get(town, cards[0], { cookie: author.cookie })).status).toBe(404);
    expect(await cardAt(town, blog)).toBe("");
    const paths = await mapped(town);
    expect(paths).not.toContain(blog);
    expect(paths).not.toContain(`/tag/${tag}`);
    expect(paths.includes(profile)).toBe(!person);
    expect(paths.includes(`/blog/${kept.slug}`)).toBe(!person);
    expect((await embedded(town, blog)).status).toBe(404);
    expect((await embedded(town, profile)).status).toBe(person ? 404 : 200);
    // Not even for those who may read it.
    const cookie = { cookie: author.cookie };
    expect(
      (await get(town, `/oembed?url=${encodeURIComponent(town.config.publicUrl + blog)}`, cookie)).status,
    ).toBe(404);
  });

  test("a wall between two people hides nothing from everybody", async () => {
    const [author, other] = [await town.resident("Ana"), await town.resident("Ben")];
    const { slug } = await author.api.blogs.create.mutate(aBlog());
    await author.api.social.block.mutate({ userId: other.me.id, blocked: true });
    expect(await mapped(town)).toContain(`/blog/${slug}`);
    expect((await embedded(town, `/blog/${slug}`)).status).toBe(200);
    expect((await get(town, await cardAt(town, `/blog/${slug}`), { cookie: other.cookie })).status).toBe(200);
  });
});

describe("the map", () => {
  test("says when each place and each part changed last", async () => {
    await using town = await startTown();
    const ana = await town.resident("Ana");
    const { id, slug } = await ana.api.blogs.create.mutate(aBlog());
    const blog = await ana.api.blogs.bySlug.query({ slug });
    const at = async () =>
      (await mapAt(town, "/sitemap-1.xml"))?.find(({ loc }) => loc.endsWith(slug))?.lastmod;
    expect(await at()).toBe(blog.publishedAt);
    const parts = await mapAt(town, "/sitemap.xml");
    expect(parts).toContainEqual({
      loc: `${town.config.publicUrl}/sitemap-1.xml`,
      lastmod: blog.publishedAt,
    });
    await ana.api.blogs.update.mutate({ id, title: "Another one", private: true });
    await ana.api.blogs.update.mutate({ id, private: false });
    expect(Date.parse((await at())!)).toBeGreaterThan(Date.parse(blog.publishedAt));
  });

  test("is asked for again for nothing where nothing has changed", async () => {
    await using town = await startTown();
    const ana = await town.resident("Ana");
    await ana.api.blogs.create.mutate(aBlog());
    for (const path of [
      "/sitemap.xml",
      "/sitemap-1.xml",
      "/sitemap-people-1.xml",
      "/sitemap-tags.xml",
      "/sitemap-site.xml",
    ]) {
      const etag = (await get(town, path)).headers.get("etag")!;
      const again = await get(town, path, { "if-none-match": etag });
      expect([path, again.status, again.headers.get("cache-control")]).toEqual([
        path,
        304,
        "public, max-age=0, must-revalidate",
      ]);
    }
    const etag = (await get(town, "/sitemap-1.xml")).headers.get("etag")!;
    await ana.api.blogs.create.mutate(aBlog());
    expect((await get(town, "/sitemap-1.xml", { "if-none-match": etag })).status).toBe(200);
  });

  test("has no part that has nothing, and none of another name", async () => {
    await using town = await startTown();
    for (const path of [
      "/sitemap-1.xml",
      "/sitemap-people-1.xml",
      "/sitemap-tags.xml",
      "/sitemap-0.xml",
      "/sitemap-2.xml",
      "/sitemap-x.xml",
      "/sitemap-99999999.xml",
      "/sitemap-1x.xml",
    ])
      expect([path, (await get(town, path)).status]).toEqual([path, 404]);
    expect(await mapped(town)).toEqual(["/", "/home", "/search", "/docs"]);
  });

  test("has the tags that everybody finds something by, since when, in parts of so many", async () => {
    await using town = await startTown();
    const ana = await town.resident("Ana");
    const { publicUrl } = town.config;
    const publish = async (...tags: string[]) => {
      const { slug } = await ana.api.blogs.create.mutate(aBlog({ tags }));
      return ana.api.blogs.bySlug.query({ slug });
    };
    const first = await publish("owls", "a&b", "c++");
    await ana.api.blogs.create.mutate(aBlog({ tags: ["of-drafts"], draft: true }));
    await ana.api.blogs.create.mutate(aBlog({ tags: ["of-followers", "owls"], private: true }));
    const second = await publish("owls", "eule/été");
    const all = [
      { loc: `${publicUrl}/tag/a%26b`, lastmod: first.publishedAt },
      { loc: `${publicUrl}/tag/c%2B%2B`, lastmod: first.publishedAt },
      { loc: `${publicUrl}/tag/eule%2F%C3%A9t%C3%A9`, lastmod: second.publishedAt },
      { loc: `${publicUrl}/tag/owls`, lastmod: second.publishedAt },
    ];
    const part = { loc: `${publicUrl}/sitemap-tags.xml`, lastmod: second.publishedAt };
    for (let time = 0; time < 2; time++) {
      expect(await mapAt(town, "/sitemap-tags.xml")).toEqual(all);
      expect(await mapAt(town, "/sitemap.xml")).toContainEqual(part);
    }
    for (const { loc } of all) expect((await get(town, loc.slice(publicUrl.length))).status, loc).toBe(200);

    // What a part has begins after the one before; those in between are in none of the index where nobody finds anything by them.
    const small = fastify();
    await siteMapRoutes(small, town.app.parts, 2);
    const at = async (path: string) => (await small.inject(path)).body.match(/(?<=<loc>)[^<]*(?=<)/g);
    const index = (await at("/sitemap.xml"))?.filter((loc) => loc.includes("tags"));
    expect(index).toEqual(["", "?after=c%2B%2B", "?after=of-followers"].map((query) => part.loc + query));
    const paths = await Promise.all(index!.map((loc) => at(loc.slice(publicUrl.length))));
    expect(paths.flat()).toEqual(all.map(({ loc }) => loc));
    expect(paths.map((found) => found?.length)).toEqual([2, 1, 1]);
    await small.close();

    await ana.api.blogs.update.mutate({ id: first.id, tags: ["owls"] });
    expect((await mapAt(town, "/sitemap-tags.xml"))?.map(({ loc }) => loc)).toEqual(
      all.slice(2).map(({ loc }) => loc),
    );
    for (const path of ["?after=zebras", "?after=A%20B", "?after=a&after=b", `?after=${"x".repeat(300)}`])
      expect([path, (await get(town, `/sitemap-tags.xml${path}`)).status]).toEqual([path, 404]);
  });

  test("and robots.txt name each other's addresses in full", async () => {
    await using town = await startTown({ PUBLIC_URL: "https://owls.example" });
    const robots = await (await get(town, "/robots.txt")).text();
    expect(robots).toContain("Sitemap: https://owls.example/sitemap.xml\n");
    for (const path of ["/api/", "/settings", "/search?", "/signin"])
      expect(robots).toContain(`\nDisallow: ${path}\n`);
    expect(robots).not.toMatch(/^Disallow: \/?$/m);
    expect((await mapAt(town, "/sitemap-site.xml"))?.[0]?.loc).toBe("https://owls.example/");
  });
});

test("whoever found a hole reads where to write, once administrators have said so", async () => {
  await using town = await startTown({ PUBLIC_URL: "https://owls.example" });
  const path = "/.well-known/security.txt";
  expect((await get(town, path)).status).toBe(404);
  const boss = await town.resident("Boss");
  const set = (securityContact: string) => boss.api.moderation.setSite.mutate({ securityContact });
  for (const wrong of [
    "nobody",
    "http://owls.example/security",
    "javascript:alert(1)",
    "a@b.example\nExpires: never",
  ])
    await expect(set(wrong)).rejects.toThrow(/email address/);
  await set("security@owls.example");
  const answer = await get(town, path);
  expect(answer.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  const text = await answer.text();
  expect(text).toMatch(/^Contact: mailto:security@owls\.example$/m);
  expect(text).toMatch(/^Canonical: https:\/\/owls\.example\/\.well-known\/security\.txt$/m);
  const expires = Date.parse(/^Expires: (.+)$/m.exec(text)?.[1] ?? "");
  expect(expires).toBeGreaterThan(Date.now());
  expect(expires).toBeLessThan(Date.now() + 365 * 24 * 60 * 60 * 1000);
  await set("https://owls.example/report");
  expect(await (await get(town, path)).text()).toMatch(/^Contact: https:\/\/owls\.example\/report$/m);
  expect((await get(town, "/security.txt")).headers.get("location")).toBe(path);
});

describe("oEmbed", () => {
  let town: Town;
  let ana: Resident;
  let slug: string;
  beforeAll(async () => {
    town = await startTown();
    ana = await town.resident("Ana");
    await ana.api.users.updateProfile.mutate({ name: "Ana & “Bo” <3" });
    const cover = await upload(ana, await paint(1_200, 600));
    ({ slug } = await ana.api.blogs.create.mutate(aBlog({ title: "Owls <& larks>", coverId: cover.id })));
  });
  afterAll(() => town[Symbol.asyncDispose]());

  test("says of a blog what it is, whose, and shows its cover", async () => {
    const answer = await embedded(town, `/blog/${slug}`);
    expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect(await answer.json()).toMatchObject({
      version: "1.0",
      type: "link",
      title: "Owls <& larks>",
      author_name: "Ana & “Bo” <3",
      author_url: `${town.config.publicUrl}/${ana.me.username}`,
      provider_name: "Reprise",
      provider_url: `${town.config.publicUrl}/`,
      thumbnail_width: 1_200,
      thumbnail_height: 600,
    });
  });

  test("gives a picture that fits, or none", async () => {
    const at = async (more: string) =>
      ((await (await embedded(town, `/blog/${slug}`, more)).json()) as { thumbnail_width?: number })
        .thumbnail_width;
    expect([
      await at("&maxwidth=1000"),
      await at("&maxheight=240"),
      await at("&maxwidth=10"),
      await at("&maxwidth=many"),
    ]).toEqual([960, 480, undefined, 1_200]);
  });

  test("speaks XML as well, and nothing else", async () => {
    const answer = await embedded(town, `/blog/${slug}`, "&format=xml");
    expect(answer.headers.get("content-type")).toBe("text/xml; charset=utf-8");
    const xml = await answer.text();
    expect(Object.fromEntries(textsOf(xml))).toMatchObject({
      "/oembed/type": "link",
      "/oembed/title": "Owls <& larks>",
      "/oembed/author_name": "Ana & “Bo” <3",
    });
    expect((await embedded(town, `/blog/${slug}`, "&format=yaml")).status).toBe(501);
    expect((await embedded(town, `/blog/${slug}`, "&format=json&format=xml")).status).toBe(501);
  });

  test("finds a blog by an address that it had, and a person by their name", async () => {
    const blog = await ana.api.blogs.create.mutate(aBlog());
    await ana.api.blogs.update.mutate({ id: blog.id, slug: "owls-at-night" });
    expect(await (await embedded(town, `/blog/${blog.slug}`)).json()).toMatchObject({
      author_name: "Ana & “Bo” <3",
    });
    expect(await (await embedded(town, `/${ana.me.username}`)).json()).toMatchObject({
      type: "link",
      title: "Ana & “Bo” <3",
    });
  });

  test.each(
    [
      "/home",
      "/",
      "/settings",
      "/blog/none",
      "/nobody-here",
      "/api/v1/blogs",
      "/%",
      "/blog/a/b",
      `/${"x".repeat(3_000)}`,
    ].map((path) => [path.slice(0, 20), path] as const),
  )("knows nothing of %s", async (_beginning, path) => {
    expect((await embedded(town, path)).status).toBe(404);
  });

  test("knows nothing of another site", async () => {
    for (const url of [
      "https://elsewhere.example/blog/x",
      "not an address",
      "javascript:alert(1)",
      `${town.config.publicUrl}.example/blog/${slug}`,
    ])
      expect((await get(town, `/oembed?url=${encodeURIComponent(url)}`)).status).toBe(404);
    expect([(await get(town, "/oembed")).status, (await get(town, "/oembed?url=a&url=b")).status]).toEqual([
      400, 400,
    ]);
  });

  test("is named by the page, in both of its languages", async () => {
    const html = await (await get(town, `/blog/${slug}`)).text();
    for (const type of ["application/json+oembed", "text/xml+oembed"]) {
      const [, href = ""] =
        new RegExp(`<link rel="alternate" type="${type.replace("+", "\\+")}"[^>]* href="([^"]+)"`).exec(
          html,
        ) ?? [];
      const address = new URL(href.replaceAll("&amp;", "&"));
      const answer = await get(town, address.pathname + address.search);
      expect([answer.status, answer.headers.get("content-type")]).toEqual([
        200,
        expect.stringContaining(type.split("+")[0]!),
      ]);
    }
    const { id, slug: own } = await ana.api.blogs.create.mutate(aBlog({ private: true }));
    expect(id).toBeTruthy();
    expect(
      await (await fetch(`${town.url}/blog/${own}`, { headers: { cookie: ana.cookie } })).text(),
    ).not.toContain("oembed");
  });

  test("is nobody's name", async () => {
    await expect(ana.api.users.updateProfile.mutate({ username: "oembed" })).rejects.toThrow(/reserved/);
  });

  test("is no way to ask without end", async () => {
    await using strict = await startTown({ RATE_LIMIT: "on" });
    await strict.app.parts.limits.take("read", "127.0.0.1", 2_999);
    expect((await embedded(strict, "/nobody")).status).toBe(404);
    expect((await embedded(strict, "/nobody")).status).toBe(429);
    expect((await get(strict, "/sitemap.xml")).status).toBe(429);
  });
});
