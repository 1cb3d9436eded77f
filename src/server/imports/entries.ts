import { entryLimits } from "../../shared/entries.ts";
import type { Connection } from "../database/connection.ts";
import { entryById } from "../entries/queries.ts";
import { restoreEntry, type FormerLiveState } from "../entries/restore.ts";
import { StorageFullError } from "../profiles/quotas.ts";
import { idInOrder } from "../runtime/ids.ts";
import { cutText, readText, type PostImport } from "./post-text.ts";
import { countText } from "../../shared/count-text.ts";
import { errorMessage, isExpectedError } from "./report.ts";
import type { SourceEntry } from "./source.ts";

interface Target {
  blogId: string;
  dateOffsetMs: number;
  requireRunning: (tx: Connection) => Promise<void>;
}

/**
 * Imports a live blog's entries as the viewer's, one by one; those that came before stay as they are here. Returns the number of
 * their pictures, and report lines.
 */
export async function importEntries(
  { post, ...postImport }: PostImport,
  target: Target,
): Promise<{ pictures: number; problems: string[] }> {
  const { live, entries } = post;
  if (!live || !entries) return { pictures: 0, problems: [] };
  const problems: string[] = [];
  const skipped = new Map<string, number>();
  const reading = {
    ...postImport,
    post,
    pictures: 0,
    reportProblem: (problem: string) => void (problems.includes(problem) || problems.push(problem)),
  };
  const shiftedLive = {
    since: shifted(live.since, target),
    ended: shifted(live.ended, target),
    summary: live.summary.map((point) =>
      cutText(point, entryLimits.summary.length, "summary", reading.reportProblem),
    ),
  };
  for await (const entry of entries()) {
    try {
      if ("problem" in entry) skipped.set(entry.problem, (skipped.get(entry.problem) ?? 0) + 1);
      else await importEntry(reading, target, { entry, live: shiftedLive });
    } catch (error) {
      if (!isExpectedError(error) || error instanceof StorageFullError) throw error;
      const reason = errorMessage(error);
      skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
    }
  }
  for (const [reason, count] of skipped)
    problems.push(`${countText(count, "entry", "entries")} skipped: ${reason}`);
  return { pictures: reading.pictures, problems };
}

const shifted = (time: Date, { dateOffsetMs }: Target): Date => new Date(time.getTime() + dateOffsetMs);

async function importEntry(
  reading: PostImport,
  target: Target,
  { entry, live }: { entry: Exclude<SourceEntry, { problem: string }>; live: FormerLiveState },
): Promise<void> {
  const { ctx, post, reportProblem } = reading;
  const { blogId } = target;
  const createdAt = shifted(entry.createdAt, target);
  const id = idInOrder(Math.max(createdAt.getTime(), 0), 0, `${blogId}\n${entry.source}`);
  if (await entryById(ctx.database.read, id, ctx.viewer.id)) return;
  // It counts its pictures.
  reading.post = { ...post, body: { kind: "html", text: entry.html } };
  const { document } = await readText(reading);
  const former = {
    id,
    blogId,
    at: shifted(entry.at, target),
    createdAt,
    editedAt: entry.editedAt && shifted(entry.editedAt, target),
    title: cutText(entry.title, entryLimits.title, "entry’s title", reportProblem),
    isKey: entry.isKey,
    document,
  };
  await restoreEntry(ctx, former, { live, also: target.requireRunning });
}
