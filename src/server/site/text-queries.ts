import { and, desc, eq, max, sql } from "drizzle-orm";
import { preparedQuery, type Connection, first } from "../database/connection.ts";
import { siteTexts } from "../database/schema/site.ts";

export type TextRow = typeof siteTexts.$inferSelect;
export type TextKind = TextRow["kind"];

const kind = sql.placeholder("kind");
const newest = preparedQuery((db) =>
  db.select().from(siteTexts).where(eq(siteTexts.kind, kind)).orderBy(desc(siteTexts.version)).limit(1),
);
/** Returns the current text, which may be empty. */
export const newestText = async (connection: Connection, textKind: TextKind): Promise<TextRow | undefined> =>
  newest(connection).get({ kind: textKind });

export const textVersion = async (
  connection: Connection,
  textKind: TextKind,
  version: number,
): Promise<TextRow | undefined> =>
  first(
    connection.drizzle
      .select()
      .from(siteTexts)
      .where(and(eq(siteTexts.kind, textKind), eq(siteTexts.version, version))),
  );

/** Lists versions of a text, newest first. */
export const textVersions = async (connection: Connection, textKind: TextKind, limit: number) =>
  connection.drizzle
    .select({ version: siteTexts.version, createdAt: siteTexts.createdAt })
    .from(siteTexts)
    .where(and(eq(siteTexts.kind, textKind), sql`source <> ''`))
    .orderBy(desc(siteTexts.version))
    .limit(limit);

/** Adds a version after the others. */
export async function addText(tx: Connection, text: Omit<TextRow, "version">): Promise<void> {
  const last = await first(
    tx.drizzle
      .select({ version: max(siteTexts.version) })
      .from(siteTexts)
      .where(eq(siteTexts.kind, text.kind)),
  );
  await tx.drizzle.insert(siteTexts).values({ ...text, version: (last?.version ?? 0) + 1 });
}
