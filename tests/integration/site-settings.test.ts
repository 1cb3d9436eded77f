import { expect, test } from "vitest";
import { upload } from "../support/pictures.ts";
import { ApiClient, blogForm } from "../support/api-client.ts";
import { reprise } from "../support/command.ts";
import { aBlog, aComment, listen, refusal, startTown, until, type Town } from "../support/town.ts";

const page = async (town: Town, path = "/home") => (await fetch(town.url + path)).text();

test("what an administrator names the site is on every page, in mails, and told to open pages; kept pages are drawn anew", async () => {
  await using town = await startTown({ SITE_NAME: "Given" });
  const boss = await town.resident("Boss");
  expect(await page(town, "/docs")).toContain("· Given</title>");
  const told = listen(town.browser(), "feed");
  await told.live();
  await boss.api.moderation.setSite.mutate({
    name: "Owls & Sons",
    description: "All about owls.",
    language: "pt-br",
  });
  await told.heard("site.changed");
  const drawn = await page(town, "/docs");
  expect(drawn).toContain("· Owls &amp; Sons</title>");
  expect(drawn).toContain('<html lang="pt-BR"');
  expect(await page(town, "/signin")).toContain('<meta name="description" content="All about owls.">');
  const ana = await town.moveIn("Ana");
  const [mail = ""] = await town.mailsTo(ana.email);
  expect(mail).toContain("Confirm your email address for Owls & Sons");
  expect(mail).toMatch(/^From: "?Owls & Sons"? <no-reply@/m);
  await boss.api.moderation.setSite.mutate({ name: "", description: "", language: "" });
  expect(await page(town, "/docs")).toContain("· Given</title>");
  expect(await page(town, "/docs")).toContain('<html lang="en"');
});

test("an accent is a file of the site's own that pages name, and nothing else is at such addresses", async () => {
  await using town = await startTown();
  const boss = await town.resident("Boss");
  expect(await page(town)).not.toContain("data-site");
  await boss.api.moderation.setSite.mutate({ accent: "#FFD700" });
  const [, address = ""] = /<link rel="stylesheet" href="([^"]+)" data-site>/.exec(await page(town)) ?? [];
  const sheet = await fetch(town.url + address);
  expect(sheet.headers.get("content-type")).toBe("text/css; charset=utf-8");
  expect(sheet.headers.get("cache-control")).toContain("immutable");
  // Too weak on light paper: darker there, by night as it is.
  expect(await sheet.text()).toMatch(/--accent:light-dark\(#(?!ffd700)[0-9a-f]{6},#ffd700\)/);
  for (const other of ["accent-zzzzzz.css", "accent-fff.css", "x", "accent-000000.css.map"])
    expect((await fetch(`${town.url}/static/${other}`)).status, other).toBe(404);
  for (const accent of ["gold", "#12345", "red;}body{}", "#gggggg"])
    expect(await refusal(boss.api.moderation.setSite.mutate({ accent }))).toMatchObject({
      code: "BAD_REQUEST",
    });
});

test("the site's picture is one that its administrator uploaded, stays while it is shown, and is everybody's to see", async () => {
  await using town = await startTown();
  const [boss, ana] = [await town.resident("Boss"), await town.resident("Ana")];
  const [mine, theirs] = [await upload(boss), await upload(ana)];
  expect(await refusal(boss.api.moderation.setSite.mutate({ picture: theirs.id }))).toMatchObject({
    code: "BAD_REQUEST",
  });
  expect((await fetch(town.url + mine.src)).status).toBe(404);
  await boss.api.moderation.setSite.mutate({ picture: mine.id });
  expect((await fetch(town.url + mine.src)).status).toBe(200);
  expect(await page(town)).toContain(`/media/${mine.id}/192.webp`);
  expect(town.rows("select id from media where unused_at is null")).toEqual([{ id: mine.id }]);
  await boss.api.moderation.setSite.mutate({ picture: "" });
  expect((await fetch(town.url + mine.src)).status).toBe(404);
  expect(await page(town)).not.toContain(mine.id);
});

test("each change stands in the log with who made it, and one that changes nothing is none", async () => {
  await using town = await startTown();
  const boss = await town.resident("Boss");
  await boss.api.moderation.setSite.mutate({ name: "Owls" });
  await boss.api.moderation.setSite.mutate({ name: "Owls" });
  const { entries } = await boss.api.moderation.log.query({});
  expect(entries).toMatchObject([
    { act: "site", kind: "site", name: "name", reason: "Owls", actor: boss.me.username },
  ]);
});

