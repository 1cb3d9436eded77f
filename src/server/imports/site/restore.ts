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
  const begun = await checkpointOf(services, head);
  const resumed = begun !== undefined;
  const place: Checkpoint = begun ?? {
    of: exportIdentity(head),
    step: 0,
    done: 0,
    stored: steps.map(() => 0),
  };
  const problems: ReportLine[] = [];
  const tools: RestoreContext = {
    services,
    files,
    root,
    url: isRow(head.site) ? (trimmedText(head.site.url)?.replace(/\/$/, "") ?? null) : null,
    now: Date.now(),
    tell: (file, reason) => {
      if (problems.length < maxProblems) problems.push({ file, reason });
    },
  };
  // Blocks the site meanwhile: its first confirmed account would become administrator.
  if (!begun) await database.write((tx) => setSiteValue(tx, restoreKey, JSON.stringify(place)));
  for (const [at, step] of steps.entries()) {
    if (at < place.step) continue;
    if (at > place.step) Object.assign(place, { step: at, done: 0 });
    const tell = (entries: number) => onProgress(at, steps.length + 1, `${step.file} ${entries}`);
    tell(place.done);
    if (names.has(root + step.file)) await take(step, place, tools, { tell, signal });
  }
  onProgress(steps.length, steps.length + 1, "site.json");
  const settle = await settingsOf(tools);
  await checkAndRepair(database);
  await database.write(settle);
  await examinePictures(services, tools.now);
  await database.write((tx) => deleteSiteValue(tx, restoreKey));
  onProgress(steps.length + 1, steps.length + 1, "");
  const [accounts = 0, pictures = 0, , blogs = 0, comments = 0] = place.stored;
  return { accounts, pictures, blogs, comments, resumed, problems };
}

/** Restores one file from the checkpoint on. */
async function take(
  step: RestoreStep,
  place: Checkpoint,
  tools: RestoreContext,
  { tell, signal }: { tell: (entries: number) => void; signal: AbortSignal | undefined },
): Promise<void> {
  const { files, root, services } = tools;
  const stored = place.stored[place.step] ?? 0;
  const lot: Promise<Row | null>[] = [];
  let [met, added] = [0, 0];
  const flush = async () => {
    const rows = (await Promise.all(lot.splice(0))).filter((row) => row !== null);
    await services.database.write(async (tx) => {
      added += rows.length > 0 ? await step.put(tx, rows, tools) : 0;
      place.done = met;
      place.stored[place.step] = stored + added;
      await setSiteValue(tx, restoreKey, JSON.stringify(place));
    });
    tell(met);
  };
  const from = place.done;
  for await (const { value } of valuesIn(files, root + step.file, ["$.*"])) {
    if (++met <= from || !isRow(value)) continue;
    signal?.throwIfAborted();
    const row = step.prepare ? step.prepare(value, tools) : Promise.resolve(value);
    // Another row may fail first.
    row.catch(() => undefined);
    lot.push(row);
    if (lot.length >= (step.batchSize ?? batchSize)) await flush();
  }
  await flush();
}

const exportIdentity = (head: Row): string =>
  `${isRow(head.site) ? trimmedText(head.site.url) : ""} ${trimmedText(head.made)}`;

/** Returns undefined for a new restore. Throws for a site or another export. */
async function checkpointOf({ database: { read } }: Services, head: Row): Promise<Checkpoint | undefined> {
  const written = await siteValue(read, restoreKey);
  const place = written === undefined ? undefined : (JSON.parse(written) as Checkpoint);
  if (place?.of === exportIdentity(head)) return place;
  if (place)
    throw new Error(
      `Restoring the export of ${place.of} is not finished. Use that file again, or start over with an empty DATA_DIR.`,
    );
  if (await hasAccounts(read))
    throw new Error(
      "This site has content. Restore a site’s export into an empty one (another DATA_DIR), or add --author USERNAME to import its blogs into an account.",
    );
  return undefined;
}
