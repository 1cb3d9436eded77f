import { readFile } from "node:fs/promises";
import { formatBytes } from "../../shared/format-bytes.ts";
import { isEncrypted } from "../backup/archive.ts";
import { restoreBackup } from "../backup/restore.ts";
import { backUp } from "../backup/write.ts";
import { readConfig } from "../runtime/config.ts";
import { newSecret } from "../runtime/ids.ts";
import { renewEpoch } from "../live/event-log.ts";
import { askSecret } from "./ask-secret.ts";
import { command, UsageError, plural } from "./command.ts";

export const commands = [
  command({
    name: "backup",
    takes: "[FILE|FOLDER] [--keep N] [--encrypt] [--recipient AGE1…]",
    description:
      "Writes the whole site into one archive, also while the server runs. It is encrypted if BACKUP_PASSPHRASE or BACKUP_RECIPIENT is set; --encrypt asks for a passphrase.",
    words: [0, 1],
    options: { keep: { type: "string" }, encrypt: { type: "boolean" }, recipient: { type: "string" } },
    run: async ({ words: [to], options: { keep, encrypt, recipient }, progress, signal }) => {
      const { backups, ...config } = readConfig(process.env);
      if (keep !== undefined && !/^[1-9]\d{0,5}$/.test(keep))
        throw new UsageError("--keep takes a number from 1.");
      const passphrase = recipient
        ? undefined
        : (backups.passphrase ?? (encrypt ? await newPassphrase() : undefined));
      const backup = await backUp(
        { ...config, backups },
        {
          to,
          passphrase,
          recipient: passphrase === undefined ? (recipient ?? backups.recipient) : undefined,
          keep: keep === undefined ? undefined : Number(keep),
          onProgress: progress,
          signal: signal(),
        },
      );
      const { counts, missing } = backup.manifest;
      return {
        lines: [
          `${backup.file}: ${formatBytes(backup.bytes)}${backup.encrypted ? ", encrypted" : ""}, with ${plural(counts.users, "account")}, ${plural(counts.blogs, "blog")}, ${plural(counts.comments, "comment")} and ${plural(counts.media, "picture")}.`,
          ...(missing > 0 ? [`${plural(missing, "picture")} had no files.`] : []),
          ...backup.removed.map((name) => `Removed ${name}.`),
        ],
        json: backup,
      };
    },
  }),
  command({
    name: "restore",
    takes: "FILE [--identity FILE]",
    description:
      "Restores a site from an archive into DATA_DIR, and keeps the previous data beside it. Stop the server first.",
    words: [1, 1],
    options: { identity: { type: "string" } },
    run: async ({ words: [file = ""], options: { identity }, progress, signal }) => {
      const config = readConfig(process.env);
      const configured = config.backups.passphrase;
      const identities = identity === undefined ? [] : await identitiesIn(identity);
      const shouldAsk = configured === undefined && identities.length === 0 && process.stdin.isTTY;
      const passphrase =
        shouldAsk && (await isEncrypted(file))
          ? await askPassphrase("The passphrase of the archive: ")
          : configured;
      const restored = await restoreBackup(config, file, {
        passphrase,
        identities,
        onProgress: progress,
        signal: signal(),
      });
      const { made, counts } = restored.manifest;
      return {
        lines: [
          `The site is as it was on ${made}: ${plural(counts.users, "account")}, ${plural(counts.blogs, "blog")}, ${plural(counts.comments, "comment")} and ${plural(counts.media, "picture")}.`,
          ...(restored.kept ? [`The previous data is in ${restored.kept}.`] : []),
          ...(restored.brokenReferences > 0
            ? [`${plural(restored.brokenReferences, "broken reference")}: see "npm run reprise -- doctor".`]
            : []),
          config.databaseUrl === undefined
            ? "Now start the server. Pages that are still open will reload their contents."
            : `It is in ${config.databaseFile}. Now create an empty database, name it in DATABASE_URL, and run: npm run reprise -- move-to-postgres`,
        ],
        json: restored,
      };
    },
  }),
  command({
    name: "after-restore",
    description:
      "Run this after you put back an older data folder by hand, so that open pages reload their contents.",
    run: async () => {
      const { withServices } = await import("./services.ts");
      await withServices((services) => renewEpoch(services.database, newSecret().slice(0, 10)));
      return { lines: "Open pages will reload their contents.", json: { renewed: true } };
    },
  }),
];

async function identitiesIn(file: string): Promise<string[]> {
  const text = await readFile(file, "utf8").catch(() => {
    throw new Error(`The file ${file} does not exist or cannot be read.`);
  });
  const lines = text.split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "" && !line.startsWith("#"));
}

async function newPassphrase(): Promise<string> {
  const passphrase = await askPassphrase("A passphrase for the archive: ");
  if (passphrase.length < 8) throw new Error("Please use at least 8 characters for the passphrase.");
  if ((await askPassphrase("Repeat the passphrase: ")) !== passphrase)
    throw new Error("The passphrases are different.");
  return passphrase;
}

async function askPassphrase(question: string): Promise<string> {
  if (!process.stdin.isTTY)
    throw new Error("There is no terminal to ask for a passphrase: set BACKUP_PASSPHRASE.");
  return askSecret(question);
}
