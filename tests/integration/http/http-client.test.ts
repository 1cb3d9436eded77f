import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { errorCode, errorField, isUnanswered } from "../../../src/client/api/errors.ts";
import { createHttpClient } from "../../../src/client/api/client.ts";
import { limits } from "../../../src/shared/limits.ts";
import { sharedSiteWith } from "../../support/site-with.ts";
import { aBlog } from "../../support/test-site.ts";

/* The client of the browser, with a `fetch` that sends a member's session. */

const requestedUrls: string[] = [];
let responseCount = 0;
const client = createHttpClient(() => void responseCount++);

const [testSite, ana] = await sharedSiteWith("Ana");
beforeEach(() => {
  requestedUrls.length = responseCount = 0;
  vi.stubGlobal("fetch", fetch);
});
afterEach(() => vi.unstubAllGlobals());

const real = globalThis.fetch;
function fetch(address: string, init: RequestInit = {}): Promise<Response> {
  // Timers of earlier test files in this process can ask for `/healthz` meanwhile.
  if (address.startsWith("/trpc/")) requestedUrls.push(address);
  const headers = { ...(init.headers as Record<string, string>), cookie: ana.cookie, origin: testSite.url };
  return real(new URL(address, testSite.url), { ...init, headers });
}

test("batches concurrent queries by twenty, and returns each its own result", async () => {
  const { slug } = await client.blogs.create.mutate(aBlog({ title: "Owls & “larks”?" }));
  requestedUrls.length = responseCount = 0;
  const [me, site, blog] = await Promise.all([
    client.users.me.query(),
    client.users.site.query(),
    client.blogs.bySlug.query({ slug }),
  ]);
  expect(me?.name).toBe("Ana");
  expect(site.name).toBe("Reprise");
  expect(blog.title).toBe("Owls & “larks”?");
  expect([requestedUrls.length, responseCount]).toEqual([1, 1]);

  await Promise.all(Array.from({ length: 25 }, () => client.users.site.query()));
  expect(requestedUrls).toHaveLength(3);
});

test("splits long queries into requests whose addresses Node accepts", async () => {
  const slugs = Array.from({ length: 10 }, (_, index) => `${index}`.repeat(2_000));
  const answers = await Promise.allSettled(slugs.map((slug) => client.blogs.bySlug.query({ slug })));
  for (const answer of answers) expect(isUnanswered((answer as PromiseRejectedResult).reason)).toBe(false);
  expect(requestedUrls.length).toBeGreaterThan(1);
  expect(Math.max(...requestedUrls.map(({ length }) => length))).toBeLessThan(8_100);
});

test("gives the reason for a refused call, without failing the others of its batch", async () => {
  const [missing, site] = await Promise.allSettled([
    client.blogs.bySlug.query({ slug: "no-such-blog" }),
    client.users.site.query(),
  ]);
  expect(errorCode((missing as PromiseRejectedResult).reason)).toBe("NOT_FOUND");
  expect(site.status).toBe("fulfilled");

  const error: unknown = await client.users.signUp
    .mutate({ name: "Bo", email: "no address", password: "correct horse battery" })
    .catch((cause: unknown) => cause);
  expect([errorCode(error), errorField(error)]).toEqual(["BAD_REQUEST", "email"]);
  expect(isUnanswered(error)).toBe(false);
});

test("distinguishes a missing or broken response from a refusal", async () => {
  const failing: [what: string, fetch: () => Promise<Response>][] = [
    ["no network", () => Promise.reject(new TypeError("Failed to fetch"))],
    ["a proxy's page", async () => new Response("<h1>Bad gateway</h1>", { status: 502 })],
    ["somebody else's JSON", async () => Response.json({ message: "Too many." }, { status: 429 })],
    ["half an answer", async () => Response.json([])],
    ["nothing", async () => Response.json(null)],
  ];
  for (const [name, answer] of failing) {
    vi.stubGlobal("fetch", answer);
    const error: unknown = await client.users.site.query().catch((reason: unknown) => reason);
    expect({ what: name, isUnanswered: isUnanswered(error) }).toEqual({ what: name, isUnanswered: true });
  }
});

test("reports a body above the limit as a readable 413, not as a lost connection", async () => {
  const error: unknown = await client.blogs.begin
    .mutate({ id: "o".repeat(limits.body.json) })
    .catch((cause: unknown) => cause);
  expect(error).toMatchObject({
    message: "This is too large.",
    data: { code: "PAYLOAD_TOO_LARGE", httpStatus: 413 },
  });
  expect(isUnanswered(error)).toBe(false);
});
