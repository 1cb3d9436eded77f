import { indexJob, indexWhole } from "./blogs/index-job.ts";
import type { JobHandlers } from "./jobs/jobs.ts";
import { mailJob, sendMail } from "./mail/post.ts";

/** Who does which job. */
export const jobHandlers: JobHandlers = {
  [mailJob]: sendMail,
  [indexJob]: indexWhole,
};
