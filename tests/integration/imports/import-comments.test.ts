import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { actingAs } from "../../../src/server/accounts/acting-as.ts";
import { openFiles } from "../../../src/server/imports/files/open.ts";
import { openAsKind } from "../../../src/server/imports/kinds.ts";
import { importFrom } from "../../../src/server/imports/import-posts.ts";
import { reprise } from "../../support/command.ts";
import { wordPressExport, type Comment } from "../../support/exports/wordpress.ts";
import { createFolder } from "../../support/import-folder.ts";
import { aComment, startTestSite, type SignedInBrowser, type TestSite } from "../../support/test-site.ts";

const importedComments: Comment[] = [
  { id: 1, author: "Wren <b>", text: "First.", gmt: "2020-03-02 11:00:00" },
  { id: 2, author: "Jay", text: "In the same second.", gmt: "2020-03-02 11:00:00" },
  { id: 3, author: "Wren", text: "An answer to one that waits.", parent: 9, gmt: "2020-03-02 10:00:00" },
  { id: 9, author: "Owl", text: "It waits.", parent: 1, approved: "0", gmt: "2020-03-02 11:30:00" },
  { id: 4, author: "", text: "Nobody\u2019s, see https://example.org/", gmt: "2020-03-02 12:00:00" },
];

const exportWith = (comments: Comment[]) =>
  wordPressExport([{ title: "On moss", slug: "on-moss", content: "<p>Green.</p>", comments }]);

async function importComments(testSite: TestSite, comments: Comment[], account?: SignedInBrowser) {
  const ana = account ?? (await testSite.createAccount("Ana"));
  await using folder = await createFolder({ "site.xml": exportWith(comments) });
  const source = await openAsKind("wordpress", await openFiles(path.join(folder.folder, "site.xml")));
  try {
    const report = await importFrom(actingAs(testSite.app.services, ana.me.id), source);
    return { ana, report };
  } finally {
    await source.close();
  }
}

test("imports comments with guests’ names, dates, replies and order, counts them, and notifies no one", async () => {
  await using testSite = await startTestSite();
  const { ana, report } = await importComments(testSite, importedComments);
  expect(report).toMatchObject({ imported: 1, comments: 4 });
  expect(report.problems.map(({ problem }) => problem)).toEqual([
    "1 comment skipped: not approved on the old site.",
  ]);
  const guest = testSite.browser();
  const blog = await guest.api.blogs.bySlug.query({ slug: "on-moss" });
  expect(blog.commentsCount).toBe(4);
  const { comments, total } = await guest.api.comments.list.query({ blogId: blog.id });
  expect(total).toBe(4);
  const externalAuthor = { id: "", username: "", picture: null };
  expect(comments.map(({ author, text, createdAt }) => [author, text, createdAt])).toEqual([
    [
      { ...externalAuthor, name: "Anonymous" },
      "Nobody\u2019s, see https://example.org/",
      "2020-03-02T12:00:00.000Z",
    ],
    [{ ...externalAuthor, name: "Jay" }, "In the same second.", "2020-03-02T11:00:00.000Z"],
    [{ ...externalAuthor, name: "Wren <b>" }, "First.", "2020-03-02T11:00:00.000Z"],
    [{ ...externalAuthor, name: "Wren" }, "An answer to one that waits.", "2020-03-02T11:00:00.001Z"],
  ]);
  expect(comments[3]?.parentId).toBe(comments[2]?.id);
  expect((await ana.api.social.notifications.query()).notifications).toEqual([]);
  expect(testSite.rows("select * from notifications")).toEqual([]);

  const page = await (await guest.fetch("/blog/on-moss?comments")).text();
  const names = page.match(/<bdi>[^<]*<.bdi>/g);
  expect(names).toContain("<bdi>Wren &lt;b&gt;</bdi>");
  expect(page).not.toMatch(/<a[^>]*comment-author[^>]*href/);
  const restBlog = (await (await guest.fetch(`/api/v1/blogs/${blog.id}`)).json()) as {
    blog: { comments: unknown[] };
  };
  expect(JSON.stringify(restBlog)).toContain('{"_id":"","name":"Jay","username":"","profilePic":null}');
});

