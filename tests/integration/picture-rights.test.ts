import { expect, test } from "vitest";
import { SignedAddresses } from "../../src/server/media/signed.ts";
import { ApiClient, blogForm } from "../support/api-client.ts";
import { paint, upload } from "../support/pictures.ts";
import { aBlog, password, startTown, type Browser, type Resident, documentAt } from "../support/town.ts";

const withPicture = (src: string, alt = "") => ({
  type: "doc",
  content: [{ type: "paragraph", content: [{ type: "image", attrs: { src, alt } }] }],
});
const sees = async (browser: Pick<Browser, "fetch">, src: string) => (await browser.fetch(src)).status;
const becomeFollower = async (who: Resident, of: Resident) => {
  await who.api.social.follow.mutate({ userId: of.me.id, follow: true });
};

test("a picture is for whoever may read what shows it, and a change takes hold at once", async () => {
  await using town = await startTown();
  const [ana, ben, eve] = [
    await town.resident("Ana"),
    await town.resident("Ben"),
    await town.resident("Eve"),
  ];
  const guest = town.browser();
  await becomeFollower(ben, ana);
  const [cover, inText] = [await upload(ana), await upload(ana)];
  const both = async () =>
    Promise.all(
      [cover.src, inText.src].map(async (src) =>
        (await Promise.all([guest, eve, ben, ana].map((who) => sees(who, src)))).join(" "),
      ),
    );
  // In a form still: its owner's alone.
  expect(await both()).toEqual(["404 404 404 200", "404 404 404 200"]);
  const blog = aBlog({ coverId: cover.id, document: withPicture(inText.src), draft: true });
  let { version } = await ana.api.blogs.create.mutate(blog);
  const change = async (fields: { draft?: boolean; private?: boolean }) => {
    ({ version } = await ana.api.blogs.update.mutate({ id: blog.id, version, coverId: cover.id, ...fields }));
    return both();
  };
  expect(await both()).toEqual(["404 404 404 200", "404 404 404 200"]);
  expect(await change({ draft: false, private: true })).toEqual(["404 404 200 200", "404 404 200 200"]);
  expect(await change({ private: false })).toEqual(["200 200 200 200", "200 200 200 200"]);
  await ana.api.users.updateSettings.mutate({ private: true });
  expect(await both()).toEqual(["404 404 200 200", "404 404 200 200"]);
  await ana.api.users.updateProfile.mutate({ pictureId: cover.id });
  expect(await both()).toEqual(["200 200 200 200", "404 404 200 200"]);
  await ana.api.users.updateProfile.mutate({ pictureId: null });
  await ana.api.social.removeFollower.mutate({ userId: ben.me.id });
  expect(await both()).toEqual(["404 404 404 200", "404 404 404 200"]);
});

test("what everybody may see any page may show and a cache may keep for a while; what not, nobody else's", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const { src, id } = await upload(ana);
  const own = await ana.fetch(src);
  expect(own.headers.get("cache-control")).toBe("private, no-cache");
  expect(own.headers.get("cross-origin-resource-policy")).toBe("same-origin");
  expect(own.headers.get("access-control-allow-origin")).toBeNull();
  const etag = own.headers.get("etag") ?? "";
  // fetch() would say that it wants nothing out of a cache.
  const again = { "if-none-match": etag, "cache-control": "max-age=0" };
  expect((await ana.fetch(src, { headers: again })).status).toBe(304);
  const absent = await town.browser().fetch(src, { headers: again });
  expect([absent.status, absent.headers.get("cache-control")]).toEqual([404, "private, no-store"]);
  await ana.api.users.updateProfile.mutate({ pictureId: id });
  const open = await town.browser().fetch(src);
  expect(open.headers.get("cache-control")).toBe("public, max-age=300");
  expect(open.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
});

