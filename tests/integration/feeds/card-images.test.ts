import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { renderableText, renderableTitle } from "../../../src/server/media/card-text.ts";
import { paint, upload } from "../../support/pictures.ts";
import { sharedSiteWith } from "../../support/site-with.ts";
import { aBlog, startTestSite } from "../../support/test-site.ts";

/* Link preview images, rendered from the page's texts. */

const [testSite, ana] = await sharedSiteWith("Ana");

const get = (address: string, headers: Record<string, string> = {}) =>
  fetch(testSite.url + address, { headers, redirect: "manual" });
/** Returns the image that a page's head names, with its size. */
async function cardImageOf(page: string): Promise<{ address: string; size: string }> {
  const html = await (await get(page)).text();
  const metaContent = (name: string) =>
    new RegExp(`<meta property="${name}" content="([^"]+)">`).exec(html)?.[1] ?? "";
  return {
    address: metaContent("og:image").slice(testSite.config.publicUrl.length),
    size: `${metaContent("og:image:width")} × ${metaContent("og:image:height")}`,
  };
}
/** Counts the cards that are drawn from now on. */
function countDrawn({ media } = testSite.app.services): () => number {
  const render = media.renderCard.bind(media);
  let count = 0;
  media.renderCard = (card) => (count++, render(card));
  return () => count;
}

