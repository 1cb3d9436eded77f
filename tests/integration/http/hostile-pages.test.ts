import { connect } from "node:net";
import { text as everything } from "node:stream/consumers";
import { getTableColumns, getTableName, sql } from "drizzle-orm";
import { parseHTML } from "linkedom";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { execute } from "../../../src/server/database/connection.ts";
import {
  expectIntact,
  expectReadableResponse,
  startHostileSetup,
  textEntries,
} from "../../support/hostile-inputs.ts";
import { blogs as blogsTable } from "../../../src/server/database/schema/blogs.ts";
import { users as usersTable } from "../../../src/server/database/schema/profiles.ts";
import { maxRanked } from "../../../src/server/database/search/search-index.ts";
import { limits } from "../../../src/shared/limits.ts";
import { aBlog, aComment, paragraphs, startTestSite, documentAt } from "../../support/test-site.ts";

/* Pages with unusual texts and unusual addresses. */

const { testSite, ana, eve, anas } = await startHostileSetup();
afterEach(() => expectIntact(testSite));

/**
 * A text as it is stored: composed (NFC), trimmed, without characters that override its direction, and with white space folded
 * in single-line fields.
 */
const normalized = (text: string) => text.normalize("NFC").replace(/[\u202a-\u202e\u2066-\u2069]/g, "");
const singleLine = (text: string) =>
  normalized(text)
    .replace(/[\s\u0085]+/gu, " ")
    .trim();
const multiLine = (text: string) =>
  normalized(text)
    .replace(/\u0085/g, "\n")
    .trim();

/** The texts that mean something to a browser. */
const markupTexts = new Set([
  "a script",
  "an end of a script",
  "an attribute",
  "entities",
  "an address",
  "ends of lines elsewhere",
]);

