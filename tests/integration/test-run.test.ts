import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, expect, test } from "vitest";

/* `npm test` over a small project, with this project's runner and settings and the real Vitest and Playwright. */

const root = path.resolve(import.meta.dirname, "../..");
const projects: string[] = [];
afterEach(() =>
  Promise.all(projects.splice(0).map((folder) => rm(folder, { recursive: true, maxRetries: 5 }))),
);

/** Creates a project with these test files, by path. */
async function createProject(files: Record<string, string>) {
  const folder = await mkdtemp(path.join(tmpdir(), "reprise-test-run-"));
  projects.push(folder);
  for (const sourcePath of [
    "scripts",
    "package.json",
    "package-lock.json",
    "playwright.config.ts",
    "vitest.config.ts",
    "tests/support/seeds.ts",
  ])
    await cp(path.join(root, sourcePath), path.join(folder, sourcePath), { recursive: true });
  await symlink(path.join(root, "node_modules"), path.join(folder, "node_modules"));
  const build = {
    "vite.config.ts": `export default { build: { rollupOptions: { input: "entry.js" } } };`,
    "entry.js": "",
  };
  for (const [file, content] of Object.entries({ ...build, ...files })) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), content);
  }
  return {
    async run(...args: string[]) {
      const child = spawn(process.execPath, ["scripts/test.mjs", ...args], {
        cwd: folder,
        // No browser is needed, since none of these tests opens a page.
        env: { PATH: process.env.PATH, HOME: process.env.HOME, CHROMIUM_PATH: "/bin/true" },
        stdio: ["ignore", "pipe", "ignore"],
      });
      const [output] = await Promise.all([text(child.stdout), once(child, "close")]);
      const flaky: unknown = JSON.parse(await readFile(path.join(folder, "test-results/flaky.json"), "utf8"));
      return { code: child.exitCode, lines: output.trim().split("\n"), flaky };
    },
  };
}

const header = (runner: string) => `
  import { existsSync, writeFileSync } from "node:fs";
  import { expect, test } from "${runner}";
  const isFirst = (name) => {
    const file = new URL(\`./\${name}.tried\`, import.meta.url);
    const first = !existsSync(file);
    writeFileSync(file, "");
    return first;
  };
`;
const passingTest = `test("adds", () => expect(1 + 1).toBe(2));`;
const failingTest = `test("is broken", () => expect("left").toBe("right"));`;
const failsOnce = (name: string) =>
  `test("${name}", () => expect(isFirst("${name}") ? "early" : "late").toBe("late"));`;
const manyTests = (count: number, makeTest: (name: string) => string) =>
  Array.from({ length: count }, (_, index) => makeTest(`test ${index}`)).join("\n");

const strayError = {
  vitest: `if (isFirst("stray")) setImmediate(() => { throw new Error("stray"); });`,
  "@playwright/test": `
    const started = test.extend({
      stray: [async ({}, use) => {
        await use();
        if (isFirst("stray")) throw new Error("stray");
      }, { scope: "worker", auto: true }],
    });
    started("starts", () => {});`,
};

