import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Sqlite from "better-sqlite3";
import { newId } from "../../src/server/runtime/ids.ts";
import { signUpAndSignIn, openBrowser, type SignedInBrowser } from "../support/browser.ts";
import { startServer } from "../support/server.ts";
import { until } from "../support/until.ts";
import { aBlog, aComment } from "../support/sample-content.ts";
import type { Calls, PagesCommand, PageQuery } from "./open-pages.ts";
import { serverScript, percentile, startProcess, type Row, type Site } from "./bench-site.ts";

/** Opens equal pages in a process and from an address of their own: the connections per address are limited. */
async function openPages(url: string, addressIndex: number, pages: number, ...shows: PageQuery[]) {
  const crowd = startProcess("open-pages.ts");
  await crowd.request({
    open: url,
    from: `127.0.0.${addressIndex + 2}`,
    pages,
    shows,
  } satisfies PagesCommand);
  return { ...crowd, calls: () => crowd.request<Calls>({ calls: true } satisfies PagesCommand) };
}

const feed = (page: number, sort: "latest" | "likes"): PageQuery => ({
  path: "blogs.list",
  input: { page, sort },
});

/** A thousand open feeds and some searches, while twenty blogs a second are published. */
export async function publications({ server, dataDir, ana }: Site): Promise<Row[]> {
  const [blogsPerSecond, seconds] = [20, 10];
  for (let index = 0; index < 12; index++) {
    const { id } = await ana.api.blogs.create.mutate(aBlog({ title: `On owls, part ${index}` }));
    await ana.api.social.likeBlog.mutate({ blogId: id, liked: true });
  }
  using stack = new DisposableStack();
  const feeds = await Promise.all([
    openPages(server.url, 0, 450, feed(1, "latest")),
    openPages(server.url, 1, 350, feed(1, "latest")),
    openPages(server.url, 2, 100, feed(2, "latest")),
    openPages(server.url, 3, 100, feed(1, "likes")),
  ]);
  const searches = await openPages(server.url, 4, 50, {
    path: "blogs.search",
    input: { query: "owls", page: 1 },
  });
  const crowds = [...feeds, searches];
  for (const crowd of crowds) stack.use(crowd);
  await Promise.all(crowds.map(({ calls }) => calls()));
  // One author may not publish this many at once.
  const outbox = path.join(dataDir, "outbox");
  const authors = await Promise.all(
    Array.from({ length: 5 }, (_, index) =>
      signUpAndSignIn(openBrowser(server.url), `Writer ${index}`, outbox),
    ),
  );
  const start = Date.now();
  let published = 0;
  const write = async ({ api }: SignedInBrowser) => {
    for (let nth = 1; Date.now() < start + seconds * 1_000; nth++) {
      await api.blogs.create.mutate(aBlog({ title: `What one hears, part ${published++}` }));
      await sleep(Math.max(0, start + (nth * authors.length * 1_000) / blogsPerSecond - Date.now()));
    }
  };
  await Promise.all(authors.map(write));
  const duration = (Date.now() - start) / 1_000;
  const counts = { feeds: 0, searches: 0 };
  const allNotified = async () => {
    const reports = await Promise.all(crowds.map(({ calls }) => calls()));
    reports.forEach(
      ({ calls }, index) => (counts[index < feeds.length ? "feeds" : "searches"] += calls.length),
    );
    return reports.every(({ publishedCount }) => publishedCount === published);
  };
  await until(allNotified, "all pages to be told of all blogs");
  const delayMs = Date.now() - start - duration * 1_000;
  return [
    {
      title: `Calls of 1,000 open feeds while ${(published / duration).toFixed(0)} blogs a second are published`,
      ours: `${counts.feeds}`,
      bare: "",
      value: counts.feeds,
      unit: "calls",
      target: { atMost: 0 },
    },
    {
      title: "After the last of them the last page has it",
      ours: `${delayMs.toFixed(0)} ms`,
      bare: "",
      value: delayMs,
      unit: "ms",
    },
    {
      title: "Calls of each of 50 open searches meanwhile",
      ours: `${(counts.searches / 50 / duration).toFixed(2)}/s`,
      bare: "",
      value: counts.searches / 50 / duration,
      unit: "/s",
      target: { atMost: 1.2 },
    },
  ];
}

