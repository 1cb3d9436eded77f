import { setTimeout as sleep } from "node:timers/promises";
import { execFileSync } from "node:child_process";
import { aComment } from "../support/sample-content.ts";
import { median, percentile, startBarePeer, startProcess, type Row, type Site } from "./bench-site.ts";
import { wrapMark, type ReadersCommand, type Report } from "./readers.ts";

const crowds = [1_000, 5_000, 10_000];
const rounds = 15;
/** With `ws` below; our own frames would take a tenth less (docs/decisions/0008-live-transports-and-presence.md). */
const mostTimesBare = 1.65;
const warmup = 4;
const burst = { each: 50, seconds: 10 };

type MarkReport = Extract<Report, { mark: string }>;

export function startReaders() {
  const readers = startProcess("readers.ts");
  const reportHandlers = new Map<string, (report: MarkReport) => void>();
  readers.child.on(
    "message",
    (report: Report) => "mark" in report && reportHandlers.get(report.mark)?.(report),
  );
  return {
    [Symbol.dispose]: () => readers[Symbol.dispose](),
    command: (order: ReadersCommand) => readers.request(order),
    /** Returns how many milliseconds pass from `send` until the last reader has the message, and the message itself. */
    measureDelivery: async (mark: string, send: () => Promise<unknown>) => {
      const report = new Promise<MarkReport>((resolve) => reportHandlers.set(mark, resolve));
      const start = process.hrtime.bigint();
      await send();
      const { receivedAt, message } = await report;
      return { milliseconds: Number(BigInt(receivedAt) - start) / 1e6, message };
    },
  };
}

/**
 * One comment to thousands of open pages, from the request until the last page has it; beside it the same bytes from a bare
 * `ws` server, also triggered over HTTP. Rounds of the two alternate. Then many comments a second, and a crowd that reconnects.
 */
export async function fanOut(site: Site): Promise<Row[]> {
  const { server, ana, blog } = site;
  using bare = await startBarePeer();
  using ours = startReaders();
  using theirs = startReaders();
  const emptyMemory = { ours: memoryOf(server.pid), theirs: memoryOf(bare.child.pid!) };
  const hello = async () => {
    const { cursor } = await ana.api.blogs.bySlug.query({ slug: blog.slug });
    const input = { topics: [`blog:${blog.id}`], since: cursor };
    return JSON.stringify({ id: 1, method: "subscription", params: { path: "live.follow", input } });
  };
  let count = 0;
  const postComment = async () => {
    const mark = `number-${count++}`;
    const text = `What a walk. ${wrapMark(mark)} `.repeat(4).trim();
    return {
      mark,
      ...(await ours.measureDelivery(mark, () => ana.api.comments.create.mutate(aComment(blog, { text })))),
    };
  };
  const rows: Row[] = [];
  for (const readers of crowds) {
    await ours.command({ open: `${server.url.replace("http", "ws")}/trpc`, readers, hello: await hello() });
    await theirs.command({ open: bare.url.replace("http", "ws"), readers });
    await sleep(500);
    rows.push(
      await besideBare(`A comment to ${readers.toLocaleString("en")} readers`, postComment, theirs, bare),
    );
    if (readers === 1_000) {
      const ourMemory = (memoryOf(server.pid) - emptyMemory.ours) / readers;
      const bareMemory = (memoryOf(bare.child.pid!) - emptyMemory.theirs) / readers;
      rows.push({
        title: "Memory of an open page's connection, after broadcasts",
        ours: `${ourMemory.toFixed(0)} kB`,
        bare: `${bareMemory.toFixed(0)} kB`,
        value: ourMemory / bareMemory,
        unit: "×",
        target: { atMost: 3 },
      });
      rows.push(await commentBurst(postComment));
    }
    if (readers === 5_000)
      rows.push(await reconnecting(site, async () => ours.command({ again: await hello() })));
  }
  return rows;
}

/** Measures what is posted to open pages in turns with a bare broadcast of the same bytes to as many. */
export async function besideBare(
  what: string,
  post: () => Promise<{ mark: string; milliseconds: number; message: string }>,
  theirs: ReturnType<typeof startReaders>,
  bare: { url: string },
): Promise<Row> {
  const times = { ours: [] as number[], theirs: [] as number[] };
  for (let index = 0; index < warmup + rounds; index++) {
    const ourDelivery = await post();
    await sleep(50);
    const theirDelivery = await theirs.measureDelivery(ourDelivery.mark, () =>
      broadcast(bare.url, ourDelivery.message),
    );
    await sleep(50);
    if (index < warmup) continue;
    times.ours.push(ourDelivery.milliseconds);
    times.theirs.push(theirDelivery.milliseconds);
  }
  const [ourMedian, theirMedian] = [median(times.ours), median(times.theirs)];
  return {
    title: `${what}, beside bare ws`,
    ours: `${ourMedian.toFixed(1)} ms`,
    bare: `${theirMedian.toFixed(1)} ms`,
    value: ourMedian / theirMedian,
    unit: "×",
    target: { atMost: mostTimesBare },
  };
}

/** Posts this many comments a second on one blog. */
async function commentBurst(postComment: () => Promise<{ milliseconds: number }>): Promise<Row> {
  const all: Promise<{ milliseconds: number }>[] = [];
  const start = Date.now();
  while (all.length < burst.each * burst.seconds) {
    all.push(postComment());
    await sleep(Math.max(0, start + (all.length * 1_000) / burst.each - Date.now()));
  }
  const times = (await Promise.all(all)).map(({ milliseconds }) => milliseconds);
  const p99 = percentile(times, 0.99);
  return {
    title: `${burst.each} comments a second on a blog with 1,000 readers: p99 (median ${median(times).toFixed(0)} ms)`,
    ours: `${p99.toFixed(0)} ms`,
    bare: "",
    value: p99,
    unit: "ms",
    target: { atMost: 100 },
  };
}

/** Measures how long a member waits for a page while five thousand pages reconnect. */
async function reconnecting({ server, ana, blog }: Site, reconnect: () => Promise<unknown>): Promise<Row> {
  let isOver = false;
  const reconnectStart = performance.now();
  const reconnected = reconnect().then(() => (isOver = true));
  const waits: number[] = [];
  while (!isOver) {
    const start = performance.now();
    const page = `${server.url}/blog/${blog.slug}`;
    await (await fetch(page, { headers: { cookie: ana.cookie } })).text();
    waits.push(performance.now() - start);
    await sleep(20);
  }
  await reconnected;
  const p99 = percentile(waits, 0.99);
  const seconds = (performance.now() - reconnectStart) / 1_000;
  return {
    title: `A member's page while 5,000 pages come back in ${seconds.toFixed(1)} s: p99 of ${waits.length}`,
    ours: `${p99.toFixed(0)} ms`,
    bare: "",
    value: p99,
    unit: "ms",
    target: { atMost: 300 },
  };
}

const broadcast = (url: string, message: string) =>
  fetch(`${url}/broadcast`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ message }),
  });

/** Returns a process's resident memory in kilobytes. */
export const memoryOf = (pid: number): number =>
  Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)]));