test("at the command line the same is shown and set, and the server that runs beside it follows", async () => {
  await using town = await startTown();
  await town.resident("Boss");
  const { dataDir } = town.config;
  expect((await reprise(dataDir, ["site", "set", "name", "Night owls", "--json"])).json).toMatchObject({
    name: "Night owls",
  });
  await until(async () => (await page(town, "/docs")).includes("· Night owls</title>"));
  await until(() => town.config.siteName === "Night owls");
  expect((await reprise(dataDir, ["site", "set", "accent", "blue"])).code).toBe(1);
  expect((await reprise(dataDir, ["site", "set", "colour", "#000000"])).code).toBe(2);
  expect((await reprise(dataDir, ["site", "show", "--json"])).json).toMatchObject({ accent: "" });
});

test("the terms are published in versions that can all be read, are agreed to at sign-up, and members are told once", async () => {
  await using town = await startTown();
  const [boss, ana] = [await town.resident("Boss"), await town.resident("Ana")];
  const site = async () => town.browser().api.users.site.query();
  expect((await fetch(`${town.url}/terms`)).status).toBe(404);
  expect(await page(town, "/signup")).not.toContain("By joining you agree");
  const set = (source: string) => boss.api.moderation.setText.mutate({ kind: "terms", source });
  await set("# Be kind\n\n<script>alert(1)</script><b onclick=x>Always</b>, [here](https://example.org).");
  const first = await page(town, "/terms");
  expect(first).toContain("Be kind");
  expect(first).toContain("<strong>Always</strong>");
  expect(first).not.toMatch(/alert\(1\)|onclick/);
  expect(await page(town, "/signup")).toContain("By joining you agree");
  expect(await page(town, "/docs")).toContain('href="/terms"');
  await set("Be kinder.");
  // The same once more is no version.
  await set("Be kinder.");
  expect(await page(town, "/terms")).toContain("Be kinder.");
  expect(await page(town, "/terms?version=1")).toContain("Be kind<");
  expect((await fetch(`${town.url}/terms?version=3`)).status).toBe(404);
  const { text } = await ana.api.users.siteText.query({ kind: "terms" });
  expect(text?.versions.map(({ version }) => version)).toEqual([2, 1]);
  const knows = async () => (await ana.api.users.me.query())!.textsSeenAt >= (await site()).terms!;
  expect(await knows()).toBe(false);
  await ana.api.users.sawTexts.mutate();
  expect(await knows()).toBe(true);
  // Whoever joins by now has agreed to them.
  const ben = await town.resident("Ben");
  expect((await ben.api.users.me.query())!.textsSeenAt >= (await site()).terms!).toBe(true);
  await set("");
  expect((await site()).terms).toBeNull();
  expect((await fetch(`${town.url}/terms`)).status).toBe(404);
  expect(await refusal(set("![owl](https://elsewhere.example/owl.png)"))).toMatchObject({
    code: "BAD_REQUEST",
    message: expect.stringContaining("can’t have pictures"),
  });
});

test("a landing text stands in place of the site's own", async () => {
  await using town = await startTown();
  const boss = await town.resident("Boss");
  expect(await page(town, "/")).toContain("A quiet place to read and write.");
  await boss.api.moderation.setText.mutate({ kind: "landing", source: "All about **owls**." });
  expect(await page(town, "/")).toContain("<strong>owls</strong>");
  expect(await page(town, "/")).not.toContain("When nothing happens, it is as still");
});

