// Finds the browser for the tests: CHROMIUM_PATH, else the system's, else Playwright's own.
import { accessSync, constants, existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { chromium } from "@playwright/test";

// The headless shell is the same engine without windows, and takes two thirds of the time.
const names = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
];
const standardPaths = [
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

/** Playwright's launch options for the tests. */
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

/** Returns the paths of the browsers that the tests may use, the preferred one first. */
export const installedBrowsers = (): string[] =>
  process.env.CHROMIUM_PATH ? [process.env.CHROMIUM_PATH] : everyBrowser();

/** Returns the paths of all browsers on this machine, the preferred one first. */
export const everyBrowser = (): string[] =>
  [...systemPaths(names), ...standardPaths, chromium.executablePath()].filter(isProgram);

/** Returns the path of the Firefox for the tests: FIREFOX_PATH, else the system's. */
export const installedFirefox = (): string | undefined =>
  process.env.FIREFOX_PATH ?? systemPaths(["firefox-esr", "firefox"]).find(isProgram);

function systemPaths(programs: string[]): string[] {
  const folders = (process.env.PATH ?? "").split(path.delimiter);
  return programs.flatMap((name) => folders.map((folder) => path.join(folder, name)));
}

/**
 * Whether this is Debian or based on it, so that `apt-get install chromium` installs a browser. Ubuntu's package only installs
 * a snap.
 */
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
