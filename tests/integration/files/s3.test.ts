import { truncate, writeFile } from "node:fs/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { examinePictures } from "../../../src/server/media/check-pictures.ts";
import { pictureKey } from "../../../src/server/media/paths.ts";
import { sweepPictures } from "../../../src/server/media/service.ts";
import { newId } from "../../../src/server/runtime/ids.ts";
import { limits } from "../../../src/shared/limits.ts";
import { routes } from "../../../src/shared/routes.ts";
import { paint, send, upload } from "../../support/pictures.ts";
import { S3 } from "../../support/s3.ts";
import { aBlog, startTestSite, until, type TestSite } from "../../support/test-site.ts";

/* A site whose files are in S3: a real server, behind a proxy that breaks. */

let s3: S3;
let prefix = 0;
beforeAll(async () => {
  s3 = await S3.start();
});
afterAll(() => s3[Symbol.asyncDispose]());
beforeEach(() => {
  s3.fault = "none";
  s3.requests.length = 0;
});

const startSite = () => startTestSite({ S3_URL: s3.url(`site${++prefix}`) });
/** Returns the methods of the requests for files, without lists. */
const methods = () =>
  s3.requests.filter((line) => !line.includes("?prefix=")).map((line) => line.split(" ")[0]);

/** Starts a site with a picture that everyone can see. */
async function startWithCover(site: Promise<TestSite>) {
  const testSite = await site;
  const ana = await testSite.createAccount("Ana");
  const cover = await upload(ana, await paint(300, 200));
  const blog = await ana.api.blogs.create.mutate(aBlog({ coverId: cover.id }));
  const get = (headers: Record<string, string> = {}, method = "GET") =>
    fetch(testSite.url + cover.src, { headers, method });
  return { testSite, ana, cover, blog, get, [Symbol.asyncDispose]: () => testSite[Symbol.asyncDispose]() };
}

