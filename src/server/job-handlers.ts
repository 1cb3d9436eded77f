import { backUpInTime, backupJob } from "./backup/schedule.ts";
import { indexJob, indexWhole } from "./blogs/index-job.ts";
import { liveJob, saveJob } from "./blogs/writing.ts";
import { endLive, liveEndJob, publishLive } from "./blogs/live-writing.ts";
import { saveWriting } from "./blogs/writing-save.ts";
import { exportJob, makeExport } from "./exports/job.ts";
import { publishJob } from "./blogs/schedule.ts";
import { goOnTelling, talkJob } from "./comments/talk.ts";
import { housekeeping } from "./housekeeping.ts";
import { importJob, importUploaded, undoImported, undoJob } from "./imports/jobs.ts";
import { hubJob } from "./blogs/hub-queries.ts";
import { tellHub } from "./feeds/hub.ts";
import type { JobHandlers } from "./jobs/jobs.ts";
import { mailJob, sendMail } from "./mail/post.ts";
import { letterJob, sendLetter } from "./notices/letters.ts";
import { publishScheduled } from "./publish-later.ts";
import { pushJob } from "./push/delivery.ts";
import { sendPush } from "./push/job.ts";
import { goOnLeaving, leavingJob } from "./social/leave.ts";
import { goOnRemoving, removalJob } from "./social/remove-blog.ts";
import { goOnLettingIn } from "./social/settings.ts";
import { goOnSettling, lettingInJob, settlingJob } from "./social/settling.ts";

/** Who does which job. */
export const jobHandlers: JobHandlers = {
  [mailJob]: sendMail,
  [pushJob]: sendPush,
  [letterJob]: sendLetter,
  [talkJob]: goOnTelling,
  [indexJob]: indexWhole,
  [saveJob]: saveWriting,
  [liveJob]: publishLive,
  [liveEndJob]: endLive,
  [publishJob]: publishScheduled,
  [removalJob]: goOnRemoving,
  [leavingJob]: goOnLeaving,
  [lettingInJob]: goOnLettingIn,
  [settlingJob]: goOnSettling,
  [importJob]: importUploaded,
  [undoJob]: undoImported,
  [hubJob]: tellHub,
  [backupJob]: backUpInTime,
  [exportJob]: makeExport,
  ...housekeeping,
};
