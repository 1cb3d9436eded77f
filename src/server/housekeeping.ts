import { limits } from "../shared/limits.ts";
import { deleteEndedCounts } from "./auth/queries.ts";
import { correctFutureDates } from "./blogs/queries.ts";
import { thinVersions } from "./history/versions.ts";
import { deleteOldCommits, storeRestingDrafts } from "./writing/commits.ts";
import type { Services } from "./context.ts";
import { deleteInSteps } from "./database/run-in-steps.ts";
import { isPostgres } from "./database/schema/store.ts";
import { deleteExpiredExports } from "./exports/folder.ts";
import { deleteAbandonedUploads } from "./imports/service.ts";
import { deleteOldFailedJobs, type JobHandler, type JobHandlers } from "./jobs/jobs.ts";
import { feedTopic } from "./live/stored-events.ts";
import { pruneEventLog } from "./live/event-log.ts";
import { sweepPictures } from "./media/service.ts";
import { deleteOldNotifications } from "./notifications/service.ts";
import { deleteRejected } from "./follows/queries.ts";
import { deleteOldSignUps, deleteOldUses, deleteExpiredAccountData } from "./accounts/housekeeping.ts";

const minute = 60_000;

const recurring = (
  every: number,
  run: (services: Services, now: number) => Promise<unknown>,
): JobHandler => ({
  recurs: { every: () => every },
  isRoutine: true,
  timeLimit: 60 * minute,
  run: async (services) => void (await run(services, Date.now())),
});

/** Deletes old data, each in its own job so that a failure does not stop the others. */
export const housekeeping: JobHandlers = {
  "tidy.sessions": recurring(10 * minute, ({ sessions }) => sessions.sweep()),
  ...(isPostgres && {
    "tidy.limits": recurring(10 * minute, ({ database }, now) =>
      deleteInSteps(database, (tx, limit) => deleteEndedCounts(tx, now, limit)),
    ),
  }),
  "tidy.dates": recurring(10 * minute, pullDatesBack),
  "tidy.live-events": recurring(60 * minute, ({ database }, now) => pruneEventLog(database, now)),
  "tidy.requests": recurring(60 * minute, ({ database }, now) =>
    database.write((tx) => deleteRejected(tx, now - limits.rejection.undoneFor)),
  ),
  "tidy.accounts": recurring(60 * minute, ({ database }, now) => deleteExpiredAccountData(database, now)),
  "tidy.sign-ups": recurring(60 * minute, ({ database }, now) => deleteOldSignUps(database, now)),
  "tidy.uses": recurring(60 * minute, ({ database }, now) => deleteOldUses(database, now)),
  "tidy.notifications": recurring(60 * minute, ({ database }, now) => deleteOldNotifications(database, now)),
  "tidy.versions": recurring(60 * minute, ({ database }, now) => thinVersions(database, now)),
  "tidy.commits": recurring(60 * minute, deleteOldCommits),
  "tidy.drafts": recurring(60 * minute, storeRestingDrafts),
  "tidy.jobs": recurring(60 * minute, ({ database }, now) => deleteOldFailedJobs(database, now)),
  "tidy.pictures": recurring(60 * minute, sweepPictures),
  "tidy.mails": recurring(60 * minute, ({ mailer }, now) => mailer.sweep(now)),
  "tidy.uploads": recurring(60 * minute, deleteAbandonedUploads),
  "tidy.folders": recurring(60 * minute, ({ temporary }, now) => temporary.sweep(now)),
  "tidy.exports": recurring(60 * minute, deleteExpiredExports),
};

/** Corrects future dates, of older versions or a wrong clock, which would keep blogs on top for years. */
export async function pullDatesBack({ database }: Pick<Services, "database">, now: number): Promise<void> {
  await database.write(async (tx) => {
    if ((await correctFutureDates(tx, now)) > 0) tx.signal(feedTopic);
  });
}