test("a client of the API fetches private pictures by addresses that are signed, and sends them back as they are", async () => {
  await using town = await startTown();
  const [ana, ben] = [await town.resident("Ana"), await town.resident("Ben")];
  await becomeFollower(ben, ana);
  const [anas, bens] = [await ApiClient.of(town, ana), await ApiClient.of(town, ben)];
  const png = new Blob([new Uint8Array(await paint())], { type: "image/png" });
  const { src } = await upload(ana);
  const content = JSON.stringify(`<p><img src="${src}" alt="owl"></p>`);
  const { body } = await anas.call("POST", "/blogs", blogForm({ content, private: "true" }, { image: png }));
  const path = `/blogs/${(body as { blog: { _id: string } }).blog._id}`;
  type Whole = { blog: { image: string; content: string } };
  const whole = async (who: ApiClient) => ((await who.call("GET", path)).body as unknown as Whole).blog;
  const inContent = (html: string) => /<img src="([^"]+)"/.exec(html)?.[1]?.replaceAll("&amp;", "&") ?? "";
  // Of this address alone: the town is reached by another one.
  const fetched = async (address: string) => fetch(address.replace(town.config.publicUrl, town.url));
  const read = await whole(bens);
  for (const address of [read.image, inContent(read.content)]) {
    expect(address).toMatch(/^http.+\/media\/.+\.webp\?until=\d+&key=.+$/);
    const answer = await fetched(address);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("cache-control")).toMatch(/^private/);
    expect(answer.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
    expect((await fetched(address.replace(/\?.*/, ""))).status).toBe(404);
    expect((await fetched(address.replace(/key=./, "key=!"))).status).toBe(404);
    expect((await fetched(address.replace(/until=\d/, "until=9"))).status).toBe(404);
  }
  const [one, other] = [read.image.split("?"), inContent(read.content).split("?")];
  expect((await fetched(`${one[0]}?${other[1]}`)).status).toBe(404);

  const before = town.rows("select document, cover_id from blogs");
  const back = blogForm({
    title: "Again",
    content: JSON.stringify((await whole(anas)).content),
    image: read.image,
  });
  expect((await anas.call("PATCH", path, back)).status).toBe(200);
  expect(town.rows("select document, cover_id from blogs")).toEqual(before);

  await anas.call("PATCH", path, blogForm({ private: "false" }));
  const open = await whole(new ApiClient(town));
  expect([open.image, inContent(open.content)].filter((address) => address.includes("?"))).toEqual([]);
});

test("a signed address ends an hour after it was given, or a little later", async () => {
  await using town = await startTown();
  const addresses = new SignedAddresses(town.app.parts.database);
  const now = Date.now();
  const given = Object.fromEntries(new URLSearchParams(await addresses.query("one", now)));
  const minute = 60_000;
  expect(await addresses.isGiven("one", given, now + 60 * minute)).toBe(true);
  expect(await addresses.isGiven("one", given, now + 71 * minute)).toBe(false);
  expect(await addresses.isGiven("two", given, now)).toBe(false);
  // After a restart the secret is the same.
  expect(await new SignedAddresses(town.app.parts.database).isGiven("one", given, now)).toBe(true);
});

test("a picture of somebody else's that one may see is copied into one's own text; another is refused by name", async () => {
  await using town = await startTown();
  const [ana, ben] = [await town.resident("Ana"), await town.resident("Ben")];
  const [open, closed] = [await upload(ana), await upload(ana)];
  await ana.api.blogs.create.mutate(aBlog({ document: withPicture(open.src) }));
  const blog = await ben.api.blogs.create.mutate(aBlog({ document: withPicture(open.src) }));
  const [copy] = town.rows<{ id: string }>(`select id from media where owner_id = '${ben.me.id}'`);
  expect(copy?.id).not.toBe(open.id);
  expect(JSON.stringify(await documentAt(ben, blog.slug))).toContain(copy!.id);
  await ana.api.users.remove.mutate({ password });
  expect(await sees(town.browser(), `/media/${copy!.id}/full.webp`)).toBe(200);
  expect(await sees(town.browser(), open.src)).toBe(404);

  const refused = ben.api.blogs.create.mutate(aBlog({ document: withPicture(closed.src, "A garden") }));
  await expect(refused).rejects.toMatchObject({
    message: expect.stringContaining("“A garden”"),
    data: { code: "BAD_REQUEST", field: "document" },
  });
  const bens = await ApiClient.of(town, ben);
  const answer = await bens.call(
    "POST",
    "/blogs",
    blogForm({ content: JSON.stringify(withPicture(closed.src)) }),
  );
  expect([answer.status, answer.body.message]).toEqual([
    400,
    expect.stringContaining("picture number 1 of this text"),
  ]);
});
