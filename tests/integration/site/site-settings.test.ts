import { expect, test } from "vitest";
import type { SiteChange } from "../../../src/shared/site.ts";
import { expectRefusal } from "../../support/expect-refusal.ts";
import { upload } from "../../support/pictures.ts";
import { ApiClient, blogForm } from "../../support/api-client.ts";
import { siteWith } from "../../support/site-with.ts";
import {
  aBlog,
  aComment,
  followTopic,
  refusal,
  startTestSite,
  type TestSite,
} from "../../support/test-site.ts";

const page = async (testSite: TestSite, path = "/home") => (await fetch(testSite.url + path)).text();

test("shows changed site details on all pages, cached ones too, in emails and on open pages", async () => {
  await using testSite = await startTestSite({ SITE_NAME: "Given" });
  const boss = await testSite.createAccount("Boss");
  expect(await page(testSite, "/docs")).toContain("· Given</title>");
  const stream = followTopic(testSite.browser(), "feed");
  await stream.waitForStart();
  await boss.api.administration.setSite.mutate({
    name: "Owls & Sons",
    description: "All about owls.",
    language: "pt-br",
  });
  await stream.waitFor("site.changed");
  const html = await page(testSite, "/docs");
  expect(html).toContain("· Owls &amp; Sons</title>");
  expect(html).toContain('<html lang="pt-BR"');
  expect(await page(testSite, "/signin")).toContain('<meta name="description" content="All about owls.">');
  const ana = await testSite.signUpAndSignIn("Ana");
  const [mail = ""] = await testSite.mailsTo(ana.email);
  expect(mail).toContain("Confirm your email address for Owls & Sons");
  expect(mail).toMatch(/^From: "?Owls & Sons"? <no-reply@/m);
  await boss.api.administration.setSite.mutate({ name: "", description: "", language: "" });
  expect(await page(testSite, "/docs")).toContain("· Given</title>");
  expect(await page(testSite, "/docs")).toContain('<html lang="en"');
});

test("recommends the specification's topics by default, and then the administrator's, which lead to searches", async () => {
  const [testSite, boss, ana] = await siteWith("Boss", "Ana");
  await ana.api.users.updateSettings.mutate({ interests: ["react", "chess"] });
  for (const { api } of [boss, ana]) await api.blogs.create.mutate(aBlog({ tags: ["rosecare", "react"] }));
  const set = (settings: SiteChange) => boss.api.administration.setSite.mutate(settings);
  const guest = testSite.browser().api;
  const groupNames = async () => (await guest.users.interestGroups.query()).groups.map(({ name }) => name);
  expect(await page(testSite)).toContain('href="/search?q=Node+Js"');
  expect((await guest.blogs.topicsInUse.query()).tags).toEqual(["rosecare"]);
  expect(await groupNames()).toHaveLength(9);
  const popular = async () => (await guest.blogs.popularInterests.query()).topics;
  expect(await popular()).toHaveLength(20);
  expect((await popular()).slice(0, 3), "the used one, then the groups in turn").toEqual([
    "React",
    "Web Development",
    "Writing",
  ]);

  const stream = followTopic(testSite.browser(), "feed");
  await stream.waitForStart();
  await set({
    recommendedTopics: " Rose  Care\n\ncompost, Ponds\nCompost",
    interestGroups: "Garden: Roses , Bees: and wasps\n\n Kitchen :Jam,jam",
  });
  await stream.waitFor("site.changed");
  const html = await page(testSite);
  expect(html).toContain('href="/search?q=Rose+Care"');
  expect(html).not.toContain("Node Js");
  expect((await guest.users.site.query()).topics).toEqual(["Rose Care", "compost", "Ponds"]);
  expect((await guest.users.interestGroups.query()).groups).toEqual([
    { name: "Garden", topics: ["Roses", "Bees: and wasps"] },
    { name: "Kitchen", topics: ["Jam"] },
  ]);
  expect(await popular()).toEqual(["Roses", "Jam", "Bees: and wasps"]);
  // What was recommended is a topic like others now.
  expect((await guest.blogs.topicsInUse.query()).tags).toEqual(["react"]);
  const choicePage = await (
    await fetch(`${testSite.url}/select-interests`, { headers: { cookie: ana.cookie } })
  ).text();
  for (const interest of ["Roses", "Jam", "Your interests", "react", "chess"])
    expect(choicePage).toContain(interest);
  expect((await ana.api.users.me.query())?.interests).toEqual(["react", "chess"]);

  const { defaults } = await boss.api.administration.site.query();
  await set({ recommendedTopics: defaults.recommendedTopics, interestGroups: "" });
  expect(await boss.api.administration.site.query()).toMatchObject({
    recommendedTopics: "",
    interestGroups: "",
  });
  expect(await page(testSite)).toContain('href="/search?q=Node+Js"');
  expect(await groupNames()).toHaveLength(9);
});

