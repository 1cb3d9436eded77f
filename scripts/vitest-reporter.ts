// Writes the result of each test, file and run as JSON to the file that VITEST_RESULTS names.
import { writeFileSync } from "node:fs";
import path from "node:path";
import type { Reporter, SerializedError, TestModule } from "vitest/node";
import type { TestResult } from "./merge-test-runs.ts";

/** A result with the Vitest project it belongs to, such as "unit". */
interface VitestResult extends TestResult {
  project: string;
  /** Whether it is marked `more`. */
  isMore: boolean;
}

export default class ResultsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const results = { tests: modules.flatMap(resultsOf), outside: errors.map(messageOf) };
    writeFileSync(process.env.VITEST_RESULTS!, JSON.stringify(results));
  }
}

function resultsOf(module: TestModule): VitestResult[] {
  const file = path.relative(process.cwd(), module.moduleId);
  const project = module.project.name;
  const tests = [...module.children.allTests()].map((test): VitestResult => {
    const { state, errors = [] } = test.result();
    const message = errors.map(messageOf).join("\n");
    // A test that is pending when the run ends never finished.
    const status = state === "pending" ? "failed" : state;
    const isMore = test.options.tags?.includes("more") ?? false;
    return { id: test.id, file, title: test.fullName, status, message, isTest: true, project, isMore };
  });
  // A file that can't be loaded, or whose hooks fail, has no failed test of its own.
  const isBroken =
    !["passed", "skipped"].includes(module.state()) && tests.every(({ status }) => status !== "failed");
  const errors = [module, ...module.children.allSuites()].flatMap((suite) => suite.errors());
  const message = errors.map(messageOf).join("\n") || "The file did not run to its end.";
  const status = isBroken ? "failed" : "passed";
  return [
    ...tests,
    { id: module.id, file, title: "", status, message, isTest: false, project, isMore: false },
  ];
}

const messageOf = ({ stack, message }: SerializedError): string => stack ?? message;
