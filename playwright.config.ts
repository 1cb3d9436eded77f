import { defineConfig } from "@playwright/test";
import { installedBrowsers } from "./scripts/browser.ts";

const isRoot = process.getuid?.() === 0;
const sandbox = process.env.CHROMIUM_SANDBOX ? process.env.CHROMIUM_SANDBOX === "on" : !isRoot;

// No webServer: each test starts its own, on a free port and over an empty data folder.
export default defineConfig({
  testDir: "tests/browser",
  workers: 2,
  // For a machine that is busy with something else: there everything takes longer, and nothing is wrong.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  reporter: [["list"], ["json", { outputFile: "test-results/report.json" }]],
  use: {
    launchOptions: {
      executablePath: installedBrowsers()[0],
      chromiumSandbox: sandbox,
      args: [
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});
