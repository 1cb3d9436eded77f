import { writeFile } from "node:fs/promises";
import path from "node:path";
import { importKinds, importNames, type ImportKind, type ImportReport } from "../../shared/imports.ts";
import { importingAs } from "../acting-context.ts";
import type { Services } from "../context.ts";
import { lockDataFolder } from "../database/start.ts";
import { siteExportHead, restoreSite } from "../imports/site/restore.ts";
import { authorResolver, readAuthorMap } from "../imports/authors.ts";
import { openSource } from "../imports/thread/open.ts";
import { openFiles } from "../imports/files/open.ts";
import { kinds } from "../imports/kinds.ts";
import { allRuns, blogsOfRun, runById } from "../imports/queries.ts";
import { importFrom } from "../imports/import-posts.ts";
import {
  beginRun,
  executeRun,
  changeRunAndPublish,
  hasProcess,
  isActive,
  undoRun,
} from "../imports/import-runs.ts";
import { reportText, shownReport } from "../imports/report.ts";
import { FileProblem } from "../imports/source.ts";
import { userById, userByUsername } from "../profiles/queries.ts";
import { command, plural, printable, table, type CommandInput, type CommandOutput } from "./command.ts";
import { withServices } from "./services.ts";

const hasPages = (kind: ImportKind): boolean => kind === "ghost" || kind === "wordpress";

const importCommand = (kind: ImportKind) =>
  command({
    name: `import ${kind}`,
    takes: `PATH ${kind === "reprise" ? "[--author USERNAME]" : "--author USERNAME"} [--again] [--fetch] [--map-authors FILE] [--dry-run]${hasPages(kind) ? " [--pages]" : ""}`,
    description: `Imports blogs from a folder, a ZIP or a file: ${importNames[kind].name}.${kind === "reprise" ? " Without --author, the export of a whole site is restored into an empty DATA_DIR." : ""}`,
    words: [1, 1],
    options: {
      author: { type: "string" },
      again: { type: "boolean" },
      fetch: { type: "boolean" },
      "map-authors": { type: "string" },
      "dry-run": { type: "boolean" },
      pages: { type: "boolean" },
    },
    run: (input) => {
      const {
        words: [sourcePath = ""],
        options,
        progress,
        signal,
      } = input;
      const { author } = options;
      const isWholeSite = kind === "reprise" && author === undefined;
      const site = isWholeSite ? "new" : "existing";
      return withServices(async (services) => {
        const output = isWholeSite && (await restoreWholeSite(services, sourcePath, input));
        if (output) return output;
        if (author === undefined)
          throw new Error(`Please name an author: npm run reprise -- import ${kind} PATH --author USERNAME`);
        const user = await userByUsername(services.database.read, author);
        if (!user)
          throw new Error(
            `There is no account with the username ${author}. Make one with: npm run reprise -- user add ${author} --email ADDRESS`,
          );
        const importMode = { isLocal: true, fetch: options.fetch ?? false };
        const ctx = importingAs(services, user.id, importMode);
        const mapFile = options["map-authors"];
        const authorOf = await authorResolver(
          services,
          ctx,
          mapFile ? await readAuthorMap(mapFile) : new Map(),
          importMode,
        );
        const name = path.resolve(sourcePath);
        const source = await openImportSource(kind, name, options.pages ?? false);
        try {
          const onProgress = (_: ImportReport, done: number, of: number, file: string) =>
            progress(done, of, file);
          if (options["dry-run"]) {
            const report = await importFrom(ctx, source, {
              authorOf,
              onProgress,
              dryRun: true,
              again: options.again ?? false,
            });
            return importOutput(report, user.username, null);
          }
          const run = {
            authorId: user.id,
            options: {
              ...(options.again && { again: true }),
              ...(importMode.fetch && { fetch: true }),
              pid: process.pid,
            },
          };
          const id = await beginRun(services, { ...run, kind, name, local: true, state: "running" });
          const report = await executeRun(ctx, { ...run, id }, source, {
            authorOf,
            onProgress,
            signal: signal(),
          });
          return importOutput(report, user.username, id);
        } finally {
          await source.close();
        }
      }, site);
    },
  });

/** Restores a whole site's export; returns undefined for another ZIP. */
async function restoreWholeSite(
  services: Services,
  sourcePath: string,
  { progress, signal }: Pick<CommandInput, "progress" | "signal">,
): Promise<CommandOutput | undefined> {
  const name = path.resolve(sourcePath);
  try {
    const files = await openFiles(name);
    try {
      const head = await siteExportHead(files);
      if (!head) return undefined;
      const lock = lockDataFolder(services.config, "Stop it first: a site is restored while no server runs.");
      try {
        const site = await restoreSite(services, files, head, { onProgress: progress, signal: signal() });
        const { accounts, blogs, comments, pictures, resumed, problems } = site;
        return {
          lines: [
            `${resumed ? "Resumed the import. " : ""}The site is restored: ${plural(accounts, "account")}, ${plural(blogs, "blog")}, ${plural(comments, "comment")} and ${plural(pictures, "picture")}.`,
            ...list("Not imported:", problems),
            "People without a password choose one with “Forgot password”, by email. Passkeys, two-factor authentication and API tokens have to be set up again.",
          ],
          json: site,
          hasProblems: problems.length > 0,
        };
      } finally {
        lock.release();
      }
    } finally {
      await files.close();
    }
  } catch (error) {
    throw error instanceof FileProblem ? importError(name, error) : error;
  }
}

