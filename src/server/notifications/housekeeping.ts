import { limits } from "../../shared/limits.ts";
import type { Database } from "../database/connection.ts";
import { deleteInSteps } from "../database/run-in-steps.ts";
import { deleteNotificationsBefore } from "./queries.ts";
import { publishWithdrawn } from "./events.ts";

export const deleteOldNotifications = (database: Pick<Database, "write">, now: number): Promise<void> =>
  deleteInSteps(database, async (tx, limit) => {
    const recipients = await deleteNotificationsBefore(tx, now - limits.notifications.keptFor, limit);
    await publishWithdrawn(tx, recipients);
    return recipients.length;
  });
