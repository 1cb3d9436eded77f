import { limits } from "../shared/limits.ts";
import { pullBackDates } from "./blogs/queries.ts";
import { thinRevisions } from "./blogs/revisions.ts";
import { forgetCommits } from "./blogs/writing.ts";
import type { Parts } from "./context.ts";
import { forgetExports } from "./exports/folder.ts";
import { sweepUploads } from "./imports/service.ts";
import { forgetFailed, type JobHandler, type JobHandlers } from "./jobs/jobs.ts";
import { feedTopic } from "./live/stored-events.ts";
import { pruneEventLog } from "./live/event-log.ts";
import { sweepPictures } from "./media/service.ts";
import { deleteOldNotifications } from "./notifications/housekeeping.ts";
import { forgetRejected } from "./social/queries.ts";
import { forgetSignUps, forgetUses, tidyAccounts } from "./users/housekeeping.ts";

const minute = 60_000;

const each = (every: number, run: (parts: Parts, now: number) => Promise<unknown>): JobHandler => ({
  recurs: { every: () => every },
  isRoutine: true,
  timeLimit: 60 * minute,
  run: async (parts) => void (await run(parts, Date.now())),
});

/** Deletes what is no longer needed. Each is a job of its own: where one fails, the others still run. */
export const housekeeping: JobHandlers = {
  "tidy.sessions": each(10 * minute, ({ sessions }) => sessions.sweep()),
  "tidy.dates": each(10 * minute, pullDatesBack),
  "tidy.live-events": each(60 * minute, ({ database }, now) => pruneEventLog(database, now)),
  "tidy.requests": each(60 * minute, ({ database }, now) =>
    database.write((tx) => forgetRejected(tx, now - limits.rejection.undoneFor)),
  ),
  "tidy.accounts": each(60 * minute, ({ database }, now) => tidyAccounts(database, now)),
  "tidy.sign-ups": each(60 * minute, ({ database }, now) => forgetSignUps(database, now)),
  "tidy.uses": each(60 * minute, ({ database }, now) => forgetUses(database, now)),
  "tidy.notifications": each(60 * minute, ({ database }, now) => deleteOldNotifications(database, now)),
  "tidy.revisions": each(60 * minute, ({ database }, now) => thinRevisions(database, now)),
  "tidy.commits": each(60 * minute, ({ database }, now) => forgetCommits(database, now)),
  "tidy.jobs": each(60 * minute, ({ database }, now) => forgetFailed(database, now)),
  "tidy.pictures": each(60 * minute, sweepPictures),
  "tidy.mails": each(60 * minute, ({ mailer }, now) => mailer.sweep(now)),
  "tidy.uploads": each(60 * minute, sweepUploads),
  "tidy.exports": each(60 * minute, forgetExports),
};

/** An older version, or a clock that was wrong, may have stored dates that would stand above all else for years. */
export async function pullDatesBack({ database }: Pick<Parts, "database">, now: number): Promise<void> {
  await database.write(async (tx) => {
    if ((await pullBackDates(tx, now)) > 0) tx.signal(feedTopic);
  });
}