describe.each(["a folder", "S3"])("a picture in %s", (where) => {
  const start = () => startWithCover(where === "S3" ? startSite() : startTestSite({ S3_URL: "" }));

  test("is sent whole, in ranges and not again, with the same caching", async () => {
    await using site = await start();
    const whole = await site.get();
    const bytes = Buffer.from(await whole.arrayBuffer());
    const etag = whole.headers.get("etag") ?? "";
    const caching = {
      "cache-control": "public, max-age=300, s-maxage=0, must-revalidate",
      "cross-origin-resource-policy": "cross-origin",
      "content-security-policy": "default-src 'none'; sandbox",
    };
    expect(whole.status).toBe(200);
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      ...caching,
      "content-type": "image/webp",
      "content-length": String(bytes.length),
      "accept-ranges": "bytes",
      "last-modified": expect.stringMatching(/GMT$/),
    });
    expect(bytes.subarray(8, 12).toString()).toBe("WEBP");

    const part = await site.get({ range: "bytes=8-11" });
    expect([part.status, part.headers.get("content-range")]).toEqual([206, `bytes 8-11/${bytes.length}`]);
    expect(await part.text()).toBe("WEBP");
    expect((await site.get({ range: "bytes=8-11", "if-range": etag })).status).toBe(206);
    expect((await site.get({ range: "bytes=8-11", "if-range": '"another"' })).status).toBe(200);

    const beyond = await site.get({ range: "bytes=9000000-" });
    expect([beyond.status, beyond.headers.get("content-range")]).toEqual([
      416,
      where === "S3" ? `bytes */${bytes.length}` : null,
    ]);

    const conditions: Record<string, string>[] = [
      { "if-none-match": etag },
      { "if-modified-since": whole.headers.get("last-modified") ?? "" },
    ];
    for (const headers of conditions) {
      // `fetch` would ask for all of it.
      const known = await site.get({ ...headers, "cache-control": "max-age=0" });
      expect([known.status, await known.text()]).toEqual([304, ""]);
      expect(Object.fromEntries(known.headers)).toMatchObject(caching);
    }
    s3.requests.length = 0;
    const head = await site.get({}, "HEAD");
    expect([head.status, head.headers.get("content-length")]).toEqual([200, String(bytes.length)]);
    if (where === "S3") expect(methods()).toEqual(["HEAD"]);
    await site.get({ "if-none-match": etag });
    if (where === "S3") expect(methods()).toEqual(["HEAD"]);
  });

  test("that became private is sent to nobody without the right, whatever the address", async () => {
    await using site = await start();
    const { testSite, ana, blog, cover, get } = site;
    const etag = (await get()).headers.get("etag") ?? "";
    const eve = await testSite.createAccount("Eve");
    await ana.api.blogs.update.mutate({ id: blog.id, private: true });
    s3.requests.length = 0;
    const { id } = cover;
    for (const address of [
      cover.src,
      `/media/${id}/192.webp`,
      `/media/${id}/preview.jpg`,
      `/media/${pictureKey(id)}/full.webp`,
      `/${pictureKey(id)}/full.webp`,
      `/media/${id}/..%2f${id}%2ffull.webp`,
      `/media/${id}/full.webp?until=9999999999999&key=x`,
    ])
      for (const browser of [testSite.browser(), eve]) {
        expect([address, (await browser.fetch(address)).status]).toEqual([address, 404]);
        expect((await browser.fetch(address, { headers: { "if-none-match": etag } })).status).toBe(404);
      }
    expect(s3.requests).toEqual([]);
    const signed = cover.src + (await testSite.app.services.signedAddresses.query(id));
    for (const answer of [await ana.fetch(cover.src), await testSite.browser().fetch(signed)]) {
      expect(answer.status).toBe(200);
      expect(answer.headers.get("cache-control")).toContain("private");
    }
  });

  test("is drawn on the card of its author and converted for feeds", async () => {
    await using site = await start();
    const { testSite, ana, cover } = site;
    await ana.api.users.updateProfile.mutate({ pictureId: cover.id });
    const page = await (await fetch(testSite.url + routes.profile(ana.me.username))).text();
    const card = /property="og:image" content="[^"]+(\/cards\/[^"]+)"/.exec(page)?.[1] ?? "";
    expect((await fetch(testSite.url + card)).headers.get("content-type")).toBe("image/png");
    if (where === "S3")
      expect(s3.requests.filter((line) => line.endsWith("192.webp"))).toContainEqual(
        expect.stringMatching(/^GET/),
      );
    const jpeg = await fetch(`${testSite.url}/media/${cover.id}/preview.jpg`);
    expect([jpeg.status, jpeg.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
    expect(await testSite.storedFiles("media", 3)).toContain("preview.jpg");
    // The JPEG of a copy is made when it is requested.
    await testSite.app.services.media.copy(cover.id, newId());
    expect(await testSite.storedFiles("media", 3)).toEqual(
      ["192.webp", "192.webp", "full.webp", "full.webp", "preview.jpg"].toSorted(),
    );
  });
});

test("stores the file that says that a picture is there after its others", async () => {
  await using testSite = await startSite();
  const ana = await testSite.createAccount("Ana");
  s3.requests.length = 0;
  await upload(ana, await paint(1200, 300));
  const stored = s3.requests
    .filter((line) => line.startsWith("PUT"))
    .map((line) => /[^/]+\.webp/.exec(line)?.[0]);
  expect(new Set(stored.slice(0, 3))).toEqual(new Set(["192.webp", "480.webp", "960.webp"]));
  expect(stored.slice(3)).toEqual(["full.webp"]);
});

test.each(["away", "silent"] as const)(
  "answers 503 in time while S3 is %s, and works on when it is back",
  async (fault) => {
    await using site = await startWithCover(startSite());
    const { testSite, ana, cover } = site;
    const bytes = await paint();
    s3.fault = fault;
    const startedAt = Date.now();
    const answers = [
      site.get(),
      site.get({}, "HEAD"),
      send(ana, bytes),
      ana.fetch(`/media/${cover.id}/preview.jpg`),
    ];
    for (const answer of await Promise.all(answers)) {
      expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "10"]);
      expect(answer.headers.get("cache-control") ?? "no-store").toContain("no-store");
    }
    expect(Date.now() - startedAt).toBeLessThan(30_000);
    // Without S3, only what has changed is asked for; pages and texts need none.
    expect((await fetch(testSite.url)).status).toBe(200);
    expect(testSite.rows("select id from media")).toHaveLength(1);
    s3.fault = "none";
    expect((await site.get()).status).toBe(200);
    expect((await send(ana, bytes)).status).toBe(200);
  },
);

