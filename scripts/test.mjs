// `npm test`: proves everything, or one part of it: `npm test -- unit|integration|browser|types|lint [filters]`.
// A part that fails or can't run does not keep the others from running, so that one run shows all there is to mend.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import { Stopped, Trouble, end, run } from "./children.mjs";
import { prepareBrowser } from "./prepare-browser.mjs";
import { buildSite, environment, root } from "./setup.mjs";

const parts = ["types", "lint", "unit", "integration", "browser"];
const env = environment(process.execPath);
const reports = mkdtempSync(path.join(tmpdir(), "reprise-reports-"));
// The tests start the server some hundred times: it is compiled once.
env.NODE_COMPILE_CACHE = path.join(reports, "compiled");

try {
  const [part, ...filters] = process.argv.slice(2);
  if (part !== undefined && !parts.includes(part)) {
    throw new Trouble(`Usage: npm test -- [${parts.join("|")} [filters]]`);
  }
  const results = await prove(part === undefined ? parts : [part], filters);
  process.exitCode = summarize(results) ? 0 : 1;
  rmSync(reports, { recursive: true, maxRetries: 5 });
} catch (error) {
  rmSync(reports, { recursive: true, maxRetries: 5 });
  end(error);
}

/** Runs the parts one after the other. A result is `{ name, passed, failed, skipped, reason, failures: { title, message }[] }`. */
async function prove(names, filters) {
  const results = [];
  const part = async (titles, check) => {
    const ours = titles.filter((title) => names.includes(title));
    if (ours.length === 0) return;
    console.log(`\n── ${ours.join(", ")} ──`);
    const failure = (error) => couldNotRun(ours, error);
    results.push(...(await check(ours).catch(failure)));
  };
  const isBuilt = names.some((name) => name === "integration" || name === "browser")
    ? await build(results)
    : false;
  if (isBuilt) env.TEST_THE_BUILD = "yes";
  await part(["types"], () => command("types", filters));
  await part(["lint"], () => command("lint", filters));
  await part(["unit", "integration"], (suites) => vitest(suites, filters));
  await part(["browser"], () => playwright(isBuilt, filters));
  return results;
}

async function build(results) {
  try {
    await buildSite(process.execPath);
    return true;
  } catch (error) {
    results.push(...couldNotRun(["build"], error));
    return false;
  }
}

/** One of package.json's scripts, a single check. */
async function command(name, args) {
  const { scripts } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
  const [program, ...options] = scripts[name].split(" ");
  const { code } = await run(program, [...options, ...args], { ownGroup: true, env });
  return [{ name, passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 }];
}

async function vitest(suites, filters) {
  const file = path.join(reports, "vitest.json");
  const args = [
    "node_modules/vitest/vitest.mjs",
    "run",
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${file}`,
  ];
  const projects = suites.flatMap((suite) => ["--project", suite]);
  const { code } = await run(process.execPath, [...args, ...projects, ...filters], { ownGroup: true, env });
  const files = JSON.parse(readFileSync(file, "utf8")).testResults;
  const results = suites.map((name) => {
    const folder = path.join(root, "tests", name) + path.sep;
    const ours = files.filter(({ name: place }) => path.normalize(place).startsWith(folder));
    const tests = ours.flatMap(({ assertionResults }) => assertionResults);
    const count = (wanted) => tests.filter(({ status }) => status === wanted).length;
    // A file that can't be loaded, or whose hooks fail, fails without a test of its own to say so.
    const broken = ours.filter(
      ({ status, assertionResults }) =>
        status === "failed" && assertionResults.every((test) => test.status !== "failed"),
    );
    const [passed, failed] = [count("passed"), count("failed")];
    const failures = ours.flatMap(({ name: place, message, assertionResults }) => [
      ...(broken.some((one) => one.name === place) ? [{ title: path.relative(root, place), message }] : []),
      ...assertionResults
        .filter(({ status }) => status === "failed")
        .map(({ fullName, failureMessages }) => ({
          title: `${path.relative(root, place)}: ${fullName}`,
          message: failureMessages.join("\n"),
        })),
    ]);
    return {
      name,
      passed,
      failed: failed + broken.length,
      skipped: tests.length - passed - failed,
      failures,
    };
  });
  return blameSomeone(results, code);
}

async function playwright(isBuilt, filters) {
  if (!isBuilt) throw new Trouble("there is no build to test");
  const browser = await prepareBrowser();
  const file = path.join(reports, "playwright.json");
  const args = ["node_modules/@playwright/test/cli.js", "test", ...filters];
  const { code } = await run(process.execPath, args, {
    ownGroup: true,
    env: { ...env, ...browser, PLAYWRIGHT_JSON_OUTPUT_FILE: file },
  });
  const { stats, errors, suites } = JSON.parse(readFileSync(file, "utf8"));
  const failed = stats.unexpected + stats.flaky + errors.length;
  const failures = [
    ...errors.map(({ message }) => ({ title: "outside of the tests", message })),
    ...suites.flatMap(playwrightFailures),
  ];
  return blameSomeone(
    [{ name: "browser", passed: stats.expected, failed, skipped: stats.skipped, failures }],
    code,
  );
}

function playwrightFailures({ suites = [], specs }) {
  const own = specs
    .filter(({ ok }) => !ok)
    .map(({ file: spec, line, title, tests }) => ({
      title: `tests/${spec}:${line}: ${title}`,
      message: tests.flatMap(({ results }) => results.flatMap(({ errors }) => errors))[0]?.message ?? "",
    }));
  return [...own, ...suites.flatMap(playwrightFailures)];
}

/** A suite without tests has proven nothing; and a runner that fails without a test to blame has failed all the same. */
function blameSomeone(results, code) {
  for (const result of results) {
    if (result.passed + result.failed + result.skipped === 0)
      Object.assign(result, { failed: 1, reason: "no tests" });
  }
  if (code !== 0 && results.every(({ failed }) => failed === 0)) {
    Object.assign(results[0], { failed: 1, reason: "an error outside of the tests, see above" });
  }
  return results;
}

function couldNotRun(names, error) {
  if (error instanceof Stopped) throw error;
  console.error(error instanceof Trouble ? error.message : error);
  return names.map((name) => ({ name, passed: 0, failed: 1, skipped: 0, reason: "could not run" }));
}

/** Prints what failed once more, where nobody overlooks it, the table and the line that counts; answers whether all is well. */
function summarize(results) {
  for (const { title, message } of results.flatMap(({ failures = [] }) => failures)) {
    const lines = stripVTControlCharacters(message).split("\n").slice(0, 12);
    console.log([`\n✗ ${title}`, ...lines].join("\n    "));
  }
  console.log();
  for (const { name, reason, ...counts } of results) {
    console.log(`${name.padEnd(12)} ${inWords(counts)}${reason ? ` (${reason})` : ""}`);
  }
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  // Programs read this line: what was skipped stands above it, with its part.
  console.log(inWords({ passed: sum("passed"), failed: sum("failed") }));
  return sum("failed") === 0;
}

function inWords({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ""}`;
}
