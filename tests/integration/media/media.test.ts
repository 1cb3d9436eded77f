import { mkdir, utimes } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { newId } from "../../../src/server/runtime/ids.ts";
import { updateUnusedSince, renewPicture } from "../../../src/server/media/queries.ts";
import { deleteVersions } from "../../../src/server/history/queries.ts";
import { pictureKey } from "../../../src/server/media/paths.ts";
import { sweepPictures } from "../../../src/server/media/service.ts";
import { limits } from "../../../src/shared/limits.ts";
import { ApiClient, blogForm } from "../../support/api-client.ts";
import { CoWriter } from "../../support/co-writer.ts";
import { failWrites } from "../../support/failing-writes.ts";
import { paint, send } from "../../support/pictures.ts";
import {
  aBlog,
  password,
  refusal,
  startTestSite,
  type Browser,
  type TestSite,
} from "../../support/test-site.ts";

const storedFiles = (testSite: TestSite) => testSite.storedFiles("media", 2);
const upload = async (browser: Browser, bytes: Buffer) =>
  (await (await send(browser, bytes)).json()) as { id: string };
const asBlob = (bytes: Buffer) => new Blob([new Uint8Array(bytes)], { type: "image/png" });

test("leaves no file when the row of a picture cannot be stored", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  await failWrites(testSite, "insert on media");
  expect((await send(ana, await paint())).status).toBe(500);
  expect(await storedFiles(testSite)).toEqual([]);
});

test("refuses an uploaded GIF as a cover, but accepts it as a profile picture", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const anas = await ApiClient.of(testSite, ana);
  const gif = await paint(20, 20, "gif");
  const { id } = await upload(ana, gif);
  expect(await refusal(ana.api.blogs.create.mutate(aBlog({ coverId: id })))).toMatchObject({
    code: "BAD_REQUEST",
    field: "coverId",
  });
  expect((await anas.call("POST", "/blogs", blogForm({}, { image: asBlob(gif) }))).status).toBe(415);
  await ana.api.users.updateProfile.mutate({ pictureId: id });
});

test("accepts an AVIF by its bytes, and refuses a HEIC or a damaged AVIF", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const bytes = await paint(300, 200, "avif");
  const answer = await send(ana, bytes);
  expect(answer.status).toBe(200);
  const { id, width, height } = (await answer.json()) as { id: string; width: number; height: number };
  expect([width, height]).toEqual([300, 200]);
  expect(await (await ana.fetch(`/media/${id}/full.webp`)).arrayBuffer()).not.toHaveProperty("byteLength", 0);
  const other = Buffer.from(bytes);
  other.write("heic", 8, "latin1");
  expect((await send(ana, other)).status).toBe(415);
  // It claims to be one, but is damaged.
  other.write("avif", 8, "latin1").valueOf();
  other.fill(7, 40);
  expect((await send(ana, other)).status).toBeGreaterThanOrEqual(400);
});

const documentWith = (...ids: string[]) => ({
  type: "doc",
  content: [
    {
      type: "paragraph",
      content: ids.map((id) => ({ type: "image", attrs: { src: `/media/${id}/full.webp` } })),
    },
  ],
});
const month = limits.image.unusedFor;
const minute = 60_000;

test("scales a picture that is taller than WebP allows, and stores it", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const answer = await send(ana, await paint(500, 20_000));
  expect(await answer.json()).toMatchObject({ width: 410, height: 16_383 });
});

test("deletes pictures that nothing shows after a month, and keeps the others", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const ids: string[] = [];
  for (let count = 0; count < 4; count++) ids.push((await upload(ana, await paint())).id);
  const [cover, portrait, shown, unused] = ids as [string, string, string, string];
  await ana.api.blogs.create.mutate(aBlog({ coverId: cover, document: documentWith(shown) }));
  await ana.api.users.updateProfile.mutate({ pictureId: portrait });
  const usedIds = [cover, portrait, shown];
  await sweepPictures(testSite.app.services, Date.now() + month - minute);
  expect(await storedFiles(testSite)).toEqual([...usedIds, unused].toSorted());
  await sweepPictures(testSite.app.services, Date.now() + month + minute);
  expect(await storedFiles(testSite)).toEqual(usedIds.toSorted());
  expect(testSite.rows<{ id: string }>("select id from media order by id").map(({ id }) => id)).toEqual(
    usedIds.toSorted(),
  );
});

