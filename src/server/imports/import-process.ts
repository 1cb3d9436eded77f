import { AppError } from "../../shared/errors.ts";
import type { ImportKind } from "../../shared/imports.ts";
import type { Services } from "../context.ts";
import { limitConcurrency } from "../runtime/concurrency.ts";
import { CommandKilled, runCommand, siteSettings } from "../runtime/run-command.ts";
import { importBounds as bounds } from "./bounds.ts";

/*
 * An upload is read and imported by a command in a process of its own (`commands/import-upload.ts`): the server answers requests
 * meanwhile, and exhausted time or memory ends only that process.
 */

interface ProcessOptions {
  signal: AbortSignal;
  onMessage?: (message: unknown) => void;
  /** Tests set their own. */
  limits?: Partial<{ megabytes: number; idle: number }>;
}

/** Runs an `import` command. Throws an `AppError` for people when its process is ended. */
async function runImportCommand(
  { config }: Pick<Services, "config">,
  args: string[],
  { signal, onMessage = () => undefined, limits = {} }: ProcessOptions,
): Promise<unknown> {
  try {
    return await runCommand(["import", ...args], {
      settings: {
        ...siteSettings(config),
        PUBLIC_URL: config.publicUrl,
        RATE_LIMIT: config.rateLimit ? "on" : "off",
        FETCH_PICTURES: config.fetchPictures ? "on" : "off",
      },
      signal,
      failed: "The import failed",
      onMessage,
      // A slow process would hold the database's lock for long.
      keepsPriority: true,
      heapMegabytes: limits.megabytes ?? bounds.megabytes,
      idleLimit: limits.idle ?? bounds.idle,
    });
  } catch (error) {
    if (!(error instanceof CommandKilled)) throw error;
    const texts = args[0] === "check" ? checkProblems : problems;
    throw new AppError("bad_request", texts[error.reason], { cause: error });
  }
}

const kept = "Posts imported so far were kept.";
const problems: Record<CommandKilled["reason"], string> = {
  memory: `This file needs more memory than an import can use. ${kept} Please import the rest in smaller parts.`,
  time: `One of its texts takes too long to read. ${kept} Please import the rest in smaller parts.`,
  unknown: `The import was interrupted. ${kept} Import the same file again to continue.`,
};

const checkProblems: typeof problems = {
  memory: "This file needs more memory than an import can use. Please import it in smaller parts.",
  time: "This file takes too long to read. Please import it in smaller parts.",
  unknown: "Checking the file was interrupted. Please try again.",
};

/** Imports an upload. `onMessage` gets the number of finished posts. */
export const runImport = (
  services: Pick<Services, "config">,
  { runId, file }: { runId: string; file: string },
  options: ProcessOptions,
) => runImportCommand(services, ["run", runId, file], options);

const oneOfFew = limitConcurrency(bounds.concurrentImports);

/** What a look at a file found: its kind, if known from its file names, or why it can't be imported. */
export interface Checked {
  detected: ImportKind | null;
  problem: string | null;
}

/** Checks whether a file can be imported as a kind. */
export const checkFile = async (
  services: Pick<Services, "config">,
  { kind, file, name }: { kind: ImportKind; file: string; name: string },
  options: ProcessOptions,
): Promise<Checked> =>
  (await oneOfFew(() =>
    runImportCommand(services, ["check", kind, file, `--name=${name}`], options),
  )) as Checked;
