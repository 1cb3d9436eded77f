import { fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import { fewAtOnce } from "../turns.ts";
import type { DrawnSheet } from "./draw-sheet.ts";

const oneAtATime = fewAtOnce(1);
const script = path.join(
  import.meta.dirname,
  import.meta.filename.endsWith(".ts") ? "draw-sheet.ts" : "draw-sheet.js",
);

/**
 * A style sheet as it is served, made smaller. Throws `bad_request` with the line where it can't be read, where it takes too
 * much, and where it asks for anything from elsewhere: that would tell others who reads here.
 */
export async function drawSheet(source: string): Promise<string> {
  const nesting = limits.site.sheetNesting;
  if (deepest(source) > nesting)
    throw refusal(`This style sheet is nested too deeply. Use up to ${nesting} levels of brackets.`);
  const drawn = await oneAtATime(() => drawApart(source));
  if ("refused" in drawn) throw refusal(drawn.refused);
  return drawn.css;
}

/** Has it read in a process of its own, which is ended where it takes too long. */
async function drawApart(source: string): Promise<DrawnSheet> {
  const child = fork(script, {
    execArgv: [],
    env: { PATH: process.env.PATH, NODE_ENV: "production" },
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    timeout: limits.site.sheetPatience,
    killSignal: "SIGKILL",
  });
  const answered = once(child, "message") as Promise<[DrawnSheet]>;
  const ended = once(child, "exit").then(([code]): never => {
    throw refusal("This style sheet is too complex. Please make it simpler.", code);
  });
  // Where it is gone already its end says so.
  child.send(source, () => undefined);
  const [drawn] = await Promise.race([answered, ended]);
  return drawn;
}

/** How many brackets of any kind are open at once, at the most. Those in texts and comments count as well. */
function deepest(source: string): number {
  let [open, most] = [0, 0];
  for (const bracket of source.match(/[([{}\])]/g) ?? []) {
    open = Math.max(0, open + ("([{".includes(bracket) ? 1 : -1));
    most = Math.max(most, open);
  }
  return most;
}

const refusal = (message: string, cause?: unknown) =>
  new AppError("bad_request", message, { field: "source", cause });
