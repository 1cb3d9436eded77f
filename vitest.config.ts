import { defineConfig } from "vitest/config";

const suite = (name: string) => ({
  extends: true as const,
  test: { name, include: [`tests/${name}/**/*.test.{ts,tsx}`] },
});

export default defineConfig({
  test: {
    projects: [suite("unit"), suite("integration")],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 20_000,
    retry: 0,
    // The provider of the Google tests warns at every start that it is one for tests.
    onConsoleLog: (log) => !log.includes("oidc-provider"),
  },
});
