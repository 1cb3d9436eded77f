import { shorten } from "../../shared/document/shorten.ts";
import {
  unscheduledReasons,
  type UnscheduledReason,
  type NotificationGroup,
} from "../../shared/notifications.ts";
import { presentPerson } from "../profiles/present.ts";
import type { NotificationRow } from "./queries.ts";

const namedActors = 3;
const excerptLength = 120;

/** Returns why moderators decided, or, from the target, why a scheduled draft was not published. */
const reasonOf = ({ kind, target, decisionReason }: NotificationRow): string | null =>
  (kind === "unscheduled" ? unscheduledReasons[target.split(" ")[1] as UnscheduledReason] : decisionReason) ||
  null;

/** Groups rows by target, in the order of their newest rows. */
export function presentNotifications(rows: NotificationRow[]): NotificationGroup[] {
  const groups = new Map<string, NotificationRow[]>();
  for (const row of rows) {
    const key = `${row.kind} ${row.target}`;
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return [...groups.values()].map((group) => {
    const [latest] = group as [NotificationRow];
    return {
      id: latest.id,
      kind: latest.kind,
      target: latest.target,
      actors: group
        .filter((row) => row.named)
        .slice(0, namedActors)
        .map((row) => presentPerson(row.actor)),
      actorsCount: group.length,
      // Invited people see only the title.
      blog: latest.blog && latest.kind === "invited" ? { slug: "", title: latest.blog.title } : latest.blog,
      commentId: latest.commentId,
      excerpt: latest.comment ? shorten(latest.comment, excerptLength) : reasonOf(latest),
      at: new Date(latest.createdAt).toISOString(),
      unread: group.some((row) => row.readAt === null),
    };
  });
}
