// `npm test` runs what must pass before a change lands, or one part of it:
// `npm test -- unit|integration|s3|postgres|browser|types|lint [filters]`. `npm run test:more` runs the tests that are marked `more`.
// `npm run test:more -- firefox` runs the tests in Firefox, and `npm run test:more -- postgres` all integration tests on PostgreSQL,
// which no other command does.
// With filters, all matching tests run, marked or not.
// A part that fails or can't run does not stop the others, so that one run shows everything to fix.
// Failed tests run a second time (docs/decisions/0004-tests.md).
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import { Stopped, UserError, end, run } from "./children.mjs";
import { countResults, shouldRetry, failuresOf, flakyLine, mergeRuns, mostFlaky } from "./merge-test-runs.ts";
import { prepareFirefox } from "./prepare-browser.mjs";
import { buildSite, environment, root } from "./setup.mjs";
import { postgresPrograms } from "./postgres.ts";
import { failedOutside, runPlaywright, runVitest } from "./test-runners.mjs";

const cliArgs = process.argv.slice(2);
const isMore = cliArgs[0] === "--more";
const [chosenPart, ...filters] = isMore ? cliArgs.slice(1) : cliArgs;
const allParts = [
  ...(isMore ? [] : ["types", "lint"]),
  "unit",
  "integration",
  "s3",
  ...(isMore ? [] : ["postgres"]),
  "browser",
];
const moreTests = isMore ? "only" : filters.length > 0 ? "include" : "exclude";
const reports = mkdtempSync(path.join(tmpdir(), "reprise-reports-"));
const env = environment(process.execPath);
// The tests start the server about a hundred times; the cache lets it compile once.
env.NODE_COMPILE_CACHE = path.join(reports, "compiled");
const options = { env, reports, filters, moreTests };
const onPostgres = isMore
  ? { ...options, env: { ...env, ALL_ON_POSTGRES: "yes" }, moreTests: "include" }
  : options;

try {
  const choices = isMore ? [...allParts, "firefox", "postgres"] : allParts;
  if (chosenPart !== undefined && !choices.includes(chosenPart)) {
    throw new UserError(
      `Usage: npm ${isMore ? "run test:more" : "test"} -- [${choices.join("|")} [filters]]`,
    );
  }
  const firstParts = await runAll(chosenPart === undefined ? allParts : [chosenPart]);
  const { parts, flaky } = await tryAgain(firstParts);
  process.exitCode = summarize(parts, flaky) ? 0 : 1;
  rmSync(reports, { recursive: true, maxRetries: 5 });
} catch (error) {
  rmSync(reports, { recursive: true, maxRetries: 5 });
  end(error);
}

async function runAll(names) {
  const parts = [];
  const needsBuild = names.some((name) =>
    ["integration", "s3", "postgres", "browser", "firefox"].includes(name),
  );
  if (needsBuild) {
    try {
      await buildSite(process.execPath);
    } catch (error) {
      parts.push(...failedParts(["build"], error));
    }
  }
  const isBuilt = needsBuild && parts.length === 0;
  // Starting the build takes a third of the time that starting the sources takes.
  if (isBuilt) env.TEST_THE_BUILD = "yes";
  const runPart = async (titles, check) => {
    const requested = titles.filter((title) => names.includes(title));
    if (requested.length === 0) return;
    console.log(`\n── ${requested.join(", ")} ──`);
    parts.push(...(await check(requested).catch((error) => failedParts(requested, error))));
  };
  await runPart(["types"], () => command("types"));
  await runPart(["lint"], () => command("lint"));
  await runPart(["unit", "integration", "s3"], (suites) => runVitest(suites, options));
  await runPart(["postgres"], (suites) => {
    if (postgresPrograms()) return runVitest(suites, onPostgres);
    console.log("PostgreSQL is not installed.");
    return [{ name: "postgres", tests: [skippedTest("all tests on PostgreSQL")] }];
  });
  await runPart(["firefox"], async (suites) => {
    await prepareFirefox();
    return runVitest(suites, options);
  });
  await runPart(["browser"], async () => {
    if (!isBuilt) throw new UserError("there is no build to test");
    return runPlaywright(options);
  });
  return parts;
}