test("a picture removed from one text can be pasted into another for a month", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const [{ id }, cover] = [await upload(ana, await paint()), await upload(ana, await paint())];
  const unusedAt = (pictureId: string) =>
    testSite.rows<{ at: number | null }>(`select unused_at as at from media where id = '${pictureId}'`)[0]
      ?.at;
  expect(unusedAt(id)).toBeGreaterThan(0);
  const first = aBlog({ document: documentWith(id), coverId: cover.id });
  const { etag } = await ana.api.blogs.create.mutate(first);
  expect([unusedAt(id), unusedAt(cover.id)]).toEqual([null, null]);
  await ana.api.blogs.update.mutate({ id: first.id, etag, document: documentWith(), coverId: null });
  // The history still shows them.
  expect([unusedAt(id), unusedAt(cover.id)]).toEqual([null, null]);
  await testSite.write(async (tx) => {
    await deleteVersions(
      tx,
      testSite.rows<{ id: string }>("select id from versions").map((row) => row.id),
    );
    await updateUnusedSince(tx, [id, cover.id], Date.now());
  });
  expect([unusedAt(id), unusedAt(cover.id)]).toEqual([expect.any(Number), expect.any(Number)]);
  await sweepPictures(testSite.app.services, Date.now() + month - minute);
  const second = aBlog({ document: documentWith(id) });
  await ana.api.blogs.create.mutate(second);
  expect(unusedAt(id)).toBeNull();
  expect((await ana.fetch(`/media/${id}/full.webp`)).status).toBe(200);
  await ana.api.blogs.remove.mutate({ id: second.id });
  await sweepPictures(testSite.app.services, Date.now() + month - minute);
  expect(await storedFiles(testSite)).toEqual([id, cover.id].toSorted());
  await sweepPictures(testSite.app.services, Date.now() + month + minute);
  expect(await storedFiles(testSite)).toEqual([]);
});

test("counts a picture as unused once the draft whose draft alone showed it is deleted", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const id = newId();
  await ana.api.blogs.begin.mutate({ id });
  const writer = await CoWriter.open(() => ana.api, id);
  const picture = await upload(ana, await paint());
  // Stops the autosave, after which the blog itself shows it.
  await failWrites(testSite, "update of document on blogs");
  const { image } = writer.state.schema.nodes;
  writer.edit((tr) => tr.insert(1, image!.create({ src: `/media/${picture.id}/full.webp` })));
  await writer.sync.push();
  const unusedAt = () =>
    testSite.rows<{ at: number | null }>(`select unused_at as at from media where id = '${picture.id}'`)[0]!
      .at;
  expect(unusedAt()).toBeNull();
  await ana.api.blogs.remove.mutate({ id, begun: true });
  expect(unusedAt()).toBeGreaterThan(0);
});

test("keeps a replaced profile picture, and deletes all pictures of a deleted account at once", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const [previous, next] = [await upload(ana, await paint()), await upload(ana, await paint())];
  await ana.api.users.updateProfile.mutate({ pictureId: previous.id });
  await ana.api.users.updateProfile.mutate({ pictureId: next.id });
  expect(await storedFiles(testSite)).toEqual([previous.id, next.id].toSorted());
  await ana.api.blogs.create.mutate(aBlog({ document: documentWith(previous.id) }));
  await ana.api.users.remove.mutate({ password });
  expect(await storedFiles(testSite)).toEqual([]);
});

test("refuses a save with a missing picture, says which it is, and changes nothing", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const { id } = await upload(ana, await paint());
  const blog = aBlog({ document: documentWith(id) });
  const { slug, etag } = await ana.api.blogs.create.mutate(blog);
  const saving = ana.api.blogs.update.mutate({ id: blog.id, etag, document: documentWith(id, newId()) });
  expect(await refusal(saving)).toMatchObject({
    code: "BAD_REQUEST",
    field: "document",
    message: expect.stringContaining("number 2"),
  });
  expect((await ana.api.blogs.forEdit.query({ slug })).etag).toBe(etag);
});

test("keeps a picture that is uploaded again as long as a new one", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const bytes = await paint();
  const { id } = await upload(ana, bytes);
  const longAgo = Date.now() - month - minute;
  await testSite.app.services.database.write((tx) => renewPicture(tx, id, longAgo));
  expect((await upload(ana, bytes)).id).toBe(id);
  await sweepPictures(testSite.app.services, Date.now());
  expect(await storedFiles(testSite)).toEqual([id]);
  await testSite.app.services.database.write((tx) => renewPicture(tx, id, longAgo));
  await sweepPictures(testSite.app.services, Date.now());
  expect(await storedFiles(testSite)).toEqual([]);
});

test("deletes files left by a killed process after a day", async ({ skip }) => {
  // Without a folder: files/s3.test.ts.
  skip(process.env.TEST_ON_S3 !== undefined);
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const { id } = await upload(ana, await paint());
  const [completeId, partialId, recent] = [newId(), newId(), newId()];
  const longAgo = new Date(Date.now() - 2 * limits.image.strayFor);
  for (const [name, time] of [
    [completeId, longAgo],
    [`${partialId}.part`, longAgo],
    [recent, new Date()],
  ] as const) {
    const folder = path.join(testSite.config.mediaDir, name.replace(".part", "").slice(-2), name);
    await mkdir(folder, { recursive: true });
    await utimes(folder, time, time);
  }
  await utimes(path.join(testSite.config.dataDir, pictureKey(id)), longAgo, longAgo);
  await sweepPictures(testSite.app.services, Date.now());
  expect(await storedFiles(testSite)).toEqual([id, recent].toSorted());
});
