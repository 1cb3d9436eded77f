import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { parseHTML } from "linkedom";
import sharp from "sharp";
import { expect, test, vi } from "vitest";
import { parse as parseYaml } from "yaml";
import { storeAliases } from "../../../src/server/blogs/aliases.ts";
import { markdownOf } from "../../../src/server/exports/texts.ts";
import { writeExport } from "../../../src/server/exports/write.ts";
import { ThreadPool } from "../../../src/server/workers/pool.ts";
import { createFolder } from "../../support/import-folder.ts";
import { reprise } from "../../support/command.ts";
import {
  aBlog,
  aComment,
  paragraphs,
  password,
  startTestSite,
  type TestSite,
} from "../../support/test-site.ts";
import { runAtOnce } from "../../support/second-database.ts";
import { upload } from "../../support/pictures.ts";
import { unzip } from "../../support/unzip.ts";

interface Zipped {
  files: Map<string, Buffer>;
  text: (name: string) => string;
  json: (name: string) => Record<string, any>[];
  one: (name: string) => Record<string, unknown>;
}

async function runExport(testSite: TestSite, ...args: string[]): Promise<Zipped> {
  await using temporary = await createFolder({});
  const { folder } = temporary;
  const { code, error, json } = await reprise(
    testSite.config.dataDir,
    ["export", ...args, "--to", folder, "--json"],
    {
      PUBLIC_URL: "https://blog.example.org",
    },
  );
  expect({ code, error }).toEqual({ code: 0, error: "" });
  const { file } = json as { file: string };
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const files = await unzip(file);
  const text = (name: string) => {
    const bytes = files.get(name);
    if (!bytes) throw new Error(`${name} is none of ${[...files.keys()].join(", ")}`);
    return bytes.toString("utf8");
  };
  return { files, text, json: (name) => JSON.parse(text(name)), one: (name) => JSON.parse(text(name)) };
}

const picture = (background = "#336699") =>
  sharp({ create: { width: 40, height: 30, channels: 3, background } })
    .png()
    .toBuffer();

/** Ana, Ben and Cleo with content and relations of every kind. */
async function startExportSite() {
  const testSite = await startTestSite();
  const [ana, ben, cleo] = [
    await testSite.createAccount("Ana"),
    await testSite.createAccount("Ben"),
    await testSite.createAccount("Cleo"),
  ];
  const image = await upload(ana, await picture());
  const document = {
    type: "doc",
    content: [
      ...paragraphs("Owls & <b>others</b>.").content,
      {
        type: "paragraph",
        content: [
          { type: "image", attrs: { src: image.src, alt: "An owl", title: null, width: 40, height: 30 } },
        ],
      },
    ],
  };
  const one = await ana.api.blogs.create.mutate(
    aBlog({
      title: 'Owls: "all" <of> them',
      document,
      coverId: image.id,
      coverFocus: { x: 30, y: 20 },
      slug: "owls",
      canonicalUrl: "https://example.org/owls",
    }),
  );
  await ana.api.blogs.update.mutate({ id: one.id, slug: "barn-owls" });
  await testSite.write((tx) => storeAliases(tx, one.id, ["/2019/03/owls/", "/?p=12"]));
  const draft = await ana.api.blogs.create.mutate(aBlog({ title: "A drawer", draft: true, slug: "drawer" }));
  const privateBlog = await ana.api.blogs.create.mutate(
    aBlog({ title: "For friends", private: true, slug: "friends" }),
  );
  const bensBlog = await ben.api.blogs.create.mutate(aBlog({ title: "Bats", slug: "bats" }));
  const secret = await ben.api.blogs.create.mutate(aBlog({ title: "Secret bats", slug: "secret-bats" }));
  await ana.api.social.likeBlog.mutate({ blogId: bensBlog.id, liked: true });
  await ana.api.social.likeBlog.mutate({ blogId: secret.id, liked: true });
  await ana.api.social.saveBlog.mutate({ blogId: secret.id, saved: true });
  await ana.api.social.saveBlog.mutate({ blogId: bensBlog.id, saved: true });
  const readingPosition = { block: 4, words: 0xffff_ffff, part: 50 };
  for (const person of [ana, cleo])
    for (const { id } of [bensBlog, secret])
      await person.api.social.keepPosition.mutate({ blogId: id, place: readingPosition });
  await cleo.api.social.likeBlog.mutate({ blogId: one.id, liked: true });
  await ana.api.social.follow.mutate({ userId: ben.me.id, follow: true });
  await cleo.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  await ana.api.social.mute.mutate({ userId: cleo.me.id, muted: true });
  const comment = await cleo.api.comments.create.mutate(aComment(one, { text: "Hoo." }));
  const answer = await ana.api.comments.create.mutate(
    aComment(one, { parentId: comment.id, text: "Hoo to you." }),
  );
  const secretComment = await ana.api.comments.create.mutate(aComment(secret, { text: "I know." }));
  await ben.api.comments.create.mutate(aComment(bensBlog, { text: "Nobody of Ana's." }));
  await ana.api.comments.like.mutate({ id: comment.id, liked: true });
  await ana.api.blogs.setCommenters.mutate({ id: privateBlog.id, commentsFrom: "followers" });
  await ben.api.blogs.update.mutate({ id: secret.id, draft: true });
  await ana.api.blogs.inviteAuthor.mutate({ id: one.id, username: ben.me.username });
  await ben.api.blogs.answerInvitation.mutate({ id: one.id, accept: true });
  await ben.api.blogs.inviteAuthor.mutate({ id: bensBlog.id, username: ana.me.username });
  await ana.api.blogs.answerInvitation.mutate({ id: bensBlog.id, accept: true });
  await ben.api.blogs.inviteAuthor.mutate({ id: bensBlog.id, username: cleo.me.username });
  return {
    testSite,
    ana,
    ben,
    cleo,
    image,
    one,
    draft,
    closed: privateBlog,
    bensBlog,
    secret,
    comment,
    answer,
    secretComment,
  };
}

