import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const steps = path.resolve(import.meta.dirname, "../../scripts/steps.mjs");

/** Returns all that a step writes, where `output` is a terminal or is not. */
async function outputOf(isTTY: boolean, work: string): Promise<string> {
  const program = `
    const { step } = await import(${JSON.stringify(steps)});
    const output = { isTTY: ${isTTY}, write: (text) => process.stdout.write(text) };
    await step("Building the site…", ${work}, (count) => \`Built \${count} files\`, output).catch(() => {});`;
  const args = ["--input-type=module", "-e", program];
  return (await promisify(execFile)(process.execPath, args)).stdout;
}

test("says what a step does and, at its end, how long it took", async () => {
  const text = await outputOf(false, "async () => 7");
  expect(text).toMatch(/^Building the site…\nBuilt 7 files in \d+ s\.\n$/);
});

test("counts the seconds in one line of a terminal", async () => {
  const work = "async () => (await new Promise((resolve) => setTimeout(resolve, 1_500)), 7)";
  const lines = (await outputOf(true, work)).split("\r\u001b[2K").slice(1);
  expect(lines[0]).toBe("Building the site…");
  expect(lines[1]).toMatch(/^Building the site… \d+ s$/);
  expect(lines.at(-1)).toMatch(/^Built 7 files in \d+ s\.\n$/);
});

test("leaves the line of a failed step, and never says that it is done", async () => {
  for (const isTTY of [true, false]) {
    const text = await outputOf(isTTY, 'async () => { throw new Error("no network"); }');
    expect(text).toMatch(/Building the site…\n$/);
    expect(text).not.toContain("Built");
  }
});
