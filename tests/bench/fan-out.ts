import { setTimeout as sleep } from "node:timers/promises";
import { execFileSync } from "node:child_process";
import { aComment } from "../support/sample-content.ts";
import { median, percentile, startBare, startProcess, type Row, type Site } from "./bench-site.ts";
import { wrapMark, type ReadersCommand, type Report } from "./readers.ts";

const crowds = [1_000, 5_000, 10_000];
const rounds = 15;
const warmup = 4;
const talk = { each: 50, seconds: 10 };

type Heard = Extract<Report, { mark: string }>;

export function startReaders() {
  const readers = startProcess("readers.ts");
  const waiting = new Map<string, (heard: Heard) => void>();
  readers.child.on("message", (said: Report) => "mark" in said && waiting.get(said.mark)?.(said));
  return {
    [Symbol.dispose]: () => readers[Symbol.dispose](),
    tell: (order: ReadersCommand) => readers.ask(order),
    /** Returns how many milliseconds pass from `send` until the last reader has the message, and the message itself. */
    hears: async (mark: string, send: () => Promise<unknown>) => {
      const heard = new Promise<Heard>((resolve) => waiting.set(mark, resolve));
      const start = process.hrtime.bigint();
      await send();
      const { heardAt, message } = await heard;
      return { milliseconds: Number(BigInt(heardAt) - start) / 1e6, message };
    },
  };
}

/**
 * One comment to thousands of open pages, from the request until the last page has it; beside it the same bytes from a bare
 * `ws` server, also triggered over HTTP. Rounds of the two alternate. Then many comments a second, and a crowd that reconnects.
 */
export async function fanOut(site: Site): Promise<Row[]> {
  const { server, ana, blog } = site;
  using bare = await startBare();
  using ours = startReaders();
  using theirs = startReaders();
  const empty = { ours: memoryOf(server.pid), theirs: memoryOf(bare.child.pid!) };
  const hello = async () => {
    const { cursor } = await ana.api.blogs.bySlug.query({ slug: blog.slug });
    const input = { topics: [`blog:${blog.id}`], since: cursor };
    return JSON.stringify({ id: 1, method: "subscription", params: { path: "live.follow", input } });
  };
  let count = 0;
  const comment = async () => {
    const mark = `number-${count++}`;
    const text = `What a walk. ${wrapMark(mark)} `.repeat(4).trim();
    return {
      mark,
      ...(await ours.hears(mark, () => ana.api.comments.create.mutate(aComment(blog, { text })))),
    };
  };
  const rows: Row[] = [];
  for (const readers of crowds) {
    await ours.tell({ open: `${server.url.replace("http", "ws")}/trpc`, readers, hello: await hello() });
    await theirs.tell({ open: bare.url.replace("http", "ws"), readers });
    await sleep(500);
    const times = { ours: [] as number[], theirs: [] as number[] };
    for (let index = 0; index < warmup + rounds; index++) {
      const mine = await comment();
      await sleep(50);
      const post = () => broadcast(bare.url, mine.message);
      const other = await theirs.hears(mine.mark, post);
      await sleep(50);
      if (index < warmup) continue;
      times.ours.push(mine.milliseconds);
      times.theirs.push(other.milliseconds);
    }
    const [a, b] = [median(times.ours), median(times.theirs)];
    rows.push({
      what: `A comment to ${readers.toLocaleString("en")} readers, beside bare ws`,
      ours: `${a.toFixed(1)} ms`,
      bare: `${b.toFixed(1)} ms`,
      value: a / b,
      unit: "×",
      target: { atMost: 2 },
    });
    if (readers === 1_000) {
      const each = (memoryOf(server.pid) - empty.ours) / readers;
      const bareEach = (memoryOf(bare.child.pid!) - empty.theirs) / readers;
      rows.push({
        what: "Memory of an open page's connection, after broadcasts",
        ours: `${each.toFixed(0)} kB`,
        bare: `${bareEach.toFixed(0)} kB`,
        value: each / bareEach,
        unit: "×",
        target: { atMost: 3 },
      });
      rows.push(await commentBurst(comment));
    }
    if (readers === 5_000)
      rows.push(await reconnecting(site, async () => ours.tell({ again: await hello() })));
  }
  return rows;
}

/** Posts this many comments a second on one blog. */
async function commentBurst(comment: () => Promise<{ milliseconds: number }>): Promise<Row> {
  const all: Promise<{ milliseconds: number }>[] = [];
  const began = Date.now();
  while (all.length < talk.each * talk.seconds) {
    all.push(comment());
    await sleep(Math.max(0, began + (all.length * 1_000) / talk.each - Date.now()));
  }
  const times = (await Promise.all(all)).map(({ milliseconds }) => milliseconds);
  const late = percentile(times, 0.99);
  return {
    what: `${talk.each} comments a second on a blog with 1,000 readers: p99 (median ${median(times).toFixed(0)} ms)`,
    ours: `${late.toFixed(0)} ms`,
    bare: "",
    value: late,
    unit: "ms",
    target: { atMost: 100 },
  };
}

/** Measures how long a member waits for a page while five thousand pages reconnect. */
async function reconnecting({ server, ana, blog }: Site, comeBack: () => Promise<unknown>): Promise<Row> {
  let isOver = false;
  const began = performance.now();
  const back = comeBack().then(() => (isOver = true));
  const waits: number[] = [];
  while (!isOver) {
    const start = performance.now();
    const page = `${server.url}/blog/${blog.slug}`;
    await (await fetch(page, { headers: { cookie: ana.cookie } })).text();
    waits.push(performance.now() - start);
    await sleep(20);
  }
  await back;
  const late = percentile(waits, 0.99);
  const took = (performance.now() - began) / 1_000;
  return {
    what: `A member's page while 5,000 pages come back in ${took.toFixed(1)} s: p99 of ${waits.length}`,
    ours: `${late.toFixed(0)} ms`,
    bare: "",
    value: late,
    unit: "ms",
    target: { atMost: 300 },
  };
}

export const broadcast = (url: string, message: string) =>
  fetch(`${url}/broadcast`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ message }),
  });

/** Returns a process's resident memory in kilobytes. */
export const memoryOf = (pid: number): number =>
  Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)]));
