import { parseHTML } from "linkedom";
import { mf2 } from "microformats-parser";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { limits } from "../../../src/shared/limits.ts";
import { paint, upload } from "../../support/pictures.ts";
import {
  aBlog,
  paragraphs,
  startTestSite,
  type SignedInBrowser,
  type TestSite,
} from "../../support/test-site.ts";

/* What programs read: head, JSON-LD, microformats, headings. */

let testSite: TestSite;
let ana: SignedInBrowser;
let ben: SignedInBrowser;
let blog: { id: string; slug: string };
const bio = "Listens to <owls>.";

const pageAt = async (path: string, person?: SignedInBrowser): Promise<string> =>
  (await fetch(testSite.url + path, { headers: person ? { cookie: person.cookie } : {} })).text();

/** Returns a page's meta tags and structured data. */
async function headAt(path: string, person?: SignedInBrowser) {
  const html = await pageAt(path, person);
  const { document } = parseHTML(html);
  const metaContents = (name: string) =>
    [...document.querySelectorAll(`head meta[name="${name}"], head meta[property="${name}"]`)].map((tag) =>
      tag.getAttribute("content"),
    );
  const scripts = [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)];
  const things = scripts.flatMap(
    ([, json = ""]) => (JSON.parse(json) as { "@graph": Record<string, unknown>[] })["@graph"],
  );
  return {
    html,
    title: document.title,
    of: metaContents,
    one: (name: string) => metaContents(name)[0],
    canonical: document.querySelector('link[rel="canonical"]')?.getAttribute("href") ?? null,
    things,
    thing: (type: string) => things.find((node) => node["@type"] === type),
  };
}

beforeAll(async () => {
  testSite = await startTestSite();
  [ana, ben] = [await testSite.createAccount("Ana"), await testSite.createAccount("Ben")];
  await ana.api.users.updateProfile.mutate({ bio });
  blog = await ana.api.blogs.create.mutate(
    aBlog({
      title: "Owls </script> & “larks”",
      description: "Who is awake at night.",
      tags: ["owls", "night"],
      document: paragraphs("One text about owls."),
    }),
  );
  await ana.api.blogs.update.mutate({ id: blog.id, description: "Who is awake at night, and why." });
});
afterAll(() => testSite[Symbol.asyncDispose]());

