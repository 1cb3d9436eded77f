import type { Parts } from "../../context.ts";
import { anybodyIsThere } from "../../users/account-queries.ts";
import { examine } from "../../database/examine.ts";
import { deleteSiteValue, setSiteValue, siteValue } from "../../database/meta.ts";
import { restoreKey } from "../../database/start.ts";
import { examinePictures } from "../../media/examine.ts";
import type { ReportLine } from "../../../shared/imports.ts";
import { textOf } from "../reading/decode.ts";
import { valuesIn } from "../reading/json.ts";
import { isRow, parsed, said } from "../reading/values.ts";
import { FileProblem, type Files } from "../source.ts";
import { settingsOf } from "./settings.ts";
import { steps, type Step, type Tools } from "./steps.ts";
import type { Row } from "./values.ts";

/** How far a restore is: written down with each lot of rows. */
interface Place {
  /** Of which export: another one is not mixed with it. */
  of: string;
  step: number;
  /** Entries of that step's file that are done. */
  done: number;
  /** New rows of each step so far. */
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
  /** Of what the export says that there are. */
  wentOn: boolean;
  problems: ReportLine[];
}

const atOnce = 200;
/** Lines of a report. */
const mostProblems = 500;

/** The head of an export of a whole site, and the folder that it is in; undefined where it is another kind of export, or none. */
export async function headOfSite(files: Files): Promise<{ root: string; head: Row } | undefined> {
  const name = (await files.list())
    .map((file) => file.name)
    .filter((one) => /(?:^|\/)export\.json$/.test(one))
    .sort((one, other) => one.length - other.length)[0];
  if (name === undefined) return undefined;
  const head = parsed(textOf(await files.read(name, 1024 * 1024)));
  const isSite = isRow(head) && head.format === "reprise-export" && head.kind === "site";
  return isSite ? { root: name.slice(0, -"export.json".length), head } : undefined;
}

/**
 * Makes the same site of a site's export, in a store where there is none. One that was killed goes on where it was with the same
 * export. Throws where there is a site already, or another export was begun; the server must not run.
 */
export async function restoreSite(
  parts: Parts,
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
  const { database } = parts;
  const begun = await placeIn(parts, head);
  const wentOn = begun !== undefined;
  const place: Place = begun ?? { of: nameOf(head), step: 0, done: 0, stored: steps.map(() => 0) };
  const problems: ReportLine[] = [];
  const tools: Tools = {
    parts,
    files,
    root,
    url: isRow(head.site) ? (said(head.site.url)?.replace(/\/$/, "") ?? null) : null,
    now: Date.now(),
    tell: (file, reason) => {
      if (problems.length < mostProblems) problems.push({ file, reason });
    },
  };
  // Nobody else makes it theirs meanwhile: the first who confirms an address would be its administrator.
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
  await examine(database);
  await database.write(settle);
  await examinePictures(parts, tools.now);
  await database.write((tx) => deleteSiteValue(tx, restoreKey));
  onProgress(steps.length + 1, steps.length + 1, "");
  const [accounts = 0, pictures = 0, , blogs = 0, comments = 0] = place.stored;
  return { accounts, pictures, blogs, comments, wentOn, problems };
}

/** One file of it, from where it was left. */
async function take(
  step: Step,
  place: Place,
  tools: Tools,
  { tell, signal }: { tell: (entries: number) => void; signal: AbortSignal | undefined },
): Promise<void> {
  const { files, root, parts } = tools;
  const stored = place.stored[place.step] ?? 0;
  const lot: Promise<Row | null>[] = [];
  let [met, added] = [0, 0];
  const flush = async () => {
    const rows = (await Promise.all(lot.splice(0))).filter((row) => row !== null);
    await parts.database.write(async (tx) => {
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
    const row = step.ready ? step.ready(value, tools) : Promise.resolve(value);
    // Where another one fails first it is not waited for.
    row.catch(() => undefined);
    lot.push(row);
    if (lot.length >= (step.atOnce ?? atOnce)) await flush();
  }
  await flush();
}

/** Which export it is. */
const nameOf = (head: Row): string => `${isRow(head.site) ? said(head.site.url) : ""} ${said(head.made)}`;

/** Where a restore of this export is; undefined where none was begun. Throws where there is a site, or a part of another one. */
async function placeIn({ database: { read } }: Parts, head: Row): Promise<Place | undefined> {
  const written = await siteValue(read, restoreKey);
  const place = written === undefined ? undefined : (JSON.parse(written) as Place);
  if (place?.of === nameOf(head)) return place;
  if (place)
    throw new Error(
      `Restoring the export of ${place.of} is not finished. Use that file again, or start over with an empty DATA_DIR.`,
    );
  if (await anybodyIsThere(read))
    throw new Error(
      "This site has content. Restore a site’s export into an empty one (another DATA_DIR), or add --author USERNAME to import its blogs into an account.",
    );
  return undefined;
}
