import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { text } from "node:stream/consumers";
import { compileCacheEnv, entry } from "./entry.ts";
import { databaseSettings } from "./postgres.ts";
import { fileSettings } from "./s3.ts";

const root = path.resolve(import.meta.dirname, "../..");

export interface Answer {
  code: number;
  output: string;
  /** Standard error without its last newline. */
  error: string;
  /** The parsed output with `--json`. */
  json: unknown;
}

/**
 * Runs `npm run reprise -- …` over a data folder in a child process with `input` as its standard input. `killSignal` ends it with
 * SIGKILL.
 */
export async function reprise(
  dataDir: string,
  args: string[],
  settings: Record<string, string> = {},
  killSignal?: AbortSignal,
  input?: string,
): Promise<Answer> {
  const child = spawn(process.execPath, [entry("reprise"), ...args], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      ...compileCacheEnv(),
      DATA_DIR: dataDir,
      ...(await databaseSettings(dataDir)),
      ...(await fileSettings(dataDir)),
      ...settings,
    },
    stdio: ["pipe", "pipe", "pipe"],
  });
  child.stdin.end(input);
  killSignal?.addEventListener("abort", () => void child.kill("SIGKILL"));
  const [out, error, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close") as Promise<[number]>,
  ]);
  const json: unknown = args.includes("--json") ? JSON.parse(out) : undefined;
  return { code, output: out.trim(), error: error.trim(), json };
}
