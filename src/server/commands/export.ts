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
    takes: "USER|--site [--to FILE|FOLDER]",
    description:
      'Exports what a person has and can see as a ZIP that can be read without this software and imported with "import reprise" (docs/export.md). --site: the exports of all members in one ZIP. To move a site as it is, use "backup".',
    words: [0, 1],
    options: { site: { type: "boolean" }, to: { type: "string" } },
    run: async ({ words: [word], options: { site = false, to }, progress, signal }) => {
      if (site === (word !== undefined)) throw new UsageError("Please name an account, or say --site.");
      return withServices(async (services) => {
        const account = word === undefined ? null : await findAccount(services.database.read, word);
        if (account === undefined)
          throw new Error(`There is no account ${printable(word ?? "")}. /admin/people lists them all.`);
        const name = `${account?.username ?? "site"}-${new Date().toISOString().slice(0, 19).replace(/[:T]/g, "-")}.zip`;
        const result = await writeExport(services, {
          account: account?.id ?? null,
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
            `${result.file}: ${formatBytes(result.bytes)}, with ${site ? `${plural(counts.accounts, "member")}, ` : ""}${plural(counts.blogs, "blog")}, ${plural(counts.media, "picture")} and ${plural(counts.comments, "comment")}.`,
            ...(missing > 0 ? [`${plural(missing, "picture")} had no file.`] : []),
            ...(site ? ["It contains the members’ drafts and email addresses: store it like a backup."] : []),
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