test("refuses topics and groups that are too many, too long or without a name, and says which", async () => {
  const [, boss] = await siteWith("Boss");
  const refused = async (settings: SiteChange) => {
    const { code, field, message } = await refusal(boss.api.administration.setSite.mutate(settings));
    expect(code).toBe("BAD_REQUEST");
    return `${field}: ${message}`;
  };
  const many = (count: number) => Array.from({ length: count }, (_, index) => `topic ${index}`);
  expect(await refused({ recommendedTopics: many(31).join("\n") })).toBe(
    "recommendedTopics: The list has 31 topics, and can have 30.",
  );
  expect(await refused({ recommendedTopics: `Owls\n${"a".repeat(41)}` })).toBe(
    `recommendedTopics: “${"a".repeat(40)}” can’t be a topic. Use words of at most 40 characters.`,
  );
  expect(await refused({ recommendedTopics: "a,".repeat(15_000) })).toContain("is too long");
  expect(await refused({ interestGroups: "Roses, Compost" })).toContain("“Roses, Compost” has no group.");
  expect(await refused({ interestGroups: ": Roses" })).toContain("“Roses” has no group.");
  expect(await refused({ interestGroups: "Garden:" })).toContain("“Garden” has no topics.");
  expect(await refused({ interestGroups: "A: b\nA: c" })).toContain("two groups named “A”");
  expect(await refused({ interestGroups: `A: ${many(51).join()}` })).toContain(
    "“A” has 51 topics, and can have 50.",
  );
  expect(
    await refused({
      interestGroups: many(21)
        .map((name) => `${name}: a`)
        .join("\n"),
    }),
  ).toContain("There are 21 groups, and there can be 20.");
});

test("serves the accent as a file named by pages, and nothing else at such addresses", async () => {
  const [testSite, boss] = await siteWith("Boss");
  expect(await page(testSite)).not.toContain("data-site");
  await boss.api.administration.setSite.mutate({ accent: "#FFD700" });
  const [, address = ""] =
    /<link rel="stylesheet" href="([^"]+)" data-site>/.exec(await page(testSite)) ?? [];
  const sheet = await fetch(testSite.url + address);
  expect(sheet.headers.get("content-type")).toBe("text/css; charset=utf-8");
  expect(sheet.headers.get("cache-control")).toContain("immutable");
  // Too light for white paper: darkened there, unchanged in dark mode.
  expect(await sheet.text()).toMatch(/--accent:light-dark\(#(?!ffd700)[0-9a-f]{6},#ffd700\)/);
  for (const other of ["accent-zzzzzz.css", "accent-fff.css", "x", "accent-000000.css.map"])
    expect((await fetch(`${testSite.url}/static/${other}`)).status, other).toBe(404);
  for (const accent of ["gold", "#12345", "red;}body{}", "#gggggg"])
    await expectRefusal(boss.api.administration.setSite.mutate({ accent }), "BAD_REQUEST");
});

test("accepts only the administrator's own upload as the site's picture, and makes it public while in use", async () => {
  const [testSite, boss, ana] = await siteWith("Boss", "Ana");
  const [bossPicture, anasPicture] = [await upload(boss), await upload(ana)];
  await expectRefusal(boss.api.administration.setSite.mutate({ picture: anasPicture.id }), "BAD_REQUEST");
  expect((await fetch(testSite.url + bossPicture.src)).status).toBe(404);
  await boss.api.administration.setSite.mutate({ picture: bossPicture.id });
  expect((await fetch(testSite.url + bossPicture.src)).status).toBe(200);
  expect(await page(testSite)).toContain(`/media/${bossPicture.id}/192.webp`);
  expect(testSite.rows("select id from media where unused_at is null")).toEqual([{ id: bossPicture.id }]);
  await boss.api.administration.setSite.mutate({ picture: "" });
  expect((await fetch(testSite.url + bossPicture.src)).status).toBe(404);
  expect(await page(testSite)).not.toContain(bossPicture.id);
});

test("logs each change of a setting with its author, and no change without effect", async () => {
  const [, boss] = await siteWith("Boss");
  await boss.api.administration.setSite.mutate({ name: "Owls" });
  await boss.api.administration.setSite.mutate({ name: "Owls" });
  const { entries } = await boss.api.moderation.log.query({});
  expect(entries).toMatchObject([
    { act: "site", kind: "site", name: "name", reason: "Owls", actor: boss.me.username },
  ]);
});

