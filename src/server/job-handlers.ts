import { backUpInTime, backupJob } from "./backup/schedule.ts";
import { indexJob, indexWhole } from "./blogs/index-job.ts";
import { goOnTelling, talkJob } from "./comments/talk.ts";
import type { JobHandlers } from "./jobs/jobs.ts";
import { mailJob, sendMail } from "./mail/post.ts";
import { letterJob, sendLetter } from "./notices/letters.ts";
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
  [removalJob]: goOnRemoving,
  [leavingJob]: goOnLeaving,
  [lettingInJob]: goOnLettingIn,
  [settlingJob]: goOnSettling,
  [backupJob]: backUpInTime,
};
