import { stat } from "node:fs/promises";
import path from "node:path";
import { formatBytes } from "../../shared/format-bytes.ts";
import { writeExport } from "../exports/write.ts";
import { findAccount } from "../profiles/account-queries.ts";
import { command, UsageError, plural, printable } from "./command.ts";
import { withServices } from "./services.ts";

export const commands = [
  command({
    name: "export",
    takes: "USER|--site [--to FILE|FOLDER] [--passwords]",
    description:
      'Exports what a person has and can see, or the whole site, as a ZIP that can be read without this software and imported with "import reprise" (docs/export.md). --passwords: includes the password hashes of a site, so that people can sign in to the new one.',
    words: [0, 1],
    options: { site: { type: "boolean" }, to: { type: "string" }, passwords: { type: "boolean" } },
    run: async ({ words: [word], options: { site = false, to, passwords = false }, progress, signal }) => {
      if (site === (word !== undefined)) throw new UsageError("Please name an account, or say --site.");
      if (passwords && !site) throw new UsageError("--passwords goes with --site.");
      return withServices(async (services) => {
        const account = word === undefined ? null : await findAccount(services.database.read, word);
        if (account === undefined)
          throw new Error(`There is no account ${printable(word ?? "")}: "user list" shows them all.`);
        const name = `${account?.username ?? "site"}-${new Date().toISOString().slice(0, 19).replace(/[:T]/g, "-")}.zip`;
        const result = await writeExport(services, {
          account: account?.id ?? null,
          passwords,
          to: await outputPath(to, name),
          program: services.config.version,
          onProgress: (...position) => {
            progress(...position);
            // To the server, if that started this process.
            process.send?.(position);
          },
          signal: signal(),
        });
        const { counts, missing } = result;
        return {
          lines: [
            `${result.file}: ${formatBytes(result.bytes)}, with ${plural(counts.blogs, "blog")}, ${plural(counts.media, "picture")} and ${plural(counts.comments, "comment")}.`,
            ...(missing > 0 ? [`${plural(missing, "picture")} had no file.`] : []),
            ...(passwords ? ["It has the hashes of passwords in it: keep it as you keep a backup."] : []),
          ],
          json: result,
        };
      });
    },
  }),
];

async function outputPath(to: string | undefined, name: string): Promise<string> {
  const target = path.resolve(to ?? ".");
  const stats = await stat(target).catch(() => undefined);
  return stats?.isDirectory() ? path.join(target, name) : target;
}