test("publishes the terms in readable versions, agreed to at sign-up and announced to members once", async () => {
  const [testSite, boss, ana] = await siteWith("Boss", "Ana");
  const site = async () => testSite.browser().api.users.site.query();
  expect((await fetch(`${testSite.url}/terms`)).status).toBe(404);
  expect(await page(testSite, "/signup")).not.toContain("By joining you agree");
  const set = (source: string) => boss.api.administration.setText.mutate({ kind: "terms", source });
  await set("# Be kind\n\n<script>alert(1)</script><b onclick=x>Always</b>, [here](https://example.org).");
  const first = await page(testSite, "/terms");
  expect(first).toContain("Be kind");
  expect(first).toContain("<strong>Always</strong>");
  expect(first).not.toMatch(/alert\(1\)|onclick/);
  expect(await page(testSite, "/signup")).toContain("By joining you agree");
  expect(await page(testSite, "/docs")).toContain('href="/terms"');
  await set("Be kinder.");
  // The same text again creates no version.
  await set("Be kinder.");
  expect(await page(testSite, "/terms")).toContain("Be kinder.");
  expect(await page(testSite, "/terms?version=1")).toContain("Be kind<");
  expect((await fetch(`${testSite.url}/terms?version=3`)).status).toBe(404);
  const { text } = await ana.api.users.siteText.query({ kind: "terms" });
  expect(text?.versions.map(({ version }) => version)).toEqual([2, 1]);
  const hasSeenTerms = async () => (await ana.api.users.me.query())!.textsSeenAt >= (await site()).terms!;
  expect(await hasSeenTerms()).toBe(false);
  await ana.api.users.sawTexts.mutate();
  expect(await hasSeenTerms()).toBe(true);
  // People who join now have agreed to them.
  const ben = await testSite.createAccount("Ben");
  expect((await ben.api.users.me.query())!.textsSeenAt >= (await site()).terms!).toBe(true);
  await set("");
  expect((await site()).terms).toBeNull();
  expect((await fetch(`${testSite.url}/terms`)).status).toBe(404);
  await expectRefusal(set("![owl](https://elsewhere.example/owl.png)"), {
    code: "BAD_REQUEST",
    message: expect.stringContaining("can’t have pictures"),
  });
});

test("shows a landing text in place of the default", async () => {
  const [testSite, boss] = await siteWith("Boss");
  expect(await page(testSite, "/")).toContain("A quiet place to read and write.");
  await boss.api.administration.setText.mutate({ kind: "landing", source: "All about **owls**." });
  expect(await page(testSite, "/")).toContain("<strong>owls</strong>");
  expect(await page(testSite, "/")).not.toContain("When nothing happens, it is as still");
});

test("serves a custom style sheet within limits on every page except those that administrators need", async () => {
  const [testSite, boss] = await siteWith("Boss");
  const set = (source: string) => boss.api.administration.setText.mutate({ kind: "sheet", source });
  await set("body { display: none; background: url('/media/x.png') }");
  const [, address = ""] = /href="(\/static\/sheet-[^"]+)" data-site/.exec(await page(testSite)) ?? [];
  const answer = await fetch(testSite.url + address);
  expect(answer.headers.get("content-type")).toBe("text/css; charset=utf-8");
  expect(await answer.text()).toMatch(/^body\{.*display:none.*\}$/s);
  expect(await page(testSite, "/signin")).toContain(`href="${address}"`);
  expect(await page(testSite, "/signin?plain")).not.toContain(`href="${address}"`);
  const admin = await fetch(`${testSite.url}/admin/site`, { headers: { cookie: boss.cookie } });
  expect(admin.status).toBe(200);
  expect(await admin.text()).not.toContain(`href="${address}"`);
  // The name is derived from the content: another sheet gets another name, and the old one is gone.
  await set("body { color: red } a { background: url(/media/a) } b { background: url(/media/b) }");
  const [, next = ""] = /href="(\/static\/sheet-[^"]+)" data-site/.exec(await page(testSite)) ?? [];
  expect(await (await fetch(testSite.url + next)).text()).toMatch(
    /url\("?\/media\/a"?\).*url\("?\/media\/b"?\)/,
  );
  expect(await page(testSite)).not.toContain(`href="${address}"`);
  expect((await fetch(testSite.url + address)).status).toBe(404);
  for (const source of [
    "@import 'https://elsewhere.example/a.css';",
    "@import '/static/other.css';",
    "a { background: url(https://elsewhere.example/pixel.png) }",
    "a { background: url(//elsewhere.example/pixel.png) }",
    "a { background: image-set(url(https://elsewhere.example/p.png) 1x) }",
    "@font-face { font-family: x; src: url(data:font/woff2;base64,AA) }",
    String.raw`a { background: url("/\\\\elsewhere.example/p.png") }`,
    String.raw`a { background: url("/a\"b") }`,
    "a { --x: url(https://elsewhere.example/p.png) }",
    "a { background: src('https://elsewhere.example/p.png') }",
    "@font-face { font-family: x; src: src('https://elsewhere.example/f.woff2') }",
    "a { --x: image-set('https://elsewhere.example/p.png' 1x) }",
    "a { cursor: image-set('https://elsewhere.example/p.png' 1x), auto }",
    "a { background: -webkit-cross-fade('//elsewhere.example/p.png', red) }",
    "a { --x: 'https://elsewhere.example/p.png'; background: src(var(--x)) }",
    "a { --x: URL('https://elsewhere.example/p.png'); background: var(--x) }",
    "a { --x: image-set(if(media(all): 'https://elsewhere.example/p.png') 1x) }",
    "a } b {",
  ])
    expect(await refusal(set(source)), source).toMatchObject({ code: "BAD_REQUEST", field: "source" });
  expect(await page(testSite)).toContain("/static/sheet-");
});