describe("a card image", () => {
  test("is rendered for a blog without a cover, a profile and the site, in the size that the page states", async () => {
    const { slug } = await ana.api.blogs.create.mutate(aBlog({ title: "Owls & <larks>" }));
    for (const page of [`/blog/${slug}`, `/${ana.me.username}`, "/home", "/"]) {
      const { address, size } = await cardImageOf(page);
      expect(address).toMatch(/^\/cards\/[^/]*-[0-9a-f]{16}\.png$/);
      expect(size).toBe("1200 × 630");
      const answer = await get(address);
      expect([page, answer.status, answer.headers.get("content-type")]).toEqual([page, 200, "image/png"]);
      const bytes = Buffer.from(await answer.arrayBuffer());
      expect(await sharp(bytes).metadata()).toMatchObject({ format: "png", width: 1_200, height: 630 });
      expect(bytes.length).toBeLessThan(100_000);
    }
  });

  test("is replaced by the cover of a blog that has one", async () => {
    const cover = await upload(ana, await paint(900, 400));
    const { slug } = await ana.api.blogs.create.mutate(aBlog({ coverId: cover.id }));
    expect(await cardImageOf(`/blog/${slug}`)).toEqual({
      address: `/media/${cover.id}/preview.jpg`,
      size: "900 × 400",
    });
  });

  test("is rendered once for concurrent requests, and answered with 304 for a known ETag", async () => {
    const { slug } = await ana.api.blogs.create.mutate(aBlog({ title: "Drawn once" }));
    const { address } = await cardImageOf(`/blog/${slug}`);
    const drawn = countDrawn();
    const answers = await Promise.all([1, 2, 3].map(() => get(address)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const etag = (await get(address)).headers.get("etag")!;
    expect(drawn()).toBe(1);
    const cachedAnswer = await get(address, { "if-none-match": etag });
    expect([cachedAnswer.status, cachedAnswer.headers.get("cache-control")]).toEqual([
      304,
      "public, max-age=300, s-maxage=0, must-revalidate",
    ]);
  });

  test("is answered with 404 for a known ETag once the blog is private", async () => {
    const { id, slug } = await ana.api.blogs.create.mutate(aBlog({ title: "Soon private" }));
    const { address } = await cardImageOf(`/blog/${slug}`);
    const answer = await get(address);
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([
      200,
      "public, max-age=300, s-maxage=0, must-revalidate",
    ]);
    const headers = { "if-none-match": answer.headers.get("etag")! };
    expect((await get(address, headers)).status).toBe(304);
    await ana.api.blogs.update.mutate({ id, private: true });
    const refusal = await get(address, headers);
    expect([refusal.status, refusal.headers.get("cache-control")]).toEqual([404, "no-cache"]);
  });

  test("is kept for texts that Cairo cannot draw in one line, without a server error", async () => {
    const { slug } = await ana.api.blogs.create.mutate(aBlog({ title: "\ufdfd".repeat(150) }));
    const { address } = await cardImageOf(`/blog/${slug}`);
    expect((await get(address)).status).toBe(200);
    const drawn = countDrawn();
    expect((await get(address)).status).toBe(200);
    expect(drawn()).toBe(0);
    const ben = await testSite.createAccount("Ben");
    await ben.api.users.updateProfile.mutate({ name: "\ufdfd".repeat(80) });
    expect((await get((await cardImageOf(`/${ben.me.username}`)).address)).status).toBe(200);
  });

  test("is drawn without its title if it cannot be drawn otherwise, and not again at the next request", async () => {
    await using site = await startTestSite();
    const author = await site.createAccount("Ana");
    const { media } = site.app.services;
    const render = media.renderCard.bind(media);
    const titles: string[] = [];
    media.renderCard = async (card) => {
      titles.push(card.title);
      if (card.title !== "") throw new Error("Cairo failed.");
      return render(card);
    };
    const { slug } = await author.api.blogs.create.mutate(aBlog({ title: "Owls" }));
    const html = await (await fetch(`${site.url}/blog/${slug}`)).text();
    const address = site.url + /property="og:image" content="[^"]+(\/cards\/[^"]+)"/.exec(html)![1]!;
    for (let request = 0; request < 2; request++) expect((await fetch(address)).status).toBe(200);
    expect(titles).toEqual(["Owls", ""]);
  });

  test("is found by a person's former username, which redirects to the current address", async () => {
    const person = await testSite.createAccount("Ben");
    const former = person.me.username;
    const before = await cardImageOf(`/${former}`);
    expect((await get(before.address)).status).toBe(200);
    const username = `${former}-new`.slice(-30);
    await person.api.users.updateProfile.mutate({ username });
    const { address } = await cardImageOf(`/${username}`);
    expect(address).not.toBe(before.address);
    const redirect = await get(before.address);
    expect([
      redirect.status,
      redirect.headers.get("location"),
      redirect.headers.get("cache-control"),
    ]).toEqual([302, address, "no-cache"]);
    expect((await get(address)).status).toBe(200);
    await person.api.users.updateSettings.mutate({ private: true });
    expect((await get(before.address)).status).toBe(404);
  });

  test("gets a new address when title, name, picture or the site's design change, and the old one redirects", async () => {
    const { id, slug } = await ana.api.blogs.create.mutate(aBlog({ title: "One title" }));
    const addresses = new Set<string>();
    const changes = [
      () => ana.api.blogs.update.mutate({ id, title: "Another title" }),
      () => ana.api.users.updateProfile.mutate({ name: "Ana Torres" }),
      () => ana.api.administration.setSite.mutate({ accent: "#0a7d4f" }),
      () => ana.api.administration.setSite.mutate({ name: "Owls’ Own" }),
      async () => ana.api.users.updateProfile.mutate({ pictureId: (await upload(ana)).id }),
    ];
    let { address } = await cardImageOf(`/blog/${slug}`);
    for (const change of changes) {
      addresses.add(address);
      await change();
      const next = await cardImageOf(`/blog/${slug}`);
      const old = await get(address);
      expect([old.status, old.headers.get("location")]).toEqual([302, next.address]);
      expect((await get(next.address)).status).toBe(200);
      ({ address } = next);
    }
    expect(addresses.has(address)).toBe(false);
    expect(addresses.size).toBe(changes.length);
  });

  test.each([
    "/cards/", "/cards/none-0123456789abcdef.png", "/cards/@nobody-here-0123456789abcdef.png", "/cards/x.png",
    "/cards/..%2f..%2freprise-0123456789abcdef.png", `/cards/${"x".repeat(400)}-0123456789abcdef.png`, "/cards/%00-0123456789abcdef.png",
  ].map((address) => [address.slice(0, 40), address] as const))("is not found at %s", async (_beginning, address) => {
    expect((await get(address)).status).toBe(404);
  }); // prettier-ignore

  test(
    "is refused with 503 and Retry-After when too many are requested at once, while pages still respond",
    { tags: ["more"] },
    async () => {
      const slugs: string[] = [];
      for (let count = 0; count < 40; count++)
        slugs.push(
          (await ana.api.blogs.create.mutate(aBlog({ title: `Owls of the ${count}th night` }))).slug,
        );
      const addresses = await Promise.all(
        slugs.map(async (slug) => (await cardImageOf(`/blog/${slug}`)).address),
      );
      const requests = addresses.map((address) => get(address));
      const startedAt = performance.now();
      expect((await get("/home?page=2")).status).toBe(200);
      expect(performance.now() - startedAt).toBeLessThan(3_000);
      const answers = await Promise.all(requests);
      const statuses = answers.map(({ status }) => status);
      expect(new Set(statuses)).toEqual(new Set([200, 503]));
      for (const answer of answers)
        if (answer.status === 503) {
          expect(answer.headers.get("retry-after")).toBe("10");
          expect(answer.headers.get("etag")).toBeNull();
          expect(answer.headers.get("cache-control") ?? "").not.toContain("max-age=300");
        }
    },
  );
});

test.each([
  ["Owls at night", "Owls at night"],
  ["🦉 Owls 👩‍👩‍👧 & larks ❤️ 🇵🇹 1️⃣", "Owls & larks 1"],
  ["Café © Ångström čřž", "Café © Ångström čřž"],
  ["Cafe\u{301} c\u{327}a", "Café ça"],
  ["Совы ночью", "Совы ночью"],
  ["البوم في الليل", "البوم في الليل"],
  ["می\u{200c}خواهم", "می\u{200c}خواهم"],
  ["ינשופים", "ינשופים"],
  ["C → Rust", "C → Rust"],
  ["C ➡️ Rust ⟶ Zig", "C → Rust ⟶ Zig"],
  ["H₂O, x⁴ ≠ ½", "H₂O, x⁴ ≠ ½"],
  ["Owls ★★★☆☆", "Owls ★★★☆☆"],
  ["Owls ⚔ ⌘ larks", "Owls larks"],
  ["Owls⌘larks", "Owls larks"],
  ["Owls (🦉🦉), larks", "Owls, larks"],
  ["⌘ & 🦉", ""],
  ["??", "??"],
  ["Ｏｗｌｓ！ ﬁve ④ 𝐎𝐰𝐥𝐬 ⅔", "Owls! five 4 Owls 2⁄3"],
  ["Hawaiʻi ‒ co\u{ad}op\u{2060}s", "Hawai‘i – coops"],
  ["Ḿ ἀθήνη o\u{336}wl", "M\u{301} αθήνη owl"],
  ["a\nb\tc", "a b c"],
  ["为什么猫头鹰", ""],
  ["Owls and ふくろう", ""],
  ["นกฮูก", ""],
  ["🦉🦉", ""],
])("keeps of %s only what the card's font can render: %s", (title, shown) => {
  expect(renderableText(title)).toBe(shown);
  expect(renderableTitle(title)).toBe(shown);
});

test.each([
  ["Learning Japanese: 日本語 in thirty days", "Learning Japanese: … in thirty days"],
  ["Learning Japanese (日本語)", "Learning Japanese (…)"],
  ["日本語: a thorough guide", "… a thorough guide"],
  ["Qazaq and қазақ are two spellings", "Qazaq and … are two spellings"],
  ["A long walk from 東京 (日本) to the north", "A long walk from … to the north"],
  ["Rust 很好用的语言", ""],
])("replaces few unreadable words of the title %s by an ellipsis: %s", (title, shown) => {
  expect(renderableTitle(title)).toBe(shown);
  expect(renderableText(title)).toBe("");
});
