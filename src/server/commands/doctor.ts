import { rebuild } from "../blogs/rebuild.ts";
import { examine } from "../database/examine.ts";
import { examinePictures } from "../media/examine.ts";
import { diskOf } from "../moderation/disk.ts";
import { sizeOf } from "../../shared/size.ts";
import { sweepPictures } from "../media/service.ts";
import { command, plural } from "./command.ts";
import { withParts } from "./parts.ts";

/** Ids that are told of one by one. */
const told = 20;

export const commands = [
  command({
    name: "doctor",
    does: "Checks the database, its references, counts and pictures, and repairs what can be repaired.",
    run: () =>
      withParts(async (parts) => {
        const { integrity, brokenReferences, recounted } = await examine(parts.database);
        const pictures = await examinePictures(parts, Date.now());
        const disk = await diskOf(parts);
        const { missing, forgotten, noted, dropped, strays } = pictures;
        const counts = { ...recounted, "media.unused_at": noted };
        return {
          lines: [
            `Integrity: ${integrity.join("; ")}`,
            `Broken references: ${brokenReferences}`,
            ...Object.entries(counts).map(
              ([column, rows]) => `${column}: ${rows === 0 ? "right" : `${plural(rows, "row")} set right`}`,
            ),
            `Pictures: ${pictures.pictures}, of which ${missing.length} are shown and have no files${missing.length > 0 ? "; a backup may have them:" : ""}`,
            ...missing.slice(0, told).map((id) => `  ${id}`),
            ...(missing.length > told ? [`  and ${missing.length - told} more (--json lists them)`] : []),
            `Removed: ${plural(dropped + forgotten, "picture")} that nothing shows, files of ${strays} that no row tells of`,
            `Disk: ${sizeOf(disk.free)} of ${sizeOf(disk.total)} are left${disk.isLow ? ": please make room, since nobody can write once it is full" : ""}`,
          ],
          json: { integrity, brokenReferences, recounted: counts, pictures, disk },
          isWrong: integrity[0] !== "ok" || brokenReferences > 0 || missing.length > 0,
        };
      }),
  }),
  command({
    name: "media sweep",
    does: "Deletes pictures that nothing has used for a month, and files that the database does not know, as the server does each hour.",
    run: () =>
      withParts(async (parts) => {
        const swept = await sweepPictures(parts, Date.now());
        return {
          lines: `Removed ${plural(swept.dropped, "picture")} that nothing uses, and files of ${swept.strays} that the database does not know.`,
          json: swept,
        };
      }),
  }),
  command({
    name: "rebuild",
    takes: "[--afresh]",
    does: "Rebuilds HTML, plain text and the search index, in small steps beside a running server. A rebuild that was stopped resumes, unless --afresh.",
    options: { afresh: { type: "boolean" } },
    run: ({ options: { afresh }, progress, signal }) =>
      withParts(async (parts) => {
        const done = await rebuild(parts, { afresh, onProgress: progress, signal: signal() });
        return {
          lines: [
            `${done.wentOn ? "Resumed: " : ""}${plural(done.blogs, "blog")}, of which ${done.changed} changed, and the people.`,
            ...done.problems.map(({ blogId, problem }) => `  ${blogId} is as it was: ${problem}`),
          ],
          json: done,
          isWrong: done.problems.length > 0,
        };
      }),
  }),
];
