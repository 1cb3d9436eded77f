import type { AuditAct, Target } from "../../shared/moderation.ts";
import type { Transaction } from "../database/writer.ts";
import { publishStaffQueues } from "./staff-events.ts";
import { insertEntry, nameOf, type NewEntry } from "./queries.ts";

/** A moderator, or the operator, who has no account. */
export interface Actor {
  id: string;
  username: string;
}

/** The person at the command line. */
export const operator: Actor = { id: "", username: "command-line" };

/** Characters of a text that are logged. */
const maxNameLength = 120;

/** Logs a moderator's action, in the action's transaction. */
export async function logAction(
  tx: Transaction,
  actor: Actor,
  act: AuditAct,
  { kind, id }: Target,
  reason = "",
  at = Date.now(),
): Promise<void> {
  const name = [...((await nameOf(tx, kind, id)) ?? "")].slice(0, maxNameLength).join("");
  await logEntry(tx, actor, { at, act, kind, target: id, name, reason });
}

/** Logs a change of the site itself. */
export const logSiteAction = (
  tx: Transaction,
  actor: Actor,
  act: AuditAct,
  name: string,
  reason = "",
): Promise<void> => logEntry(tx, actor, { at: Date.now(), act, kind: "site", target: "", name, reason });

async function logEntry(
  tx: Transaction,
  actor: Actor,
  entry: Omit<NewEntry, "actorId" | "actor">,
): Promise<void> {
  await insertEntry(tx, { actorId: actor.id, actor: actor.username, ...entry });
  await publishStaffQueues(tx);
}
