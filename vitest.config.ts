import { tmpdir } from "node:os";
import path from "node:path";
import { defineConfig } from "vitest/config";

const suite = (name: string) => ({
  extends: true as const,
  test: { name, include: [`tests/${name}/**/*.test.{ts,tsx}`] },
});

/** What must work on PostgreSQL before a change lands; `npm run test:more -- postgres` runs all integration tests on it. */
const onPostgres = [
  "access-matrix",
  "live/*",
  "writing/*",
  "comments/*",
  "search/*",
  "{database,sign-in}/two-servers",
  "files/two-servers",
  "database/{shared-limits,postgres-connections,joined-snapshots,write-queue}",
];
/** What stores and reads files of the site. */
const onS3 = ["backup/backup", "exports/export-page", "imports/import-upload", "media/media"];
/** What is SQLite’s own: its file, the lock of its folder, its migrations and query plans. */
const ofSqlite = ["backup/*", "commands/{start,move}", "database/migrate", "database/query-plans"];
/** A socket, so that several runs have servers of their own. */
const postgresFolder = path.join(tmpdir(), `reprise-postgres-${process.pid}`);

export default defineConfig({
  test: {
    projects: [
      suite("unit"),
      suite("integration"),
      suite("firefox"),
      {
        extends: true as const,
        test: {
          name: "s3",
          include: onS3.map((tests) => `tests/integration/${tests}.test.ts`),
          env: { TEST_ON_S3: "yes" },
        },
      },
      {
        extends: true as const,
        test: {
          name: "postgres",
          include: (process.env.ALL_ON_POSTGRES ? ["**/*"] : onPostgres).map(
            (tests) => `tests/integration/${tests}.test.ts`,
          ),
          exclude: ofSqlite.map((tests) => `tests/integration/${tests}.test.ts`),
          globalSetup: "tests/support/postgres-setup.ts",
          env: {
            DATABASE_URL: `postgres:///reprise_template?host=${encodeURIComponent(postgresFolder)}&user=postgres`,
          },
        },
      },
    ],
    tags: [{ name: "more", description: "Runs with `npm run test:more`, not with `npm test`." }],
    setupFiles: ["tests/support/seeds.ts"],
    pool: "forks",
    maxWorkers: 2,
    // The server's modules are loaded once for all files of a worker: each test starts a server of its own over them.
    isolate: false,
    // A machine that is busy with something else is slow, and nothing is wrong: only what hangs ends here.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    retry: 0,
    // The provider of the Google tests warns at every start that it is one for tests.
    onConsoleLog: (log) => !log.includes("oidc-provider"),
  },
});
