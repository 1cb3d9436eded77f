// Which tests run a second time, and what the two runs of a test come to (docs/decisions/0009-test-run.md).
import { stripVTControlCharacters } from "node:util";

/** More failures than this are no coincidence: nothing runs again. */
const mostRepeated = 10;

/** More flaky tests than this make the run fail. */
export const mostFlaky = 5;

/** How a test ended, or a whole file, or the runner outside of its tests. */
export interface TestResult {
  /** The same in both runs. */
  id: string;
  /** A path from the project's root. */
  file: string;
  line?: number;
  title: string;
  status: "passed" | "failed" | "skipped";
  /** Why it failed. */
  message: string;
  /** False for a file and for the runner: they count only where they fail. */
  isTest: boolean;
}

/** The results of one part of the run, such as "unit". */
export interface PartResult {
  name: string;
  tests: TestResult[];
  /** Why the part proved nothing, such as "no tests". It counts as one failure. */
  problem?: string;
}

export const failuresOf = ({ tests }: PartResult): TestResult[] =>
  tests.filter(({ status }) => status === "failed");

/** Returns whether what failed runs again. Types, lint and what could not run give the same answer twice and are not asked. */
export function deservesSecondTry(parts: PartResult[]): boolean {
  const count = parts.flatMap(failuresOf).length;
  return count > 0 && count <= mostRepeated;
}

/**
 * Merges a part's second run into its first. A test that passed in one run and failed in the other has passed and is flaky;
 * the flaky ones come back with the message of the run that failed. A failed test that did not run again has failed.
 */
export function mergeRuns(first: PartResult, second: PartResult): { part: PartResult; flaky: TestResult[] } {
  const again = new Map(second.tests.map((test) => [test.id, test]));
  const flaky: TestResult[] = [];
  const tests = first.tests.map((test) => {
    const other = again.get(test.id);
    again.delete(test.id);
    const [failed, passed] = (["failed", "passed"] as const).map((status) =>
      [test, other].find((run) => run?.status === status),
    );
    if (!failed || !passed) return failed ?? test;
    flaky.push(failed);
    return passed;
  });
  // The tests of a file that could not be loaded in the first run.
  return { part: { ...first, tests: [...tests, ...again.values()] }, flaky };
}

/** Returns how many tests passed, failed and were skipped. */
export function countResults({ tests, problem }: PartResult) {
  const count = (status: TestResult["status"]) =>
    tests.filter((test) => test.isTest && test.status === status).length;
  const others = tests.filter((test) => !test.isTest && test.status === "failed").length;
  return {
    passed: count("passed"),
    failed: count("failed") + others + (problem === undefined ? 0 : 1),
    skipped: count("skipped"),
  };
}

/** Returns a flaky test as one line. */
export const flakyLine = ({ file, title, message }: TestResult): string =>
  `FLAKY ${[file, title, firstLine(message)].filter(Boolean).join(": ")}`;

const firstLine = (message: string): string =>
  stripVTControlCharacters(message)
    .split("\n")
    .map((line) => line.trim())
    .find(Boolean) ?? "";
