import { defineConfig } from "@playwright/test";
import { launchOptions } from "./scripts/browser.ts";

// No webServer: each test starts its own, on a free port and over an empty data folder.
export default defineConfig({
  testDir: "tests",
  testMatch: ["browser/*.spec.ts", "histories/*.spec.ts"],
  workers: 2,
  // For a machine that is busy with something else: there everything takes longer, and nothing is wrong.
  timeout: 300_000,
  expect: { timeout: 40_000 },
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  reporter: [["list"], ["json", { outputFile: "test-results/report.json" }]],
  use: {
    launchOptions: launchOptions(),
  },
});
