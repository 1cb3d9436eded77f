import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { routes } from "../../src/shared/routes.ts";
import { createLargeDatabase, sizes, commonWord, type LargeSite, type Size } from "../support/large-site.ts";
import { startServer } from "../support/server.ts";
import { serverScript, type Row } from "./bench-site.ts";
import { costOf, cpuTimeOf, startLoad } from "./cost.ts";
import { options } from "./options.ts";

/** One request after the other, as the bodies of some are a megabyte. */
const duration = { connections: 1, warmUp: 3, round: 1 };

interface GrowthRequest {
  what: string;
  path: string;
  cookie?: string;
  bearer?: string;
  most?: number;
}

const call = (name: string, input?: object) =>
  `/trpc/${name}${input ? `?input=${encodeURIComponent(JSON.stringify(input))}` : ""}`;

/** The requests, each with its limit of CPU time in milliseconds. */
const requestsOf = ({ author, reader, read }: LargeSite): GrowthRequest[] => [
  { what: "GET /api/v1/blogs?limit=20, a guest", path: "/api/v1/blogs?limit=20", most: 0.3 },
  {
    what: "GET /api/v1/blogs?limit=20, a guest, quiet blogs",
    path: "/api/v1/blogs?limit=20&page=8",
    most: 0.3,
  },
  { what: "GET /api/v1/blogs?limit=20, a member", path: "/api/v1/blogs?limit=20", bearer: reader.cookie },
  {
    what: "GET /api/v1/blogs?limit=20, a member, quiet blogs",
    path: "/api/v1/blogs?limit=20&page=8",
    bearer: reader.cookie,
  },
  { what: "Page 10,000 of the feed, a guest", path: call("blogs.list", { page: 10_000 }), most: 5 },
  {
    what: "Page 10,000 of the feed, a member",
    path: call("blogs.list", { page: 10_000 }),
    cookie: reader.cookie,
    most: 5,
  },
  {
    what: "Page 10,000 of the most liked",
    path: call("blogs.list", { page: 10_000, sort: "likes" }),
    most: 5,
  },
  {
    what: "The first page of the feed",
    path: call("blogs.list", { page: 1 }),
    cookie: reader.cookie,
    most: 1,
  },
  {
    what: `One's own ${author.blogs} blogs, the last of them`,
    path: call("blogs.mine", { page: Math.floor(author.blogs / 6) }),
    cookie: author.cookie,
    most: 5,
  },
  { what: "The sums of them", path: call("blogs.stats"), cookie: author.cookie, most: 5 },
  {
    what: `${author.notifications} unread notifications`,
    path: call("social.notifications"),
    cookie: author.cookie,
    most: 5,
  },
  { what: "Recommended blogs", path: call("blogs.recommended"), cookie: reader.cookie, most: 2 },
  {
    what: "The end of a blog",
    path: call("blogs.further", { id: read }),
    cookie: reader.cookie,
    most: 2,
  },
  {
    what: `A search for "${commonWord}"`,
    path: call("blogs.search", { query: commonWord }),
    cookie: reader.cookie,
    most: 10,
  },
  { what: "A member's home", path: "/home", cookie: reader.cookie, most: 3 },
  {
    what: "A member's home, the list Following of 200 people",
    path: routes.home(1, "following"),
    cookie: reader.cookie,
  },
];

/** The CPU time of requests on a site of that size, in milliseconds: of the main thread, and of all threads. */
export async function growth(): Promise<Row[]> {
  const size = options.scale as Size;
  if (!Object.hasOwn(sizes, size)) throw new Error(`--scale is one of ${Object.keys(sizes).join(", ")}.`);
  const folder = await mkdtemp(path.join(tmpdir(), "reprise-grown-"));
  try {
    const start = performance.now();
    const site = await createLargeDatabase(folder, size);
    const gigabytes = (await stat(site.file)).size / 1024 ** 3;
    process.stderr.write(
      `Filled ${site.blogs} blogs, ${gigabytes.toFixed(2)} GB, in ${((performance.now() - start) / 1_000).toFixed(0)} s.\n`,
    );
    await using server = await startServer({ DATA_DIR: folder, RATE_LIMIT: "off" }, { script: serverScript });
    await waitUntilIdle(server.pid);
    return await measureAll(server, site, size);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export async function measureAll(
  server: { url: string; pid: number },
  site: LargeSite,
  size: Size,
): Promise<Row[]> {
  using load = startLoad();
  const rows: Row[] = [];
  for (const request of requestsOf(site)) rows.push(await measure(load, server, request, size));
  return rows;
}

/** Waits until a server is idle: after the start it scans a large database in the background. */
export async function waitUntilIdle(pid: number): Promise<void> {
  for (let before = -Infinity; ;) {
    const { all: totalTime } = cpuTimeOf(pid);
    if (Math.abs(totalTime - before) < 20) return;
    before = totalTime;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

async function measure(
  load: ReturnType<typeof startLoad>,
  { url, pid }: { url: string; pid: number },
  { what, path: address, cookie, bearer, most }: GrowthRequest,
  size: Size,
): Promise<Row> {
  const headers = {
    "accept-encoding": "gzip, deflate, br",
    ...(cookie ? { cookie } : {}),
    ...(bearer ? { authorization: `Bearer ${bearer.replace("session=", "")}` } : {}),
  };
  const [time] = await costOf(load, [{ url, pid, requests: () => [{ path: address, headers }] }], duration);
  return {
    title: `${what} (${size})`,
    ours: `${time!.main.toFixed(2)} ms, ${time!.all.toFixed(2)} in all threads`,
    bare: "",
    value: time!.all,
    unit: "ms",
    ...(most === undefined ? {} : { target: { atMost: most } }),
  };
}
