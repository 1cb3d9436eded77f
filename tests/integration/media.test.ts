import { mkdir, readdir, utimes } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { newId } from "../../src/server/ids.ts";
import { renewPicture } from "../../src/server/media/queries.ts";
import { sweepPictures } from "../../src/server/media/service.ts";
import { limits } from "../../src/shared/limits.ts";
import { ApiClient, blogForm } from "../support/api-client.ts";
import { paint, send } from "../support/pictures.ts";
import { aBlog, refusal, startTown, type Browser, type Town } from "../support/town.ts";

const stored = async (town: Town) =>
  (await readdir(town.config.mediaDir, { recursive: true }))
    .filter((name) => /[0-9a-f-]{36}(\.part)?$/.test(name))
    .map((name) => path.basename(name))
    .toSorted();
const upload = async (browser: Browser, bytes: Buffer) =>
  (await (await send(browser, bytes)).json()) as { id: string };
const asBlob = (bytes: Buffer) => new Blob([new Uint8Array(bytes)], { type: "image/png" });

test("a picture that could not be entered in the store leaves no file", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  await town.write(async (tx) => {
    tx.drizzle.run("create trigger no_media before insert on media begin select raise(abort, 'no'); end");
  });
  expect((await send(ana, await paint())).status).toBe(500);
  expect(await stored(town)).toEqual([]);
});

test("a GIF is no cover, though it was taken as a portrait before", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const anas = await ApiClient.of(town, ana);
  const gif = await paint(20, 20, "gif");
  const { id } = await upload(ana, gif);
  expect(await refusal(ana.api.blogs.create.mutate(aBlog({ coverId: id })))).toMatchObject({
    code: "BAD_REQUEST",
    field: "coverId",
  });
  expect((await anas.call("POST", "/blogs", blogForm({}, { image: asBlob(gif) }))).status).toBe(415);
  await ana.api.users.updateProfile.mutate({ pictureId: id });
});

test("pictures that nothing shows go after a week, those that something shows stay", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const [cover, portrait, shown, unused] = [
    await upload(ana, await paint()),
    await upload(ana, await paint()),
    await upload(ana, await paint()),
    await upload(ana, await paint()),
  ];
  const image = { type: "image", attrs: { src: `/media/${shown.id}/full.webp` } };
  await ana.api.blogs.create.mutate(
    aBlog({
      coverId: cover.id,
      document: { type: "doc", content: [{ type: "paragraph", content: [image] }] },
    }),
  );
  await ana.api.users.updateProfile.mutate({ pictureId: portrait.id });
  const kept = [cover.id, portrait.id, shown.id];
  await sweepPictures(town.app.parts, Date.now() + limits.image.unusedFor - 60_000);
  expect(await stored(town)).toEqual([...kept, unused.id].toSorted());
  await sweepPictures(town.app.parts, Date.now() + limits.image.unusedFor + 60_000);
  expect(await stored(town)).toEqual(kept.toSorted());
  expect(town.rows<{ id: string }>("select id from media order by id").map(({ id }) => id)).toEqual(
    kept.toSorted(),
  );
});

test("a picture that is uploaded again is kept as long as a new one", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const bytes = await paint();
  const { id } = await upload(ana, bytes);
  const long = Date.now() - limits.image.unusedFor - 60_000;
  await town.app.parts.database.write((tx) => renewPicture(tx, id, long));
  expect((await upload(ana, bytes)).id).toBe(id);
  await sweepPictures(town.app.parts, Date.now());
  expect(await stored(town)).toEqual([id]);
  await town.app.parts.database.write((tx) => renewPicture(tx, id, long));
  await sweepPictures(town.app.parts, Date.now());
  expect(await stored(town)).toEqual([]);
});

test("files that a killed process left behind go after a day", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const { id } = await upload(ana, await paint());
  const [whole, half, recent] = [newId(), newId(), newId()];
  const longAgo = new Date(Date.now() - 2 * limits.image.strayFor);
  for (const [name, time] of [
    [whole, longAgo],
    [`${half}.part`, longAgo],
    [recent, new Date()],
  ] as const) {
    const folder = path.join(town.config.mediaDir, name.replace(".part", "").slice(-2), name);
    await mkdir(folder, { recursive: true });
    await utimes(folder, time, time);
  }
  await utimes(town.app.parts.media.folderOf(id), longAgo, longAgo);
  await sweepPictures(town.app.parts, Date.now());
  expect(await stored(town)).toEqual([id, recent].toSorted());
});
