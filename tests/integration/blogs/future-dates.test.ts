import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { blogs } from "../../../src/server/database/schema/blogs.ts";
import { aBlog, startTestSite, type SignedInBrowser, type TestSite } from "../../support/test-site.ts";

const futureDate = Date.now() + 5 * 365 * 24 * 60 * 60 * 1000;

/** The first title of every list of new blogs. */
async function topTitles(testSite: TestSite, reader: SignedInBrowser) {
  const api = (await (await fetch(`${testSite.url}/api/v1/blogs`)).json()) as { blogs: { title: string }[] };
  const page = await (await fetch(`${testSite.url}/home`)).text();
  return {
    feed: (await reader.api.blogs.list.query({})).blogs[0]?.title,
    search: (await reader.api.blogs.search.query({ query: "" })).blogs[0]?.title,
    recommended: (await reader.api.blogs.recommended.query()).blogs[0]?.title,
    api: api.blogs[0]?.title,
    page: /<h3 class="card-title"><a[^>]*>([^<]*)</.exec(page)?.[1],
  };
}

test("does not list a blog with a future date at the top, and corrects its date at the next start", async () => {
  const DATA_DIR = await mkdtemp(path.join(tmpdir(), "reprise-dates-"));
  const everywhere = (title: string) => ({
    feed: title,
    search: title,
    recommended: title,
    api: title,
    page: title,
  });
  const firstSite = await startTestSite({ DATA_DIR });
  const ana = await firstSite.createAccount("Ana");
  const eve = await firstSite.createAccount("Eve");
  const futureBlog = await ana.api.blogs.create.mutate(aBlog({ title: "From the future" }));
  await ana.api.blogs.create.mutate(aBlog({ title: "From today" }));
  await firstSite.write(async (tx) =>
    tx.drizzle.update(blogs).set({ publishedAt: futureDate }).where(eq(blogs.id, futureBlog.id)),
  );
  const top = await topTitles(firstSite, eve);
  expect({ ...top, recommended: "" }).toEqual({ ...everywhere("From today"), recommended: "" });
  const { cookie } = eve;
  const { config } = firstSite;
  await firstSite.app.close();

  await using restartedSite = await startTestSite({ DATA_DIR: config.dataDir });
  const reader = Object.assign(restartedSite.browser(cookie), { me: eve.me, email: eve.email });
  expect(await topTitles(restartedSite, reader)).toEqual(everywhere("From today"));
  const [row] = restartedSite.rows<{ published_at: number; created_at: number }>(
    `select published_at, created_at from blogs where id = '${futureBlog.id}'`,
  );
  expect(row?.published_at).toBe(row?.created_at);
  const feed = await reader.api.blogs.list.query({});
  expect(feed.blogs.map(({ title }) => title)).toEqual(["From today", "From the future"]);
  await rm(DATA_DIR, { recursive: true, force: true });
});