const importError = (name: string, problem: FileProblem): Error =>
  new Error(`${name} can’t be imported: ${problem.message}.`, { cause: problem });

async function openImportSource(kind: ImportKind, file: string, pages: boolean) {
  try {
    return await openSource({ kind, file, pages });
  } catch (error) {
    throw error instanceof FileProblem ? importError(file, error) : error;
  }
}

export const commands = [
  ...importKinds.filter((kind) => kinds[kind]).map(importCommand),
  command({
    name: "import list",
    description: "Lists the imports with their ids.",
    run: () =>
      withServices(async (services) => {
        const runs = await Promise.all(
          (await allRuns(services.database.read, 100)).map(async (run) => ({
            id: run.id,
            kind: run.kind,
            name: run.name,
            state: run.state,
            at: new Date(run.createdAt).toISOString(),
            author: (await userById(services.database.read, run.authorId))?.username ?? "",
            blogs: await blogsOfRun(services.database.read, run.id),
          })),
        );
        const rows = runs.map((run) => [
          run.id,
          run.at.slice(0, 16).replace("T", " "),
          run.author,
          run.kind,
          run.state,
          String(run.blogs),
          run.name,
        ]);
        return {
          lines:
            runs.length === 0
              ? "Nothing was imported."
              : table(["ID", "AT (UTC)", "AUTHOR", "KIND", "STATE", "BLOGS", "FROM"], rows),
          json: runs,
        };
      }),
  }),
  command({
    name: "import undo",
    takes: "ID",
    description: "Deletes the blogs of an import, except those that were edited or that others commented on.",
    words: [1, 1],
    run: ({ words: [id = ""], progress, signal }) =>
      withServices(async (services) => {
        const run = await runById(services.database.read, id);
        if (!run) throw new Error(`No import has the id ${id}. See: npm run reprise -- import list`);
        if (!run.local && isActive(run.state) && run.state !== "undoing")
          throw new Error("That import is in progress on the site. Stop it there first.");
        if (hasProcess(run, Date.now()))
          throw new Error(
            `That import is in progress in another process (${run.options.pid}). Stop it there first, with Ctrl-C. If it was killed, try again in a minute.`,
          );
        await changeRunAndPublish(services, run, { state: "undoing", problem: null }, [
          "running",
          "done",
          "failed",
          "cancelled",
        ]);
        const { removed, report } = await undoRun(services, run, {
          signal: signal(),
          onProgress: (done, of) => progress(done, of, ""),
        });
        return {
          lines: [`Deleted ${plural(removed, "blog")}.`, ...list("Unchanged:", report.kept)],
          json: { removed, kept: report.kept },
        };
      }),
  }),
];

const list = (title: string, files: { file: string; reason: string }[]): string[] =>
  files.length === 0
    ? []
    : ["", title, ...files.map(({ file, reason }) => `  ${printable(file)}: ${printable(reason)}`)];

/** Shows the first lines of a report. The rest is in a file in the current folder. */
async function importOutput(whole: ImportReport, username: string, id: string | null) {
  const report = shownReport(whole);
  const { imported, changed, pictures, comments = 0, found, before, more } = report;
  const reportFile = path.resolve(`import-${id ?? "dry-run"}.txt`);
  const isWritten =
    more > 0 &&
    (await writeFile(reportFile, reportText(whole), { mode: 0o600 }).then(
      () => true,
      () => false,
    ));
  const lines = [
    `${id === null ? "Would import" : "Imported"} ${plural(imported, "blog")} with ${plural(pictures, "picture")}${comments > 0 ? ` and ${plural(comments, "comment")}` : ""}, as ${username}, from ${plural(found, "post")}.`,
    ...(changed > 0 ? [`Updated ${plural(changed, "blog")} from the source.`] : []),
    ...(before > 0 ? [`${plural(before, "blog")} imported before, unchanged.`] : []),
    ...list("Imported as drafts, only visible to their author:", report.drafts),
    ...list("Unchanged, since you edited them here:", report.kept),
    ...list("Skipped, since they aren’t posts:", report.leftOut),
    ...list(
      "Not imported, or changed:",
      report.problems.map(({ file, problem }) => ({ file, reason: problem })),
    ),
    ...(more > 0
      ? [
          "",
          `${plural(more, "more line")} not shown. The whole report ${isWritten ? `is in ${printable(reportFile)}` : `could not be written to ${printable(reportFile)}`}.`,
        ]
      : []),
    ...(id !== null && imported > 0 ? ["", `To undo the import: npm run reprise -- import undo ${id}`] : []),
  ];
  return {
    lines,
    json: { ...whole, id },
    hasProblems: imported + changed + before + report.kept.length === 0,
  };
}
