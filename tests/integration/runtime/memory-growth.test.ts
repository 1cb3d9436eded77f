// @module-tag more
import { readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { signUpAndSignIn, openBrowser, type SignedInBrowser } from "../../support/browser.ts";
import { createDatabaseFolder } from "../../support/new-database.ts";
import { startServer, type ServerProcess } from "../../support/server.ts";
import { aBlog, aComment } from "../../support/sample-content.ts";

/* The memory of the built server, in a process of its own, during thousands of calls for one thing. */

const calls = 5_000;
/** A batch may hold five costly calls. */
const concurrency = 5;
/**
 * The growth allowed, in MB: in the last two thirds of the calls for one thing, where searches that prepared their statements
 * each time took 70 to 270, and from the first call to the last.
 */
const bounds = { each: 40, all: 80 };
/** Garbage in a larger heap is collected so late that it looks like a leak. */
const smallHeap = { NODE_OPTIONS: "--max-old-space-size=128" };

let dataDir: string;
let server: ServerProcess;
let ana: SignedInBrowser;
let ben: SignedInBrowser;
let blog: { id: string; slug: string };
let initialMemory: number;

beforeAll(async () => {
  dataDir = await createDatabaseFolder("reprise-memory-");
  server = await startServer({ DATA_DIR: dataDir, ...smallHeap }, { script: "dist/current/server/main.js" });
  const outbox = path.join(dataDir, "outbox");
  ana = await signUpAndSignIn(openBrowser(server.url), "Ana", outbox);
  ben = await signUpAndSignIn(openBrowser(server.url), "Ben", outbox);
  blog = await ana.api.blogs.create.mutate(aBlog());
  await ben.api.comments.create.mutate(aComment(blog));
  for (const call of Object.values(callsByName)) await repeat(call, 200);
  initialMemory = residentMemory();
});
afterAll(async () => {
  await ana?.close();
  await ben?.close();
  await server?.kill();
  await rm(dataDir, { recursive: true, force: true });
});

const readPage = async (address: string) => {
  const response = await ben.fetch(address);
  expect(response.status, address).toBe(200);
  await response.arrayBuffer();
};

const callsByName: Record<string, () => Promise<unknown>> = {
  "a search for blogs": () => ben.api.blogs.search.query({ query: "owls" }),
  "a search for people": () => ben.api.users.search.query({ query: "ana" }),
  "a moderator’s list": () => ana.api.moderation.blogs.query({}),
  "the feed": () => ben.api.blogs.list.query({}),
  "the feed of followed people": () => ben.api.blogs.following.query({}),
  "a blog": () => ben.api.blogs.bySlug.query({ slug: blog.slug }),
  "the end of a blog": () => ben.api.blogs.further.query({ id: blog.id }),
  comments: () => ben.api.comments.list.query({ blogId: blog.id }),
  recommendations: () => ben.api.blogs.recommended.query(),
  notifications: () => ana.api.social.notifications.query(),
  "a profile": () => ben.api.users.profile.query({ username: ana.me.username }),
  "somebody’s blogs": () => ben.api.blogs.byAuthor.query({ username: ana.me.username }),
  "blogs with a tag": () => ben.api.blogs.byTag.query({ tag: "night" }),
  "own blogs": () => ana.api.blogs.mine.query({}),
  "open sessions": () => ben.api.users.sessions.query(),
  "the page of a blog": () => readPage(`/blog/${blog.slug}`),
  "the API’s feed": () => readPage("/api/v1/blogs?limit=20"),
  "the API’s search": () => readPage("/api/v1/search-blogs?search=owls"),
  "the map of the site": () => readPage("/sitemap.xml"),
};

async function repeat(call: () => Promise<unknown>, times: number): Promise<void> {
  for (let time = 0; time < times; time += concurrency)
    await Promise.all(Array.from({ length: concurrency }, call));
}

/** Returns the resident memory of the server in megabytes. */
const residentMemory = () =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, "utf8"))?.[1]) / 1_024;

describe("5,000 calls do not make the server’s memory grow", { timeout: 1_200_000 }, () => {
  test.each(Object.entries(callsByName))("for %s", async (_name, call) => {
    await repeat(call, calls / 3);
    const before = residentMemory();
    await repeat(call, (calls * 2) / 3);
    expect(residentMemory() - before).toBeLessThan(bounds.each);
  });

  test("for all of these together", () => {
    expect(residentMemory() - initialMemory).toBeLessThan(bounds.all);
  });
});
