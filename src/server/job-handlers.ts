import { scheduledBackup, backupJob } from "./backup/schedule.ts";
import { indexJob, indexWhole } from "./search/index-job.ts";
import { copyPictures } from "./writing/copy-pictures.ts";
import { copyJob } from "./writing/commits.ts";
import { exportJob, makeExport } from "./exports/job.ts";
import { publishJob } from "./writing/schedule.ts";
import { resumeNotifySubscribers, notifySubscribersJob } from "./comments/notify-subscribers.ts";
import { housekeeping } from "./housekeeping.ts";
import { importJob, uploadImportJob, undoImportJob, undoJob } from "./imports/jobs.ts";
import { hubJob } from "./feeds/websub-queries.ts";
import { notifyHub } from "./feeds/websub.ts";
import type { JobHandlers } from "./jobs/jobs.ts";
import { mailJob, sendMail } from "./mail/mail-queue.ts";
import { notifyStaff } from "./moderation/staff-notifications.ts";
import { notificationEmailJob, sendNotificationEmail } from "./notifications/notification-emails.ts";
import { pushJob, sendPush } from "./notifications/notification-pushes.ts";
import { publishStaffQueues, staffNotificationJob } from "./moderation/staff-events.ts";
import { publishScheduled } from "./writing/publish-scheduled.ts";
import { resumeAccountDeletion, accountDeletionJob } from "./accounts/delete-account.ts";
import { notifyFollowers, notifyFollowersJob } from "./entries/notify-followers.ts";
import { resumeBlogDeletion, blogDeletionJob } from "./blogs/delete-blog.ts";
import { resumeAcceptRequests } from "./accounts/settings.ts";
import { resumeVisibilitySync, acceptRequestsJob, visibilitySyncJob } from "./accounts/visibility-sync.ts";

export const jobHandlers: JobHandlers = {
  [mailJob]: sendMail(publishStaffQueues),
  [pushJob]: sendPush,
  [notificationEmailJob]: sendNotificationEmail,
  [staffNotificationJob]: notifyStaff,
  [notifySubscribersJob]: resumeNotifySubscribers,
  [notifyFollowersJob]: notifyFollowers,
  [indexJob]: indexWhole,
  [copyJob]: copyPictures,
  [publishJob]: publishScheduled,
  [blogDeletionJob]: resumeBlogDeletion,
  [accountDeletionJob]: resumeAccountDeletion,
  [acceptRequestsJob]: resumeAcceptRequests,
  [visibilitySyncJob]: resumeVisibilitySync,
  [importJob]: uploadImportJob(),
  [undoJob]: undoImportJob,
  [hubJob]: notifyHub,
  [backupJob]: scheduledBackup,
  [exportJob]: makeExport,
  ...housekeeping,
};
