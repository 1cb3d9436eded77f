// The browser that the tests drive: CHROMIUM_PATH, else the system's, else Playwright's own.
import { accessSync, constants, existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { chromium } from "@playwright/test";

// The shell is the same engine without a browser's windows, in two thirds of the time.
const names = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
];
const elsewhere = [
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

/** How the tests start one. */
export const launchOptions = () => ({
  executablePath: installedBrowsers()[0],
  chromiumSandbox: process.env.CHROMIUM_SANDBOX
    ? process.env.CHROMIUM_SANDBOX === "on"
    : process.getuid?.() !== 0,
  args: [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ],
});

/** Where browsers are that the tests may use, the preferred one first. */
export const installedBrowsers = (): string[] =>
  process.env.CHROMIUM_PATH ? [process.env.CHROMIUM_PATH] : everyBrowser();

/** Where browsers are on this machine, the preferred one first. */
export function everyBrowser(): string[] {
  const folders = (process.env.PATH ?? "").split(path.delimiter);
  const system = names.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  return [...system, ...elsewhere, chromium.executablePath()].filter(isProgram);
}

/** Whether this is a Debian or a child of it, where `apt-get install chromium` means a browser. Ubuntu's is a stub for a snap. */
export function hasDebianPackage(): boolean {
  if (!existsSync("/etc/os-release")) return false;
  const ids = [...readFileSync("/etc/os-release", "utf8").matchAll(/^ID(?:_LIKE)?=(.*)$/gm)].map(
    ([, id]) => id,
  );
  return /debian/.test(ids.join(" ")) && !/ubuntu/.test(ids.join(" "));
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
