import { cp, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { ClusterProxy } from "../../scripts/cluster/proxy.ts";
import { administer, postgresUrl, startPostgresServer, type PostgresServer } from "../../scripts/postgres.ts";
import { startProxy, type PostgresProxy } from "../support/postgres-proxy.ts";
import { freePort, startServer, type ServerProcess } from "../support/server.ts";

/** The site of a history, whose server, or one of whose servers, can fail. */
export interface HistorySite {
  readonly url: string;
  /** The environment of a command for the site. */
  readonly environment: Record<string, string>;
  /** Causes a failure, runs `meanwhile`, and ends the failure. */
  fail(meanwhile: () => Promise<unknown>): Promise<void>;
  /** Ends all at once; the data stay. */
  kill(): Promise<void>;
}

/** The data of a site, of which each history gets a copy. */
export interface SiteData {
  folder: string;
  /** The name of its database on PostgreSQL. */
  database?: string;
}

/** Where sites are stored. */
export interface SiteStore {
  create(): Promise<SiteData>;
  copy(data: SiteData): Promise<SiteData>;
  start(data: SiteData): Promise<HistorySite>;
}

const start = (settings: Record<string, string>): Promise<ServerProcess> =>
  startServer(settings, { script: "dist/current/server/main.js" });
const settingsOf = ({ folder }: SiteData) => ({
  NODE_ENV: "production",
  LOG_LEVEL: "error",
  DATA_DIR: folder,
});
const newFolder = () => mkdtemp(path.join(tmpdir(), "reprise-history-"));

/** One server on SQLite. It fails as in a power cut. */
export const oneServer: SiteStore = {
  create: async () => ({ folder: await newFolder() }),
  async copy({ folder }) {
    const copy = await newFolder();
    await cp(folder, copy, { recursive: true });
    return { folder: copy };
  },
  async start(data) {
    const environment = { ...settingsOf(data), PORT: String(await freePort()) };
    let server = await start(environment);
    return {
      url: server.url,
      environment,
      async fail(meanwhile) {
        await server.kill();
        await meanwhile();
        server = await start(environment);
      },
      kill: () => server.kill(),
    };
  },
};

const serversOfCluster = 3;
export const kindsOfFailure = 5;
/** Milliseconds for which a server or PostgreSQL is away: longer than others wait for it. */
const awayMs = 4_000;

/**
 * Three servers on PostgreSQL behind a proxy. By turns a server fails as in a power cut, hangs, all connections to PostgreSQL end,
 * PostgreSQL fails as in a power cut, and one server is cut off from it.
 */
export async function cluster(folder: string): Promise<SiteStore & AsyncDisposable> {
  const settings = { max_connections: "500" };
  let postgres: PostgresServer = await startPostgresServer(folder, settings);
  const restart = async () => {
    await postgres.kill();
    await pause(awayMs);
    postgres = await startPostgresServer(folder, settings);
  };
  let [databases, failures] = [0, 0];
  const create = async (template: string): Promise<SiteData> => {
    const database = `site_${databases++}`;
    await administer(folder, `create database ${database} template ${template}`);
    return { folder: await newFolder(), database };
  };
  return {
    create: () => create("template1"),
    async copy(data) {
      const copy = await create(data.database ?? "");
      await cp(data.folder, copy.folder, { recursive: true });
      return copy;
    },
    async start(data) {
      const environment = { ...settingsOf(data), DATABASE_URL: postgresUrl(folder, data.database ?? "") };
      const ways: PostgresProxy[] = [];
      const settingsOfServers: Record<string, string>[] = [];
      const servers: ServerProcess[] = [];
      const port = await freePort();
      for (let index = 0; index < serversOfCluster; index++) {
        const way = await startProxy(environment.DATABASE_URL);
        ways.push(way);
        const PUBLIC_URL = `http://127.0.0.1:${port}`;
        const own = { PUBLIC_URL, DATABASE_URL: way.url, PORT: String(await freePort()) };
        settingsOfServers.push({ ...environment, ...own });
        servers.push(await start(settingsOfServers[index]!));
      }
      const proxy = new ClusterProxy(servers.map((server) => server.port));
      await new Promise<void>((resolve) => proxy.server.listen(port, "127.0.0.1", resolve));
      const failOne = [
        async (index: number) => {
          await servers[index]!.kill();
          servers[index] = await start(settingsOfServers[index]!);
        },
        async (index: number) => {
          process.kill(servers[index]!.pid, "SIGSTOP");
          await pause(awayMs);
          process.kill(servers[index]!.pid, "SIGCONT");
        },
        () =>
          administer(
            folder,
            `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${data.database}'`,
          ),
        restart,
        async (index: number) => {
          ways[index]!.state = "silent";
          await pause(awayMs);
          ways[index]!.state = "open";
        },
      ];
      return {
        url: `http://127.0.0.1:${port}`,
        environment,
        async fail(meanwhile) {
          const failure = failures++;
          await failOne[failure % failOne.length]!(failure % serversOfCluster);
          await meanwhile();
        },
        async kill() {
          proxy.close();
          await Promise.all(servers.map((server) => server.kill()));
          for (const way of ways) await way[Symbol.asyncDispose]();
        },
      };
    },
    [Symbol.asyncDispose]: () => postgres.kill(),
  };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
