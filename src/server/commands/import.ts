import { writeFile } from "node:fs/promises";
import path from "node:path";
import { importKinds, importNames, type ImportKind, type ImportReport } from "../../shared/imports.ts";
import { importingAs } from "../accounts/acting-as.ts";
import type { Services } from "../context.ts";
import { authorResolver, readAuthorMap } from "../imports/authors.ts";
import { importBounds } from "../imports/bounds.ts";
import { openSource, type SourceOptions } from "../imports/kinds.ts";
import { importSite, isSiteExport } from "../imports/members.ts";
import { blogsOfRun, listRuns, runById } from "../imports/queries.ts";
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
import {
  command,
  plural,
  printable,
  table,
  UsageError,
  type CommandInput,
  type CommandOutput,
} from "./command.ts";
import { commands as uploads } from "./import-upload.ts";
import { withServices } from "./services.ts";

const hasPages = (kind: ImportKind): boolean => kind === "ghost" || kind === "wordpress";

const importCommand = (kind: ImportKind) =>
  command({
    name: `import ${kind}`,
    takes: `PATH ${kind === "reprise" ? "[--author USERNAME]" : "--author USERNAME"} [--again] [--fetch] [--map-authors FILE] [--dry-run]${hasPages(kind) ? " [--pages]" : ""}`,
    description: `Imports blogs from a folder, a ZIP or a file: ${importNames[kind].name}.${kind === "reprise" ? " Without --author, the export of a whole site: each member’s blogs into the account with their address, or a new one." : ""}`,
    words: [1, 1],
    options: {
      author: { type: "string" },
      again: { type: "boolean" },
      fetch: { type: "boolean" },
      "map-authors": { type: "string" },
      "dry-run": { type: "boolean" },
      pages: { type: "boolean" },
    },
    run: async (input) => {
      const {
        words: [sourcePath = ""],
        options,
        progress,
        signal,
      } = input;
      const { author } = options;
      const name = path.resolve(sourcePath);
      const isSite =
        kind === "reprise" && author === undefined && (await isSiteExport(name).catch(asImportError(name)));
      if (isSite && (options["map-authors"] || options["dry-run"]))
        throw new UsageError("The export of a whole site can’t be imported with --map-authors or --dry-run.");
      return withServices(
        async (services) => {
          if (isSite) return importMembers(services, name, input);
          if (author === undefined)
            throw new Error(
              `Please name an author: npm run reprise -- import ${kind} PATH --author USERNAME`,
            );
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
          const source = await openImportSource(kind, name, { pages: options.pages ?? false });
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
        },
        isSite ? "new" : "existing",
      );
    },
  });

/** Imports the export of a site, member by member. */
async function importMembers(
  services: Services,
  file: string,
  {
    options: { again, fetch },
    progress,
    signal,
  }: Pick<CommandInput, "progress" | "signal"> & {
    options: { again?: boolean; fetch?: boolean };
  },
): Promise<CommandOutput> {
  const { imported, skipped } = await importSite(services, file, {
    again: again ?? false,
    fetch: fetch ?? false,
    open: (folder) => openImportSource("reprise", file, { folder }),
    onProgress: progress,
    signal: signal(),
  });
  const lines = imported.map(({ member, report }) => {
    const problems = report.problems.length + report.more;
    const counts = [
      plural(report.imported, "blog"),
      ...(report.before > 0 ? [`${report.before} imported before`] : []),
      plural(report.pictures, "picture"),
      ...(problems > 0 ? [plural(problems, "problem")] : []),
    ];
    return `  ${printable(member.username)} (${member.isNew ? "new account" : "account with the same address"}): ${counts.join(", ")}`;
  });
  const hasNew = imported.some(({ member }) => member.isNew);
  const problems = imported.flatMap(({ member, report }) =>
    report.problems.map(({ file: name, problem }) => ({
      file: `${member.username}, ${name}`,
      reason: problem,
    })),
  );
  return {
    lines: [
      `Imported ${plural(imported.length, "member")}:`,
      ...lines,
      ...list("Members that were not imported:", skipped),
      ...list("Not imported, or changed:", problems.slice(0, importBounds.shownLines)),
      "",
      ...(hasNew
        ? ["New accounts have no password: people choose one with “Forgot password”, by email."]
        : []),
      "Everyone finds their report, and can undo their import, at /settings/import. Nobody got a role; see: npm run reprise -- user make-admin",
    ],
    json: {
      members: imported.map(({ member, runId, report }) => ({
        username: member.username,
        isNew: member.isNew,
        id: runId,
        ...report,
      })),
      skipped,
    },
    hasProblems: skipped.length > 0,
  };
}

/** Throws the reason why a file can't be imported. */
const asImportError =
  (name: string) =>
  (error: unknown): never => {
    if (!(error instanceof FileProblem)) throw error;
    throw new Error(`${name} can’t be imported: ${error.message}.`, { cause: error });
  };

const openImportSource = (kind: ImportKind, file: string, options: SourceOptions) =>
  openSource({ kind, file, ...options }).catch(asImportError(file));

export const commands = [
  ...importKinds.map(importCommand),
  ...uploads,
  command({
    name: "import list",
    description: "Lists the imports with their ids.",
    run: () =>
      withServices(async (services) => {
        const runs = await Promise.all(
          (await listRuns(services.database.read, { limit: 100 })).map(async (run) => ({
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
            `That import is in progress in another process (${run.options.pid}). Stop it there first, with Ctrl-C. If it was killed, try again in ten minutes.`,
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
