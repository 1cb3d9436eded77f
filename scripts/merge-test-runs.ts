// Decides which tests run a second time, and merges the two runs (docs/decisions/0004-tests.md).
import { stripVTControlCharacters } from "node:util";

/** With more failures than this, nothing runs again: they are no coincidence. */
const maxRetriedTests = 10;

/** More flaky tests than this make the run fail. */
export const mostFlaky = 5;

/** How a test, a whole file, or the runner outside of its tests ended. */
export interface TestResult {
  /** The same in both runs. */
  id: string;
  /** A path from the project's root. */
  file: string;
  line?: number;
  title: string;
  status: "passed" | "failed" | "skipped";
  message: string;
  /** False for a file and for the runner, which count only if they failed. */
  isTest: boolean;
}

/** The results of one part of the run, such as "unit". */
export interface PartResult {
  name: string;
  tests: TestResult[];
  /** Why the part proved nothing, such as "no tests". Counts as one failure. */
  problem?: string;
}

export const failuresOf = ({ tests }: PartResult): TestResult[] =>
  tests.filter(({ status }) => status === "failed");

/** Returns whether failed tests run again. Types, lint and parts that could not run would fail the same way. */
export function shouldRetry(parts: PartResult[]): boolean {
  const count = parts.flatMap(failuresOf).length;
  return count > 0 && count <= maxRetriedTests;
}

/**
 * Merges a part's second run into its first. A test that passed in one run and failed in the other has passed and is flaky;
 * `flaky` has the message of the failed run. A failed test that did not run again has failed.
 */
export function mergeRuns(first: PartResult, second: PartResult): { part: PartResult; flaky: TestResult[] } {
  const secondByTestId = new Map(second.tests.map((test) => [test.id, test]));
  const flaky: TestResult[] = [];
  const tests = first.tests.map((test) => {
    const secondTest = secondByTestId.get(test.id);
    secondByTestId.delete(test.id);
    const [failed, passed] = (["failed", "passed"] as const).map((status) =>
      [test, secondTest].find((run) => run?.status === status),
    );
    if (!failed || !passed) return failed ?? test;
    flaky.push(failed);
    return passed;
  });
  // The remaining tests are of files that could not be loaded in the first run.
  return { part: { ...first, tests: [...tests, ...secondByTestId.values()] }, flaky };
}

export function countResults({ tests, problem }: PartResult) {
  const count = (status: TestResult["status"]) =>
    tests.filter((test) => test.isTest && test.status === status).length;
  const otherFailures = tests.filter((test) => !test.isTest && test.status === "failed").length;
  return {
    passed: count("passed"),
    failed: count("failed") + otherFailures + (problem === undefined ? 0 : 1),
    skipped: count("skipped"),
  };
}

export const flakyLine = ({ file, title, message }: TestResult): string =>
  `FLAKY ${[file, title, firstLine(message)].filter(Boolean).join(": ")}`;

const firstLine = (message: string): string =>
  stripVTControlCharacters(message)
    .split("\n")
    .map((line) => line.trim())
    .find(Boolean) ?? "";
