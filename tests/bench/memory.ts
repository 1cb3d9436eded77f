import { setTimeout as sleep } from "node:timers/promises";
import { startServer } from "../support/server.ts";
import { serverScript, type Row, type Site } from "./bench-site.ts";
import { startLoad } from "./cost.ts";
import { memoryOf } from "./fan-out.ts";
import type { LoadRequest } from "./load.ts";

const seconds = { load: 20, searches: 10, rest: 60 };
const words = "owls bats night walk train river heron frost lantern hedge".split(" ");

/**
 * The server's resident memory, in megabytes: after its first page, after half a minute of pages, pages of a guest over many
 * connections and different searches, and a minute later.
 */
export async function memory({ dataDir, server: runningServer, ana, blog }: Site): Promise<Row[]> {
  await runningServer.stop();
  await using server = await startServer({ DATA_DIR: dataDir }, { script: serverScript, first: "/home" });
  using load = startLoad();
  const sizeNow = () => memoryOf(server.pid) / 1024;
  const html = { accept: "text/html", "accept-encoding": "gzip, deflate, br, zstd" };
  const member = { ...html, cookie: ana.cookie };
  const send = (requests: LoadRequest[], connections: number, duration: number) =>
    load.run({ url: server.url, requests, connections, seconds: duration });
  await sleep(1_500);
  const atStart = sizeNow();
  const pages = [`/blog/${blog.slug}`, "/home"];
  await send(
    pages.map((path) => ({ path, headers: member })),
    16,
    seconds.load,
  );
  await send([{ path: `/blog/${blog.slug}`, headers: html }], 128, seconds.load / 4);
  const afterLoad = sizeNow();
  const searches = Array.from({ length: 5_000 }, (_, index) => ({
    path: `/search?q=${words[index % words.length]}+${words[Math.floor(index / words.length) % words.length]}+${index}`,
    headers: html,
  }));
  await send(searches, 16, seconds.searches);
  const afterSearches = sizeNow();
  await sleep(seconds.rest * 1_000);
  return [
    row("Memory after the first page", atStart, 150),
    row("Memory after members' and guests' pages", afterLoad, 300),
    row("Memory after thousands of different searches", afterSearches, 300),
    row("Memory a minute later", sizeNow(), 300),
  ];
}

const row = (title: string, value: number, atMost: number): Row => ({
  title,
  ours: `${value.toFixed(0)} MB`,
  bare: "",
  value,
  unit: "MB",
  target: { atMost },
});
