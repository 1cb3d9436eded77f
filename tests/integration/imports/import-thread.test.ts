import path from "node:path";
import { expect, test } from "vitest";
import { detectSourceKind, openSource } from "../../../src/server/imports/thread/open.ts";
import { FileProblem } from "../../../src/server/imports/source.ts";
import { ghostExport, postOf } from "../../support/exports/ghost.ts";
import { readSource } from "../../support/exports/files.ts";
import { createFolder } from "../../support/import-folder.ts";

/* A source is read in a thread of its own, whose failure does not harm the server. */

/** Returns the processor time of this thread in milliseconds while `action` runs. */
async function threadCpuTime(action: () => Promise<unknown>): Promise<number> {
  const before = process.threadCpuUsage();
  await action();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

const longHtml = "<p>An owl <a href='/owl/'>that</a> sat <b>there</b></p>".repeat(12_000);

test("does not occupy the server's thread while reading long texts", { tags: ["more"] }, async () => {
  const posts = Array.from({ length: 6 }, (_, index) => postOf(index, { html: longHtml }));
  await using folder = await createFolder({ "notes.ghost.json": ghostExport(posts) });
  const source = await openSource({ kind: "ghost", file: folder.folder });
  let result: Awaited<ReturnType<typeof readSource>> | undefined;
  const cpuTime = await threadCpuTime(async () => (result = await readSource(source)));
  await source.close();
  expect(Object.keys(result?.posts ?? {})).toHaveLength(6);
  expect(result?.posts["posts/post-1"]?.body.text.length).toBeGreaterThan(600_000);
  // Reading one of them here takes several times as long.
  expect(cpuTime).toBeLessThan(200);
});

test("passes pictures, problems and the end on from the thread unchanged", async () => {
  await using folder = await createFolder({
    "a.md": "---\ntitle: A\ndate: 2020-01-02\n---\n![p](p.png)",
    "empty.md": "",
    "p.png": Buffer.from("picture"),
  });
  const source = await openSource({ kind: "markdown", file: folder.folder });
  const { posts, others } = await readSource(source);
  expect(posts["a.md"]).toMatchObject({ title: "A", publishedAt: new Date("2020-01-02") });
  expect(others["empty.md"]).toBe("it is empty");
  expect((await source.file({ file: "a.md" }, "p.png", 100)).toString()).toBe("picture");
  await expect(source.file({ file: "a.md" }, "q.png", 100)).rejects.toEqual(
    new FileProblem("file not found"),
  );
  expect(Object.keys((await readSource(source)).posts)).toEqual(["a.md"]);
  await source.close();
  await expect(source.file({ file: "a.md" }, "p.png", 100)).rejects.toThrow("is closed");
  expect(await detectSourceKind({ kind: "ghost", file: folder.folder })).toBe("markdown");
  await expect(openSource({ kind: "substack", file: folder.folder })).rejects.toThrow(FileProblem);
  await expect(openSource({ kind: "markdown", file: path.join(folder.folder, "gone") })).rejects.toThrow(
    "doesn’t exist",
  );
});

test("ends an import that takes too much memory or time with a message", async () => {
  const postsMeta = Array.from({ length: 60 }, (_, index) => ({
    id: String(index),
    post_id: String(index),
    x: "y".repeat(1_000_000),
  }));
  const large = JSON.stringify({ db: [{ meta: {}, data: { posts: [], posts_meta: postsMeta } }] });
  await using folder = await createFolder({
    "large.json": large,
    "long/notes.ghost.json": ghostExport([postOf(1, { html: longHtml.repeat(3) })]),
  });
  await expect(
    openSource({ kind: "ghost", file: path.join(folder.folder, "large.json") }, { megabytes: 32 }),
  ).rejects.toThrow("needs more memory than an import can use");
  await expect(
    openSource(
      { kind: "ghost", file: path.join(folder.folder, "long") },
      { checkInterval: 20, maxSilentChecks: 2 },
    ),
  ).rejects.toThrow("takes too long to read");
});
