import { limits } from "../../shared/limits.ts";
import type { Database } from "../database/connection.ts";
import { deleteInSteps } from "../database/steps.ts";
import { deleteNoticesBefore } from "./queries.ts";
import { tellWithdrawn } from "./telling.ts";

/** Lets go of notices of half a year ago. */
export const forgetNotices = (database: Pick<Database, "write">, now: number): Promise<void> =>
  deleteInSteps(database, async (tx, most) => {
    const gone = await deleteNoticesBefore(tx, now - limits.notices.keptFor, most);
    await tellWithdrawn(tx, gone);
    return gone.length;
  });
