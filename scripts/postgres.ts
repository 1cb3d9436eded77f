// A PostgreSQL server for the tests and for `npm run cluster`, reached by a socket in its folder.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import pg from "pg";

/** Where Debian and others install PostgreSQL, a folder for each version. */
const installed = "/usr/lib/postgresql";

/** Returns the folder of the newest version's programs, or of `POSTGRES_BIN`; undefined where there are none. */
export function postgresPrograms(): string | undefined {
  const versions = existsSync(installed) ? readdirSync(installed).sort((a, b) => Number(b) - Number(a)) : [];
  const { POSTGRES_BIN } = process.env;
  const folders = POSTGRES_BIN
    ? [POSTGRES_BIN]
    : versions.map((version) => path.join(installed, version, "bin"));
  return folders.find((folder) => existsSync(path.join(folder, "initdb")));
}

/** The address of a database of the server in a folder. */
export const postgresUrl = (folder: string, database: string): string =>
  `postgres:///${database}?host=${encodeURIComponent(folder)}&user=postgres`;

export interface PostgresServer {
  /** The numbers of all its processes now. */
  processes(): number[];
  /** Resolves with its exit code, or null after a signal. */
  exited: Promise<number | null>;
  /** Ends it at once, and with it all connections. Its files stay. */
  kill(): Promise<void>;
}

/**
 * Starts a server whose files are in `folder`, which are made where there are none, and waits until it answers. `settings` are those of
 * its own configuration. Throws if PostgreSQL is not installed.
 */
export async function startPostgresServer(
  folder: string,
  settings: Record<string, string> = {},
): Promise<PostgresServer> {
  const programs = postgresPrograms();
  if (!programs)
    throw new Error(
      "PostgreSQL is not installed. Debian has it as postgresql; or set POSTGRES_BIN to its programs.",
    );
  mkdirSync(folder, { recursive: true });
  // It refuses to run as root.
  const account = process.getuid?.() === 0 ? nobody : undefined;
  if (account) chownSync(folder, account.uid, account.gid);
  const data = path.join(folder, "data");
  const options = { ...account, cwd: folder, env: { PATH: process.env.PATH, LC_ALL: "C" } };
  if (!existsSync(path.join(data, "PG_VERSION"))) {
    const made = spawnSync(
      path.join(programs, "initdb"),
      ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"],
      options,
    );
    if (made.status !== 0) throw new Error(`initdb failed: ${String(made.stderr)}`);
  }
  const all = { listen_addresses: "", unix_socket_directories: folder, max_connections: "300", ...settings };
  const server = spawn(
    path.join(programs, "postgres"),
    ["-D", data, ...Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`])],
    { ...options, stdio: ["ignore", "ignore", "pipe"] },
  );
  const exited = once(server, "exit").then(([code]) => code as number | null);
  let log = "";
  server.stderr.setEncoding("utf8").on("data", (text: string) => (log = (log + text).slice(-2_000)));
  // One that runs in the folder already answers, too.
  const isOwn = () => ownerOf(data) === server.pid;
  while (!(isOwn() && (await canConnect(folder)))) {
    if (server.exitCode !== null) throw new Error(`PostgreSQL ended with ${server.exitCode}. ${log.trim()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return {
    exited,
    processes: () => [
      server.pid ?? 0,
      ...readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, "utf8")
        .trim()
        .split(" ")
        .map(Number),
    ],
    kill: async () => {
      server.kill("SIGQUIT");
      await exited;
    },
  };
}

const nobody = { uid: 65_534, gid: 65_534 };

/** The process that runs on a server's files, or ran last. */
function ownerOf(data: string): number | undefined {
  try {
    return Number.parseInt(readFileSync(path.join(data, "postmaster.pid"), "utf8"), 10);
  } catch {
    // Not there yet, or no more.
    return undefined;
  }
}

const canConnect = (folder: string): Promise<boolean> =>
  administer(folder, "select 1").then(
    () => true,
    () => false,
  );

/** Runs a statement beside the databases of sites. */
export async function administer(folder: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgresUrl(folder, "postgres") });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
