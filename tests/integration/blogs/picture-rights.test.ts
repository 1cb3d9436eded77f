import { expect, test } from "vitest";
import { SignedAddresses } from "../../../src/server/media/signed-addresses.ts";
import { ApiClient, blogForm } from "../../support/api-client.ts";
import { paint, upload } from "../../support/pictures.ts";
import { siteWith } from "../../support/site-with.ts";
import {
  aBlog,
  password,
  startTestSite,
  type Browser,
  type SignedInBrowser,
  documentAt,
} from "../../support/test-site.ts";

const withPicture = (src: string, alt = "") => ({
  type: "doc",
  content: [{ type: "paragraph", content: [{ type: "image", attrs: { src, alt } }] }],
});
const pictureStatus = async (browser: Pick<Browser, "fetch">, src: string) =>
  (await browser.fetch(src)).status;
const becomeFollower = async (follower: SignedInBrowser, author: SignedInBrowser) => {
  await follower.api.social.follow.mutate({ userId: author.me.id, follow: true });
};

test("serves a picture to those who can read where it is shown, and applies changes at once", async () => {
  const [testSite, ana, ben, eve] = await siteWith("Ana", "Ben", "Eve");
  const guest = testSite.browser();
  await becomeFollower(ben, ana);
  const [cover, inText] = [await upload(ana), await upload(ana)];
  const statuses = async () =>
    Promise.all(
      [cover.src, inText.src].map(async (src) =>
        (await Promise.all([guest, eve, ben, ana].map((who) => pictureStatus(who, src)))).join(" "),
      ),
    );
  // Not used yet: for its owner only.
  expect(await statuses()).toEqual(["404 404 404 200", "404 404 404 200"]);
  const blog = aBlog({ coverId: cover.id, document: withPicture(inText.src), draft: true });
  let { etag } = await ana.api.blogs.create.mutate(blog);
  const change = async (fields: { draft?: boolean; private?: boolean }) => {
    ({ etag } = await ana.api.blogs.update.mutate({ id: blog.id, etag, coverId: cover.id, ...fields }));
    return statuses();
  };
  expect(await statuses()).toEqual(["404 404 404 200", "404 404 404 200"]);
  expect(await change({ draft: false, private: true })).toEqual(["404 404 200 200", "404 404 200 200"]);
  expect(await change({ private: false })).toEqual(["200 200 200 200", "200 200 200 200"]);
  await ana.api.users.updateSettings.mutate({ private: true });
  expect(await statuses()).toEqual(["404 404 200 200", "404 404 200 200"]);
  await ana.api.users.updateProfile.mutate({ pictureId: cover.id });
  expect(await statuses()).toEqual(["200 200 200 200", "404 404 200 200"]);
  await ana.api.users.updateProfile.mutate({ pictureId: null });
  await ana.api.social.removeFollower.mutate({ userId: ben.me.id });
  expect(await statuses()).toEqual(["404 404 404 200", "404 404 404 200"]);
});

test("any page can show and any cache store a public picture, and neither a private one", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const { src, id } = await upload(ana);
  const response = await ana.fetch(src);
  expect(response.headers.get("cache-control")).toBe("private, no-cache");
  expect(response.headers.get("cross-origin-resource-policy")).toBe("same-origin");
  expect(response.headers.get("access-control-allow-origin")).toBeNull();
  const etag = response.headers.get("etag") ?? "";
  // Without this header, fetch() bypasses caches.
  const headers = { "if-none-match": etag, "cache-control": "max-age=0" };
  expect((await ana.fetch(src, { headers })).status).toBe(304);
  const guestResponse = await testSite.browser().fetch(src, { headers });
  expect([guestResponse.status, guestResponse.headers.get("cache-control")]).toEqual([
    404,
    "private, no-store",
  ]);
  await ana.api.users.updateProfile.mutate({ pictureId: id });
  const publicResponse = await testSite.browser().fetch(src);
  expect(publicResponse.headers.get("cache-control")).toBe(
    "public, max-age=300, s-maxage=0, must-revalidate",
  );
  expect(publicResponse.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
  // A shared cache revalidates it for each reader.
  const revalidation = await testSite.browser().fetch(src, { headers });
  expect([revalidation.status, revalidation.headers.get("cache-control")]).toEqual([
    304,
    "public, max-age=300, s-maxage=0, must-revalidate",
  ]);
  await ana.api.users.updateProfile.mutate({ pictureId: null });
  expect((await testSite.browser().fetch(src, { headers })).status).toBe(404);
});

