import type { z } from "zod";
import type { SiteText, TextAsked } from "../../shared/site.ts";
import type { Context, MemberContext } from "../context.ts";
import { userTopic } from "../live/stored-events.ts";
import { updateUser } from "./queries.ts";
import { newestText, textVersion, textVersions } from "./text-queries.ts";

const listed = 100;

/** One of the site's texts, as it is or as an older version had it; null where there is none. */
export async function siteText(
  { database: { read } }: Pick<Context, "database">,
  { kind, version }: z.output<typeof TextAsked>,
): Promise<{ text: SiteText | null }> {
  const newest = await newestText(read, kind);
  const text = version === undefined ? newest : await textVersion(read, kind, version);
  // What was taken back is nobody's to read until there is another.
  if (!text || !newest || newest.source === "" || text.source === "") return { text: null };
  const asDate = (time: number) => new Date(time).toISOString();
  const versions = await textVersions(read, kind, listed);
  return {
    text: {
      html: text.drawn,
      version: text.version,
      at: asDate(text.createdAt),
      isNewest: text.version === newest.version,
      versions: versions.map((one) => ({ version: one.version, at: asDate(one.createdAt) })),
    },
  };
}

/** The viewer knows of the texts as they are by now: no page of theirs tells of it any more. */
export async function sawTexts({ database, viewer }: MemberContext): Promise<{ textsSeenAt: string }> {
  const now = Date.now();
  await database.write(async (tx) => {
    await updateUser(tx, viewer.id, { textsSeenAt: now });
    await tx.emit(userTopic(viewer.id), { kind: "viewer.profileChanged" });
  });
  return { textsSeenAt: new Date(now).toISOString() };
}