test("exports an account as one ZIP with all of its data, and nothing that the account may not see", async () => {
  const { testSite, ana, ben, cleo, image, one, bensBlog, comment, answer, secretComment } =
    await startExportSite();
  await using _testSite = testSite;
  const { files, text, json, one: single } = await runExport(testSite, ana.me.username);
  const names = [...files.keys()];
  expect([names[0], names.at(-1)]).toEqual(["export.json", "index.html"]);
  expect(single("export.json")).toMatchObject({
    format: "reprise-export",
    version: 1,
    kind: "account",
    site: { name: "Reprise", url: "https://blog.example.org" },
    account: { id: ana.me.id, username: ana.me.username },
    counts: { accounts: 1, blogs: 3, media: 1 },
  });
  const [account, ...others] = json("accounts.json");
  expect(others).toEqual([]);
  expect(account).toMatchObject({
    username: ana.me.username,
    email: ana.me.email,
    settings: { private: false },
  });
  expect(account).not.toHaveProperty("passwordHash");

  expect(json("blogs.json").map(({ slug, visibility }) => [slug, visibility])).toEqual([
    ["barn-owls", "public"],
    ["drawer", "draft"],
    ["friends", "private"],
  ]);
  expect(json("blogs.json")[0]).toMatchObject({
    id: one.id,
    title: 'Owls: "all" <of> them',
    cover: `media/${image.id}.webp`,
    coverFocus: { x: 30, y: 20 },
    oldSlugs: ["owls"],
    aliases: ["/2019/03/owls", "/?p=12"],
    canonicalUrl: "https://example.org/owls",
    likes: 1,
  });
  expect(JSON.stringify(single("blogs/barn-owls.json"))).toContain(`"src":"../media/${image.id}.webp"`);
  const [, front = "", markdown] = text("blogs/barn-owls.md").split("---\n");
  expect(parseYaml(front)).toMatchObject({
    title: 'Owls: "all" <of> them',
    slug: "barn-owls",
    author: ana.me.username,
    tags: ["night"],
    aliases: ["/blog/owls", "/2019/03/owls", "/?p=12"],
  });
  expect(markdown).toContain(`src="../media/${image.id}.webp"`);
  expect(parseYaml(text("blogs/drawer.md").split("---\n")[1] ?? "")).toMatchObject({ draft: true });
  expect((await sharp(files.get(`media/${image.id}.webp`)).metadata()).width).toBe(40);
  expect(json("media.json")).toMatchObject([{ id: image.id, file: `media/${image.id}.webp`, width: 40 }]);

  // Her comments anywhere, and others' on her blogs; no title of a blog she cannot read.
  expect(json("comments.json").map(({ id, author, on }) => [id, author.username, on?.title ?? null])).toEqual(
    [
      [comment.id, cleo.me.username, 'Owls: "all" <of> them'],
      [answer.id, ana.me.username, 'Owls: "all" <of> them'],
      [secretComment.id, ana.me.username, null],
    ],
  );
  expect(json("likes.json").map((like) => like.blog ?? like.comment)).toEqual([bensBlog.id, comment.id]);
  expect(json("saves.json").map(({ blog }) => blog)).toEqual([bensBlog.id]);
  expect(json("places.json")).toMatchObject([
    { account: { id: ana.me.id }, blog: bensBlog.id, block: 4, words: 0xffff_ffff, part: 50 },
  ]);
  expect(
    json("authors.json").map(({ account: coAuthor, blog, on }) => [
      coAuthor.username,
      blog,
      on.author.username,
    ]),
  ).toEqual([
    [ana.me.username, bensBlog.id, ben.me.username],
    [ben.me.username, one.id, ana.me.username],
  ]);
  expect(
    json("follows.json").map(({ follower, followed }) => [follower.username, followed.username]),
  ).toEqual([
    [ana.me.username, ben.me.username],
    [cleo.me.username, ana.me.username],
  ]);
  expect(json("hidden.json")).toMatchObject([{ kind: "mute", other: { username: cleo.me.username } }]);
  const allText = [...files.values()].map((bytes) => bytes.toString("latin1")).join("\n");
  for (const secret of ["Secret bats", "secret-bats", ben.me.email, cleo.me.email, "$argon2", password])
    expect(allText, secret).not.toContain(secret);
});

