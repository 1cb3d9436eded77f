import { rebuild } from "../blogs/rebuild.ts";
import { checkAndRepair } from "../database/check-and-repair.ts";
import { examinePictures } from "../media/check-pictures.ts";
import type { MailDelivery } from "../../shared/administration.ts";
import { mailDelivery } from "../mail/delivery.ts";
import { diskOf } from "../site/disk.ts";
import { formatBytes } from "../../shared/format-bytes.ts";
import { command, plural } from "./command.ts";
import { withServices } from "./services.ts";

function mailLine({ state, server, deliveredAt, failedAt, problem }: MailDelivery): string {
  if (state === "kept") return "no SMTP_URL is set for this command";
  if (state === "untried") return `${server} has not been tried: mail test ADDRESS does it`;
  if (state === "works") return `${server} accepted the last one, ${deliveredAt}`;
  return `the last one failed, ${failedAt}: ${problem} Try it: mail test ADDRESS`;
}

/** The most ids listed. */
const listedIds = 20;

export const commands = [
  command({
    name: "doctor",
    description:
      "Checks the database, its references, counts and pictures, and repairs what can be repaired.",
    run: () =>
      withServices(async (services) => {
        const { integrity, brokenReferences, recounted } = await checkAndRepair(services.database);
        const pictures = await examinePictures(services, Date.now());
        const disk = await diskOf(services);
        const mail = await mailDelivery(services.database.read, services.config);
        const { missing, forgotten, noted, dropped, strays } = pictures;
        const counts = { ...recounted, "media.unused_at": noted };
        return {
          lines: [
            `Integrity: ${integrity.join("; ")}`,
            `Broken references: ${brokenReferences}`,
            ...Object.entries(counts).map(
              ([column, rows]) => `${column}: ${rows === 0 ? "correct" : `${plural(rows, "row")} corrected`}`,
            ),
            `Pictures: ${pictures.pictures}, ${missing.length} of them in use but without files${missing.length > 0 ? "; a backup may have these:" : ""}`,
            ...missing.slice(0, listedIds).map((id) => `  ${id}`),
            ...(missing.length > listedIds
              ? [`  and ${missing.length - listedIds} more (--json lists them)`]
              : []),
            `Removed: ${plural(dropped + forgotten, "picture")} that nothing uses, and the files of ${strays} that the database does not have`,
            `Disk: ${formatBytes(disk.free)} of ${formatBytes(disk.total)} are free${disk.isLow ? ". Please make room: when the disk is full, nobody can write" : ""}`,
            `Emails: ${mailLine(mail)}`,
          ],
          json: { integrity, brokenReferences, recounted: counts, pictures, disk, mail },
          hasProblems:
            integrity[0] !== "ok" || brokenReferences > 0 || missing.length > 0 || mail.state === "fails",
        };
      }),
  }),
  command({
    name: "rebuild",
    takes: "[--afresh]",
    description:
      "Rebuilds HTML, plain text and the search index, in small steps beside a running server. A rebuild that was stopped resumes, unless --afresh.",
    options: { afresh: { type: "boolean" } },
    run: ({ options: { afresh }, progress, signal }) =>
      withServices(async (services) => {
        const result = await rebuild(services, { afresh, onProgress: progress, signal: signal() });
        return {
          lines: [
            `${result.resumed ? "Resumed: " : ""}${plural(result.blogs, "blog")} and ${plural(result.entries, "entry", "entries")} of live blogs, ${result.changed} of them changed, and the search index of people.`,
            ...result.problems.map(
              ({ blogId, entryId, problem }) => `  ${entryId ?? blogId} was left unchanged: ${problem}`,
            ),
          ],
          json: result,
          hasProblems: result.problems.length > 0,
        };
      }),
  }),
];
