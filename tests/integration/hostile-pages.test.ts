import { connect } from "node:net";
import { text as everything } from "node:stream/consumers";
import { sql } from "drizzle-orm";
import { parseHTML } from "linkedom";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { ApiClient } from "../support/api-client.ts";
import { expectWhole, judged, startStage, voices } from "../support/hostile.ts";
import { ranked } from "../../src/server/database/find.ts";
import { limits } from "../../src/shared/limits.ts";
import { aBlog, aComment, paragraphs, type Resident, type Town, documentAt } from "../support/town.ts";

/* What pages make of odd texts and odd addresses. */

let town: Town;
let ana: Resident;
let eve: Resident;
let anas: ApiClient;

beforeAll(async () => void ({ town, ana, eve, anas } = await startStage()));
afterAll(() => town[Symbol.asyncDispose]());
afterEach(() => expectWhole(town));

/**
 * As people write and as it is kept: composed (NFC), white space folded where there is one line, none at the ends, nothing
 * that turns the text round.
 */
const straight = (text: string) => text.normalize("NFC").replace(/[\u202a-\u202e\u2066-\u2069]/g, "");
const inOneLine = (text: string) =>
  straight(text)
    .replace(/[\s\u0085]+/gu, " ")
    .trim();
const inLines = (text: string) =>
  straight(text)
    .replace(/\u0085/g, "\n")
    .trim();

/** Of the texts those that mean something in a page. */
const marked = new Set([
  "a script",
  "an end of a script",
  "an attribute",
  "entities",
  "an address",
  "ends of lines elsewhere",
]);

