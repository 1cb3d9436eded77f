import { createReadStream } from "node:fs";
import { mkdir, truncate, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FolderStore } from "../../../src/server/files/folder-store.ts";
import { S3Store } from "../../../src/server/files/s3-store.ts";
import type { FileStore } from "../../../src/server/files/store.ts";
import { createFolder } from "../../support/import-folder.ts";
import { S3 } from "../../support/s3.ts";

let s3: S3;
let prefix = 0;
beforeAll(async () => {
  s3 = await S3.start();
});
afterAll(() => s3[Symbol.asyncDispose]());

const store = (name = `store${++prefix}`) => new S3Store(s3.url(name), path.join(s3.folder, name));
const put = (files: FileStore, key: string, text: string) => files.put(key, (part) => writeFile(part, text));
const textOf = async (files: FileStore, key: string) =>
  (await files.read(key))?.content.setEncoding("utf8").reduce((text, chunk) => text + String(chunk), "");
async function keysIn(files: FileStore, folder: string, depth: number) {
  const keys: string[] = [];
  for await (const entries of files.entries(folder, depth)) keys.push(...entries.map(({ key }) => key));
  return keys;
}

describe.each(["a folder", "S3"])("the store of %s", (where) => {
  test("takes no key that leads out of it, and finds what is put by its key alone", async () => {
    await using folder = await createFolder({ "secret.txt": "secret", "data/reprise.db": "" });
    const files = where === "S3" ? store() : new FolderStore(folder.at("data"));
    for (const key of [
      "media/../reprise.db",
      "media/./a",
      "media//a",
      "../secret.txt",
      "/media/a",
      "media/a?b",
      "media/%2e%2e/a",
      "tmp/a",
      "",
    ])
      for (const attempt of [
        async (): Promise<unknown> => files.read(key),
        async (): Promise<unknown> => files.size(key),
        async (): Promise<unknown> => files.remove(key),
        async (): Promise<unknown> => put(files, key, "x"),
        async (): Promise<unknown> => files.local(key, () => Promise.resolve()),
        async (): Promise<unknown> => files.copy("media", key, () => true),
      ])
        await expect(Promise.resolve().then(attempt)).rejects.toThrow(
          /not the key of a file|no files to copy/,
        );
    await put(files, "imports/one", "1");
    expect(await textOf(files, "imports/one")).toBe("1");
    expect([await files.size("imports/one"), await files.size("imports/on")]).toEqual([1, null]);
    await files.remove("imports/on");
    expect(await files.local("imports/one", async (file) => createReadStream(file).toArray())).toHaveLength(
      1,
    );
    await files.remove("imports/one");
    expect(await files.read("imports/one")).toBeNull();
  });

  test("leaves nothing of a file or a folder that was not completed", async () => {
    await using folder = await createFolder({});
    const files = where === "S3" ? store() : new FolderStore(folder.at("data"));
    const interrupted = files.put("media/aa/bb", async (part) => {
      await mkdir(part);
      await writeFile(path.join(part, "full.webp"), "x");
      throw new Error("stopped");
    });
    await expect(interrupted).rejects.toThrow("stopped");
    expect(await keysIn(files, "media", 2)).toEqual([]);
    expect(await files.size("media/aa/bb/full.webp")).toBeNull();
  });
});

test("logs once a minute why S3 failed, without the key", async () => {
  const logged: unknown[] = [];
  const url = s3.url("logged", "S3RVER:a%2Fwrong%20secret");
  const files = new S3Store(url, s3.folder, {
    warn: (...line: unknown[]) => void logged.push(line),
  });
  const errors = await Promise.all(["media/a", "media/b"].map((key) => files.size(key).catch(String)));
  expect(new Set(errors)).toEqual(new Set([expect.stringContaining("can’t reach its files")]));
  expect(logged).toEqual([
    [{ problem: "it answered 403", host: s3.host }, "S3 failed; people are asked to try again"],
  ]);
});

test("keeps sites with another prefix of one bucket apart", async () => {
  const [one, longer] = [store("a"), store("ab")];
  await put(one, "imports/1", "one");
  await put(longer, "imports/1", "longer");
  const keys = (files: FileStore) => keysIn(files, "imports", 1);
  expect([await keys(one), await keys(longer)]).toEqual([["imports/1"], ["imports/1"]]);
  await one.remove("imports/1");
  expect([await keys(one), await textOf(longer, "imports/1")]).toEqual([[], "longer"]);
});

test("lists more files than one answer of S3 has", { tags: ["more"] }, async () => {
  const files = store();
  const count = 1_100;
  const names = Array.from({ length: count }, (_, index) => String(index).padStart(4, "0"));
  for (const name of names) await put(files, `media/ab/${name}/full.webp`, name);
  expect(await keysIn(files, "media", 2)).toEqual(names.map((name) => `media/ab/${name}`));
  await files.remove("media/ab");
  expect(await keysIn(files, "media", 2)).toEqual([]);
});

test(
  "stores and reads a large file in little memory, and refuses more than 5 GB",
  { tags: ["more"] },
  async () => {
    const files = store();
    const bytes = 600_000_000;
    const sized = (size: number) => async (part: string) => {
      await writeFile(part, "");
      await truncate(part, size);
    };
    globalThis.gc?.();
    const before = process.memoryUsage.rss();
    let most = 0;
    const timer = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 20);
    await files.put("exports/ana/1.zip", sized(bytes));
    let read = 0;
    for await (const chunk of (await files.read("exports/ana/1.zip"))?.content ?? [])
      read += (chunk as Buffer).length;
    clearInterval(timer);
    expect(read).toBe(bytes);
    expect((most - before) / 1_000_000).toBeLessThan(200);
    await expect(files.put("exports/ana/2.zip", sized(5 * 1024 ** 3 + 1))).rejects.toThrow("up to 5 GB");
  },
);
