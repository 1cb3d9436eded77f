import type { Services } from "../../context.ts";
import { hasAccounts } from "../../profiles/account-queries.ts";
import { checkAndRepair } from "../../database/check-and-repair.ts";
import { deleteSiteValue, setSiteValue, siteValue } from "../../database/meta.ts";
import { restoreKey } from "../../database/start.ts";
import { examinePictures } from "../../media/check-pictures.ts";
import type { ReportLine } from "../../../shared/imports.ts";
import { textOf } from "../reading/decode.ts";
import { valuesIn } from "../reading/json.ts";
import { isRow, parsedJson, trimmedText } from "../reading/values.ts";
import { FileProblem, type Files } from "../source.ts";
import { settingsOf } from "./settings.ts";
import { steps, type RestoreStep, type RestoreContext } from "./steps.ts";
import type { Row } from "./values.ts";

/** A checkpoint, saved with each batch. */
interface Checkpoint {
  /** Identifies the export. */
  of: string;
  step: number;
  /** Processed entries of that step's file. */
  done: number;
  /** New rows per step. */
  stored: number[];
}

export interface RestoreOptions {
  onProgress?: (done: number, of: number, what: string) => void;
  signal?: AbortSignal | undefined;
}

export interface RestoredSite {
  accounts: number;
  pictures: number;
  blogs: number;
  comments: number;
  /** Whether an interrupted restore was continued. */
  resumed: boolean;
  problems: ReportLine[];
}

const batchSize = 200;
/** Lines of a report. */
const maxProblems = 500;

/** Returns the head and folder of an export of a whole site; undefined for anything else. */
export async function siteExportHead(files: Files): Promise<{ root: string; head: Row } | undefined> {
  const name = (await files.list())
    .map((file) => file.name)
    .filter((one) => /(?:^|\/)export\.json$/.test(one))
    .sort((one, other) => one.length - other.length)[0];
  if (name === undefined) return undefined;
  const head = parsedJson(textOf(await files.read(name, 1024 * 1024)));
  const isSite = isRow(head) && head.format === "reprise-export" && head.kind === "site";
  return isSite ? { root: name.slice(0, -"export.json".length), head } : undefined;
}

/**
 * Restores a site's export into an empty database. Continues an interrupted restore of the same export. Throws when there is a
 * site, or another export was begun. No server may be running.
 */
export async function restoreSite(
  services: Services,
  files: Files,
  { root, head }: { root: string; head: Row },
  { onProgress = () => undefined, signal }: RestoreOptions = {},
): Promise<RestoredSite> {
  const names = new Set((await files.list()).map(({ name }) => name));
  for (const name of [
    "index.html",
    "site.json",
    ...steps.filter(({ isNewer }) => !isNewer).map(({ file }) => file),
  ])
    if (!names.has(root + name))
      throw new FileProblem(`the export is incomplete: ${name} is missing. Please export again`);
  const { database } = services;
  const previous = await checkpointOf(services, head);
  const resumed = previous !== undefined;
  const checkpoint: Checkpoint = previous ?? {
    of: exportIdentity(head),
    step: 0,
    done: 0,
    stored: steps.map(() => 0),
  };
  const problems: ReportLine[] = [];
  const context: RestoreContext = {
    services,
    files,
    root,
    url: isRow(head.site) ? (trimmedText(head.site.url)?.replace(/\/$/, "") ?? null) : null,
    now: Date.now(),
    reportProblem: (file, reason) => {
      if (problems.length < maxProblems) problems.push({ file, reason });
    },
  };
  // Blocks the site meanwhile: its first confirmed account would become administrator.
  if (!previous) await database.write((tx) => setSiteValue(tx, restoreKey, JSON.stringify(checkpoint)));
  for (const [index, step] of steps.entries()) {
    if (index < checkpoint.step) continue;
    if (index > checkpoint.step) Object.assign(checkpoint, { step: index, done: 0 });
    const reportProgress = (entries: number) =>
      onProgress(index, steps.length + 1, `${step.file} ${entries}`);
    reportProgress(checkpoint.done);
    if (names.has(root + step.file)) await restoreStep(step, checkpoint, context, { reportProgress, signal });
  }
  onProgress(steps.length, steps.length + 1, "site.json");
  const storeSettings = await settingsOf(context);
  await checkAndRepair(database);
  await database.write(storeSettings);
  await examinePictures(services, context.now);
  await database.write((tx) => deleteSiteValue(tx, restoreKey));
  onProgress(steps.length + 1, steps.length + 1, "");
  const [accounts = 0, pictures = 0, , blogs = 0, comments = 0] = checkpoint.stored;
  return { accounts, pictures, blogs, comments, resumed, problems };
}

/** Restores one file from the checkpoint on. */
async function restoreStep(
  step: RestoreStep,
  checkpoint: Checkpoint,
  context: RestoreContext,
  { reportProgress, signal }: { reportProgress: (entries: number) => void; signal: AbortSignal | undefined },
): Promise<void> {
  const { files, root, services } = context;
  const stored = checkpoint.stored[checkpoint.step] ?? 0;
  const batch: Promise<Row | null>[] = [];
  let [position, added] = [0, 0];
  const flush = async () => {
    const rows = (await Promise.all(batch.splice(0))).filter((row) => row !== null);
    await services.database.write(async (tx) => {
      added += rows.length > 0 ? await step.put(tx, rows, context) : 0;
      checkpoint.done = position;
      checkpoint.stored[checkpoint.step] = stored + added;
      await setSiteValue(tx, restoreKey, JSON.stringify(checkpoint));
    });
    reportProgress(position);
  };
  const start = checkpoint.done;
  for await (const { value } of valuesIn(files, root + step.file, ["$.*"])) {
    if (++position <= start || !isRow(value)) continue;
    signal?.throwIfAborted();
    const row = step.prepare ? step.prepare(value, context) : Promise.resolve(value);
    // Another row may fail first.
    row.catch(() => undefined);
    batch.push(row);
    if (batch.length >= (step.batchSize ?? batchSize)) await flush();
  }
  await flush();
}

const exportIdentity = (head: Row): string =>
  `${isRow(head.site) ? trimmedText(head.site.url) : ""} ${trimmedText(head.made)}`;

/** Returns undefined for a new restore. Throws for a site or another export. */
async function checkpointOf({ database: { read } }: Services, head: Row): Promise<Checkpoint | undefined> {
  const stored = await siteValue(read, restoreKey);
  const checkpoint = stored === undefined ? undefined : (JSON.parse(stored) as Checkpoint);
  if (checkpoint?.of === exportIdentity(head)) return checkpoint;
  if (checkpoint)
    throw new Error(
      `Restoring the export of ${checkpoint.of} is not finished. Use that file again, or start over with an empty DATA_DIR.`,
    );
  if (await hasAccounts(read))
    throw new Error(
      "This site has content. Restore a site’s export into an empty one (another DATA_DIR), or add --author USERNAME to import its blogs into an account.",
    );
  return undefined;
}