/** What a browser makes of a page, as far as it matters here. */
async function page(path: string, cookie = "", status = 200): Promise<Document> {
  const response = await fetch(town.url + path, { headers: { cookie } });
  const html = await response.text();
  expect(response.status, `${path} ${html.slice(0, 200)}`).toBe(status);
  const { document } = parseHTML(html);
  const data = [...document.querySelectorAll("script[type$='json']")];
  expect(data.length, path).toBeGreaterThan(0);
  for (const { textContent } of data)
    expect(() => JSON.parse(textContent) as unknown, `${path}: the page's data`).not.toThrow();
  // Everything that runs, loads or listens and is not the site's own.
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
    .filter((to) => !/^(\/(?!\/)|#|\?|https?:|mailto:|tel:)/.test(to));
  expect({ foreign, listening, leading }, path).toEqual({ foreign: [], listening: [], leading: [] });
  return document;
}
const textOf = (document: Document, selector: string) => document.querySelector(selector)?.textContent;

describe("what was stored comes out as it went in:", () => {
  test.each(voices)("%s", async (what, text) => {
    const line = inOneLine(text);
    const tag = [...straight(text).replace(/[\s\p{Cc}]/gu, "")]
      .slice(0, 20)
      .join("")
      .toLowerCase()
      .normalize("NFC");
    await ana.api.users.updateProfile.mutate({ name: text.slice(0, 60), bio: text });
    await ana.api.users.updateSettings.mutate({ interests: [text.slice(0, 38)] });
    const { id, slug } = await ana.api.blogs.create.mutate(
      aBlog({ title: text, description: text, tags: [tag], document: paragraphs(text) }),
    );
    const said = await eve.api.comments.create.mutate(aComment({ id }, { text }));

    const read = await eve.api.blogs.bySlug.query({ slug });
    expect([read.title, read.description, read.tags]).toEqual([line, inLines(text), [tag]]);
    expect(read.author.name).toBe(inOneLine(text.slice(0, 60)));
    expect(await documentAt(ana, slug)).toEqual(
      expect.objectContaining({ content: [expect.objectContaining({ content: [{ type: "text", text }] })] }),
    );
    expect((await eve.api.comments.list.query({ blogId: id })).comments[0]?.text).toBe(inLines(text));
    expect((await ana.api.users.me.query())?.interests).toEqual([inOneLine(text.slice(0, 38)).toLowerCase()]);

    const { blog: whole } = (await anas.call("GET", `/blogs/${slug}`)).body;
    expect([whole.title, whole.description, whole.tags]).toEqual([line, inLines(text), [tag]]);
    expect(whole.comments[0].comment).toBe(inLines(text));
    expect(parseHTML(`<main>${whole.content}</main>`).document.querySelector("main p")?.textContent).toBe(
      text,
    );

    const article = await page(`/blog/${slug}?comments=open`);
    expect(textOf(article, "h1")).toBe(line);
    expect(textOf(article, ".article-description")).toBe(inLines(text));
    expect(textOf(article, ".prose p")).toBe(text);
    expect(textOf(article, ".article-author")).toBe(inOneLine(text.slice(0, 60)));
    expect(textOf(article, ".article-tags a")).toBe(tag);
    expect(textOf(article, `#comment-${said.id} .comment-text`)).toBe(inLines(text));
    expect(textOf(article, "title")).toContain(line);

    const profile = await page(`/${(await ana.api.users.me.query())?.username}`);
    expect(textOf(profile, ".profile-bio")).toBe(inLines(text));
    expect(textOf(profile, ".card-title")).toBe(line);
    expect(textOf(await page("/home"), ".card-title")).toBe(line);
    const results = await page(`/search?q=${encodeURIComponent(text)}`);
    // Characters that nobody sees are not looked for.
    expect(
      results
        .querySelector("[name=q]")
        ?.getAttribute("value")
        ?.replace(/\p{Cf}/gu, "")
        .normalize("NFC"),
    ).toContain(line.replace(/\p{Cf}/gu, "").split(" ")[0]);
    await page(`/search?tab=people&q=${encodeURIComponent(text)}`);
    expect(slug).toMatch(/^[a-z0-9-]+$/);
    // The pages of members draw the same parts in the same way: they show what means something to a browser.
    if (marked.has(what))
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

  test("half a character is replaced, not passed on", async () => {
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

describe("who asks to follow is shown as they describe themselves:", () => {
  beforeAll(() => ana.api.users.updateSettings.mutate({ private: true }));
  afterAll(() => ana.api.users.updateSettings.mutate({ private: false }));

  test.each(voices.filter(([what]) => marked.has(what)))("%s", async (_what, text) => {
    const name = inOneLine(text.slice(0, 60));
    await eve.api.users.updateProfile.mutate({ name: text.slice(0, 60), bio: text });
    await eve.api.social.follow.mutate({ userId: ana.me.id, follow: true });

    const requests = await page("/requests", ana.cookie);
    expect(textOf(requests, ".person-name")).toBe(name);
    expect(textOf(requests, ".person-bio")).toBe(inLines(text));
    const notifications = await page("/notifications", ana.cookie);
    expect(textOf(notifications, ".notification-name")).toBe(name);
    expect(textOf(notifications, ".notification-text")).toContain("wants to follow you");
    // The bell's menu, on every page.
    await page("/home", ana.cookie);
    await eve.api.social.follow.mutate({ userId: ana.me.id, follow: false });
  });
});

describe("addresses of pages", () => {
  const odd = ["a\u0000b", "\u0007", "x".repeat(3_000), "..", "%", "%zz", "+", "null"];
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
    const response = await fetch(town.url + path, { headers: { cookie }, redirect: "manual" });
    const html = await response.text();
    expect([200, 301, 302, 400, 404], `${path} → ${response.status} ${html.slice(0, 200)}`).toContain(
      response.status,
    );
    expect(html, path).not.toMatch(/<script>alert|<img src=x|<svg\/onload|onfocus="alert|node_modules/);
    const to = response.headers.get("location");
    if (to) expect(new URL(to, town.url).origin, `${path} leads to ${to}`).toBe(town.url);
    return response.status;
  }

  /** What is answered to a request as it stands, until the site closes. */
  async function exchange(line: string, headers: string): Promise<string> {
    const socket = connect(Number(new URL(town.url).port), "127.0.0.1");
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
  ])("%s with any number", async (path) => {
    for (const number of numbers)
      for (const cookie of ["", ana.cookie])
        expect([200, 302, 404], path + number).toContain(
          await visit(path + (number.includes("&") ? number : encodeURIComponent(number)), cookie),
        );
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
  ])("%s with any text", async (path) => {
    // Guests are not shown what stands below /edit.
    const ofMembers = path === "/edit/" ? voices : voices.filter(([what]) => marked.has(what));
    for (const [who, said] of [
      ["", voices],
      [ana.cookie, ofMembers],
    ] as const)
      for (const value of [...said.map(([, text]) => text), ...odd]) {
        await visit(path + encodeURIComponent(value), who);
        if (value.startsWith("%")) await visit(path + value, who);
      }
  });

  describe.each([
    "/%E0%A4%A",
    "/%",
    "//%zz",
    "/blog/%C3%28",
    "/edit/%ff",
    "/verify-email/%zz",
    "/search/%zz?q=owls",
  ])("%s, which cannot be decoded,", (path) => {
    test("is not found, by guests and members", async () => {
      for (const cookie of ["", ana.cookie])
        expect(textOf(await page(path, cookie, 404), "h1")).toBe("Page not found");
      const head = await fetch(town.url + path, { method: "HEAD" });
      expect([head.status, head.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
    });

    test("is refused in JSON where a program asks", async () => {
      for (const [method, start] of [
        ["GET", "/api/v1"],
        ["GET", "/api"],
        ["GET", "/trpc"],
        ["POST", "/trpc"],
        ["POST", ""],
      ])
        expect(await judged(path, await fetch(town.url + start + path, { method: method! }))).toEqual({
          status: 400,
          message: "This address can’t be read.",
        });
    });

    test("is refused to a socket, which is closed", async () => {
      const upgrade =
        "connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
      for (const start of ["", "/trpc"])
        expect(await exchange(`GET ${start}${path}`, upgrade)).toMatch(/^HTTP\/1.1 400 /);
    });
  });

  test("may name the whole site, as to a proxy, or nothing", async () => {
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

  test("next leads nowhere but into the site", async () => {
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
      const response = await fetch(`${town.url}/signin?next=${encodeURIComponent(next)}`, {
        headers: { cookie: ana.cookie },
        redirect: "manual",
      });
      expect(response.status, next).toBe(302);
      const to = response.headers.get("location") ?? "";
      expect(new URL(to, "http://here.example").host, `${next} → ${to}`).toBe("here.example");
    }
  });
});

describe("a search that finds more than it ranks", () => {
  const size = limits.page.search;
  const last = Math.ceil(ranked / size);

  /** A row again and again, with values of their own in the columns that must differ: `n` counts them. */
  const multiply = (table: string, id: string, differing: Record<string, string>) =>
    town.write(async (tx) => {
      const columns = town
        .rows<{ name: string }>(`select name from pragma_table_info('${table}') where name <> 'number'`)
        .map(({ name }) => name);
      tx.drizzle.run(
        sql.raw(`with recursive numbers(n) as (select 10001 union all select n + 1 from numbers where n < ${10_001 + ranked})
          insert into ${table} (${columns.join(", ")})
          select ${columns.map((name) => differing[name] ?? name).join(", ")} from ${table}, numbers where id = '${id}'`),
      );
    });

  beforeAll(async () => {
    await eve.api.users.updateProfile.mutate({ name: "Cassowary", bio: "" });
    const { id } = await eve.api.blogs.create.mutate(aBlog({ title: "Cassowary" }));
    const newOne = "n || substr(id, 6)";
    await multiply("blogs", id, { id: newOne, slug: "'cassowary-' || n" });
    await multiply("users", eve.me.id, { id: newOne, username: "'cassowary' || n", email: "n || email" });
  });

  test("ends there: the page beyond is an empty one, and says so", async () => {
    for (const [path, list] of [
      ["/search-blogs", "blogs"],
      ["/search-users", "users"],
    ] as const) {
      const found = async (number: number) => {
        const { status, body } = await anas.call("GET", `${path}?search=cassowary&limit=50&page=${number}`);
        return [status, body[list].length, body.hasMore];
      };
      const end = ranked / 50;
      expect([await found(end - 1), await found(end), await found(end + 1)]).toEqual([
        [200, 50, true],
        [200, 50, false],
        [200, 0, false],
      ]);
    }
    const query = "cassowary";
    const [blogs, people] = [ana.api.blogs.search, ana.api.users.search];
    expect(await blogs.query({ query, page: last })).toMatchObject({ hasMore: false, total: ranked });
    expect(await blogs.query({ query, page: last + 1 })).toEqual({
      blogs: [],
      page: last + 1,
      hasMore: false,
      cursor: expect.any(String),
    });
    expect(await people.query({ query, page: last })).toMatchObject({ hasMore: false, total: ranked });
    expect(await people.query({ query, page: last + 1 })).toEqual({
      people: [],
      page: last + 1,
      hasMore: false,
      cursor: expect.any(String),
    });
  });

  test.each(["", "&tab=people"])("ends there on the page, too%s", async (tab) => {
    const results = (number: number) => page(`/search?q=cassowary${tab}&page=${number}`);
    const next = (document: Document) =>
      document.querySelector("[aria-label='Next page']")?.hasAttribute("disabled");
    const [before, end, beyond] = [await results(last - 1), await results(last), await results(last + 1)];
    expect([next(before), next(end), next(beyond)]).toEqual([false, true, true]);
    expect(textOf(end, ".search-results")).not.toContain("Page not found");
    expect(textOf(beyond, ".search-results")).toContain(`The list ends before page ${last + 1}.`);
  });
});
