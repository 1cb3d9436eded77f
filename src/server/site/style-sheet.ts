import { fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import { limitConcurrency } from "../runtime/concurrency.ts";
import type { CompiledSheet } from "./compile-style-sheet.ts";

const oneAtATime = limitConcurrency(1);
const script = path.join(
  import.meta.dirname,
  import.meta.filename.endsWith(".ts") ? "compile-style-sheet.ts" : "compile-style-sheet.js",
);

/**
 * Minifies a style sheet. Throws `bad_request` if it is invalid, too costly, or loads anything from another site, which would
 * reveal readers to it.
 */
export async function compileStyleSheet(source: string): Promise<string> {
  const nesting = limits.site.sheetNesting;
  if (deepestNesting(source) > nesting)
    throw refusal(`This style sheet is nested too deeply. Use up to ${nesting} levels of brackets.`);
  const rendered = await oneAtATime(() => compileInChild(source));
  if ("refused" in rendered) throw refusal(rendered.refused);
  return rendered.css;
}

/** Parses in a child process with a timeout. */
async function compileInChild(source: string): Promise<CompiledSheet> {
  const child = fork(script, {
    execArgv: [],
    env: { PATH: process.env.PATH, NODE_ENV: "production" },
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    timeout: limits.site.sheetPatience,
    killSignal: "SIGKILL",
  });
  const result = once(child, "message") as Promise<[CompiledSheet]>;
  const exited = once(child, "exit").then(([code]): never => {
    throw refusal("This style sheet is too complex. Please make it simpler.", code);
  });
  // If it has exited, `exited` reports that.
  child.send(source, () => undefined);
  const [rendered] = await Promise.race([result, exited]);
  return rendered;
}

/** Returns the deepest nesting of brackets, even in strings and comments. */
function deepestNesting(source: string): number {
  let [depth, deepest] = [0, 0];
  for (const bracket of source.match(/[([{}\])]/g) ?? []) {
    depth = Math.max(0, depth + ("([{".includes(bracket) ? 1 : -1));
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

const refusal = (message: string, cause?: unknown) =>
  new AppError("bad_request", message, { field: "source", cause });