test("refuses a style sheet that would crash its parser", async () => {
  const [testSite, boss] = await siteWith("Boss");
  const set = (source: string) => boss.api.administration.setText.mutate({ kind: "sheet", source });
  const nested = (before: string, middle: string, after: string) =>
    before.repeat(3_000) + middle + after.repeat(3_000);
  for (const source of [
    `${nested(":is(", "a", ")")} {}`,
    `a { width: ${nested("calc(", "1px", ")")} }`,
    nested("@media all {", "a {}", "}"),
  ])
    expect(await refusal(set(source)), source.slice(0, 40)).toMatchObject({
      code: "BAD_REQUEST",
      field: "source",
    });
  await set(
    `@media print { @supports (display: grid) { :is(a, :not(b)) { width: calc(1px + (2px * 3)) } } }`,
  );
  expect(await page(testSite)).toContain("/static/sheet-");
});

test("limits publishing to approved writers by page, tRPC and REST, but not reading and commenting", async () => {
  const [testSite, boss, ana, ben] = await siteWith("Boss", "Ana", "Ben");
  const bensBlog = await ben.api.blogs.create.mutate(aBlog());
  await boss.api.administration.setSite.mutate({ writers: "approved" });
  await boss.api.moderation.setWriter.mutate({ userId: ana.me.id, writer: true });
  const writerError = { code: "FORBIDDEN", message: expect.stringContaining("approved writers") };
  await expectRefusal(ben.api.blogs.create.mutate(aBlog()), writerError);
  await expectRefusal(ben.api.blogs.update.mutate({ id: bensBlog.id, title: "Other" }), writerError);
  const client = await ApiClient.of(testSite, ben);
  expect((await client.call("POST", "/blogs", blogForm())).status).toBe(403);
  expect((await client.call("PATCH", `/blogs/${bensBlog.id}`, blogForm())).status).toBe(403);
  const blog = await ana.api.blogs.create.mutate(aBlog());
  await boss.api.blogs.create.mutate(aBlog());
  await ben.api.comments.create.mutate(aComment(blog));
  const pageOf = async (cookie: string, path: string) =>
    (await fetch(testSite.url + path, { headers: { cookie } })).text();
  expect(await pageOf(ben.cookie, "/add-blog")).toContain("Publishing is limited to approved writers");
  expect(await pageOf(ben.cookie, `/edit/${bensBlog.slug}`)).toContain(
    "Publishing is limited to approved writers",
  );
  expect(await pageOf(ben.cookie, "/home")).not.toContain('href="/add-blog"');
  expect(await pageOf(ana.cookie, "/home")).toContain('href="/add-blog"');
  expect(await pageOf(ana.cookie, "/add-blog")).not.toContain("Publishing is limited to approved writers");
  await boss.api.moderation.setWriter.mutate({ userId: ana.me.id, writer: false });
  await expectRefusal(ana.api.blogs.create.mutate(aBlog()), writerError);
  await ben.api.blogs.remove.mutate({ id: bensBlog.id });
  await boss.api.administration.setSite.mutate({ writers: "" });
  await ben.api.blogs.create.mutate(aBlog());
});