/** Runs failed tests again, in new processes and one at a time. */
async function tryAgain(parts) {
  const repeatable = parts.filter(({ name }) =>
    ["unit", "integration", "s3", "postgres", "firefox", "browser"].includes(name),
  );
  if (!shouldRetry(repeatable)) return { parts, flaky: [] };
  console.log("\n── second try ──");
  const named = (...names) => repeatable.filter(({ name }) => names.includes(name));
  const [browser, postgres, suites] = [
    named("browser"),
    named("postgres"),
    named("unit", "integration", "s3", "firefox"),
  ];
  const secondParts = [];
  const retry = async (candidates, check) => {
    if (!candidates.some((part) => failuresOf(part).length > 0)) return;
    secondParts.push(...(await check().catch((error) => failedParts([], error))));
  };
  for (const [group, all] of [
    [suites, options],
    [postgres, onPostgres],
  ]) {
    await retry(group, () => {
      const files = [...new Set(group.flatMap(failuresOf).map(({ file }) => file))];
      return runVitest(
        group.map(({ name }) => name),
        failedOutside(group) ? all : { ...all, files },
      );
    });
  }
  await retry(browser, () => runPlaywright({ ...options, lastFailed: !failedOutside(browser) }));
  const merged = parts.map((part) => {
    const secondPart = secondParts.find(({ name }) => name === part.name);
    return secondPart ? mergeRuns(part, secondPart) : { part, flaky: [] };
  });
  return { parts: merged.map(({ part }) => part), flaky: merged.flatMap(({ flaky }) => flaky) };
}

/** Runs one of package.json's scripts, which is a single check. */
async function command(name) {
  const { scripts } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
  const [program, ...args] = scripts[name].split(" ");
  const { code } = await run(program, [...args, ...filters], { ownGroup: true, env });
  const status = code === 0 ? "passed" : "failed";
  return [{ name, tests: [{ id: name, file: name, title: "", status, message: "", isTest: true }] }];
}

const skippedTest = (title) => ({ id: title, file: "", title, status: "skipped", message: "", isTest: true });

function failedParts(names, error) {
  if (error instanceof Stopped) throw error;
  console.error(error instanceof UserError ? error.message : error);
  return names.map((name) => ({ name, tests: [], problem: "could not run" }));
}

/**
 * Prints the failures again at the end, the table, the flaky tests and the total; writes the flaky tests to a file.
 * Returns whether everything passed.
 */
function summarize(parts, flaky) {
  if (flaky.length > mostFlaky) {
    parts.push({
      name: "flaky",
      tests: [],
      problem: `${flaky.length} are flaky, and at most ${mostFlaky} may be`,
    });
  }
  for (const { file, line, title, message } of parts.flatMap(failuresOf)) {
    const location = line === undefined ? file : `${file}:${line}`;
    const lines = message === "" ? [] : stripVTControlCharacters(message).split("\n").slice(0, 12);
    console.log([`\n✗ ${[location, title].filter(Boolean).join(": ")}`, ...lines].join("\n    "));
  }
  console.log();
  const counts = parts.map(countResults);
  for (const [index, { name, problem }] of parts.entries()) {
    console.log(`${name.padEnd(12)} ${inWords(counts[index])}${problem ? ` (${problem})` : ""}`);
  }
  writeFlaky(flaky);
  for (const test of flaky) console.log(flakyLine(test));
  const sum = (key) => counts.reduce((total, count) => total + count[key], 0);
  // Programs parse this line; skipped tests are printed above it, with their part.
  console.log(inWords({ passed: sum("passed"), failed: sum("failed") }));
  return sum("failed") === 0;
}

function writeFlaky(flaky) {
  const folder = path.join(root, "test-results");
  mkdirSync(folder, { recursive: true });
  const entries = flaky.map(({ file, title, message }) => ({
    file,
    title,
    message: stripVTControlCharacters(message),
  }));
  writeFileSync(path.join(folder, "flaky.json"), `${JSON.stringify(entries, undefined, 2)}\n`);
}

function inWords({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ""}`;
}
