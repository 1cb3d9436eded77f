// Finds a browser for the tests, and installs one if there is none: as root, or if CI=true.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { hasDebianPackage, installedBrowsers, installedFirefox } from "./browser.ts";
import { Stopped, UserError, run } from "./children.mjs";

const isRoot = process.getuid?.() === 0;

/** Returns the settings with which playwright.config.ts finds a working browser. Throws `UserError` if there is none. */
export async function prepareBrowser() {
  const browser = await findWorkingBrowser();
  if (browser) return browser;
  if (process.env.CHROMIUM_PATH)
    throw new UserError(`CHROMIUM_PATH=${process.env.CHROMIUM_PATH} does not start.`);
  if (!isRoot && process.env.CI !== "true") {
    const install = hasDebianPackage()
      ? "sudo apt-get install chromium-headless-shell"
      : "npx playwright install chromium";
    throw new UserError(
      `There is no browser to run the tests in. Install one by "${install}", or set CHROMIUM_PATH.`,
    );
  }
  console.error("Installing a browser for the tests (first time only)…");
  const reasons = [];
  // Older releases have no package of the headless shell.
  const fromDebian = () => installFromDebian(["chromium-headless-shell", "chromium"]);
  for (const install of [fromDebian, installFromPlaywright]) {
    reasons.push(await install());
    const installed = await findWorkingBrowser();
    if (installed) return installed;
  }
  throw new UserError(
    `${reasons.filter(Boolean).join("\n\n")}\n\nNo browser to run the tests in: install Chromium or set CHROMIUM_PATH.`,
  );
}

/** Installs Firefox if there is none. Throws `UserError` if it can't. */
export async function prepareFirefox() {
  if (installedFirefox()) return;
  const output = isRoot || process.env.CI === "true" ? await installFromDebian(["firefox-esr"]) : "";
  if (!installedFirefox())
    throw new UserError(`${output}\nNo Firefox to run the tests in: install it or set FIREFOX_PATH.`.trim());
}

async function findWorkingBrowser() {
  for (const browser of installedBrowsers()) {
    // Root can't use Chromium's sandbox, nor can some containers.
    for (const sandbox of isRoot ? [false] : [true, false]) {
      if (await canStart(browser, sandbox))
        return { CHROMIUM_PATH: browser, CHROMIUM_SANDBOX: sandbox ? "on" : "off" };
    }
  }
  return undefined;
}

async function canStart(browser, sandbox) {
  const profile = mkdtempSync(path.join(tmpdir(), "reprise-browser-"));
  const args = ["--headless", "--disable-gpu", "--no-first-run", `--user-data-dir=${profile}`];
  if (!sandbox) args.push("--no-sandbox");
  try {
    const { code } = await attempt(browser, [...args, "--dump-dom", "about:blank"], { timeout: 120_000 });
    return code === 0;
  } finally {
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Installs the first of these packages that there is. Returns the output where none could be installed. */
async function installFromDebian(packages) {
  if (!hasDebianPackage()) return "";
  const sudo = isRoot ? [] : ["sudo", "-n"];
  if (!isRoot && (await attempt("sudo", ["-n", "true"])).code !== 0) return "";
  const apt = (...args) =>
    attempt(
      ...asCommand([
        ...sudo,
        "env",
        "DEBIAN_FRONTEND=noninteractive",
        "apt-get",
        // Waits, in seconds, while another program is installing something.
        "--option=DPkg::Lock::Timeout=120",
        ...args,
      ]),
    );
  await apt("update");
  let result;
  for (const name of packages) {
    result = await apt("install", "-y", name);
    if (result.code === 0) return "";
  }
  return result.output;
}

async function installFromPlaywright() {
  const install = (...options) =>
    attempt(process.execPath, ["node_modules/@playwright/test/cli.js", "install", ...options, "chromium"]);
  if (isRoot && (await install("--with-deps")).code === 0) return "";
  const { code, output } = await install();
  return code === 0 ? "" : output;
}

const asCommand = ([command, ...args]) => [command, args];

async function attempt(command, args, options) {
  try {
    return await run(command, args, { quiet: true, ...options });
  } catch (error) {
    if (error instanceof Stopped) throw error;
    return { code: 1, output: String(error) };
  }
}