test("writes pages whose links lead to files of the export, and which run no scripts", async () => {
  const { testSite, ana } = await startExportSite();
  await using _testSite = testSite;
  await ana.api.blogs.create.mutate(
    aBlog({
      slug: "links",
      document: {
        type: "doc",
        content: [
          {
            type: "paragraph",
            content: [
              {
                type: "text",
                text: "owls",
                marks: [
                  { type: "link", attrs: { href: "https://blog.example.org/blog/barn-owls", title: null } },
                ],
              },
            ],
          },
        ],
      },
    }),
  );
  const { files, text } = await runExport(testSite, ana.me.username);
  const pages = [...files.keys()].filter((name) => name.endsWith(".html"));
  expect(pages).toHaveLength(5);
  for (const name of pages) {
    const { document } = parseHTML(text(name));
    expect(document.querySelectorAll("script, [onclick], iframe, link").length).toBe(0);
    const hrefs = [...document.querySelectorAll("a[href], img[src]")].map(
      (one) => one.getAttribute("href") ?? one.getAttribute("src") ?? "",
    );
    const internalHrefs = hrefs.filter((href) => !href.startsWith("https://"));
    for (const href of internalHrefs)
      expect(files.has(path.join(path.dirname(name), href)), `${name}: ${href}`).toBe(true);
  }
  expect(text("blogs/links.html")).toContain('href="barn-owls.html"');
  expect(parseHTML(text("blogs/barn-owls.html")).document.querySelector("h1")?.textContent).toBe(
    'Owls: "all" <of> them',
  );
  expect(text("index.html")).not.toContain("<of>");
});

test("includes pictures that a co-author added to the account's blog", async () => {
  const { testSite, ana, ben, one } = await startExportSite();
  await using _testSite = testSite;
  const image = await upload(ben, await picture("#993333"));
  const document = {
    type: "doc",
    content: [
      {
        type: "paragraph",
        content: [{ type: "image", attrs: { src: image.src, alt: "", title: null, width: 40, height: 30 } }],
      },
    ],
  };
  await ben.api.blogs.update.mutate({ id: one.id, document });
  const { json, files } = await runExport(testSite, ana.me.username);
  expect(json("media.json").map(({ owner }) => owner.username)).toContain(ben.me.username);
  expect(files.has(`media/${image.id}.webp`)).toBe(true);
});

test(
  "refuses wrong options and existing files, and leaves no partial export",
  { tags: ["more"] },
  async () => {
    await using testSite = await startTestSite();
    const ana = await testSite.createAccount("Ana");
    await using temporary = await createFolder({});
    const { folder } = temporary;
    const runExportCommand = (...args: string[]) => reprise(testSite.config.dataDir, ["export", ...args]);
    expect(await runExportCommand()).toMatchObject({ code: 2 });
    expect(await runExportCommand("--site", ana.me.username)).toMatchObject({ code: 2 });
    expect(await runExportCommand("nobody-here", "--to", folder)).toMatchObject({
      code: 1,
      error: expect.stringContaining("no account"),
    });
    const archive = path.join(folder, "a.zip");
    expect(await runExportCommand(ana.me.username, "--to", archive)).toMatchObject({ code: 0 });
    const { size } = await stat(archive);
    expect(await runExportCommand(ana.me.username, "--to", archive)).toMatchObject({
      code: 1,
      error: expect.stringContaining("already"),
    });
    expect((await stat(archive)).size).toBe(size);
    expect(await runExportCommand(ana.me.username, "--to", path.join(folder, "none", "a.zip"))).toMatchObject(
      {
        code: 1,
      },
    );
    expect(await readdir(folder)).toEqual(["a.zip"]);
  },
);

