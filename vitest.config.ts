import { defineConfig } from "vitest/config";

const suite = (name: string) => ({
  extends: true as const,
  test: { name, include: [`tests/${name}/**/*.test.{ts,tsx}`] },
});

export default defineConfig({
  test: {
    projects: [suite("unit"), suite("integration"), suite("firefox")],
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
