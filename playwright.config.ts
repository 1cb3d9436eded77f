import { defineConfig } from "@playwright/test";
import { launchOptions } from "./scripts/browser.ts";

// No webServer: each test starts its own, on a free port and over an empty data folder.
export default defineConfig({
  testDir: "tests",
  testMatch: ["browser/*.spec.ts", "simulation/*.spec.ts"],
  workers: 2,
  // Limits end what hangs. A machine that is busy with something else takes many times as long, and nothing is wrong.
  timeout: 120_000,
  expect: { timeout: 40_000 },
  // What fails runs again in a process of its own: scripts/test.mjs.
  retries: 0,
  maxFailures: 20,
  forbidOnly: Boolean(process.env.CI),
  reporter: [["list"], ["json", { outputFile: "test-results/report.json" }]],
  use: {
    actionTimeout: 45_000,
    navigationTimeout: 60_000,
    launchOptions: launchOptions(),
  },
});
