import type { SiteNumbers } from "../../shared/administration.ts";
import type { MemberContext } from "../context.ts";
import { day, dayOf, countsSince } from "../profiles/usage-queries.ts";
import { requireAdmin } from "../moderation/access.ts";

const dayCount = 30;
/** Returns the counts of the last thirty days, newest first. */
export async function siteNumbers({ database: { read }, viewer }: MemberContext): Promise<SiteNumbers> {
  await requireAdmin(read, viewer);
  const today = dayOf(Date.now());
  const counts = await countsSince(read, today - dayCount + 1);
  return {
    days: Array.from({ length: dayCount }, (_, ago) => {
      const countOf = (kind: (typeof counts)[number]["kind"]) =>
        counts.find((row) => row.day === today - ago && row.kind === kind)?.count ?? 0;
      return {
        date: new Date((today - ago) * day).toISOString().slice(0, 10),
        people: countOf("people"),
        blogs: countOf("blogs"),
        comments: countOf("comments"),
        bytes: countOf("bytes"),
        mails: countOf("mails"),
        mailsFailed: countOf("mails-failed"),
      };
    }),
  };
}
