import { expect, test } from "vitest";
import { upload } from "../support/pictures.ts";
import { reprise } from "../support/command.ts";
import { listen, refusal, startTown, until, type Town } from "../support/town.ts";

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
  const ana = await town.resident("Ana");
  const [mail = ""] = await town.mailsTo(ana.email);
  expect(mail).toContain("Confirm your e-mail address for Owls & Sons");
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
