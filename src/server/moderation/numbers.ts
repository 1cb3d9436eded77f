import { statfs } from "node:fs/promises";
import type { SiteNumbers } from "../../shared/moderation.ts";
import type { MemberContext } from "../context.ts";
import { asAdmin } from "./access.ts";
import { countsSince } from "./number-queries.ts";

const day = 24 * 60 * 60 * 1_000;
const shown = 30;
/** With less of the disk left than this share, or than so many bytes, it is time to look after it. */
const low = { share: 0.1, bytes: 1_000_000_000 };

/** What came to be on each of the last thirty days, the newest first, and the room that is left. */
export async function siteNumbers({
  database: { read },
  viewer,
  config,
}: MemberContext): Promise<SiteNumbers> {
  await asAdmin(read, viewer);
  const today = Math.floor(Date.now() / day);
  const counts = await countsSince(read, today - shown + 1);
  const { bavail, blocks, bsize } = await statfs(config.dataDir);
  const [free, total] = [bavail * bsize, blocks * bsize];
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
    disk: { free, total, isLow: free < low.bytes || free < total * low.share },
  };
}