describe("a blog's head", () => {
  test("names the blog, its author and its dates", async () => {
    const head = await headAt(`/blog/${blog.slug}`);
    const { publicUrl } = testSite.config;
    expect(head.title).toBe("Owls </script> & “larks” · Reprise");
    expect(head.canonical).toBe(`${publicUrl}/blog/${blog.slug}`);
    expect(head.of("robots")).toEqual([]);
    expect(head.one("description")).toBe("Who is awake at night, and why.");
    expect(head.one("author")).toBe("Ana");
    expect(head.one("og:type")).toBe("article");
    expect(head.one("og:title")).toBe("Owls </script> & “larks”");
    expect(head.one("og:url")).toBe(head.canonical);
    expect(head.one("og:site_name")).toBe("Reprise");
    expect(Date.parse(head.one("article:published_time")!)).toBeGreaterThan(0);
    expect(Date.parse(head.one("article:modified_time")!)).toBeGreaterThan(0);
    expect(head.of("article:author")).toEqual([`${publicUrl}/${ana.me.username}`]);
    expect(head.of("article:tag")).toEqual(["owls", "night"]);
  });

  test("has structured data, safely escaped", async () => {
    const { thing, canonical, html } = await headAt(`/blog/${blog.slug}`);
    const profile = `${testSite.config.publicUrl}/${ana.me.username}`;
    expect(thing("BlogPosting")).toMatchObject({
      "@id": canonical,
      mainEntityOfPage: canonical,
      headline: "Owls </script> & “larks”",
      description: "Who is awake at night, and why.",
      author: { "@type": "Person", name: "Ana", url: profile },
      publisher: { name: "Reprise" },
      keywords: ["owls", "night"],
    });
    expect(thing("BreadcrumbList")?.itemListElement).toEqual([
      { "@type": "ListItem", position: 1, name: "Reprise", item: `${testSite.config.publicUrl}/home` },
      { "@type": "ListItem", position: 2, name: "Ana", item: profile },
      { "@type": "ListItem", position: 3, name: "Owls </script> & “larks”", item: canonical },
    ]);
    expect(html.split("application/ld+json")[1]).toContain("Owls \\u003c/script>");
  });

  test("shows the cover", async () => {
    const cover = await upload(ana, await paint(800, 400));
    const blogWithCover = await ana.api.blogs.create.mutate(aBlog({ title: "Painted", coverId: cover.id }));
    const head = await headAt(`/blog/${blogWithCover.slug}`);
    const image = `${testSite.config.publicUrl}/media/${cover.id}/preview.jpg`;
    expect([head.one("og:image"), head.one("og:image:width"), head.one("og:image:height")]).toEqual([
      image,
      "800",
      "400",
    ]);
    expect(head.one("og:image:alt")).toBe("Painted");
    expect(head.one("twitter:card")).toBe("summary_large_image");
    expect(head.thing("BlogPosting")?.image).toBe(image);
  });

  test("describes nothing of a private blog or a draft, even to its author", async () => {
    const hidden = [
      await ana.api.blogs.create.mutate(aBlog({ title: "My diary", private: true })),
      await ana.api.blogs.create.mutate(aBlog({ title: "My plan", draft: true })),
    ];
    for (const { slug } of hidden) {
      const ownHead = await headAt(`/blog/${slug}`, ana);
      expect([ownHead.canonical, ownHead.one("robots"), ownHead.things]).toEqual([null, "noindex", []]);
      const guestHead = await headAt(`/blog/${slug}`);
      expect([guestHead.canonical, guestHead.one("robots"), guestHead.things]).toEqual([null, "noindex", []]);
      expect(guestHead.html).not.toMatch(/My (diary|plan)/);
    }
  });
});

describe("a profile's head", () => {
  test("names the person", async () => {
    const head = await headAt(`/${ana.me.username}`);
    const address = `${testSite.config.publicUrl}/${ana.me.username}`;
    expect(head.canonical).toBe(address);
    expect([head.one("og:type"), head.one("og:title"), head.one("profile:username")]).toEqual([
      "profile",
      "Ana",
      ana.me.username,
    ]);
    expect(head.one("description")).toBe(bio);
    expect(head.thing("ProfilePage")).toMatchObject({
      url: address,
      mainEntity: { "@type": "Person", name: "Ana", alternateName: ana.me.username, description: bio },
    });
    expect(head.thing("BreadcrumbList")).toBeDefined();
  });

  test("is not indexed for a private or limited account", async () => {
    const cleo = await testSite.createAccount("Cleo");
    await cleo.api.users.updateSettings.mutate({ private: true });
    const head = await headAt(`/${cleo.me.username}`);
    expect([head.canonical, head.one("robots"), head.things]).toEqual([null, "noindex", []]);
    await cleo.api.users.updateSettings.mutate({ private: false });
    expect((await headAt(`/${cleo.me.username}`)).canonical).not.toBeNull();
    await ana.api.moderation.limit.mutate({ userId: cleo.me.id, limited: true });
    const limitedHead = await headAt(`/${cleo.me.username}`);
    expect([limitedHead.canonical, limitedHead.one("robots"), limitedHead.things]).toEqual([
      null,
      "noindex",
      [],
    ]);
    expect(limitedHead.html).not.toContain("Cleo");
  });
});

test("names the blog's language in its structured data where it is known", async () => {
  const [known, unknown] = [
    await ana.api.blogs.create.mutate(aBlog({ title: "Eulen", language: "de" })),
    await ana.api.blogs.create.mutate(aBlog({ title: "42", description: "", document: paragraphs("42") })),
  ];
  expect((await headAt(`/blog/${known.slug}`)).thing("BlogPosting")).toMatchObject({ inLanguage: "de" });
  expect((await headAt(`/blog/${unknown.slug}`)).thing("BlogPosting")).not.toHaveProperty("inLanguage");
  await ana.api.blogs.remove.mutate({ id: known.id });
  await ana.api.blogs.remove.mutate({ id: unknown.id });
});

