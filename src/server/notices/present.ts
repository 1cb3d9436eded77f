import { shorten } from "../../shared/document/shorten.ts";
import { unscheduledWhys, type UnscheduledWhy } from "../../shared/notices.ts";
import type { NoticeGroup } from "../../shared/social.ts";
import { presentPerson } from "../users/present.ts";
import type { NoticeRow } from "./queries.ts";

const namedActors = 3;
const excerptLength = 120;

/** Why a draft was not published: its target says it. */
const reasonOf = ({ kind, target }: NoticeRow): string | null =>
  (kind === "unscheduled" && unscheduledWhys[target.split(" ")[1] as UnscheduledWhy]) || null;

/** Rows about one target as one entry, in the order of their newest. */
export function presentNotices(rows: NoticeRow[]): NoticeGroup[] {
  const groups = new Map<string, NoticeRow[]>();
  for (const row of rows) {
    const key = `${row.kind} ${row.target}`;
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return [...groups.values()].map((group) => {
    const [latest] = group as [NoticeRow];
    return {
      id: latest.id,
      kind: latest.kind,
      target: latest.target,
      actors: group
        .filter((row) => row.named)
        .slice(0, namedActors)
        .map((row) => presentPerson(row.actor)),
      actorsCount: group.length,
      // Whoever is invited knows its title alone.
      blog: latest.blog && latest.kind === "invited" ? { slug: "", title: latest.blog.title } : latest.blog,
      commentId: latest.commentId,
      excerpt: latest.comment ? shorten(latest.comment, excerptLength) : reasonOf(latest),
      at: new Date(latest.createdAt).toISOString(),
      unread: group.some((row) => row.readAt === null),
    };
  });
}
