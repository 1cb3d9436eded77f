import { defaultGroups, defaultTopics } from "../../shared/default-topics.ts";
import { AppError } from "../../shared/errors.ts";
import {
  boundNames,
  textKinds,
  type BoundName,
  type SiteChange,
  type SiteSettings,
} from "../../shared/site.ts";
import type { MemberContext } from "../context.ts";
import type { Connection } from "../database/connection.ts";
import type { Transaction } from "../database/writer.ts";
import { feedTopic } from "../live/stored-events.ts";
import { peopleTopic } from "../live/signals.ts";
import { picturePath } from "../media/paths.ts";
import { updateUnusedSince, pictureById } from "../media/queries.ts";
import { setSiteSetting, storedSettings, type StoredSettings } from "./queries.ts";
import { newestText } from "./text-queries.ts";
import { requireAdmin } from "../moderation/access.ts";
import { logSiteAction, type Actor } from "../moderation/log.ts";

export async function siteSettings(ctx: MemberContext): Promise<SiteSettings> {
  const { read } = ctx.database;
  await requireAdmin(read, ctx.viewer);
  return {
    ...presentSite(await storedSettings(read)),
    givenName: ctx.config.givenName,
    defaults: { recommendedTopics: defaultTopics, interestGroups: defaultGroups },
    texts: await textsOf(read),
  };
}

/** Returns the site texts' sources with their dates. */
async function textsOf(connection: Connection): Promise<SiteSettings["texts"]> {
  const texts = textKinds.map(async (kind) => {
    const { source = "", createdAt = 0 } = (await newestText(connection, kind)) ?? {};
    return [kind, { source, at: source === "" ? null : new Date(createdAt).toISOString() }] as const;
  });
  return Object.fromEntries(await Promise.all(texts)) as SiteSettings["texts"];
}

const presentSite = ({
  name = "",
  description = "",
  picture = "",
  accent = "",
  language = "",
  securityContact = "",
  recommendedTopics = "",
  interestGroups = "",
  writers = "",
  firstLinks = "",
  signUpWork = "",
  ...stored
}: StoredSettings): Omit<SiteSettings, "givenName" | "defaults" | "texts"> => ({
  name,
  description,
  picture: picture === "" ? null : { id: picture, src: picturePath(picture) },
  accent,
  language,
  securityContact,
  recommendedTopics,
  interestGroups,
  writers: writers === "approved" ? writers : "",
  firstLinks: firstLinks === "pending" ? firstLinks : "",
  signUpWork: signUpWork === "off" || signUpWork === "only" ? signUpWork : "",
  ...(Object.fromEntries(boundNames.map((boundName) => [boundName, stored[boundName] ?? ""])) as Record<
    BoundName,
    string
  >),
});

/** Changes and logs settings. */
export async function setSite(ctx: MemberContext, change: SiteChange): Promise<{ message: string }> {
  await ctx.database.write(async (tx) => {
    const actor = await requireAdmin(tx, ctx.viewer);
    const before = await storedSettings(tx);
    const changes = Object.entries(change).filter(
      ([name, value]) => value !== (before[name as keyof StoredSettings] ?? ""),
    ) as [keyof StoredSettings, string][];
    for (const [name, value] of changes) {
      if (name === "picture") await requirePicture(tx, actor, value);
      await setSiteSetting(tx, name, value);
      await logSiteAction(tx, actor, "site", name, name === "picture" ? "" : value.slice(0, 1_000));
    }
    if (changes.length === 0) return;
    if (change.picture !== undefined)
      await updateUnusedSince(tx, [before.picture, change.picture || null], Date.now());
    publishSiteChange(tx);
  });
  return { message: "Saved. Open pages change right away." };
}

/** Refreshes open pages, and drops guests' cached pages, which all contain some setting. */
export function publishSiteChange(tx: Transaction): void {
  tx.emit(feedTopic, { kind: "site.changed" });
  tx.signal(peopleTopic);
}

async function requirePicture(tx: Transaction, actor: Actor, id: string): Promise<void> {
  if (id !== "" && (await pictureById(tx, id))?.ownerId !== actor.id)
    throw new AppError("bad_request", "Please upload that picture first.", { field: "picture" });
}
