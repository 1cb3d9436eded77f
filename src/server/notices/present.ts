import { shorten } from "../../shared/document/shorten.ts";
import type { NoticeGroup } from "../../shared/social.ts";
import { presentPerson } from "../users/present.ts";
import type { NoticeRow } from "./queries.ts";

const namedActors = 3;
const excerptLength = 120;

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
      blog: latest.blog,
      commentId: latest.commentId,
      excerpt: latest.comment ? shorten(latest.comment, excerptLength) : null,
      at: new Date(latest.createdAt).toISOString(),
      unread: group.some((row) => row.readAt === null),
    };
  });
}
