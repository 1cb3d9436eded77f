import path from "node:path";
import { expect, test } from "vitest";
import { lookAtSource, openSource } from "../../src/server/imports/apart/open.ts";
import { FileProblem } from "../../src/server/imports/source.ts";
import { ghostExport, postOf } from "../support/exports/ghost.ts";
import { everythingOf } from "../support/exports/files.ts";
import { folderOf } from "../support/import-folder.ts";

/* What is imported from is read beside whoever answers pages: by a thread that may end without them. */

/** Milliseconds of this thread's processor time, whatever others of the process do. */
async function spentHere(work: () => Promise<unknown>): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

const long = "<p>An owl <a href='/owl/'>that</a> sat <b>there</b></p>".repeat(12_000);

test("long texts hold nobody who reads a page", { tags: ["more"] }, async () => {
  const posts = Array.from({ length: 6 }, (_, at) => postOf(at, { html: long }));
  await using folder = await folderOf({ "notes.ghost.json": ghostExport(posts) });
  const source = await openSource({ kind: "ghost", file: folder.folder });
  let read: Awaited<ReturnType<typeof everythingOf>> | undefined;
  const spent = await spentHere(async () => (read = await everythingOf(source)));
  await source.close();
  expect(Object.keys(read?.posts ?? {})).toHaveLength(6);
  expect(read?.posts["posts/post-1"]?.body.text.length).toBeGreaterThan(600_000);
  // Reading one of them takes several times as long.
  expect(spent).toBeLessThan(200);
});

test("pictures, problems and the end come over as they are", async () => {
  await using folder = await folderOf({
    "a.md": "---\ntitle: A\ndate: 2020-01-02\n---\n![p](p.png)",
    "empty.md": "",
    "p.png": Buffer.from("picture"),
  });
  const source = await openSource({ kind: "markdown", file: folder.folder });
  const { posts, others } = await everythingOf(source);
  expect(posts["a.md"]).toMatchObject({ title: "A", publishedAt: new Date("2020-01-02") });
  expect(others["empty.md"]).toBe("it is empty");
  expect((await source.file({ file: "a.md" }, "p.png", 100)).toString()).toBe("picture");
  await expect(source.file({ file: "a.md" }, "q.png", 100)).rejects.toEqual(
    new FileProblem("file not found"),
  );
  expect(Object.keys((await everythingOf(source)).posts)).toEqual(["a.md"]);
  await source.close();
  await expect(source.file({ file: "a.md" }, "p.png", 100)).rejects.toThrow("is closed");
  expect(await lookAtSource({ kind: "ghost", file: folder.folder })).toBe("markdown");
  await expect(openSource({ kind: "substack", file: folder.folder })).rejects.toThrow(FileProblem);
  await expect(openSource({ kind: "markdown", file: path.join(folder.folder, "gone") })).rejects.toThrow(
    "doesn’t exist",
  );
});

test("what takes too much memory, or too long, ends with a line and harms nobody else", async () => {
  const rest = Array.from({ length: 60 }, (_, at) => ({
    id: String(at),
    post_id: String(at),
    x: "y".repeat(1_000_000),
  }));
  const large = JSON.stringify({ db: [{ meta: {}, data: { posts: [], posts_meta: rest } }] });
  await using folder = await folderOf({
    "large.json": large,
    "long/notes.ghost.json": ghostExport([postOf(1, { html: long.repeat(3) })]),
  });
  await expect(
    openSource({ kind: "ghost", file: path.join(folder.folder, "large.json") }, { megabytes: 32 }),
  ).rejects.toThrow("needs more memory than an import can use");
  await expect(
    openSource({ kind: "ghost", file: path.join(folder.folder, "long") }, { lookedAtEvery: 20, silences: 2 }),
  ).rejects.toThrow("takes too long to read");
});
