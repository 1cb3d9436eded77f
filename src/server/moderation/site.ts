import { AppError } from "../../shared/errors.ts";
import {
  boundNames,
  textKinds,
  type BoundName,
  type SiteChange,
  type SiteSettings,
} from "../../shared/site.ts";
import type { MemberContext } from "../context.ts";
import type { Connection, Database } from "../database/connection.ts";
import type { Transaction } from "../database/writer.ts";
import { feedTopic } from "../live/stored-events.ts";
import { peopleTopic } from "../live/signals.ts";
import { picturePath } from "../media/paths.ts";
import { noteUse, pictureById } from "../media/queries.ts";
import { setStored, storedSite, type StoredSite } from "../users/site-queries.ts";
import { newestText } from "../users/text-queries.ts";
import { asAdmin } from "./access.ts";
import { noteOfSite, type Actor } from "./log.ts";

/** The site as administrators set it. */
export async function siteSettings(ctx: MemberContext): Promise<SiteSettings> {
  const { read } = ctx.database;
  await asAdmin(read, ctx.viewer);
  return {
    ...presentSite(await storedSite(read)),
    givenName: ctx.config.givenName,
    texts: await textsOf(read),
  };
}

/** Its texts as administrators wrote them, each with since when it is so. */
export async function textsOf(connection: Connection): Promise<SiteSettings["texts"]> {
  const texts = textKinds.map(async (kind) => {
    const { source = "", createdAt = 0 } = (await newestText(connection, kind)) ?? {};
    return [kind, { source, at: source === "" ? null : new Date(createdAt).toISOString() }] as const;
  });
  return Object.fromEntries(await Promise.all(texts)) as SiteSettings["texts"];
}

/** What is set, as pages and commands show it. */
export const presentSite = ({
  name = "",
  description = "",
  picture = "",
  accent = "",
  language = "",
  securityContact = "",
  writers = "",
  firstLinks = "",
  signUpWork = "",
  ...stored
}: StoredSite): Omit<SiteSettings, "givenName" | "texts"> => ({
  name,
  description,
  picture: picture === "" ? null : { id: picture, src: picturePath(picture) },
  accent,
  language,
  securityContact,
  writers: writers === "approved" ? writers : "",
  firstLinks: firstLinks === "held" ? firstLinks : "",
  signUpWork: signUpWork === "off" || signUpWork === "only" ? signUpWork : "",
  ...(Object.fromEntries(boundNames.map((bound) => [bound, stored[bound] ?? ""])) as Record<
    BoundName,
    string
  >),
});

/** Changes what is given of it. */
export async function setSite(ctx: MemberContext, change: SiteChange): Promise<{ message: string }> {
  await changeSite(ctx.database, change, (tx) => asAdmin(tx, ctx.viewer));
  return { message: "Saved. Open pages change right away." };
}

/** The same for whoever `asActor` says may, with what each change was in the log. */
export async function changeSite(
  { write }: Pick<Database, "write">,
  change: SiteChange,
  asActor: (tx: Transaction) => Promise<Actor>,
): Promise<void> {
  await write(async (tx) => {
    const actor = await asActor(tx);
    const before = await storedSite(tx);
    const changed = Object.entries(change).filter(
      ([name, value]) => value !== (before[name as keyof StoredSite] ?? ""),
    ) as [keyof StoredSite, string][];
    for (const [name, value] of changed) {
      if (name === "picture") await requirePicture(tx, actor, value);
      await setStored(tx, name, value);
      await noteOfSite(tx, actor, "site", name, name === "picture" ? "" : value);
    }
    if (changed.length === 0) return;
    if (change.picture !== undefined) await noteUse(tx, [before.picture, change.picture || null], Date.now());
    await publishSiteChange(tx);
  });
}

/** Tells open pages that what they know of the site is old; every page that guests are sent from memory says something of it. */
export async function publishSiteChange(tx: Transaction): Promise<void> {
  await tx.emit(feedTopic, { kind: "site.changed" });
  tx.signal(peopleTopic);
}

async function requirePicture(tx: Transaction, actor: Actor, id: string): Promise<void> {
  if (id !== "" && (await pictureById(tx, id))?.ownerId !== actor.id)
    throw new AppError("bad_request", "Please upload that picture first.", { field: "picture" });
}