/** A thousand open pages, half of them feeds, reconnect to a server with an older copy of the database. */
export async function reset({ server, ana, blog, dataDir }: Site): Promise<Row[]> {
  for (let index = 0; index < 40; index++) await ana.api.comments.create.mutate(aComment(blog));
  for (let index = 0; index < 8; index++) await ana.api.blogs.create.mutate(aBlog());
  const page: PageQuery[] = [
    { path: "blogs.bySlug", input: { slug: blog.slug } },
    { path: "comments.list", input: { blogId: blog.id } },
  ];
  using stack = new DisposableStack();
  const crowds = await Promise.all([
    openPages(server.url, 0, 250, feed(1, "latest")),
    openPages(server.url, 1, 250, feed(1, "latest")),
    openPages(server.url, 2, 250, ...page),
    openPages(server.url, 3, 250, ...page),
  ]);
  for (const crowd of crowds) stack.use(crowd);
  await Promise.all(crowds.map(({ calls }) => calls()));
  /** Fetches a member's page again and again until `isOver`, and returns how many milliseconds each took. */
  const measureMemberPage = async (url: string, isOver: () => boolean): Promise<number[]> => {
    const waits: number[] = [];
    while (!isOver()) {
      const start = performance.now();
      const fetchPage = () =>
        fetch(`${url}/blog/${blog.slug}?comments=open`, { headers: { cookie: ana.cookie } });
      // A connection that is still open may lead to the server that was killed.
      await (await fetchPage().catch(fetchPage)).text();
      waits.push(performance.now() - start);
      await sleep(20);
    }
    return waits;
  };
  const endOfQuiet = Date.now() + 5_000;
  const waitsBefore = await measureMemberPage(server.url, () => Date.now() > endOfQuiet);
  await server.kill();
  const store = new Sqlite(path.join(dataDir, "reprise.db"));
  store.prepare("update meta set value = ? where key = 'live_epoch'").run(newId().slice(-10));
  store.close();
  await using restarted = await startServer(
    { DATA_DIR: dataDir, PORT: String(server.port) },
    { script: serverScript },
  );

  let isOver = false;
  const times: number[] = [];
  let failed = 0;
  const allAsked = until(async () => {
    const reports = await Promise.all(crowds.map(({ calls }) => calls()));
    for (const { calls } of reports) times.push(...calls);
    failed = reports.reduce((sum, report) => sum + report.failed, 0);
    return times.length >= 500 + 2 * 500;
  }, "all pages to have asked again").finally(() => (isOver = true));
  const [waits] = await Promise.all([measureMemberPage(restarted.url, () => isOver), allAsked]);
  times.sort((a, b) => a - b);
  const spreadSeconds = (times.at(-1)! - times[0]!) / 1_000;
  const peakCalls = Math.max(
    ...times.map((from) => times.filter((at) => at >= from && at < from + 1_000).length),
  );
  return [
    {
      title: `1,000 open pages ask again after a reset (${times.length} calls, ${peakCalls} in the busiest second, ${failed} failed), spread over`,
      ours: `${spreadSeconds.toFixed(1)} s`,
      bare: "",
      value: spreadSeconds,
      unit: "s",
      target: { atLeast: 5 },
    },
    {
      title: `A member's page meanwhile, p99 of ${waits.length} (before: ${percentile(waitsBefore, 0.99).toFixed(0)} ms)`,
      ours: `${percentile(waits, 0.99).toFixed(0)} ms`,
      bare: "",
      value: percentile(waits, 0.99),
      unit: "ms",
      target: { atMost: 300 },
    },
  ];
}
