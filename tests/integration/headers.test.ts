import { expect, test } from "vitest";
import { send, paint } from "../support/pictures.ts";
import { aBlog, startTown } from "../support/town.ts";

test.each([
  ["http", {}],
  ["https", { PUBLIC_URL: "https://reprise.example" }],
])(
  "every answer over %s tells browsers to be careful with it",
  async (scheme, settings: Record<string, string>) => {
    await using town = await startTown(settings);
    const ana = await town.resident("Ana");
    const { slug } = await ana.api.blogs.create.mutate(aBlog());
    const { src } = (await (await send(ana, await paint())).json()) as { src: string };
    const addresses = [
      "/",
      "/home",
      `/blog/${slug}`,
      "/no/such/page",
      "/%E0%A4%A",
      "/api/v1/%E0%A4%A",
      "/healthz",
      "/trpc/users.me",
      "/trpc/no.such",
      "/trpc/blogs.card?input=%7B",
      "/media/nothing/full.webp",
      "/favicon.ico",
    ];
    for (const address of addresses) {
      const { headers } = await town.browser().fetch(address);
      expect({ address, ...Object.fromEntries(headers) }).toMatchObject({
        address,
        "x-content-type-options": "nosniff",
        "x-frame-options": "SAMEORIGIN",
        "referrer-policy": "strict-origin-when-cross-origin",
        "cross-origin-opener-policy": "same-origin",
        "x-request-id": expect.stringMatching(/^[\da-f-]{36}$/),
      });
      expect(headers.has("x-powered-by")).toBe(false);
      expect(headers.get("strict-transport-security")).toBe(scheme === "https" ? "max-age=31536000" : null);
      const policy = headers.get("content-security-policy") ?? "";
      expect(policy).toContain("default-src 'self'");
      expect(policy).toContain("script-src 'self';");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy.includes("upgrade-insecure-requests")).toBe(scheme === "https");
    }
    const picture = await town.browser().fetch(src);
    expect(picture.headers.get("content-security-policy")).toBe("default-src 'none'; sandbox");
    expect(picture.headers.get("cache-control")).toContain("immutable");
    const ids = await Promise.all(
      Array.from({ length: 5 }, async () => (await fetch(`${town.url}/healthz`)).headers.get("x-request-id")),
    );
    expect(new Set(ids).size).toBe(5);
  },
);

test("what the page's calls answer is nobody else's: no cache may keep it", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  for (const address of ["/trpc/users.me", "/trpc/social.requests", "/trpc/no.such"])
    expect((await ana.fetch(address)).headers.get("cache-control")).toBe("private, no-store");
});
