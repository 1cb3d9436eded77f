import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { execute } from "../../../src/server/database/connection.ts";
import type { Services } from "../../../src/server/context.ts";
import { importSite as importFile } from "../../../src/server/imports/members.ts";
import { openSource } from "../../../src/server/imports/kinds.ts";
import { reprise } from "../../support/command.ts";
import { changeBeside, rowsBeside } from "../../support/second-database.ts";
import { paint, upload } from "../../support/pictures.ts";
import {
  aBlog,
  aComment,
  paragraphs,
  startTestSite,
  type Browser,
  type SignedInBrowser,
  type TestSite,
} from "../../support/test-site.ts";
import { unzip } from "../../support/unzip.ts";
import { buildZip } from "../../support/zip.ts";

/* The export of a site, and what its members find after it was imported into an empty one. */

let folder = "";
let before: TestSite;
let ana: SignedInBrowser;
let ben: SignedInBrowser;
let file = "";
let files = new Map<string, Buffer>();
const pathOf = (name: string) => path.join(folder, name);
const newPassword = "another horse battery";

/** A paragraph with a link and one with a picture. */
const linkAndPicture = (href: string, src: string) => ({
  type: "doc",
  content: [
    {
      type: "paragraph",
      content: [{ type: "text", text: "See", marks: [{ type: "link", attrs: { href, title: null } }] }],
    },
    {
      type: "paragraph",
      content: [{ type: "image", attrs: { src, alt: "An owl", title: null, width: 40, height: 30 } }],
    },
  ],
});

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "reprise-site-"));
  before = await startTestSite();
  [ana, ben] = [await before.createAccount("Ana"), await before.createAccount("Ben")];
  const eve = await before.createAccount("Eve");
  const [portrait, picture] = [
    await upload(ana, await paint(30, 30, "png")),
    await upload(ana, await paint(40, 30, "png")),
  ];
  await ana.api.users.updateProfile.mutate({ pictureId: portrait.id, bio: "Owls." });
  await ben.api.users.updateSettings.mutate({ private: true, mutedWords: ["spoiler"] });
  const bats = await ben.api.blogs.create.mutate(
    aBlog({ title: "Bats", slug: "bats", document: paragraphs("Bats of the barn.") }),
  );
  const owls = await ana.api.blogs.create.mutate(
    aBlog({ title: "Owls", slug: "owls", document: linkAndPicture("/blog/bats", picture.src) }),
  );
  await ana.api.blogs.create.mutate(aBlog({ title: "Friends", slug: "friends", private: true }));
  await ana.api.blogs.create.mutate(aBlog({ title: "Drawer", slug: "drawer", draft: true }));
  await ben.api.blogs.create.mutate(aBlog({ title: "Cellar", slug: "cellar", draft: true }));
  await ana.api.blogs.setCommenters.mutate({ id: owls.id, commentsFrom: "followers" });
  await ben.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  await ana.api.social.follow.mutate({ userId: ben.me.id, follow: true });
  await ben.api.social.handleRequest.mutate({ requesterId: ana.me.id, action: "accept" });
  await ben.api.comments.create.mutate(aComment(owls, { text: "Hoo." }));
  await ana.api.comments.create.mutate(aComment(bats, { text: "Squeak." }));
  await eve.api.blogs.create.mutate(aBlog({ title: "Spam", slug: "spam" }));
  await before.write((tx) =>
    execute(tx, `update users set suspended_at = 1, suspension_reason = 'Spam.' where id = '${eve.me.id}'`),
  );
  file = pathOf("site.zip");
  const { code, error } = await reprise(before.config.dataDir, ["export", "--site", "--to", file], {
    PUBLIC_URL: before.config.publicUrl,
  });
  expect([code, error]).toEqual([0, ""]);
  files = await unzip(file);
}, 300_000);
afterAll(async () => {
  await before[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const importSite = (dataDir: string, ...args: string[]) =>
  reprise(dataDir, ["import", "reprise", file, ...args], { PUBLIC_URL: "http://new.example" });

/** Signs a member in on another site, with a password that they set by email. */
async function signIn(site: TestSite, { email }: SignedInBrowser): Promise<Browser> {
  const browser = site.browser();
  await browser.api.users.forgotPassword.mutate({ email });
  const token = await site.mailedToken(email, "reset-password");
  await browser.api.users.resetPassword.mutate({ token, password: newPassword });
  await browser.api.users.signIn.mutate({ email, password: newPassword });
  return browser;
}

const titles = async (browser: Browser, username: string, tab: "blogs" | "private-blogs" | "draft-blogs") =>
  (await browser.api.blogs.byAuthor.query({ username, tab })).blogs.map(({ title }) => title);

test("has each member's export in a folder, with nothing that belongs to others", () => {
  const names = [...files.keys()];
  expect([names[0], names.at(-1)]).toEqual(["export.json", "index.html"]);
  const json = (name: string) => JSON.parse(String(files.get(name)));
  expect(
    json("members.json").map(({ folder: one, suspended }: Record<string, unknown>) => [one, suspended]),
  ).toEqual([
    ["members/ana", false],
    ["members/ben", false],
    ["members/eve", true],
  ]);
  expect(json("members/ana/export.json")).toMatchObject({ kind: "account", version: 1 });
  for (const [me, other] of [
    [ana, ben],
    [ben, ana],
  ] as const) {
    const mine = names.filter((name) => name.startsWith(`members/${me.me.username}/`));
    const text = mine.map((name) => String(files.get(name))).join("\n");
    expect(text).toContain(me.email);
    for (const secret of [other.email, me === ana ? "Cellar" : "Drawer", "$argon2", "Bats of the barn"].slice(
      0,
      me === ana ? 4 : 3,
    ))
      expect(text, secret).not.toContain(secret);
  }
});

test("brings every member back with their blogs, pictures and privacy, for whom they were visible", async () => {
  const dataDir = pathOf("new");
  const { code, output, error } = await importSite(dataDir);
  expect([code, error]).toEqual([1, ""]);
  expect(output).toContain("ana (new account): 3 blogs, 1 picture");
  expect(output).toContain("members/eve: Suspended on the old site");
  await using after = await startTestSite({ DATA_DIR: dataDir, PUBLIC_URL: "http://new.example" });
  expect(after.rows("select username, is_admin, private, bio from users order by username")).toEqual([
    { username: "ana", is_admin: 0, private: 0, bio: "Owls." },
    { username: "ben", is_admin: 0, private: 1, bio: "" },
  ]);
  const guest = after.browser();
  expect(await titles(guest, "ana", "blogs")).toEqual(["Owls"]);
  await expect(guest.api.blogs.bySlug.query({ slug: "bats" })).rejects.toThrow("doesn’t exist");
  const [newAna, newBen] = [await signIn(after, ana), await signIn(after, ben)];
  expect(await titles(newAna, "ana", "draft-blogs")).toEqual(["Drawer"]);
  expect(await titles(newAna, "ana", "private-blogs")).toEqual(["Friends"]);
  expect(await titles(newBen, "ben", "draft-blogs")).toEqual(["Cellar"]);
  // Ben follows Ana, and Ana follows Ben, whose account is private.
  expect((await newBen.api.blogs.bySlug.query({ slug: "friends" })).title).toBe("Friends");
  await expect(newBen.api.blogs.bySlug.query({ slug: "drawer" })).rejects.toThrow("doesn’t exist");
  expect((await newAna.api.blogs.bySlug.query({ slug: "bats" })).title).toBe("Bats");
  await expect(newAna.api.blogs.bySlug.query({ slug: "cellar" })).rejects.toThrow("doesn’t exist");
  const { id, html, commentsFrom } = await guest.api.blogs.bySlug.query({ slug: "owls" });
  expect(html).toContain('href="/blog/bats"');
  expect(commentsFrom).toBe("followers");
  const src = /<img src="(\/media\/[^"]+)"/.exec(html)?.[1] ?? "";
  expect((await guest.fetch(src)).status).toBe(200);
  const { comments } = await guest.api.comments.list.query({ blogId: id });
  expect(comments.map(({ text, author }) => [text, author?.name])).toEqual([["Hoo.", "Ben"]]);
  expect((await newAna.api.users.me.query())?.picture).toMatch(/^\/media\//);
  expect((await newBen.api.users.me.query())?.mutedWords).toEqual(["spoiler"]);
});

test("uses the account with the same address, and imports nothing twice", async () => {
  const dataDir = pathOf("there");
  const add = ["user", "add", "owl", "--email", ana.email];
  expect((await reprise(dataDir, add)).code).toBe(0);
  expect((await reprise(dataDir, ["user", "add", "ben", "--email", "other@example.org"])).code).toBe(0);
  const first = await importSite(dataDir);
  expect(first.output).toContain("owl (account with the same address): 3 blogs");
  expect(first.output).toMatch(/ben\d+ \(new account\): 2 blogs/);
  // What people change here stays.
  expect(await changeBeside(dataDir, "delete from follows")).toBeGreaterThan(0);
  const second = await importSite(dataDir, "--json");
  expect(second.json).toMatchObject({
    members: [
      { username: "owl", isNew: false, imported: 0, before: 3 },
      { isNew: false, imported: 0, before: 2 },
    ],
  });
  expect(await rowsBeside(dataDir, "select 1 from follows")).toHaveLength(0);
  expect(await rowsBeside(dataDir, "select 1 from users")).toHaveLength(3);
});

test("adds no more members once it is stopped", async () => {
  await using after = await startTestSite();
  const { services } = after.app;
  const stop = new AbortController();
  // As by Ctrl-C while the first account is stored.
  const database: Services["database"] = {
    ...services.database,
    write: (work) => {
      stop.abort(new Error("Stopped before it finished."));
      return services.database.write(work);
    },
  };
  const run = importFile({ ...services, database }, file, {
    again: false,
    fetch: false,
    open: (member) => openSource({ kind: "reprise", file, folder: member }),
    onProgress: () => undefined,
    signal: stop.signal,
  });
  await expect(run).rejects.toThrow("Stopped before it finished.");
  expect(after.rows("select username from users")).toEqual([{ username: "ana" }]);
});

test("refuses --author, and folders that are none of the export", async () => {
  expect(await importSite(before.config.dataDir, "--author", "ana")).toMatchObject({
    code: 1,
    error: expect.stringContaining("import it without --author"),
  });
  const siteZip = (version: number) =>
    buildZip([
      {
        name: "export.json",
        bytes: Buffer.from(JSON.stringify({ format: "reprise-export", kind: "site", version })),
      },
      { name: "members.json", bytes: Buffer.from('[{"folder":"../x"}]') },
    ]);
  const odd = pathOf("odd.zip");
  await writeFile(odd, siteZip(2));
  const { code, output } = await reprise(pathOf("odd"), ["import", "reprise", odd]);
  expect(code).toBe(1);
  expect(output).toContain("../x: ");
  await writeFile(odd, siteZip(3));
  expect(await reprise(pathOf("odd"), ["import", "reprise", odd])).toMatchObject({
    code: 1,
    error: expect.stringContaining("this software reads version 2"),
  });
});