test("ends a response when S3 stops in the middle of it", async () => {
  await using site = await startWithCover(startSite());
  s3.fault = "stalls";
  const answer = await site.get();
  expect(answer.status).toBe(200);
  await expect(answer.arrayBuffer()).rejects.toThrow("terminated");
});

test("ends the request to S3 when the client leaves", async () => {
  await using site = await startWithCover(startSite());
  const { files } = site.testSite.app.services;
  // More than all buffers on the way hold.
  await files.put(pictureKey(site.cover.id, "full.webp"), async (part) => {
    await writeFile(part, "");
    await truncate(part, 200_000_000);
  });
  const stop = new AbortController();
  const answer = await fetch(site.testSite.url + site.cover.src, { signal: stop.signal });
  await answer.body?.getReader().read();
  expect(s3.openAnswers).toBe(1);
  stop.abort();
  await until(() => s3.openAnswers === 0, "the end of the request");
});

test("refuses to start with a wrong secret, without a bucket and without S3, in one line without the secret", async () => {
  const refusal = async (url: string) => {
    const error = await startTestSite({ S3_URL: url }).then(
      () => undefined,
      (cause: unknown) => cause as Error,
    );
    return error?.message;
  };
  expect(await refusal(s3.url("site", "S3RVER:wrong%2Fsecret"))).toBe(
    `S3 at ${s3.host} can’t be used (it answered 403 SignatureDoesNotMatch). Correct the key and the secret in S3_URL; special characters of the secret are encoded, / as %2F.`,
  );
  expect(await refusal(s3.url().replace("/reprise/", "/another/"))).toBe(
    `S3 at ${s3.host} can’t be used (it answered 404 NoSuchBucket). Make the bucket another, or correct S3_URL.`,
  );
  s3.fault = "away";
  expect(await refusal(s3.url())).toMatch(/can’t be used \(.+\)\. Start it, or correct S3_URL\.$/);
});

test("deletes files without a row once they are a day old", async () => {
  await using testSite = await startTestSite({ S3_URL: s3.url("swept") });
  const { files } = testSite.app.services;
  const ana = await testSite.createAccount("Ana");
  const { id } = await upload(ana);
  const [old, mixed, recent] = [newId(), newId(), newId()];
  const longAgo = Date.now() - 2 * limits.image.strayFor;
  for (const stray of [old, mixed, recent])
    for (const name of ["192.webp", "full.webp"])
      await files.put(pictureKey(stray, name), (part) => writeFile(part, "x"));
  for (const key of [
    pictureKey(old, "192.webp"),
    pictureKey(old, "full.webp"),
    pictureKey(mixed, "192.webp"),
    pictureKey(id, "full.webp"),
    pictureKey(id, "192.webp"),
  ])
    s3.age(`swept/${key}`, longAgo);
  expect(await sweepPictures(testSite.app.services, Date.now())).toMatchObject({ strays: 1 });
  expect(await testSite.storedFiles("media", 2)).toEqual([id, mixed, recent].toSorted());
});

test("doctor lists the pictures once instead of asking for each", async () => {
  await using testSite = await startSite();
  const ana = await testSite.createAccount("Ana");
  const ids: string[] = [];
  for (let count = 0; count < 5; count++) ids.push((await upload(ana)).id);
  const [lost = ""] = ids;
  await ana.api.blogs.create.mutate(aBlog({ coverId: lost }));
  await testSite.app.services.files.remove(pictureKey(lost));
  s3.requests.length = 0;
  expect(await examinePictures(testSite.app.services, Date.now())).toMatchObject({
    pictures: 5,
    missing: [lost],
  });
  expect(methods()).toEqual(["HEAD"]);
});
