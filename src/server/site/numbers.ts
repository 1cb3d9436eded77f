import type { SiteNumbers } from "../../shared/administration.ts";
import type { MemberContext } from "../context.ts";
import { countsUntil, dayOf } from "../profiles/usage-queries.ts";
import { requireAdmin } from "../moderation/access.ts";

const none = { week: 0, month: 0, ever: 0 };

/** Returns how many people, blogs, comments, bytes and emails were added in the last 7 and 30 days, and in all. */
export async function siteNumbers({ database: { read }, viewer }: MemberContext): Promise<SiteNumbers> {
  await requireAdmin(read, viewer);
  const numbers: SiteNumbers = {
    people: none,
    blogs: none,
    comments: none,
    bytes: none,
    mails: none,
    "mails-failed": none,
  };
  for (const { kind, ...sums } of await countsUntil(read, dayOf(Date.now()))) numbers[kind] = sums;
  return numbers;
}