test("keeps an existing file when an export fails, and deletes what a failed export began", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  for (const slug of ["owls", "bats"]) await ana.api.blogs.create.mutate(aBlog({ slug }));
  await using temporary = await createFolder({});
  const { folder } = temporary;
  const archive = path.join(folder, "there.zip");
  await writeFile(archive, "mine");
  const options = { account: ana.me.id, to: archive, program: "1" };
  const write = (change: object) => writeExport(testSite.app.services, { ...options, ...change });
  await expect(write({})).rejects.toThrow("already");
  await expect(write({ account: "nobody" })).rejects.toThrow("already");
  await expect(write({ signal: AbortSignal.abort() })).rejects.toThrow("abort");
  expect(await readFile(archive, "utf8")).toBe("mine");

  const newArchive = path.join(folder, "new.zip");
  await expect(write({ to: newArchive, account: "nobody" })).rejects.toThrow("no longer exists");
  await expect(write({ to: newArchive, signal: AbortSignal.abort() })).rejects.toThrow("abort");
  for (const entry of ["blogs", "texts"]) {
    const stop = new AbortController();
    const onProgress = (_done: number, _of: number, current: string) => current === entry && stop.abort();
    await expect(write({ to: newArchive, signal: stop.signal, onProgress }), entry).rejects.toThrow("abort");
  }
  expect(await readdir(folder)).toEqual(["there.zip"]);
});

test("exports a blog that is renamed during the export once, with its text under the listed name", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const { id } = await ana.api.blogs.create.mutate(aBlog({ slug: "owls" }));
  await using temporary = await createFolder({});
  const { folder } = temporary;
  const archive = path.join(folder, "a.zip");
  await writeExport(testSite.app.services, {
    account: ana.me.id,
    to: archive,
    program: "1",
    onProgress: (_done, _of, current) =>
      current === "blogs" && runAtOnce(testSite, `update blogs set slug = 'barn-owls' where id = '${id}'`),
  });
  const files = await unzip(archive);
  expect([...files.keys()].filter((name) => name.startsWith("blogs/"))).toEqual([
    "blogs/owls.json",
    "blogs/owls.md",
    "blogs/owls.html",
  ]);
});

test("renames the files of a blog whose slug is a reserved device name", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  for (const slug of ["con", "com1", "console"]) await ana.api.blogs.create.mutate(aBlog({ slug }));
  const { files, json, text } = await runExport(testSite, ana.me.username);
  expect(json("blogs.json").map(({ slug, name }) => [slug, name])).toEqual([
    ["con", "con_"],
    ["com1", "com1_"],
    ["console", "console"],
  ]);
  for (const name of ["con_", "com1_", "console"])
    for (const ending of ["json", "md", "html"])
      expect(files.has(`blogs/${name}.${ending}`), name).toBe(true);
  expect(files.size).toBe(7 + 11 + 5);
  expect(text("index.html")).toContain('href="blogs/con_.html"');
});

test("makes the Markdown of a version once for all who ask for it, and saves meanwhile", async () => {
  const workers = new ThreadPool();
  const run = vi.spyOn(workers, "run");
  await using testSite = await startTestSite({}, {}, { workers });
  const ana = await testSite.createAccount("Ana");
  const document = paragraphs(...Array.from({ length: 4_000 }, (_, index) => `Owl ${index} *says* hu_hu.`));
  const { id, slug } = await ana.api.blogs.create.mutate(aBlog({ document }));
  const readMarkdown = async () => {
    const response = await fetch(`${testSite.url}/blog/${slug}.md`);
    return { status: response.status, text: await response.text() };
  };
  const reading = Promise.all(Array.from({ length: 22 }, readMarkdown));
  await ana.api.blogs.create.mutate(aBlog());
  const answers = await reading;
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  const conversions = () => run.mock.calls.filter(([name]) => name === "toMarkdown").length;
  expect(conversions()).toBe(1);
  await ana.api.blogs.update.mutate({ id, title: "Other owls" });
  const renamed = await readMarkdown();
  expect(renamed.text).toContain("Other owls");
  expect(renamed.text).toContain("Owl 3999");
  expect(conversions()).toBeLessThanOrEqual(2);
  await workers.close();
});

test("exports a text with many unclosed shortcodes, and escapes them", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const document = paragraphs("{{% a ".repeat(16_000).trim());
  await ana.api.blogs.create.mutate(aBlog({ slug: "long", document }));
  const { text } = await runExport(testSite, ana.me.username);
  expect(text("blogs/long.md")).toContain("---\n\n&#123;&#123;% a &#123;&#123;% a");
});

test("writes HTML into the Markdown of a text that takes too long to convert", async () => {
  const document = JSON.stringify(paragraphs(...Array.from({ length: 5_000 }, (_, index) => `Owl ${index}`)));
  const workers = new ThreadPool({ timeoutMs: 1, threads: 1 });
  const markdown = await markdownOf(workers, document, (src) => src);
  expect(markdown).toContain("<p>Owl 1</p>");
  await workers.close();
});
