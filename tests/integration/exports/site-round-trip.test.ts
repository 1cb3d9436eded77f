// @module-tag more
import { mkdtemp, rm } from "node:fs/promises";
import { hash } from "node:crypto";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createPopulatedSite, type PopulatedSite } from "../../support/populated-site.ts";
import { reprise } from "../../support/command.ts";
import { unzip } from "../../support/unzip.ts";
import { password, startTestSite, type Browser, type TestSite } from "../../support/test-site.ts";

/* A restored export makes the same site: every page, feed and response of the two is compared. */

let folder = "";
let before: TestSite;
let after: TestSite;
let people: PopulatedSite;
/** The first site's export, and the second's before anyone signs in. */
let exports: Map<string, Buffer>[] = [];
const arrivedBrowsers = new Map<string, Browser>();

async function exportSecondSite(settings: Record<string, string>): Promise<string> {
  const archive = path.join(folder, "again.zip");
  const { code, error } = await reprise(
    path.join(folder, "new"),
    ["export", "--site", "--passwords", "--to", archive],
    settings,
  );
  expect([code, error]).toEqual([0, ""]);
  return archive;
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "reprise-same-"));
  before = await startTestSite();
  people = await createPopulatedSite(before);
  const settings = { PUBLIC_URL: before.config.publicUrl };
  const file = path.join(folder, "site.zip");
  const exported = await reprise(
    before.config.dataDir,
    ["export", "--site", "--passwords", "--to", file],
    settings,
  );
  expect([exported.code, exported.error]).toEqual([0, ""]);
  const restored = await reprise(path.join(folder, "new"), ["import", "reprise", file], settings);
  expect([restored.code, restored.error]).toEqual([0, ""]);
  exports = [await unzip(file), await unzip(await exportSecondSite(settings))];
  expect(restored.output).toContain("The site is restored: 4 accounts, 9 blogs, 11 comments and 5 pictures.");
  after = await startTestSite({ DATA_DIR: path.join(folder, "new") });
  for (const { me, email, cookie } of Object.values(people)) {
    sessions.set(cookie, me.session);
    const browser = after.browser();
    const { viewer } = await browser.api.users.signIn.mutate({ email, password });
    arrivedBrowsers.set(me.id, browser);
    sessions.set(browser.cookie, viewer.session);
  }
}, 300_000);
afterAll(async () => {
  await before[Symbol.asyncDispose]();
  await after[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/**
 * Replaces what differs between the sites: values signed with their secrets (pseudonyms, addresses of private pictures and
 * personal feeds), live cursors, sessions, sign-in times and emails about them, the time of the response, free disk space.
 * (Times that a page renders are in its data as well.)
 */
const withoutVariableParts = (text: string, { cookie }: Browser): string =>
  text
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, "SOMEBODY")
    .replace(/(\/media\/[0-9a-f-]{36}\/\w+\.webp)\?[\w=.&;-]+/g, "$1?SIGNED")
    .replace(/\/following\/[0-9a-f]{32}[\w-]{30,}/g, "/following/SIGNED")
    .replace(/(["':=]\s*)[\w-]{10}\.\d+(?=["'&])/g, "$1CURSOR")
    .replace(/("now"|"mails"|"free"):\d+/g, "$1:0")
    .replace(/("seenAt":|"startedAt":)"[^"]*"/g, '$1""')
    .replace(/<time [^>]*>[^<]*/g, "<time>")
    .replaceAll(sessions.get(cookie) ?? " no session ", "SESSION");

/** Session ids in pages, by cookie. */
const sessions = new Map<string, string>();

type Responses = Record<string, string>;

async function fetchAll(browser: Browser, addresses: string[]): Promise<Responses> {
  const responses: Responses = {};
  for (const address of addresses) {
    const answer = await browser.fetch(address);
    const isPicture = answer.headers.get("content-type")?.startsWith("image/");
    const content = isPicture
      ? hash("sha256", Buffer.from(await answer.arrayBuffer()))
      : withoutVariableParts(await answer.text(), browser);
    responses[address] =
      `${answer.status} ${answer.headers.get("location") ?? ""} ${answer.headers.get("content-type") ?? ""}\n${content}`;
  }
  return responses;
}

const slugs = [
  "moss",
  "barn-owls",
  "owls",
  "drawer",
  "friends",
  "read-first",
  "mias",
  "long",
  "taken",
  "before",
  "none",
];
const names = ["ana", "bennett", "ben", "ben.of.old", "mia", "kim", "leaver"];
const tabs = ["blogs", "saved-blogs", "liked-blogs", "draft-blogs", "private-blogs"];
const feeds = ["feed.xml", "atom.xml", "feed.json"];

const pages = [
  "/",
  "/home",
  "/home?sort=likes",
  ...slugs.flatMap((slug) => [
    `/blog/${slug}`,
    `/blog/${slug}?comments`,
    `/blog/${slug}.md`,
    `/blog/${slug}.html`,
  ]),
  ...names.flatMap((name) => [
    `/${name}`,
    ...tabs.map((tab) => `/${name}/${tab}`),
    `/followers/${name}`,
    `/following/${name}`,
  ]),
  ...["moss", "night", "none"].map((tag) => `/tag/${tag}`),
  ...["owls", "line", "guest"].flatMap((query) => [`/search?q=${query}`, `/search?q=${query}&tab=people`]),
  ...["", "/ana", "/bennett", "/mia", "/tag/night"].flatMap((prefix) =>
    feeds.map((feed) => `${prefix}/${feed}`),
  ),
  "/search/feed.xml?q=owls",
  "/sitemap.xml",
  "/robots.txt",
  "/manifest.webmanifest",
  "/terms",
  "/privacy",
  "/2019/03/owls",
  "/?p=12",
  "/2020/03/before/",
  "/signin",
  "/signup",
];

const ownPages = [
  "/settings",
  "/settings/import",
  "/settings/export",
  "/notifications",
  "/my-blogs",
  "/requests",
  "/edit/moss",
  "/edit/drawer",
  "/edit/taken",
  "/edit-profile",
  "/admin",
  "/admin/people",
  "/admin/comments",
  "/admin/blogs",
  "/admin/site",
  "/admin/waiting",
];

const call = (name: string, input: object = {}): string =>
  `/trpc/${name}?input=${encodeURIComponent(JSON.stringify(input))}`;

async function calls(): Promise<string[]> {
  const pictures = before.rows<{ id: string; widths: string }>("select id, widths from media order by id");
  const blogs = before.rows<{ id: string; slug: string }>("select id, slug from blogs order by id");
  return [
    ...["latest", "likes"].map((sort) => call("blogs.list", { sort })),
    ...[
      "users.site",
      "users.me",
      "users.access",
      "blogs.recommended",
      "social.notifications",
      "social.requests",
    ].map((name) => call(name)),
    ...[
      "social.notificationSettings",
      "social.subscriptions",
      "social.ties",
      "social.blocked",
      "social.muted",
      "blogs.stats",
    ].map((name) => call(name)),
    ...pictures.flatMap(({ id, widths }) =>
      ["full", ...(JSON.parse(widths) as number[])].map((width) => `/media/${id}/${width}.webp`),
    ),
    call("blogs.mine"),
    call("users.siteText", { kind: "terms" }),
    ...blogs.flatMap(({ id, slug }) => [
      call("blogs.bySlug", { slug }),
      call("blogs.forEdit", { slug }),
      call("blogs.card", { id }),
      call("comments.list", { blogId: id }),
      call("social.subscription", { blogId: id }),
      call("social.place", { blogId: id }),
      `/api/v1/blogs/${id}`,
    ]),
    ...names.flatMap((username) => [
      call("users.profile", { username }),
      ...tabs.map((tab) => call("blogs.byAuthor", { username, tab })),
      ...["followers", "following"].map((list) => call("social.people", { username, list })),
      `/api/v1/users/${username}`,
    ]),
    ...["queue", "people", "admission", "applications", "site", "numbers", "held"].map((name) =>
      call(`moderation.${name}`),
    ),
    ...["blogs", "comments"].map((name) => call(`moderation.${name}`)),
    "/api/v1/blogs",
    "/api/v1/blogs?sort=likes",
    "/api/v1/recommended",
    "/api/v1/search-blogs?query=owls",
    "/api/v1/search-users?query=ana",
    ...Object.values(people).map(({ me }) => `/api/v1/blogs/user/${me.id}`),
  ];
}

async function compare(one: Browser, other: Browser, addresses: string[]): Promise<void> {
  const [originals, restoredResponses] = [await fetchAll(one, addresses), await fetchAll(other, addresses)];
  expect(Object.keys(originals).filter((address) => originals[address]!.startsWith("5"))).toEqual([]);
  for (const address of addresses) expect(restoredResponses[address], address).toBe(originals[address]);
}

test("exports the same files from the second site as from the first", () => {
  const [originals, restoredExport] = exports;
  expect([...restoredExport!.keys()]).toEqual([...originals!.keys()]);
  // These two contain the time of the export.
  for (const name of originals!.keys())
    if (name !== "export.json" && name !== "index.html")
      expect(restoredExport!.get(name)?.toString("latin1"), name).toBe(
        originals!.get(name)?.toString("latin1"),
      );
});

test("shows a guest the same pages, feeds and responses", async () => {
  await compare(before.browser(), after.browser(), [...pages, ...(await calls())]);
});

for (const name of ["ana", "ben", "mia", "kim"] as const)
  test(`${name} finds the same pages, feeds and answers`, async () => {
    const person = people[name];
    await compare(person, arrivedBrowsers.get(person.me.id)!, [...pages, ...ownPages, ...(await calls())]);
  });

test("tells an author on the restored site why a blog was taken down, without the log of moderators", async () => {
  const ben = arrivedBrowsers.get(people.ben.me.id)!;
  expect(after.rows("select 1 from audit_log where act = 'take-down'")).toEqual([]);
  expect(after.rows("select takedown_reason from blogs where slug = 'taken'")).toEqual([
    { takedown_reason: "Not yours." },
  ]);
  const { notifications } = await ben.api.social.notifications.query();
  expect(notifications.find(({ kind }) => kind === "taken-down")?.excerpt).toBe("Not yours.");
});

test("keeps whom a draft is for", () => {
  const [draft] = after.rows<{ fields: string }>(
    "select fields from drafts join blogs on id = blog_id where slug = 'drawer'",
  );
  expect(JSON.parse(draft!.fields)).toMatchObject({ title: "A drawer", private: true });
});