test("describes a tag's page by its breadcrumbs", async () => {
  const { publicUrl } = testSite.config;
  const { canonical, thing } = await headAt("/tag/owls");
  expect(canonical).toBe(`${publicUrl}/tag/owls`);
  expect(thing("BreadcrumbList")?.itemListElement).toEqual([
    { "@type": "ListItem", position: 1, name: "Reprise", item: `${publicUrl}/home` },
    { "@type": "ListItem", position: 2, name: "#owls", item: canonical },
  ]);
  expect((await headAt("/tag/no-such-tag")).thing("BreadcrumbList")).toBeUndefined();
});

test("gives each page of a list its own canonical address", async () => {
  const dora = await testSite.createAccount("Dora");
  const ids: string[] = [];
  for (let count = 0; count <= limits.page.profile; count++)
    ids.push(
      (await dora.api.blogs.create.mutate(aBlog({ title: `Walk ${count}`, tags: ["walks-of-dora"] }))).id,
    );
  const { publicUrl } = testSite.config;
  const profile = `${publicUrl}/${dora.me.username}`;
  for (const [path, expected] of [
    [`/${dora.me.username}`, profile],
    [`/${dora.me.username}?page=1`, profile],
    [`/${dora.me.username}?page=2`, `${profile}?page=2`],
    [`/${dora.me.username}/blogs?page=2`, `${profile}?page=2`],
    ["/home?page=2", `${publicUrl}/home?page=2`],
    ["/tag/walks-of-dora?page=2", `${publicUrl}/tag/walks-of-dora?page=2`],
  ] as const)
    expect([path, (await headAt(path)).canonical]).toEqual([path, expected]);
  for (const id of ids) await dora.api.blogs.remove.mutate({ id });
});

test("describes the site's search in its structured data", async () => {
  for (const path of ["/", "/home"]) {
    const { thing, canonical } = await headAt(path);
    expect(canonical).toBe(testSite.config.publicUrl + path);
    expect(thing("WebSite")).toMatchObject({ name: "Reprise", potentialAction: { "@type": "SearchAction" } });
  }
});

test.each([
  "/search?q=owls",
  "/search?q=owls&tab=people",
  "/signin",
  "/signup",
  "/forgot-password",
  "/reset-password/some-token",
  "/nobody-of-this-name",
  "/blog/no-such-blog",
])("excludes %s from search engines", async (path) => {
  const { canonical, one, things } = await headAt(path);
  expect([canonical, one("robots"), things]).toEqual([null, "noindex", []]);
});

test.each(["/settings", "/my-blogs", "/notifications", "/add-blog", "/edit-profile", "/admin"])(
  "excludes %s from search engines for a signed-in member",
  async (path) => {
    const { canonical, one, things } = await headAt(path, ana);
    expect([canonical, one("robots"), things]).toEqual([null, "noindex", []]);
  },
);

test("puts nothing about the viewer into a page's head", async () => {
  const { things, html } = await headAt(`/blog/${blog.slug}`, ben);
  expect(things).toEqual([]);
  const [head = ""] = html.split("</head>");
  expect(head).not.toContain(ben.me.username);
});

