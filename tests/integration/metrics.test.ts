import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { aBlog, aComment, listen, startTown, until, type Town } from "../support/town.ts";

/** Every number, by its name with its labels. */
async function numbersOf(town: Town): Promise<Record<string, number>> {
  const answer = await fetch(`${town.url}/metrics`);
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

test("what the server does is counted: requests, pages, writes, streams, jobs, memory and room", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const page = listen(ana, `blog:${blog.id}`);
  await page.live();
  const before = await numbersOf(town);
  const guest = town.browser();
  for (let time = 0; time < 3; time++) await guest.fetch(`/blog/${blog.slug}`);
  await guest.fetch("/api/v1/blogs/nothing-like-it");
  await ana.api.comments.create.mutate(aComment(blog));
  await page.heard("comment.created");
  await town.write(
    async (tx) =>
      void tx.drizzle.run(
        "insert into jobs (id, name, payload, due_at, created_at) values ('j', 'of-later', '{}', 1, 1)",
      ),
  );
  const route = (url: string, status: number) =>
    `reprise_http_requests_total{route="${url}",status="${status}"}`;
  await until(async () => (await numbersOf(town))[route("/*", 200)] === (before[route("/*", 200)] ?? 0) + 3);
  const after = await numbersOf(town);
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
  // Nothing of what anybody asked for stands in it.
  expect(Object.keys(after).join()).not.toContain(blog.slug);
});

test("the numbers are for whoever asks from this machine, and not for whom a proxy on it asks", async () => {
  for (const TRUST_PROXY of ["on", "off"]) {
    await using town = await startTown({ TRUST_PROXY });
    const ask = async (headers: Record<string, string> = {}, remoteAddress = "127.0.0.1") => {
      const { statusCode, body } = await town.app.server.inject({ url: "/metrics", headers, remoteAddress });
      expect(body.includes("reprise_")).toBe(statusCode === 200);
      return statusCode;
    };
    expect(await ask()).toBe(200);
    expect(await ask({}, "::1")).toBe(200);
    expect(await ask({}, "::ffff:127.0.0.1")).toBe(200);
    for (const address of ["203.0.113.9", "::ffff:203.0.113.9", "10.0.0.1"])
      expect(await ask({}, address)).toBe(404);
    for (const name of ["x-forwarded-for", "x-real-ip", "forwarded", "via"])
      expect([name, await ask({ [name]: "127.0.0.1" })]).toEqual([name, 404]);
  }
});

test("with a token they are for whoever has it, wherever they ask from, and for nobody else", async () => {
  await using town = await startTown({ METRICS_TOKEN: "a long token of ours" });
  const ask = async (authorization?: string) =>
    (
      await town.app.server.inject({
        url: "/metrics",
        headers: { "x-forwarded-for": "203.0.113.9", ...(authorization ? { authorization } : {}) },
      })
    ).statusCode;
  expect(await ask("Bearer a long token of ours")).toBe(200);
  for (const wrong of [undefined, "Bearer ", "Bearer a long token of theirs", "a long token of ours"])
    expect(await ask(wrong)).toBe(404);
  expect((await fetch(`${town.url}/metrics`)).status).toBe(404);
  await expect(startTown({ METRICS_TOKEN: "short" })).rejects.toThrow(
    /METRICS_TOKEN is wrong: must have at least 16/,
  );
});

test("the board in docs asks for numbers that there are, and shows each", async () => {
  await using town = await startTown();
  const own = new Set(
    Object.keys(await numbersOf(town)).map((name) =>
      name.replace(/\{.*$/, "").replace(/_(bucket|sum|count)$/, ""),
    ),
  );
  const board = JSON.parse(await readFile("docs/grafana.json", "utf8")) as {
    panels: { targets: { expr: string }[] }[];
  };
  const asked = new Set(
    board.panels.flatMap(({ targets }) =>
      targets
        .flatMap(({ expr }) => expr.match(/reprise_[a-z_]+/g) ?? [])
        .map((name) => name.replace(/_bucket$/, "")),
    ),
  );
  // Those that come with the first of their kind.
  const later = ["reprise_jobs", "reprise_http_requests_total"];
  expect([...asked].filter((name) => !own.has(name) && !later.includes(name))).toEqual([]);
  expect([...own].filter((name) => !asked.has(name))).toEqual([
    "reprise_thread_held_total",
    "reprise_disk_low",
    "reprise_start_time_seconds",
  ]);
});
