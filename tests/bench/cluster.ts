import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { administer, postgresUrl, startPostgresServer, type PostgresServer } from "../../scripts/postgres.ts";
import { aComment } from "../support/sample-content.ts";
import { startServer, type ServerProcess } from "../support/server.ts";
import { median, openSite, serverScript, type Row, type Site } from "./bench-site.ts";
import { costOf, cpuTimeOf, startLoad } from "./cost.ts";
import { startReaders } from "./fan-out.ts";
import type { LoadRequest } from "./load.ts";
import { memberRequests } from "./members.ts";
import { wrapMark } from "./readers.ts";

const numbersOfServers = [1, 2, 4];
const readers = 10_000;
const [warmup, rounds] = [3, 9];
/** Seconds for which requests are counted, on so many connections to each server. */
const counted = { seconds: 4, connections: 4 };
const kinds = ["An article for a member", "A comment by tRPC"] as const;
/** The most processor time of a server on PostgreSQL, in that on SQLite (docs/decisions/0032-two-stores.md). */
const mostTimesSqlite = { "An article for a member": 1.5, "A comment by tRPC": 2.75 };

interface Cluster extends AsyncDisposable {
  site: Site;
  servers: ServerProcess[];
}

/**
 * The same site on SQLite in one process and on PostgreSQL in one, two and four, all on this machine: what a request costs a server, how
 * many there are in a second, and how long a comment takes to ten thousand readers spread over the servers.
 */
export async function cluster(sqlite: Site): Promise<Row[]> {
  const folder = await mkdtemp(path.join(tmpdir(), "reprise-bench-pg-"));
  const postgres = await startPostgresServer(folder, { max_connections: "200" });
  try {
    const rows = await costs(sqlite, folder, postgres);
    rows.push(...(await rates("SQLite", { site: sqlite, servers: [sqlite.server] })));
    for (const count of numbersOfServers) {
      await using opened = await openCluster(folder, count);
      rows.push(...(await rates(`PostgreSQL, servers: ${count}`, opened)));
    }
    return rows;
  } finally {
    await postgres.kill();
    await rm(folder, { recursive: true });
  }
}

async function openCluster(folder: string, count: number): Promise<Cluster> {
  const database = `bench_${Date.now()}`;
  await administer(folder, `create database ${database}`);
  const settings = { DATABASE_URL: postgresUrl(folder, database) };
  const site = await openSite(serverScript, settings);
  const servers = [site.server];
  while (servers.length < count)
    servers.push(await startServer({ DATA_DIR: site.dataDir, ...settings }, { script: serverScript }));
  return {
    site,
    servers,
    async [Symbol.asyncDispose]() {
      for (const server of servers.slice(1)) await server.kill();
      await site[Symbol.asyncDispose]();
    },
  };
}

/** Measures the processor time of requests on one server of each store, in turns. */
async function costs(sqlite: Site, folder: string, postgres: PostgresServer): Promise<Row[]> {
  using load = startLoad();
  await using opened = await openCluster(folder, 1);
  const sites = [sqlite, opened.site];
  const requests = [await memberRequests(sqlite), await memberRequests(opened.site)];
  const rows: Row[] = [];
  for (const kind of kinds) {
    const store = { before: postgresTime(postgres), responses: 0 };
    const counting = {
      run: async (command: Parameters<typeof load.run>[0]) => {
        const report = await load.run(command);
        if (command.url === opened.site.server.url) store.responses += report.responses;
        return report;
      },
      [Symbol.dispose]: () => undefined,
    };
    const [onSqlite, onPostgres] = await costOf(
      counting,
      sites.map(({ server: { url, pid } }, index) => ({ url, pid, requests: requests[index]![kind] })),
    );
    const ofStore = (postgresTime(postgres) - store.before) / store.responses;
    rows.push({
      title: `${kind}, processor time on PostgreSQL (and PostgreSQL’s own: ${ofStore.toFixed(2)} ms), beside SQLite`,
      ours: `${onPostgres!.all.toFixed(2)} ms`,
      bare: `${onSqlite!.all.toFixed(2)} ms`,
      value: onPostgres!.all / onSqlite!.all,
      unit: "×",
      target: { atMost: mostTimesSqlite[kind] },
    });
  }
  return rows;
}

/** Counts what servers answer together, and measures how long a comment takes to readers of all. */
async function rates(what: string, { site, servers }: Omit<Cluster, keyof AsyncDisposable>): Promise<Row[]> {
  const requests = await memberRequests(site);
  const rows: Row[] = [];
  for (const kind of kinds) {
    const responses = await Promise.all(
      servers.map(async ({ url }) => {
        using load = startLoad();
        const run = (seconds: number) =>
          load.run({
            url,
            requests: ownOrigin(requests[kind](), url),
            seconds,
            connections: counted.connections,
          });
        await run(counted.seconds);
        return (await run(counted.seconds)).responses;
      }),
    );
    const rate = responses.reduce((sum, count) => sum + count, 0) / counted.seconds;
    rows.push(information(`${kind}, ${what}`, rate, "a second"));
  }
  rows.push(await delivery(what, site, servers));
  return rows;
}

/** Each server of the bench has an address of its own. */
const ownOrigin = (requests: LoadRequest[], origin: string): LoadRequest[] =>
  requests.map((request) =>
    request.headers?.origin ? { ...request, headers: { ...request.headers, origin } } : request,
  );

async function delivery(what: string, { ana, blog }: Site, servers: ServerProcess[]): Promise<Row> {
  const crowds = servers.map(startReaders);
  const { cursor } = await ana.api.blogs.bySlug.query({ slug: blog.slug });
  const input = { topics: [`blog:${blog.id}`], since: cursor };
  const hello = JSON.stringify({ id: 1, method: "subscription", params: { path: "live.follow", input } });
  const each = readers / servers.length;
  await Promise.all(
    crowds.map((crowd, index) =>
      crowd.command({ open: `${servers[index]!.url.replace("http", "ws")}/trpc`, readers: each, hello }),
    ),
  );
  const times: number[] = [];
  for (let round = 0; round < warmup + rounds; round++) {
    const mark = `${what}-${round}`.replaceAll(/\W/g, "-");
    const sent = Promise.withResolvers<void>();
    const others = crowds.slice(1).map((crowd) => crowd.measureDelivery(mark, async () => undefined));
    const first = crowds[0]!.measureDelivery(mark, async () => {
      await ana.api.comments.create.mutate(aComment(blog, { text: wrapMark(mark) }));
      sent.resolve();
    });
    const all = await Promise.all([first, ...others]);
    await sent.promise;
    if (round >= warmup) times.push(Math.max(...all.map(({ milliseconds }) => milliseconds)));
  }
  for (const crowd of crowds) crowd[Symbol.dispose]();
  return information(`A comment to ${readers.toLocaleString("en")} readers, ${what}`, median(times), "ms");
}

const information = (title: string, value: number, unit: string): Row => ({
  title,
  ours: `${value.toFixed(unit === "ms" ? 1 : 0)} ${unit}`,
  bare: "",
  value,
  unit,
});

/** Returns the processor time of all processes of PostgreSQL so far, in milliseconds. */
const postgresTime = ({ processes }: PostgresServer): number =>
  processes().reduce((sum, pid) => sum + cpuTimeOf(pid).all, 0);