describe("microformats", () => {
  const parseMicroformats = async (path: string) => {
    const html = await pageAt(path);
    return mf2(html, { baseUrl: testSite.config.publicUrl + path });
  };

  test("describe a blog as an entry with author, date, text and tags", async () => {
    const { items } = await parseMicroformats(`/blog/${blog.slug}`);
    const [entry] = items.filter(({ type }) => type?.includes("h-entry"));
    expect(entry?.properties).toMatchObject({
      name: ["Owls </script> & “larks”"],
      summary: ["Who is awake at night, and why."],
      url: [`${testSite.config.publicUrl}/blog/${blog.slug}`],
      category: ["owls", "night"],
      content: [{ html: '<p dir="auto">One text about owls.</p>', value: "One text about owls." }],
      author: [
        {
          type: ["h-card"],
          properties: { name: ["Ana"], url: [`${testSite.config.publicUrl}/${ana.me.username}`] },
        },
      ],
    });
    const [published, updated] = [entry?.properties.published?.[0], entry?.properties.updated?.[0]];
    expect(Date.parse(published as string)).toBeLessThanOrEqual(Date.parse(updated as string));
  });

  test("describe a profile as a card, and its blogs as a feed", async () => {
    const { items } = await parseMicroformats(`/${ana.me.username}`);
    const [card] = items.filter(({ type }) => type?.includes("h-card"));
    expect(card?.properties).toMatchObject({
      name: ["Ana"],
      nickname: [ana.me.username],
      note: [bio],
      url: [`${testSite.config.publicUrl}/${ana.me.username}`],
    });
    const [feed] = items.filter(({ type }) => type?.includes("h-feed"));
    const names = feed?.children?.map(({ type, properties }) => [type?.[0], properties.name?.[0]]);
    expect(names).toContainEqual(["h-entry", "Owls </script> & “larks”"]);
  });

  test.each(["/", "/home"])("describe %s as a feed of entries with their addresses", async (path) => {
    const { items } = await parseMicroformats(path);
    const entries = items
      .filter(({ type }) => type?.includes("h-feed"))
      .flatMap((feed) => feed.children ?? []);
    const [first] = entries.filter(({ properties }) => properties.name?.[0] === "Owls </script> & “larks”");
    expect(first?.properties.url).toEqual([`${testSite.config.publicUrl}/blog/${blog.slug}`]);
    expect(first?.properties.published).toHaveLength(1);
    const [author] = first?.properties.author ?? [];
    expect(JSON.stringify(author)).toContain("Ana");
  });
});

describe("headings have one h1 and skip no level", () => {
  /** Returns headings as `1 Home`. */
  async function headingsAt(path: string, person?: SignedInBrowser): Promise<string[]> {
    const { document } = parseHTML(await pageAt(path, person));
    expect(document.title, path).not.toMatch(/^(Not found|Something)/);
    return [...document.querySelectorAll("h1, h2, h3, h4, h5, h6")].map(
      (element) => `${element.tagName[1]} ${element.textContent.trim()}`,
    );
  }
  const expectOrder = (headings: string[]): void => {
    expect(headings.filter((text) => text.startsWith("1 "))).toHaveLength(1);
    let before = 0;
    for (const heading of headings) {
      const level = Number(heading[0]);
      expect(level, `${heading}, of ${headings.join(" | ")}`).toBeLessThanOrEqual(before + 1);
      before = level;
    }
  };
  const guestPaths = () => [
    "/", "/home", "/home?page=2", "/search", "/search?q=owls", "/search?q=nothing-of-this", "/search?q=ana&tab=people",
    `/blog/${blog.slug}`, `/blog/${blog.slug}?comments=open`, `/${ana.me.username}`, `/${ben.me.username}`,
    `/followers/${ana.me.username}`, "/docs", "/signin", "/signup", "/forgot-password",
    "/reset-password/some-token", "/verify-email/some-token", "/delete-account/some-token", "/change-email/some-token",
    "/undo-access/some-token", "/unsubscribe/some-token",
  ]; // prettier-ignore
  const memberPaths = () => [
    "/", "/home", "/my-blogs", "/add-blog", `/edit/${blog.slug}`, "/settings", "/edit-profile", "/requests", "/notifications",
    "/select-interests", "/admin", "/admin/blogs", "/admin/people", "/admin/comments", "/admin/log", "/admin/site", "/admin/jobs", "/admin/numbers",
    `/blog/${blog.slug}`, `/${ana.me.username}`, `/${ana.me.username}/draft-blogs`, `/${ana.me.username}/liked-blogs`,
  ]; // prettier-ignore

  test("on every page for guests", async () => {
    for (const path of guestPaths()) expectOrder(await headingsAt(path));
  });

  test("on every page for an author who is an administrator", async () => {
    for (const path of memberPaths()) expectOrder(await headingsAt(path, ana));
  });
});
