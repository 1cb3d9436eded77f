import { asc, sql } from "drizzle-orm";
import type { Connection } from "../database/connection.ts";
import { days } from "../database/schema/counts.ts";
import { meta } from "../database/schema/site.ts";
import { siteTexts } from "../database/schema/texts.ts";

/** What an export says of the site itself. */
export function siteQueries({ drizzle: db }: Connection) {
  return {
    days: async () =>
      db
        .select({ day: days.day, what: days.what, count: days.count })
        .from(days)
        .orderBy(asc(days.day), asc(days.what))
        .all(),
    siteValues: async () =>
      db
        .select()
        .from(meta)
        .where(sql`${meta.key} >= 'site.' and ${meta.key} < 'site/'`)
        .orderBy(asc(meta.key))
        .all(),
    siteTexts: async () =>
      db
        .select({
          kind: siteTexts.kind,
          version: siteTexts.version,
          source: siteTexts.source,
          createdAt: siteTexts.createdAt,
        })
        .from(siteTexts)
        .where(
          sql`${siteTexts.version} = (select max(newer.version) from site_texts newer where newer.kind = ${siteTexts.kind})`,
        )
        .orderBy(asc(siteTexts.kind))
        .all(),
  };
}