test("a style sheet is a file under the pages' policy, on no page where it could lock administrators out", async () => {
  await using town = await startTown();
  const boss = await town.resident("Boss");
  const set = (source: string) => boss.api.moderation.setText.mutate({ kind: "sheet", source });
  await set("body { display: none; background: url('/media/x.png') }");
  const [, address = ""] = /href="(\/static\/sheet-[^"]+)" data-site/.exec(await page(town)) ?? [];
  const answer = await fetch(town.url + address);
  expect(answer.headers.get("content-type")).toBe("text/css; charset=utf-8");
  expect(await answer.text()).toMatch(/^body\{.*display:none.*\}$/s);
  expect(await page(town, "/signin")).toContain(`href="${address}"`);
  expect(await page(town, "/signin?plain")).not.toContain(`href="${address}"`);
  const admin = await fetch(`${town.url}/admin/site`, { headers: { cookie: boss.cookie } });
  expect(admin.status).toBe(200);
  expect(await admin.text()).not.toContain(`href="${address}"`);
  // The name says what is in it: another sheet has another, and the old one is gone.
  await set("body { color: red } a { background: url(/media/a) } b { background: url(/media/b) }");
  const [, next = ""] = /href="(\/static\/sheet-[^"]+)" data-site/.exec(await page(town)) ?? [];
  expect(await (await fetch(town.url + next)).text()).toMatch(/url\("?\/media\/a"?\).*url\("?\/media\/b"?\)/);
  expect(await page(town)).not.toContain(`href="${address}"`);
  expect((await fetch(town.url + address)).status).toBe(404);
  for (const wrong of [
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
    expect(await refusal(set(wrong)), wrong).toMatchObject({ code: "BAD_REQUEST", field: "source" });
  expect(await page(town)).toContain("/static/sheet-");
});

test("a style sheet that would end its parser is refused, and the site goes on", async () => {
  await using town = await startTown();
  const boss = await town.resident("Boss");
  const set = (source: string) => boss.api.moderation.setText.mutate({ kind: "sheet", source });
  const nested = (before: string, middle: string, after: string) =>
    before.repeat(3_000) + middle + after.repeat(3_000);
  for (const wrong of [
    `${nested(":is(", "a", ")")} {}`,
    `a { width: ${nested("calc(", "1px", ")")} }`,
    nested("@media all {", "a {}", "}"),
  ])
    expect(await refusal(set(wrong)), wrong.slice(0, 40)).toMatchObject({
      code: "BAD_REQUEST",
      field: "source",
    });
  await set(
    `@media print { @supports (display: grid) { :is(a, :not(b)) { width: calc(1px + (2px * 3)) } } }`,
  );
  expect(await page(town)).toContain("/static/sheet-");
});

test("where administrators choose who writes, nobody else does, by page, tRPC or REST; reading and commenting stay", async () => {
  await using town = await startTown();
  const [boss, ana, ben] = [
    await town.resident("Boss"),
    await town.resident("Ana"),
    await town.resident("Ben"),
  ];
  const mine = await ben.api.blogs.create.mutate(aBlog());
  await boss.api.moderation.setSite.mutate({ writers: "approved" });
  await boss.api.moderation.setWriter.mutate({ userId: ana.me.id, writer: true });
  const refused = { code: "FORBIDDEN", message: expect.stringContaining("approved writers") };
  expect(await refusal(ben.api.blogs.create.mutate(aBlog()))).toMatchObject(refused);
  expect(await refusal(ben.api.blogs.update.mutate({ id: mine.id, title: "Other" }))).toMatchObject(refused);
  const client = await ApiClient.of(town, ben);
  expect((await client.call("POST", "/blogs", blogForm())).status).toBe(403);
  expect((await client.call("PATCH", `/blogs/${mine.id}`, blogForm())).status).toBe(403);
  const blog = await ana.api.blogs.create.mutate(aBlog());
  await boss.api.blogs.create.mutate(aBlog());
  await ben.api.comments.create.mutate(aComment(blog));
  const pageOf = async (cookie: string, path: string) =>
    (await fetch(town.url + path, { headers: { cookie } })).text();
  expect(await pageOf(ben.cookie, "/add-blog")).toContain("Publishing is limited to approved writers");
  expect(await pageOf(ben.cookie, `/edit/${mine.slug}`)).toContain(
    "Publishing is limited to approved writers",
  );
  expect(await pageOf(ben.cookie, "/home")).not.toContain('href="/add-blog"');
  expect(await pageOf(ana.cookie, "/home")).toContain('href="/add-blog"');
  expect(await pageOf(ana.cookie, "/add-blog")).not.toContain("Publishing is limited to approved writers");
  await boss.api.moderation.setWriter.mutate({ userId: ana.me.id, writer: false });
  expect(await refusal(ana.api.blogs.create.mutate(aBlog()))).toMatchObject(refused);
  await ben.api.blogs.remove.mutate({ id: mine.id });
  await boss.api.moderation.setSite.mutate({ writers: "" });
  await ben.api.blogs.create.mutate(aBlog());
});