test("a second run adds only comments written since, and none that was deleted here", async () => {
  await using testSite = await startTestSite();
  const { ana } = await importComments(testSite, importedComments.slice(0, 2));
  const blog = await ana.api.blogs.bySlug.query({ slug: "on-moss" });
  const texts = async () =>
    (await ana.api.comments.list.query({ blogId: blog.id })).comments.map(({ text }) => text);
  expect((await importComments(testSite, importedComments.slice(0, 2), ana)).report).toMatchObject({
    before: 1,
    comments: 0,
  });
  expect(await texts()).toHaveLength(2);
  const [first] = (await ana.api.comments.list.query({ blogId: blog.id })).comments;
  await ana.api.comments.remove.mutate({ id: first!.id });
  const since = { id: 20, author: "Tit", text: "Since then.", gmt: "2021-01-01 00:00:00" };
  const orphan = { id: 21, text: "To what is gone.", parent: 2, gmt: "2021-01-02 00:00:00" };
  const { report } = await importComments(testSite, [...importedComments.slice(0, 2), since, orphan], ana);
  expect(report).toMatchObject({ before: 1, comments: 1 });
  expect(report.problems[0]?.problem).toContain("1 comment skipped: what they reply to is missing");
  expect(await texts()).toEqual(["Since then.", "First."]);
  expect((await ana.api.blogs.bySlug.query({ slug: "on-moss" })).commentsCount).toBe(2);
});

test("members can reply to and like a guest’s comment; only the blog’s author and moderators can delete it", async () => {
  await using testSite = await startTestSite();
  const { ana } = await importComments(testSite, importedComments);
  const ben = await testSite.createAccount("Ben");
  const blog = await ben.api.blogs.bySlug.query({ slug: "on-moss" });
  const list = async () => (await ben.api.comments.list.query({ blogId: blog.id })).comments;
  const [last, second, first] = await list();
  await ben.api.comments.create.mutate(aComment(blog, { parentId: first!.id, text: "Hello, Wren." }));
  await ben.api.comments.like.mutate({ id: first!.id, liked: true });
  expect((await list()).find(({ id }) => id === first!.id)).toMatchObject({ likesCount: 1, liked: true });
  expect(
    testSite.rows<{ user_id: string }>(
      "select user_id from notifications where kind = 'reply' or kind = 'comment-like'",
    ),
  ).toEqual([]);
  await expect(ben.api.comments.remove.mutate({ id: last!.id })).rejects.toThrow("Only its author");
  await expect(ben.api.comments.edit.mutate({ id: last!.id, text: "Mine" })).rejects.toThrow(
    "Only its author",
  );
  const report = { kind: "comment", id: last!.id, reason: "spam" } as const;
  await expect(ben.api.moderation.report.mutate(report)).rejects.toThrow("A guest of another site");
  await ana.api.comments.remove.mutate({ id: last!.id });
  await ana.api.moderation.resolveReport.mutate({
    kind: "comment",
    id: second!.id,
    outcome: "take-down",
    reason: "Spam",
  });
  expect((await list()).map(({ text }) => text)).toEqual([
    "First.",
    "An answer to one that waits.",
    "Hello, Wren.",
  ]);
});

test(
  "imports 450 comments in order, and deletes them when the import is undone",
  { tags: ["more"] },
  async () => {
    await using testSite = await startTestSite();
    await testSite.createAccount("Ana");
    const manyComments = Array.from({ length: 450 }, (_, index): Comment => {
      const minute = String(Math.floor(index / 10)).padStart(2, "0");
      return {
        id: index + 1,
        author: `Guest ${index}`,
        text: `Number ${index}`,
        parent: index % 7 === 0 ? 0 : index,
        gmt: `2020-03-02 11:${minute}:00`,
      };
    });
    await using folder = await createFolder({});
    const file = path.join(folder.folder, "site.xml");
    await writeFile(file, exportWith(manyComments));
    const run = async (...args: string[]) => {
      const { code, output, error } = await reprise(testSite.config.dataDir, args, {
        PUBLIC_URL: testSite.config.publicUrl,
      });
      expect({ code, error }).toEqual({ code: 0, error: "" });
      return output;
    };
    expect(await run("import", "wordpress", file, "--author", "ana")).toContain(
      "with 0 pictures and 450 comments",
    );
    expect(testSite.rows("select comments_count from blogs")).toEqual([{ comments_count: 450 }]);
    expect(
      testSite
        .rows<{ text: string }>("select text from comments where parent_id is null order by created_at, id")
        .map(({ text }) => text),
    ).toEqual(manyComments.filter(({ parent }) => parent === 0).map(({ text }) => text));
    const misplacedWarning =
      "select c.id from comments c join comments p on p.id = c.parent_id where p.created_at >= c.created_at or p.seq > c.seq";
    expect(testSite.rows(misplacedWarning)).toEqual([]);
    const [{ id } = { id: "" }] = testSite.rows<{ id: string }>("select id from import_runs");
    expect(await run("import", "undo", id)).toContain("Deleted 1 blog.");
    await expect.poll(() => testSite.rows("select id from comments")).toEqual([]);
  },
);
