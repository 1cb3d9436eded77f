import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import {
  aBlog,
  aComment,
  followTopic,
  startTestSite,
  until,
  type TestSite,
} from "../../support/test-site.ts";

const token = "a long token of ours";

async function readMetrics(testSite: TestSite): Promise<Record<string, number>> {
  const answer = await fetch(`${testSite.url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
  expect([answer.status, answer.headers.get("content-type")]).toEqual([
    200,
    "text/plain; version=0.0.4; charset=utf-8",
  ]);
  const lines = (await answer.text()).split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  const form = /^[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? [0-9.e+-]+$/;
  expect(lines.filter((line) => !form.test(line))).toEqual([]);
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ")))]),
  );
}

test("counts requests, pages, writes, streams, jobs, memory and disk space", async () => {
  await using testSite = await startTestSite({ METRICS_TOKEN: token });
  const ana = await testSite.createAccount("Ana");
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const page = followTopic(ana, `blog:${blog.id}`);
  await page.waitForStart();
  const before = await readMetrics(testSite);
  const guest = testSite.browser();
  for (let time = 0; time < 3; time++) await guest.fetch(`/blog/${blog.slug}`);
  await guest.fetch("/api/v1/blogs/nothing-like-it");
  await ana.api.comments.create.mutate(aComment(blog));
  await page.waitFor("comment.created");
  await testSite.run(
    "insert into jobs (id, name, payload, due_at, created_at) values ('j', 'of-later', '{}', 1, 1)",
  );
  const route = (url: string, status: number) =>
    `reprise_http_requests_total{route="${url}",status="${status}"}`;
  await until(
    async () => (await readMetrics(testSite))[route("/*", 200)] === (before[route("/*", 200)] ?? 0) + 3,
  );
  const after = await readMetrics(testSite);
  const more = (name: string) => (after[name] ?? 0) - (before[name] ?? 0);
  expect(more('reprise_page_cache_total{outcome="missed"}')).toBe(1);
  expect(more('reprise_page_cache_total{outcome="found"}')).toBe(2);
  expect(more("reprise_page_draw_seconds_count")).toBe(1);
  expect(more('reprise_page_draw_seconds_bucket{le="+Inf"}')).toBe(1);
  expect(more("reprise_page_draw_seconds_sum")).toBeGreaterThan(0);
  expect(more("reprise_http_request_seconds_count")).toBeGreaterThanOrEqual(5);
  expect(more("reprise_writes_total")).toBeGreaterThanOrEqual(2);
  expect(Object.keys(after).some((name) => name.includes('status="404"'))).toBe(true);
  expect(after).toMatchObject({
    reprise_streams: 1,
    reprise_writes_waiting: 0,
    'reprise_jobs{name="of-later",state="waiting"}': 1,
  });
  for (const name of [
    "reprise_event_lag_seconds",
    'reprise_memory_bytes{kind="resident"}',
    'reprise_store_bytes{file="store"}',
    "reprise_disk_free_bytes",
    "reprise_event_loop_busy_seconds_total",
    'reprise_cpu_seconds_total{mode="user"}',
  ])
    expect([name, after[name]]).toEqual([name, expect.any(Number)]);
  expect(after["reprise_event_lag_seconds"]).toBeGreaterThan(0);
  // No name contains anything that was requested.
  expect(Object.keys(after).join()).not.toContain(blog.slug);
});

test("draws no page for another program's feed address where no page can be", async () => {
  await using testSite = await startTestSite({ METRICS_TOKEN: token });
  const [ana, guest] = [await testSite.createAccount("Ana"), testSite.browser()];
  await ana.api.blogs.create.mutate(aBlog({ slug: "feed" }));
  const drawnBy = async (browser: typeof guest, path: string, status: number) => {
    const drawn = async () => (await readMetrics(testSite))["reprise_page_draw_seconds_count"]!;
    const before = await drawn();
    expect([path, (await browser.fetch(path)).status]).toEqual([path, status]);
    return (await drawn()) - before;
  };
  for (const browser of [guest, ana]) {
    for (const path of ["/feed/", "/rss/", "/feed/atom/", "/category/night/feed/", "/?feed=rss2"])
      expect([path, await drawnBy(browser, path, 301)]).toEqual([path, 0]);
    // A person or a blog can have these.
    for (const path of ["/index.xml", "/blog/rss"]) expect(await drawnBy(browser, path, 301)).toBe(1);
    expect(await drawnBy(browser, "/blog/feed", 200)).toBe(1);
    for (const path of ["/feed/none", "/nobody", "/a/b/c"]) expect(await drawnBy(browser, path, 404)).toBe(1);
  }
});

test("hides the metrics from everyone without METRICS_TOKEN, even from this machine", async () => {
  await using testSite = await startTestSite();
  for (const remoteAddress of ["127.0.0.1", "::1", "203.0.113.9"]) {
    const { statusCode, body } = await testSite.app.server.inject({ url: "/metrics", remoteAddress });
    expect([statusCode, body.includes("reprise_")]).toEqual([404, false]);
  }
});

test("serves the metrics only to requests with the token, from any address", async () => {
  await using testSite = await startTestSite({ METRICS_TOKEN: token });
  const statusFor = async (authorization?: string) =>
    (
      await testSite.app.server.inject({
        url: "/metrics",
        headers: { "x-forwarded-for": "203.0.113.9", ...(authorization ? { authorization } : {}) },
      })
    ).statusCode;
  expect(await statusFor(`Bearer ${token}`)).toBe(200);
  for (const authorization of [undefined, "Bearer ", "Bearer a long token of theirs", token])
    expect(await statusFor(authorization)).toBe(404);
  expect((await fetch(`${testSite.url}/metrics`)).status).toBe(404);
  await expect(startTestSite({ METRICS_TOKEN: "short" })).rejects.toThrow(
    /METRICS_TOKEN is wrong: must have at least 16/,
  );
});

test("the dashboard in docs uses only existing metrics, and all but three of them", async () => {
  await using testSite = await startTestSite({ METRICS_TOKEN: token });
  const exportedNames = new Set(
    Object.keys(await readMetrics(testSite)).map((name) =>
      name.replace(/\{.*$/, "").replace(/_(bucket|sum|count)$/, ""),
    ),
  );
  const board = JSON.parse(await readFile("docs/grafana.json", "utf8")) as {
    panels: { targets: { expr: string }[] }[];
  };
  const usedNames = new Set(
    board.panels.flatMap(({ targets }) =>
      targets
        .flatMap(({ expr }) => expr.match(/reprise_[a-z_]+/g) ?? [])
        .map((name) => name.replace(/_bucket$/, "")),
    ),
  );
  // These appear with the first of their kind.
  const laterNames = ["reprise_jobs", "reprise_http_requests_total"];
  expect([...usedNames].filter((name) => !exportedNames.has(name) && !laterNames.includes(name))).toEqual([]);
  expect([...exportedNames].filter((name) => !usedNames.has(name))).toEqual([
    "reprise_thread_held_total",
    "reprise_disk_low",
    "reprise_start_time_seconds",
  ]);
});
