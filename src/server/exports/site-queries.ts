import { asc, sql } from "drizzle-orm";
import type { Connection } from "../database/connection.ts";
import { dailyCounts } from "../database/schema/counts.ts";
import { meta } from "../database/schema/site.ts";
import { siteTexts } from "../database/schema/texts.ts";

export function siteQueries({ drizzle: db }: Connection) {
  return {
    days: async () =>
      db
        .select({ day: dailyCounts.day, kind: dailyCounts.kind, count: dailyCounts.count })
        .from(dailyCounts)
        .orderBy(asc(dailyCounts.day), asc(dailyCounts.kind))
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
