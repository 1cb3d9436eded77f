// `npm test`: proves everything, or one part of it: `npm test -- unit|integration|browser|types|lint [filters]`.
// A part that fails or can't run does not keep the others from running, so that one run shows all there is to mend.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Stopped, Trouble, end, run } from "./children.mjs";
import { prepareBrowser } from "./prepare-browser.mjs";
import { buildSite, environment, root } from "./setup.mjs";

const parts = ["types", "lint", "unit", "integration", "browser"];
const env = environment(process.execPath);
const reports = mkdtempSync(path.join(tmpdir(), "reprise-test-"));
process.on("exit", () => rmSync(reports, { recursive: true, force: true }));

try {
  const [part, ...filters] = process.argv.slice(2);
  if (part !== undefined && !parts.includes(part)) throw new Trouble(`Usage: npm test -- [${parts.join("|")} [filters]]`);
  const results = await prove(part === undefined ? parts : [part], filters);
  process.exitCode = summarize(results) ? 0 : 1;
} catch (error) {
  end(error);
}

/** Runs the parts one after the other. A result is `{ name, passed, failed, skipped, reason }`. */
async function prove(names, filters) {
  const results = [];
  const prove = async (name, check) => {
    console.log(`\n── ${name} ──`);
    results.push(...[await check().catch((error) => couldNotRun(name, error))].flat());
  };
  const suites = names.filter((name) => name === "unit" || name === "integration");
  const built = names.some((name) => name === "integration" || name === "browser") ? await build() : undefined;
  if (names.includes("types")) await prove("types", () => command("types", filters));
  if (names.includes("lint")) await prove("lint", () => command("lint", filters));
  if (suites.length > 0) await prove(suites.join(" and "), () => vitest(suites, filters));
  if (names.includes("browser")) await prove("browser", () => playwright(built, filters));
  if (built?.failed) results.unshift(built);
  return results;
}

async function build() {
  try {
    await buildSite(process.execPath);
    return { name: "build", passed: 0, failed: 0, skipped: 0 };
  } catch (error) {
    return couldNotRun("build", error);
  }
}

/** One of package.json's scripts, a single check. */
async function command(name, args) {
  const { scripts } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
  const [program, ...options] = scripts[name].split(" ");
  const { code } = await run(program, [...options, ...args], { ownGroup: true, env });
  return { name, passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
}

async function vitest(suites, filters) {
  const file = path.join(reports, "vitest.json");
  const args = ["node_modules/vitest/vitest.mjs", "run", "--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const projects = suites.flatMap((suite) => ["--project", suite]);
  const { code } = await run(process.execPath, [...args, ...projects, ...filters], { ownGroup: true, env });
  const files = JSON.parse(readFileSync(file, "utf8")).testResults;
  const results = suites.map((name) => {
    const folder = path.join(root, "tests", name) + path.sep;
    const ours = files.filter((file) => path.normalize(file.name).startsWith(folder));
    const tests = ours.flatMap((file) => file.assertionResults);
    const count = (...statuses) => tests.filter((test) => statuses.includes(test.status)).length;
    // A file that can't be loaded, or whose hooks fail, fails without a test of its own to say so.
    const broken = ours.filter((file) => file.status === "failed" && !file.assertionResults.some(({ status }) => status === "failed"));
    const result = { name, passed: count("passed"), failed: count("failed") + broken.length };
    return { ...result, skipped: tests.length - count("passed", "failed"), reason: ours.length === 0 ? "no tests found" : "" };
  });
  return blameSomeone(results, code);
}

async function playwright(built, filters) {
  if (built.failed) throw new Trouble("there is no build to test");
  const browser = await prepareBrowser();
  const file = path.join(reports, "playwright.json");
  const args = ["node_modules/@playwright/test/cli.js", "test", ...filters];
  const { code } = await run(process.execPath, args, {
    ownGroup: true,
    env: { ...env, ...browser, PLAYWRIGHT_JSON_OUTPUT_FILE: file },
  });
  const { stats, errors } = JSON.parse(readFileSync(file, "utf8"));
  const failed = stats.unexpected + stats.flaky + errors.length;
  return blameSomeone([{ name: "browser", passed: stats.expected, failed, skipped: stats.skipped }], code);
}

/** A suite without tests has not run; and a runner that fails without a test to blame has failed all the same. */
function blameSomeone(results, code) {
  for (const result of results) if (result.passed + result.failed + result.skipped === 0) result.failed = 1;
  if (code !== 0 && results.every(({ failed }) => failed === 0)) {
    Object.assign(results[0], { failed: 1, reason: "an error outside of the tests, see above" });
  }
  return results;
}

function couldNotRun(name, error) {
  if (error instanceof Stopped) throw error;
  console.error(error instanceof Trouble ? error.message : error);
  return { name, passed: 0, failed: 1, skipped: 0, reason: "could not run" };
}

/** Prints the table and the line that counts, and answers whether all is well. */
function summarize(results) {
  console.log();
  for (const { name, reason, ...counts } of results) {
    console.log(`${name.padEnd(12)} ${inWords(counts)}${reason ? ` (${reason})` : ""}`);
  }
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  console.log(inWords({ passed: sum("passed"), failed: sum("failed"), skipped: sum("skipped") }));
  return sum("failed") === 0;
}

function inWords({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ""}`;
}