for (const { part, runner, file, title } of [
  { part: "unit", runner: "vitest", file: "tests/unit/some.test.ts", title: `"is slow", { tags: ["more"] }` },
  {
    part: "browser",
    runner: "@playwright/test",
    file: "tests/browser/some.spec.ts",
    title: `"is slow @more"`,
  },
] as const) {
  test(`passes with a FLAKY line for a ${part} test that fails once`, { tags: ["more"] }, async () => {
    const project = await createProject({ [file]: header(runner) + passingTest + failsOnce("comes late") });
    const { code, lines, flaky } = await project.run(part);
    expect(lines.slice(-3)).toEqual([
      expect.stringMatching(new RegExp(`^${part} +2 passed, 0 failed$`)),
      expect.stringMatching(new RegExp(`^FLAKY ${file}: comes late: .*expect`)),
      "2 passed, 0 failed",
    ]);
    expect(flaky).toEqual([{ file, title: "comes late", message: expect.stringContaining("late") }]);
    expect(code).toBe(0);
  });

  test(`fails for a ${part} test that fails twice, and names the flaky one beside it`, async () => {
    const project = await createProject({
      [file]: header(runner) + passingTest + failingTest + failsOnce("comes late"),
    });
    const { code, lines } = await project.run(part);
    expect(lines).toContainEqual(expect.stringMatching(new RegExp(`^✗ ${file}(:\\d+)?: is broken$`)));
    expect(lines.slice(-2)).toEqual([expect.stringContaining("comes late"), "2 passed, 1 failed"]);
    expect(code).toBe(1);
  });

  test(`runs all ${part} tests again after an error outside of them`, { tags: ["more"] }, async () => {
    const project = await createProject({ [file]: header(runner) + passingTest + strayError[runner] });
    const { code, lines } = await project.run(part);
    expect(lines.at(-2)).toMatch(/^FLAKY .*outside of the tests: .*stray$/);
    expect(lines.at(-1)).toMatch(/^[12] passed, 0 failed$/);
    expect(code).toBe(0);
  });

  test(
    `runs ${part} tests marked more only by test:more or by a filter that matches their file`,
    { tags: ["more"] },
    async () => {
      const taggedTest = `test(${title}, () => {});`;
      const skippedTest = `test.skip("is left out", () => {});`;
      const project = await createProject({
        [file]: header(runner) + passingTest + taggedTest + skippedTest,
      });
      const summaryLines = async (...args: string[]) =>
        (await project.run(...args)).lines.slice(-2).map((line) => line.replace(/^\w+ {2,}/, ""));
      expect(await summaryLines(part)).toEqual(["1 passed, 0 failed, 1 skipped", "1 passed, 0 failed"]);
      expect(await summaryLines("--more", part)).toEqual(["1 passed, 0 failed", "1 passed, 0 failed"]);
      expect(await summaryLines(part, "some")).toEqual([
        "2 passed, 0 failed, 1 skipped",
        "2 passed, 0 failed",
      ]);
    },
  );
}

const file = "tests/unit/some.test.ts";

test("runs all tests again when the runner ended without results", { tags: ["more"] }, async () => {
  const crash = `if (isFirst("crash")) process.kill(process.ppid, "SIGKILL");`;
  const { code, lines } = await (
    await createProject({ [file]: header("vitest") + passingTest + crash })
  ).run("unit");
  expect(lines.at(-2)).toMatch(/^FLAKY .*The runner ended with code 137 and no results\.$/);
  expect(lines.at(-1)).toBe("1 passed, 0 failed");
  expect(code).toBe(0);
});

test("counts the tests of a file that could not be loaded at first", { tags: ["more"] }, async () => {
  const loadError = `if (isFirst("file")) throw new Error("not yet");`;
  const { code, lines } = await (
    await createProject({ [file]: header("vitest") + loadError + passingTest })
  ).run("unit");
  expect(lines.slice(-2)).toEqual([`FLAKY ${file}: Error: not yet`, "1 passed, 0 failed"]);
  expect(code).toBe(0);
});

test("fails when more tests are flaky than allowed", { tags: ["more"] }, async () => {
  const { code, lines } = await (
    await createProject({ [file]: header("vitest") + manyTests(6, failsOnce) })
  ).run("unit");
  expect(lines.filter((line) => line.startsWith("FLAKY "))).toHaveLength(6);
  expect(lines).toContainEqual(expect.stringContaining("6 are flaky, and at most 5 may be"));
  expect(lines.at(-1)).toBe("6 passed, 1 failed");
  expect(code).toBe(1);
});

test("does not repeat more than ten failed tests", async () => {
  const { code, lines } = await (
    await createProject({ [file]: header("vitest") + manyTests(11, failsOnce) })
  ).run("unit");
  expect(lines).not.toContain("── second try ──");
  expect(lines.at(-1)).toBe("0 passed, 11 failed");
  expect(code).toBe(1);
});
