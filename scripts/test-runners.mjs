// Runs Vitest and Playwright, and returns how each test ended (merge-test-runs.ts has the types).
import { existsSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { run } from "./children.mjs";
import { prepareBrowser } from "./prepare-browser.mjs";

/** The options that exclude the tests marked `more`, run only these, or run both. */
const vitestTags = { exclude: ["--tags-filter=!more"], only: ["--tags-filter=more"], include: [] };
const playwrightTags = { exclude: ["--grep-invert=@more"], only: ["--grep=@more"], include: [] };

/**
 * Runs the tests of `suites` ("unit", "integration") and returns a result for each. `files` run with one worker;
 * without them all tests that match `filters` run. `reports` is a folder for the runner's output.
 */
export async function runVitest(suites, { env, reports, filters, files, moreTests }) {
  const results = path.join(reports, "vitest.json");
  rmSync(results, { force: true });
  const args = [
    "node_modules/vitest/vitest.mjs",
    "run",
    "--reporter=default",
    "--reporter=./scripts/vitest-reporter.ts",
    ...vitestTags[moreTests],
    ...suites.flatMap((suite) => ["--project", suite]),
    ...(files ? ["--maxWorkers=1", ...files] : filters),
  ];
  const { code } = await run(process.execPath, args, {
    ownGroup: true,
    env: { ...env, VITEST_RESULTS: results },
  });
  const { tests: allTests, outside } = readResults(results) ?? { tests: [], outside: [noResults(code)] };
  // Vitest reports the tests that its filter excludes as skipped.
  const tests = allTests.filter(
    ({ status, isMore }) =>
      status !== "skipped" || moreTests === "include" || isMore === (moreTests === "only"),
  );
  const parts = suites.map((name) => ({ name, tests: tests.filter(({ project }) => project === name) }));
  return withRunner(parts, "vitest", outside, code);
}

/** Runs the browser tests that match `filters`; with `lastFailed`, those that failed in the last run, with one worker. */
export async function runPlaywright({ env, reports, filters, moreTests, lastFailed = false }) {
  const browser = await prepareBrowser();
  const report = path.join(reports, "playwright.json");
  rmSync(report, { force: true });
  const args = [
    "node_modules/@playwright/test/cli.js",
    "test",
    `--last-failed-file=${path.join(reports, "last-run.json")}`,
    ...playwrightTags[moreTests],
    // The second run keeps the traces and pictures of the first.
    ...(lastFailed ? ["--last-failed", "--workers=1", "--output=test-results/second-run"] : []),
    ...filters,
  ];
  const { code } = await run(process.execPath, args, {
    ownGroup: true,
    env: { ...env, ...browser, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
  });
  const { suites, errors } = readResults(report) ?? { suites: [], errors: [{ message: noResults(code) }] };
  const part = { name: "browser", tests: suites.flatMap(specsOf) };
  const outside = errors.map(({ message, value }) => message ?? value ?? "");
  return withRunner([part], "playwright", outside, code);
}

const playwrightStatus = { expected: "passed", unexpected: "failed", flaky: "failed", skipped: "skipped" };

function specsOf({ suites = [], specs }) {
  const specResults = specs.map(({ id, file, line, title, tests: [test] }) => ({
    id,
    file: `tests/${file}`,
    line,
    title,
    status: playwrightStatus[test.status],
    message: test.results.flatMap(({ errors }) => errors)[0]?.message ?? "",
    isTest: true,
  }));
  return [...specResults, ...suites.flatMap(specsOf)];
}

/**
 * Adds the runner itself as a result of the first part. It failed if there were errors outside of the tests, or if it failed
 * without a failed test.
 */
function withRunner(parts, runner, errors, code) {
  for (const part of parts) if (part.tests.length === 0 && errors.length === 0) part.problem = "no tests";
  const isBlamed = parts.some(
    ({ tests, problem }) => problem || tests.some(({ status }) => status === "failed"),
  );
  const outside = code !== 0 && !isBlamed && errors.length === 0 ? [`It ended with code ${code}.`] : errors;
  parts[0].tests.push({
    id: `${runner}, outside of the tests`,
    file: runner,
    title: "outside of the tests",
    status: outside.length > 0 ? "failed" : "passed",
    message: outside.join("\n"),
    isTest: false,
  });
  return parts;
}

/** Whether something failed outside of the tests, where only a complete run can tell more. */
export const failedOutside = (parts) =>
  parts.some(({ tests }) =>
    tests.some(({ status, title }) => status === "failed" && title === "outside of the tests"),
  );

const noResults = (code) => `The runner ended with code ${code} and no results.`;

function readResults(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}
