import { readdir } from "node:fs/promises";
import path from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { drawable } from "../../src/server/media/card-words.ts";
import { paint, upload } from "../support/pictures.ts";
import { aBlog, startTown, type Resident, type Town } from "../support/town.ts";

/* Pictures that stand for a page where somebody links to it: drawn from its words when they are asked for. */

let town: Town;
let ana: Resident;
beforeAll(async () => {
  town = await startTown();
  ana = await town.resident("Ana");
});
afterAll(() => town[Symbol.asyncDispose]());

const get = (address: string, headers: Record<string, string> = {}) =>
  fetch(town.url + address, { headers, redirect: "manual" });
/** The picture that a page's head names, with its size. */
async function pictureOf(page: string): Promise<{ address: string; size: string }> {
  const html = await (await get(page)).text();
  const of = (name: string) =>
    new RegExp(`<meta property="${name}" content="([^"]+)">`).exec(html)?.[1] ?? "";
  return {
    address: of("og:image").slice(town.config.publicUrl.length),
    size: `${of("og:image:width")} × ${of("og:image:height")}`,
  };
}
const kept = (): Promise<string[]> => readdir(path.join(town.config.dataDir, "cards")).catch(() => []);

describe("a card is drawn", () => {
  test("for a blog without a cover, for a person and for the site, in the size that its page says", async () => {
    const { slug } = await ana.api.blogs.create.mutate(aBlog({ title: "Owls & <larks>" }));
    for (const page of [`/blog/${slug}`, `/${ana.me.username}`, "/home", "/"]) {
      const { address, size } = await pictureOf(page);
      expect(address).toMatch(/^\/cards\/[^/]*-[0-9a-f]{16}\.png$/);
      expect(size).toBe("1200 × 630");
      const answer = await get(address);
      expect([page, answer.status, answer.headers.get("content-type")]).toEqual([page, 200, "image/png"]);
      const bytes = Buffer.from(await answer.arrayBuffer());
      expect(await sharp(bytes).metadata()).toMatchObject({ format: "png", width: 1_200, height: 630 });
      expect(bytes.length).toBeLessThan(100_000);
    }
  });

  test("for none with a cover, which stands for it", async () => {
    const cover = await upload(ana, await paint(900, 400));
    const { slug } = await ana.api.blogs.create.mutate(aBlog({ coverId: cover.id }));
    expect(await pictureOf(`/blog/${slug}`)).toEqual({ address: cover.src, size: "900 × 400" });
  });

  test("once, whoever asks and however often; and is asked for again for nothing", async () => {
    const { slug } = await ana.api.blogs.create.mutate(aBlog({ title: "Drawn once" }));
    const { address } = await pictureOf(`/blog/${slug}`);
    const before = await kept();
    const answers = await Promise.all([1, 2, 3].map(() => get(address)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await kept()).length).toBe(before.length + 1);
    const etag = (await get(address)).headers.get("etag")!;
    const again = await get(address, { "if-none-match": etag });
    expect([again.status, again.headers.get("cache-control")]).toEqual([304, "public, max-age=300"]);
  });

  test("anew where the title, the name, the picture or the site's look has changed; the old address leads there", async () => {
    const { id, slug } = await ana.api.blogs.create.mutate(aBlog({ title: "One title" }));
    const seen = new Set<string>();
    const changes = [
      () => ana.api.blogs.update.mutate({ id, title: "Another title" }),
      () => ana.api.users.updateProfile.mutate({ name: "Ana Torres" }),
      () => ana.api.moderation.setSite.mutate({ accent: "#0a7d4f" }),
      () => ana.api.moderation.setSite.mutate({ name: "Owls’ Own" }),
      async () => ana.api.users.updateProfile.mutate({ pictureId: (await upload(ana)).id }),
    ];
    let { address } = await pictureOf(`/blog/${slug}`);
    for (const change of changes) {
      seen.add(address);
      await change();
      const next = await pictureOf(`/blog/${slug}`);
      const old = await get(address);
      expect([old.status, old.headers.get("location")]).toEqual([302, next.address]);
      expect((await get(next.address)).status).toBe(200);
      ({ address } = next);
    }
    expect(seen.has(address)).toBe(false);
    expect(seen.size).toBe(changes.length);
  });

  test.each([
    "/cards/", "/cards/none-0123456789abcdef.png", "/cards/@nobody-here-0123456789abcdef.png", "/cards/x.png",
    "/cards/..%2f..%2freprise-0123456789abcdef.png", `/cards/${"x".repeat(400)}-0123456789abcdef.png`, "/cards/%00-0123456789abcdef.png",
  ].map((address) => [address.slice(0, 40), address] as const))("for nothing at %s", async (_beginning, address) => {
    expect((await get(address)).status).toBe(404);
  }); // prettier-ignore

  test(
    "for a crawler that asks for all at once as well as there is time, while pages are answered",
    { tags: ["more"] },
    async () => {
      const slugs: string[] = [];
      for (let count = 0; count < 40; count++)
        slugs.push(
          (await ana.api.blogs.create.mutate(aBlog({ title: `Owls of the ${count}th night` }))).slug,
        );
      const addresses = await Promise.all(
        slugs.map(async (slug) => (await pictureOf(`/blog/${slug}`)).address),
      );
      const asked = addresses.map((address) => get(address));
      const began = performance.now();
      expect((await get("/home?page=2")).status).toBe(200);
      expect(performance.now() - began).toBeLessThan(3_000);
      const answers = await Promise.all(asked);
      const statuses = answers.map(({ status }) => status);
      expect(new Set(statuses)).toEqual(new Set([200, 503]));
      for (const answer of answers)
        if (answer.status === 503) expect(answer.headers.get("retry-after")).toBe("10");
    },
  );
});

test.each([
  ["Owls at night", "Owls at night"],
  ["🦉 Owls 👩‍👩‍👧 & larks ❤️ 🇵🇹 1️⃣", "Owls & larks 1"],
  ["Café © Ångström čřž", "Café © Ångström čřž"],
  ["Совы ночью", "Совы ночью"],
  ["البوم في الليل", "البوم في الليل"],
  ["ינשופים", "ינשופים"],
  ["为什么猫头鹰", ""],
  ["Owls and ふくろう", ""],
  ["นกฮูก", ""],
  ["🦉🦉", ""],
])("of %s a card shows %s: never a box", (title, shown) => {
  expect(drawable(title)).toBe(shown);
});
