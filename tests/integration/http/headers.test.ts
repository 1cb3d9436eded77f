import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { send, paint } from "../../support/pictures.ts";
import { sharedSiteWith } from "../../support/site-with.ts";
import { aBlog, startTestSite } from "../../support/test-site.ts";

const [testSite] = await sharedSiteWith();

test.each([
  ["http", {}],
  ["https", { PUBLIC_URL: "https://reprise.example" }],
])("sends security headers with every response over %s", async (scheme, settings: Record<string, string>) => {
  await using site = await startTestSite(settings);
  const ana = await site.createAccount("Ana");
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
    const { headers } = await site.browser().fetch(address);
    expect({ address, ...Object.fromEntries(headers) }).toMatchObject({
      address,
      "x-content-type-options": "nosniff",
      "x-frame-options": "SAMEORIGIN",
      "referrer-policy": "strict-origin-when-cross-origin",
      "cross-origin-opener-policy": "same-origin",
      "x-request-id": expect.stringMatching(/^[\da-f-]{36}$/),
    });
    expect(headers.has("x-powered-by")).toBe(false);
    expect(headers.get("permissions-policy")).toMatch(/camera=\(\).*geolocation=\(\).*microphone=\(\)/);
    expect(headers.get("strict-transport-security")).toBe(scheme === "https" ? "max-age=31536000" : null);
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'self'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("img-src 'self' blob:;");
    expect(policy.includes("upgrade-insecure-requests")).toBe(scheme === "https");
  }
  const apiPolicy = (await site.browser().fetch("/docs/api")).headers.get("content-security-policy");
  // Swagger UI would write it anew for each request.
  expect((await site.browser().fetch("/docs/api/yaml")).status).toBe(404);
  expect(apiPolicy).toMatch(
    /^default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;/,
  );
  expect(apiPolicy).not.toContain("unsafe");
  const picture = await ana.fetch(src);
  expect(picture.headers.get("content-security-policy")).toBe("default-src 'none'; sandbox");
  const ids = await Promise.all(
    Array.from({ length: 5 }, async () => (await fetch(`${site.url}/healthz`)).headers.get("x-request-id")),
  );
  expect(new Set(ids).size).toBe(5);
});

test("forbids caching of tRPC responses", async () => {
  const ana = await testSite.createAccount("Ana");
  for (const address of ["/trpc/users.me", "/trpc/social.requests", "/trpc/no.such"])
    expect((await ana.fetch(address)).headers.get("cache-control")).toBe("private, no-store");
});

const x = (count: number) => "x".repeat(count);

test.each([
  ["what is no HTTP", "hello\r\n\r\n", 400],
  ["another protocol", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400],
  ["a method that does not exist", "GRAB / HTTP/1.1\r\nhost: x\r\n\r\n", 400],
  ["a method without a route", "PROPFIND /home HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n", 404],
  ["a header that is none", "GET / HTTP/1.1\r\nhost x\r\n\r\n", 400],
  ["two lengths", "POST /upload HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n", 400],
  ["a cookie that is too long", `GET / HTTP/1.1\r\nhost: x\r\ncookie: a=${x(100_000)}\r\n\r\n`, 431],
  ["an address that is too long", `GET /${x(100_000)} HTTP/1.1\r\nhost: x\r\n\r\n`, 431],
  [
    "an address that cannot be decoded",
    "GET /%E0%A4%A HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n",
    404,
  ],
  [
    "an upgrade to what is not spoken here",
    "GET /trpc HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: tea\r\n\r\n",
    400,
  ],
  [
    "half a handshake",
    "GET /trpc HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\norigin: https://evil.example\r\n\r\n",
    403,
  ],
])("sends security headers with the response to %s", async (_what, request, status) => {
  const socket = connect(Number(new URL(testSite.url).port), "127.0.0.1").on("error", () => undefined);
  socket.write(request);
  const answer = await text(socket);
  const [head = ""] = answer.toLowerCase().split("\r\n\r\n");
  expect(head).toContain(`http/1.1 ${status} `);
  for (const header of [
    "content-security-policy: default-src 'self'",
    "permissions-policy: ",
    "x-content-type-options: nosniff",
    "x-frame-options: ",
    "x-request-id: ",
  ])
    expect(head).toContain(header);
});
