import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { errorCode, errorField, isUnanswered } from "../../src/client/api/errors.ts";
import { createHttpClient } from "../../src/client/api/client.ts";
import { limits } from "../../src/shared/limits.ts";
import { aBlog, startTown, type Resident, type Town } from "../support/town.ts";

/* The page's own client, with a browser's `fetch` of somebody at the site. */

let town: Town;
let ana: Resident;
const asked: string[] = [];
let answered = 0;
const client = createHttpClient(() => void answered++);

beforeAll(async () => {
  town = await startTown();
  ana = await town.resident("Ana");
});
afterAll(() => town[Symbol.asyncDispose]());
beforeEach(() => {
  asked.length = answered = 0;
  vi.stubGlobal("fetch", fetch);
});
afterEach(() => vi.unstubAllGlobals());

const real = globalThis.fetch;
function fetch(address: string, init: RequestInit = {}): Promise<Response> {
  asked.push(address);
  const headers = { ...(init.headers as Record<string, string>), cookie: ana.cookie, origin: town.url };
  return real(new URL(address, town.url), { ...init, headers });
}

test("the questions of one turn go together, twenty at a time, and each has its own answer", async () => {
  const { slug } = await client.blogs.create.mutate(aBlog({ title: "Owls & “larks”?" }));
  asked.length = answered = 0;
  const [me, site, blog] = await Promise.all([
    client.users.me.query(),
    client.users.site.query(),
    client.blogs.bySlug.query({ slug }),
  ]);
  expect(me?.name).toBe("Ana");
  expect(site.name).toBe("Reprise");
  expect(blog.title).toBe("Owls & “larks”?");
  expect([asked.length, answered]).toEqual([1, 1]);

  await Promise.all(Array.from({ length: 25 }, () => client.users.site.query()));
  expect(asked).toHaveLength(3);
});

test("splits long queries into requests whose addresses Node accepts", async () => {
  const slugs = Array.from({ length: 10 }, (_, at) => `${at}`.repeat(2_000));
  const answers = await Promise.allSettled(slugs.map((slug) => client.blogs.bySlug.query({ slug })));
  for (const answer of answers) expect(isUnanswered((answer as PromiseRejectedResult).reason)).toBe(false);
  expect(asked.length).toBeGreaterThan(1);
  expect(Math.max(...asked.map(({ length }) => length))).toBeLessThan(8_100);
});

test("what is refused says why, and takes nothing else with it", async () => {
  const [gone, site] = await Promise.allSettled([
    client.blogs.bySlug.query({ slug: "no-such-blog" }),
    client.users.site.query(),
  ]);
  expect(errorCode((gone as PromiseRejectedResult).reason)).toBe("NOT_FOUND");
  expect(site.status).toBe("fulfilled");

  const refused: unknown = await client.users.signUp
    .mutate({ name: "Bo", email: "no address", password: "correct horse battery" })
    .catch((error: unknown) => error);
  expect([errorCode(refused), errorField(refused)]).toEqual(["BAD_REQUEST", "email"]);
  expect(isUnanswered(refused)).toBe(false);
});

test("no answer, and what is none, is told apart from a refusal", async () => {
  const failing: [what: string, fetch: () => Promise<Response>][] = [
    ["no network", () => Promise.reject(new TypeError("Failed to fetch"))],
    ["a proxy's page", async () => new Response("<h1>Bad gateway</h1>", { status: 502 })],
    ["somebody else's JSON", async () => Response.json({ message: "Too many." }, { status: 429 })],
    ["half an answer", async () => Response.json([])],
    ["nothing", async () => Response.json(null)],
  ];
  for (const [what, answer] of failing) {
    vi.stubGlobal("fetch", answer);
    const error: unknown = await client.users.site.query().catch((reason: unknown) => reason);
    expect({ what, isUnanswered: isUnanswered(error) }).toEqual({ what, isUnanswered: true });
  }
});

test("a call with more than a body may hold is refused in words that a page reads, and not taken for a lost connection", async () => {
  const refused: unknown = await client.blogs.begin
    .mutate({ id: "o".repeat(limits.body.json) })
    .catch((error: unknown) => error);
  expect(refused).toMatchObject({
    message: "This is too large.",
    data: { code: "PAYLOAD_TOO_LARGE", httpStatus: 413 },
  });
  expect(isUnanswered(refused)).toBe(false);
});
