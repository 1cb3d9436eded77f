import type { z } from "zod";
import type { SiteText, ReadSiteText } from "../../shared/site.ts";
import type { Context, MemberContext, Services } from "../context.ts";
import { userTopic } from "../live/stored-events.ts";
import { updateUser } from "../profiles/queries.ts";
import { newestText, textVersion, textVersions } from "./text-queries.ts";
import { storedSettings } from "./queries.ts";

const maxListed = 100;

/** Returns a text or one of its versions, or null. */
export async function siteText(
  { database: { read } }: Pick<Context, "database">,
  { kind, version }: z.output<typeof ReadSiteText>,
): Promise<{ text: SiteText | null }> {
  const newest = await newestText(read, kind);
  const text = version === undefined ? newest : await textVersion(read, kind, version);
  // Versions of a withdrawn text are hidden, too.
  if (!text || !newest || newest.source === "" || text.source === "") return { text: null };
  const asDate = (time: number) => new Date(time).toISOString();
  const versions = await textVersions(read, kind, maxListed);
  return {
    text: {
      html: text.rendered,
      version: text.version,
      at: asDate(text.createdAt),
      isNewest: text.version === newest.version,
      versions: versions.map((row) => ({ version: row.version, at: asDate(row.createdAt) })),
    },
  };
}

/** Marks the current texts as seen. */
export async function markTextsSeen({ database, viewer }: MemberContext): Promise<{ textsSeenAt: string }> {
  const now = Date.now();
  await database.write(async (tx) => {
    await updateUser(tx, viewer.id, { textsSeenAt: now });
    tx.emit(userTopic(viewer.id), { kind: "viewer.profileChanged" });
  });
  return { textsSeenAt: new Date(now).toISOString() };
}

/** Returns the site's custom style sheet if its hash is current. */
export async function siteSheet(
  { database: { read } }: Pick<Services, "database">,
  hash: string,
): Promise<string | null> {
  if ((await storedSettings(read)).sheet !== hash) return null;
  return (await newestText(read, "sheet"))?.rendered ?? null;
}