/** Fetches and parses a page, and expects valid data and no foreign scripts, listeners or links in it. */
async function page(path: string, cookie = "", status = 200): Promise<Document> {
  const response = await fetch(testSite.url + path, { headers: { cookie } });
  const html = await response.text();
  expect(response.status, `${path} ${html.slice(0, 200)}`).toBe(status);
  const { document } = parseHTML(html);
  const data = [...document.querySelectorAll("script[type$='json']")];
  expect(data.length, path).toBeGreaterThan(0);
  for (const { textContent } of data)
    expect(() => JSON.parse(textContent) as unknown, `${path}: the page's data`).not.toThrow();
  // Everything that runs or loads and is not the site's own.
  const foreign = [
    ...document.querySelectorAll("script,iframe,object,embed,base,link,meta[http-equiv],style,svg *,img"),
  ]
    .filter((element) => {
      const source = element.getAttribute("src") ?? element.getAttribute("href") ?? "";
      if (element.closest("svg")) return element.tagName.toLowerCase() === "script";
      if (/^application\/(ld\+)?json$/.test(element.getAttribute("type") ?? "")) return false;
      return !/^\/(assets|media|favicon|static\/icons|service-worker\.js$|manifest\.webmanifest$)|^http:\/\/localhost/.test(
        source,
      );
    })
    .map(String);
  const listening = [...document.querySelectorAll("*")].flatMap((element) =>
    element.getAttributeNames().filter((one) => /^on|^autofocus$|^srcdoc$/.test(one)),
  );
  const leading = [...document.querySelectorAll("a[href],form[action]")]
    .map((element) => element.getAttribute("href") ?? element.getAttribute("action") ?? "")
    .filter((href) => !/^(\/(?!\/)|#|\?|https?:|mailto:|tel:)/.test(href));
  expect({ foreign, listening, leading }, path).toEqual({ foreign: [], listening: [], leading: [] });
  return document;
}
const textOf = (document: Document, selector: string) => document.querySelector(selector)?.textContent;

describe("returns and renders stored texts unchanged:", () => {
  test.each(textEntries)("%s", async (name, text) => {
    const line = singleLine(text);
    const tag = [...normalized(text).replace(/[\s\p{Cc}]/gu, "")]
      .slice(0, 20)
      .join("")
      .toLowerCase()
      .normalize("NFC");
    await ana.api.users.updateProfile.mutate({ name: text.slice(0, 60), bio: text });
    await ana.api.users.updateSettings.mutate({ interests: [text.slice(0, 38)] });
    const { id, slug } = await ana.api.blogs.create.mutate(
      aBlog({ title: text, description: text, tags: [tag], document: paragraphs(text) }),
    );
    const comment = await eve.api.comments.create.mutate(aComment({ id }, { text }));

    const storedBlog = await eve.api.blogs.bySlug.query({ slug });
    expect([storedBlog.title, storedBlog.description, storedBlog.tags]).toEqual([
      line,
      multiLine(text),
      [tag],
    ]);
    expect(storedBlog.author.name).toBe(singleLine(text.slice(0, 60)));
    expect(await documentAt(ana, slug)).toEqual(
      expect.objectContaining({ content: [expect.objectContaining({ content: [{ type: "text", text }] })] }),
    );
    expect((await eve.api.comments.list.query({ blogId: id })).comments[0]?.text).toBe(multiLine(text));
    expect((await ana.api.users.me.query())?.interests).toEqual([
      singleLine(text.slice(0, 38)).toLowerCase(),
    ]);

    const { blog } = (await anas.call("GET", `/blogs/${slug}`)).body;
    expect([blog.title, blog.description, blog.tags]).toEqual([line, multiLine(text), [tag]]);
    expect(blog.comments[0].comment).toBe(multiLine(text));
    expect(parseHTML(`<main>${blog.content}</main>`).document.querySelector("main p")?.textContent).toBe(
      text,
    );

    const article = await page(`/blog/${slug}?comments=open`);
    expect(textOf(article, "h1")).toBe(line);
    expect(textOf(article, ".article-description")).toBe(multiLine(text));
    expect(textOf(article, ".prose p")).toBe(text);
    expect(textOf(article, ".article-author")).toBe(singleLine(text.slice(0, 60)));
    expect(textOf(article, ".article-tags a")).toBe(tag);
    expect(textOf(article, `#comment-${comment.id} .comment-text`)).toBe(multiLine(text));
    expect(textOf(article, "title")).toContain(line);

    const profile = await page(`/${(await ana.api.users.me.query())?.username}`);
    expect(textOf(profile, ".profile-bio")).toBe(multiLine(text));
    expect(textOf(profile, ".card-title")).toBe(line);
    expect(textOf(await page("/home"), ".card-title")).toBe(line);
    const results = await page(`/search?q=${encodeURIComponent(text)}`);
    // A search ignores invisible characters.
    expect(
      results
        .querySelector("[name=q]")
        ?.getAttribute("value")
        ?.replace(/\p{Cf}/gu, "")
        .normalize("NFC"),
    ).toContain(line.replace(/\p{Cf}/gu, "").split(" ")[0]);
    await page(`/search?tab=people&q=${encodeURIComponent(text)}`);
    expect(slug).toMatch(/^[a-z0-9-]+$/);
    // Pages of members use the same components, so only texts that mean something to a browser are tried.
    if (markupTexts.has(name))
      for (const path of [
        "/settings",
        "/settings/import",
        "/settings/export",
        "/edit-profile",
        "/my-blogs",
        `/edit/${slug}`,
        "/notifications",
        "/home",
      ])
        await page(path, ana.cookie);
    await ana.api.blogs.remove.mutate({ id });
  });

  test("replaces a lone surrogate with U+FFFD", async () => {
    const { id, slug } = await ana.api.blogs.create.mutate(
      aBlog({ title: "half \ud800 a letter", description: "\udc00 half", document: paragraphs("x\ud83dx") }),
    );
    const { title, description, html } = await ana.api.blogs.bySlug.query({ slug });
    expect([title, description]).toEqual(["half \ufffd a letter", "\ufffd half"]);
    expect(html.isWellFormed()).toBe(true);
    expect(textOf(await page(`/blog/${slug}`), "h1")).toBe("half \ufffd a letter");
    await ana.api.blogs.remove.mutate({ id });
  });
});

describe("shows the name and bio of a person who requests to follow unchanged:", () => {
  beforeAll(() => ana.api.users.updateSettings.mutate({ private: true }));
  afterAll(() => ana.api.users.updateSettings.mutate({ private: false }));

  test.each(textEntries.filter(([what]) => markupTexts.has(what)))("%s", async (_what, text) => {
    const name = singleLine(text.slice(0, 60));
    await eve.api.users.updateProfile.mutate({ name: text.slice(0, 60), bio: text });
    await eve.api.social.follow.mutate({ userId: ana.me.id, follow: true });

    const requests = await page("/requests", ana.cookie);
    expect(textOf(requests, ".person-name")).toBe(name);
    expect(textOf(requests, ".person-bio")).toBe(multiLine(text));
    const notifications = await page("/notifications", ana.cookie);
    expect(textOf(notifications, ".notification-text .strong")).toBe(name);
    expect(textOf(notifications, ".notification-text")).toContain("wants to follow you");
    // Every page renders the bell's menu.
    await page("/home", ana.cookie);
    await eve.api.social.follow.mutate({ userId: ana.me.id, follow: false });
  });
});

describe("addresses of pages", () => {
  const oddValues = ["a\u0000b", "\u0007", "x".repeat(3_000), "..", "%", "%zz", "+", "null"];
  const numbers = [
    "99999999",
    "9007199254740991",
    "1e9",
    "-1",
    "0",
    "1.5",
    "abc",
    "NaN",
    "Infinity",
    "٣",
    "1 or 1=1",
    "",
    "1&page=2",
  ];

  async function visit(path: string, cookie: string): Promise<number> {
    const response = await fetch(testSite.url + path, { headers: { cookie }, redirect: "manual" });
    const html = await response.text();
    expect([200, 301, 302, 400, 404], `${path} → ${response.status} ${html.slice(0, 200)}`).toContain(
      response.status,
    );
    expect(html, path).not.toMatch(/<script>alert|<img src=x|<svg\/onload|onfocus="alert|node_modules/);
    const location = response.headers.get("location");
    if (location)
      expect(new URL(location, testSite.url).origin, `${path} leads to ${location}`).toBe(testSite.url);
    return response.status;
  }

  /** Sends a raw request and returns everything received until the server closes the connection. */
  async function exchange(line: string, headers: string): Promise<string> {
    const socket = connect(Number(new URL(testSite.url).port), "127.0.0.1");
    socket.write(`${line} HTTP/1.1\r\nhost: elsewhere.example\r\n${headers}\r\n`);
    return everything(socket);
  }

  test.each([
    "/home?page=",
    "/?page=",
    "/my-blogs?page=",
    "/my-blogs?show=drafts&sort=oldest&words=owls&page=",
    "/search?q=owls&page=",
    "/search?tab=people&q=ana&page=",
    "/followers/ana?page=",
    "/ana?page=",
    "/ana/liked-blogs?page=",
    "/home?sort=likes&page=",
    "/tag/night?page=",
    "/tag/night?sort=likes&page=",
  ])("answers %s with any number with 200, 302 or 404", async (path) => {
    for (const number of numbers)
      for (const cookie of ["", ana.cookie])
        expect([200, 302, 404], path + number).toContain(
          await visit(path + (number.includes("&") ? number : encodeURIComponent(number)), cookie),
        );
  });

  const listPaths = [
    "/home?",
    "/home?sort=likes&",
    "/tag/night?",
    "/tag/night?sort=likes&",
    "/ana?",
    "/ana/liked-blogs?",
    "/search?",
    "/search?q=walk&",
    "/search?tab=people&q=ana&",
    "/followers/ana?",
    "/following/ana?",
  ];

  test.each(listPaths)("answers %s beyond the last page with 404", async (start) => {
    const path = start.replace("/ana", `/${(await ana.api.users.me.query())?.username}`);
    for (const cookie of ["", ana.cookie])
      for (const number of [9_999, 10_001]) {
        const beyond = await page(`${path}page=${number}`, cookie, 404);
        expect(textOf(beyond, "main")).toContain(`The list ends before page ${number}.`);
        expect(beyond.querySelector('meta[name="robots"]')?.getAttribute("content")).toBe("noindex");
        expect(beyond.querySelector('link[rel="canonical"]')).toBeNull();
      }
    await page(`${path}page=1`, "", 200);
  });

  test("answers an empty first page with 200", async () => {
    await using emptySite = await startTestSite();
    const { me } = await emptySite.createAccount("Ana");
    for (const path of listPaths.filter((one) => !one.startsWith("/tag/"))) {
      const answer = await fetch(emptySite.url + path.replace("/ana", `/${me.username}`));
      expect([path, answer.status]).toEqual([path, 200]);
    }
  });

  test("answers a member's own list beyond the last page with 404", async () => {
    const beyond = await page("/my-blogs?page=9999", ana.cookie, 404);
    expect(textOf(beyond, "main")).toContain("The list ends before page 9999.");
    await page("/my-blogs", eve.cookie, 200);
  });

  test.each([
    "/",
    "/blog/",
    "/edit/",
    "/followers/",
    "/following/",
    "/ana/",
    "/verify-email/",
    "/reset-password/",
    "/change-email/",
    "/undo-access/",
    "/search?q=",
    "/tag/",
    "/search?tab=",
    "/home?sort=",
    "/signin?next=",
    "/signup?next=",
    "/signin?google=",
    "/media/",
    "/assets/",
  ])(
    "answers %s with any text without a server error, an injection or a redirect off the site",
    async (path) => {
      // Only members see anything below /edit, so they try all texts there.
      const memberEntries =
        path === "/edit/" ? textEntries : textEntries.filter(([what]) => markupTexts.has(what));
      for (const [cookie, entries] of [
        ["", textEntries],
        [ana.cookie, memberEntries],
      ] as const)
        for (const value of [...entries.map(([, text]) => text), ...oddValues]) {
          await visit(path + encodeURIComponent(value), cookie);
          if (value.startsWith("%")) await visit(path + value, cookie);
        }
    },
  );

  describe.each([
    "/%E0%A4%A",
    "/%",
    "//%zz",
    "/blog/%C3%28",
    "/edit/%ff",
    "/verify-email/%zz",
    "/search/%zz?q=owls",
  ])("%s, which cannot be decoded,", (path) => {
    test("renders the not-found page for guests and members", async () => {
      for (const cookie of ["", ana.cookie])
        expect(textOf(await page(path, cookie, 404), "h1")).toBe("Page not found");
      const head = await fetch(testSite.url + path, { method: "HEAD" });
      expect([head.status, head.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
    });

    test("is refused by the APIs with 400 in JSON", async () => {
      for (const [method, start] of [
        ["GET", "/api/v1"],
        ["GET", "/api"],
        ["GET", "/trpc"],
        ["POST", "/trpc"],
        ["POST", ""],
      ])
        expect(
          await expectReadableResponse(path, await fetch(testSite.url + start + path, { method: method! })),
        ).toEqual({
          status: 400,
          message: "This address can’t be read.",
        });
    });

    test("is refused as a WebSocket with 400, and the connection is closed", async () => {
      const upgrade =
        "connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
      for (const start of ["", "/trpc"])
        expect(await exchange(`GET ${start}${path}`, upgrade)).toMatch(/^HTTP\/1.1 400 /);
    });
  });

  test("accepts absolute request targets, as sent to a proxy, and answers * with 404", async () => {
    const close = "connection: close\r\n";
    expect(await exchange("GET http://elsewhere.example/home", close)).toMatch(
      /^HTTP\/1.1 200 [^]*<title>Home/,
    );
    expect(await exchange("GET http://elsewhere.example", close)).toMatch(/^HTTP\/1.1 200 /);
    expect(await exchange("GET http://elsewhere.example/%zz", close)).toMatch(
      /^HTTP\/1.1 404 [^]*Page not found/,
    );
    expect(await exchange("GET http://elsewhere.example/api/v1/blogs?limit=1", close)).toMatch(
      /^HTTP\/1.1 200 [^]*"success":true/,
    );
    expect(await exchange("GET *", close)).toMatch(/^HTTP\/1.1 404 /);
  });

  test("keeps redirects of ?next= within the site", async () => {
    for (const next of [
      "//evil.example",
      "https://evil.example",
      "/\\evil.example",
      "\\\\evil.example",
      "javascript:alert(1)",
      "/\t/evil.example",
      "/%09/evil.example",
      "///evil.example",
      "/.//evil.example",
      "@evil.example",
    ]) {
      const response = await fetch(`${testSite.url}/signin?next=${encodeURIComponent(next)}`, {
        headers: { cookie: ana.cookie },
        redirect: "manual",
      });
      expect(response.status, next).toBe(302);
      const location = response.headers.get("location") ?? "";
      expect(new URL(location, "http://here.example").host, `${next} → ${location}`).toBe("here.example");
    }
  });
});

describe("a search with more matches than are ranked", () => {
  const size = limits.page.search;
  const last = Math.ceil(maxRanked / size);

  /** Copies a row more than `ranked` times, with expressions for the columns that must be unique; `n` is the counter. */
  const copyRows = (
    table: typeof blogsTable | typeof usersTable,
    id: string,
    changes: Record<string, string>,
  ) =>
    testSite.write(async (tx) => {
      const columns = Object.values(getTableColumns(table))
        .map(({ name }) => name)
        .filter((name) => name !== "seq");
      await execute(
        tx,
        sql.raw(`with recursive numbers(n) as (select 10001 union all select n + 1 from numbers where n < ${10_001 + maxRanked})
          insert into ${getTableName(table)} (${columns.join(", ")})
          select ${columns.map((name) => changes[name] ?? name).join(", ")} from ${getTableName(table)}, numbers where id = '${id}'`),
      );
    });

  beforeAll(async () => {
    await eve.api.users.updateProfile.mutate({ name: "Cassowary", bio: "" });
    const { id } = await eve.api.blogs.create.mutate(aBlog({ title: "Cassowary" }));
    const newOne = "n || substr(id, 6)";
    await copyRows(blogsTable, id, { id: newOne, slug: "'cassowary-' || n" });
    await copyRows(usersTable, eve.me.id, { id: newOne, username: "'cassowary' || n", email: "n || email" });
  });

  test("ends after the ranked matches and returns an empty page beyond", async () => {
    for (const [path, list] of [
      ["/search-blogs", "blogs"],
      ["/search-users", "users"],
    ] as const) {
      const pageSummary = async (number: number) => {
        const { status, body } = await anas.call("GET", `${path}?search=cassowary&limit=50&page=${number}`);
        return [status, body[list].length, body.hasMore];
      };
      const lastPage = maxRanked / 50;
      expect([
        await pageSummary(lastPage - 1),
        await pageSummary(lastPage),
        await pageSummary(lastPage + 1),
      ]).toEqual([
        [200, 50, true],
        [200, 50, false],
        [200, 0, false],
      ]);
    }
    const query = "cassowary";
    const [blogs, people] = [ana.api.blogs.search, ana.api.users.search];
    expect(await blogs.query({ query, page: last })).toMatchObject({ hasMore: false, total: maxRanked });
    expect(await blogs.query({ query, page: last + 1 })).toEqual({
      blogs: [],
      page: last + 1,
      hasMore: false,
      cursor: expect.any(String),
    });
    expect(await people.query({ query, page: last })).toMatchObject({ hasMore: false, total: maxRanked });
    expect(await people.query({ query, page: last + 1 })).toEqual({
      people: [],
      page: last + 1,
      hasMore: false,
      cursor: expect.any(String),
    });
  });

  test.each(["", "&tab=people"])(
    "disables “Next page” on the last page, and says that the list ended beyond it%s",
    async (tab) => {
      const results = (number: number) =>
        page(`/search?q=cassowary${tab}&page=${number}`, "", number > last ? 404 : 200);
      const next = (document: Document) =>
        document.querySelector("[aria-label='Next page']")?.hasAttribute("disabled");
      const [before, lastResults, beyondResults] = [
        await results(last - 1),
        await results(last),
        await results(last + 1),
      ];
      expect([next(before), next(lastResults), next(beyondResults)]).toEqual([false, true, true]);
      expect(textOf(lastResults, ".search-results")).not.toContain("Page not found");
      expect(textOf(beyondResults, ".search-results")).toContain(`The list ends before page ${last + 1}.`);
    },
  );
});
