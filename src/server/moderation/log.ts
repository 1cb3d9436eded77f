import type { AuditAct, Target } from "../../shared/moderation.ts";
import type { Transaction } from "../database/writer.ts";
import { publishStaffQueues } from "../users/staff-events.ts";
import { insertEntry, nameOf, type NewEntry } from "./queries.ts";

/** Who acts: a moderator, or whoever runs the site from the command line, who has no account in that. */
export interface Actor {
  id: string;
  username: string;
}

/** Whoever works at the command line, and has a right to everything. */
export const operator = { id: "", username: "command-line", isOperator: true } as const;

/** So much of a text names it in the log. */
const named = 120;

/** Writes down what a moderator did, in the transaction that does it: there is no act without its entry. */
export async function note(
  tx: Transaction,
  actor: Actor,
  act: AuditAct,
  { kind, id }: Target,
  reason = "",
): Promise<void> {
  const name = [...((await nameOf(tx, kind, id)) ?? "")].slice(0, named).join("");
  await enter(tx, actor, { act, kind, target: id, name, reason });
}

/** The same for what concerns the site itself. */
export const noteOfSite = (
  tx: Transaction,
  actor: Actor,
  act: AuditAct,
  name: string,
  reason = "",
): Promise<void> => enter(tx, actor, { act, kind: "site", target: "", name, reason });

async function enter(
  tx: Transaction,
  actor: Actor,
  entry: Omit<NewEntry, "at" | "actorId" | "actor">,
): Promise<void> {
  await insertEntry(tx, { at: Date.now(), actorId: actor.id, actor: actor.username, ...entry });
  await publishStaffQueues(tx);
}
