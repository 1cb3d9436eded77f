import type { SiteNumbers } from "../../shared/administration.ts";
import type { MemberContext } from "../context.ts";
import { day, dayOf } from "../profiles/usage-queries.ts";
import { requireAdmin } from "../moderation/access.ts";
import { countsSince } from "./statistics-queries.ts";

const shown = 30;
/** Returns the counts of the last thirty days, newest first. */
export async function siteNumbers({ database: { read }, viewer }: MemberContext): Promise<SiteNumbers> {
  await requireAdmin(read, viewer);
  const today = dayOf(Date.now());
  const counts = await countsSince(read, today - shown + 1);
  return {
    days: Array.from({ length: shown }, (_, ago) => {
      const of = (what: (typeof counts)[number]["what"]) =>
        counts.find((one) => one.day === today - ago && one.what === what)?.count ?? 0;
      return {
        date: new Date((today - ago) * day).toISOString().slice(0, 10),
        people: of("people"),
        blogs: of("blogs"),
        comments: of("comments"),
        bytes: of("bytes"),
        mails: of("mails"),
        mailsFailed: of("mails-failed"),
      };
    }),
  };
}
