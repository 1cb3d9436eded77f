import { execFileSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { newId } from "../../src/server/ids.ts";
import { aComment } from "../support/writing.ts";
import { median, startBare, startProcess, type Row, type Site } from "./parts.ts";
import type { Report } from "./readers.ts";

const readers = 1_000;
const rounds = 15;
const warmup = 4;

type Heard = Extract<Report, { heardAt: string }>;

/**
 * One comment to a thousand open pages, from the moment it is sent until the last page has it; beside it the same bytes
 * from a bare `ws` server, likewise asked over HTTP. The rounds of the two alternate.
 */
export async function fanOut(site: Site): Promise<Row[]> {
  const { server, ana, blog } = site;
  const { cursor } = await ana.api.blogs.bySlug.query({ slug: blog.slug });
  using bare = await startBare();
  using ours = startProcess("readers.ts");
  using theirs = startProcess("readers.ts");
  const before = memoryOf(server.pid);
  const hello = JSON.stringify({
    id: 1,
    method: "subscription",
    params: { path: "live.follow", input: { topics: [`blog:${blog.id}`], since: cursor } },
  });
  await ours.ask({ open: `${server.url.replace("http", "ws")}/trpc`, readers, hello });
  await theirs.ask({ open: bare.url.replace("http", "ws"), readers });
  await sleep(500);
  const each = (memoryOf(server.pid) - before) / readers;

  const round = async (crowd: typeof ours, text: string, send: () => Promise<unknown>) => {
    await crowd.ask({ expect: text });
    const heard = crowd.next<Heard>();
    const start = process.hrtime.bigint();
    await send();
    const { heardAt, message } = await heard;
    await sleep(50);
    return { milliseconds: Number(BigInt(heardAt) - start) / 1e6, message };
  };
  const times = { ours: [] as number[], theirs: [] as number[] };
  for (let index = 0; index < warmup + rounds; index++) {
    const text = `What a walk. ${newId()} `.repeat(4);
    const mine = await round(ours, text.trim(), () =>
      ana.api.comments.create.mutate(aComment(blog, { text })),
    );
    const other = await round(theirs, text.trim(), () =>
      post(`${bare.url}/broadcast`, { message: mine.message }),
    );
    if (index < warmup) continue;
    times.ours.push(mine.milliseconds);
    times.theirs.push(other.milliseconds);
  }
  const [a, b] = [median(times.ours), median(times.theirs)];
  return [
    {
      what: `A comment to ${readers} readers, beside bare ws`,
      ours: `${a.toFixed(1)} ms`,
      bare: `${b.toFixed(1)} ms`,
      value: a / b,
      unit: "×",
      target: { atMost: 2.5 },
    },
    {
      what: "Memory of an open page's connection",
      ours: `${each.toFixed(0)} kB`,
      bare: "",
      value: each,
      unit: "kB",
    },
  ];
}

const post = (url: string, body: object) =>
  fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });

/** Resident memory of a process in kilobytes. */
export const memoryOf = (pid: number): number =>
  Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)]));
