import { hash } from "node:crypto";
import { Tag } from "../../shared/blogs.ts";
import type { FeedFile } from "../../shared/feeds.ts";
import { routes } from "../../shared/routes.ts";
import { loadCards } from "../blogs/card-queries.ts";
import { withoutMuted } from "../blogs/muted.ts";
import { presentCard } from "../blogs/present.ts";
import { newestTagged } from "../blogs/tag-queries.ts";
import type { Context } from "../context.ts";
import { pictureAddresses } from "../rest/present.ts";
import { feedOwner } from "../accounts/personal-feed.ts";
import { siteFacts } from "../accounts/site-info.ts";
import { entriesOf, maxEntries } from "./entries.ts";
import { noFeed } from "./public.ts";
import { writtenByFollowed } from "./queries.ts";
import { feedBytes } from "./write.ts";

/** Muted words remove some. */
const candidateCount = 2 * maxEntries;

/** A private picture's signature, which changes with time: not part of the ETag. */
const signature = /\?until=\d+&(?:amp;)?key=[\w-]+/g;

/**
 * Returns the feed of what the key's owner follows, as they can read it. Throws `not_found` for an unknown key or suspended
 * account.
 */
export async function followingFeed(
  ctx: Context,
  key: string,
  file: FeedFile,
): Promise<{ bytes: Buffer; etag: string }> {
  const { read } = ctx.database;
  const owner = await feedOwner(read, key);
  if (!owner) {
    await ctx.limits.take("wrongLink", ctx.address);
    throw noFeed();
  }
  await ctx.limits.take("ownFeed", owner.id);
  const viewer = { id: owner.id, isAdmin: owner.isAdmin };
  const newest = new Map(await writtenByFollowed(read, viewer.id, candidateCount));
  for (const interest of owner.interests) {
    const { data: tag } = Tag.safeParse(interest);
    const query = { viewer: viewer.id, limit: candidateCount, offset: 0 };
    if (tag === interest)
      for (const { seq, publishedAt } of await newestTagged(read, tag, query)) newest.set(seq, publishedAt);
  }
  const newestFirst = [...newest].sort(([one, at], [other, when]) => when - at || other - one);
  const rows = await loadCards(
    read,
    newestFirst.slice(0, 2 * candidateCount).map(([seq]) => ({ seq })),
    viewer.id,
  );
  const unmutedIds = new Set((await withoutMuted(read, viewer, rows.map(presentCard))).map(({ id }) => id));
  const otherRows = rows.filter(({ id, author }) => author.id !== viewer.id && unmutedIds.has(id));
  const site = await siteFacts(ctx);
  const { publicUrl } = ctx.config;
  const entries = await entriesOf(ctx, viewer, otherRows, async (pictures) => {
    const addressOf = await pictureAddresses(ctx, pictures);
    return (path) => addressOf(path) ?? path;
  });
  const bytes = await feedBytes(
    ctx,
    {
      id: `${publicUrl}/following/${owner.id}`,
      title: `Following · ${site.name}`,
      description: `What ${owner.name} follows.`,
      language: site.language,
      page: publicUrl + routes.home(),
      self: `${publicUrl}/following/${key}/${file}`,
      icon: site.picture && publicUrl + site.picture,
      hub: undefined,
      entries,
    },
    file,
  );
  return {
    bytes,
    etag: `W/"${hash("sha256", bytes.toString().replace(signature, ""), "base64url").slice(0, 22)}"`,
  };
}