test("a client of the API fetches private pictures by signed addresses, and sends those back unchanged", async () => {
  const [testSite, ana, ben] = await siteWith("Ana", "Ben");
  await becomeFollower(ben, ana);
  const [anaClient, benClient] = [await ApiClient.of(testSite, ana), await ApiClient.of(testSite, ben)];
  const png = new Blob([new Uint8Array(await paint())], { type: "image/png" });
  const { src } = await upload(ana);
  const content = JSON.stringify(`<p><img src="${src}" alt="owl"></p>`);
  const { body } = await anaClient.call(
    "POST",
    "/blogs",
    blogForm({ content, private: "true" }, { image: png }),
  );
  const path = `/blogs/${(body as { blog: { _id: string } }).blog._id}`;
  type BlogBody = { blog: { image: string; content: string } };
  const readBlog = async (who: ApiClient) => ((await who.call("GET", path)).body as unknown as BlogBody).blog;
  const inContent = (html: string) => /<img src="([^"]+)"/.exec(html)?.[1]?.replaceAll("&amp;", "&") ?? "";
  // The site is reached at another address than its public one.
  const fetchAddress = async (address: string) =>
    fetch(address.replace(testSite.config.publicUrl, testSite.url));
  const blog = await readBlog(benClient);
  for (const address of [blog.image, inContent(blog.content)]) {
    expect(address).toMatch(/^http.+\/media\/.+\.webp\?until=\d+&key=.+$/);
    const answer = await fetchAddress(address);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("cache-control")).toMatch(/^private/);
    expect(answer.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
    expect((await fetchAddress(address.replace(/\?.*/, ""))).status).toBe(404);
    expect((await fetchAddress(address.replace(/key=./, "key=!"))).status).toBe(404);
    expect((await fetchAddress(address.replace(/until=\d/, "until=9"))).status).toBe(404);
  }
  const [one, other] = [blog.image.split("?"), inContent(blog.content).split("?")];
  expect((await fetchAddress(`${one[0]}?${other[1]}`)).status).toBe(404);

  const before = testSite.rows("select document, cover_id from blogs");
  const form = blogForm({
    title: "Again",
    content: JSON.stringify((await readBlog(anaClient)).content),
    image: blog.image,
  });
  expect((await anaClient.call("PATCH", path, form)).status).toBe(200);
  expect(testSite.rows("select document, cover_id from blogs")).toEqual(before);

  await anaClient.call("PATCH", path, blogForm({ private: "false" }));
  const publicBlog = await readBlog(new ApiClient(testSite));
  expect(
    [publicBlog.image, inContent(publicBlog.content)].filter((address) => address.includes("?")),
  ).toEqual([]);
});

test("a signed address is valid for its picture, for an hour and at most 71 minutes", async () => {
  await using testSite = await startTestSite();
  const addresses = new SignedAddresses(testSite.app.services.database);
  const now = Date.now();
  const params = Object.fromEntries(new URLSearchParams(await addresses.query("one", now)));
  const minute = 60_000;
  expect(await addresses.isValid("one", params, now + 60 * minute)).toBe(true);
  expect(await addresses.isValid("one", params, now + 71 * minute)).toBe(false);
  expect(await addresses.isValid("two", params, now)).toBe(false);
  // The secret is the same after a restart.
  expect(await new SignedAddresses(testSite.app.services.database).isValid("one", params, now)).toBe(true);
});

test("copies another person's visible picture into a text, and refuses a hidden one by name", async () => {
  const [testSite, , ana, ben] = await siteWith("Administrator", "Ana", "Ben");
  const [visiblePicture, hiddenPicture] = [await upload(ana), await upload(ana)];
  await ana.api.blogs.create.mutate(aBlog({ document: withPicture(visiblePicture.src) }));
  const blog = await ben.api.blogs.create.mutate(aBlog({ document: withPicture(visiblePicture.src) }));
  const [copy] = testSite.rows<{ id: string }>(`select id from media where owner_id = '${ben.me.id}'`);
  expect(copy?.id).not.toBe(visiblePicture.id);
  expect(JSON.stringify(await documentAt(ben, blog.slug))).toContain(copy!.id);
  await ana.api.users.remove.mutate({ password });
  expect(await pictureStatus(testSite.browser(), `/media/${copy!.id}/full.webp`)).toBe(200);
  expect(await pictureStatus(testSite.browser(), visiblePicture.src)).toBe(404);

  const creation = ben.api.blogs.create.mutate(
    aBlog({ document: withPicture(hiddenPicture.src, "A garden") }),
  );
  await expect(creation).rejects.toMatchObject({
    message: expect.stringContaining("“A garden”"),
    data: { code: "BAD_REQUEST", field: "document" },
  });
  const benClient = await ApiClient.of(testSite, ben);
  const answer = await benClient.call(
    "POST",
    "/blogs",
    blogForm({ content: JSON.stringify(withPicture(hiddenPicture.src)) }),
  );
  expect([answer.status, answer.body.message]).toEqual([
    400,
    expect.stringContaining("picture number 1 of this text"),
  ]);
});
