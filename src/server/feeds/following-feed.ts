import { hash } from "node:crypto";
import type { FeedFile } from "../../shared/feeds.ts";
import { routes } from "../../shared/routes.ts";
import { loadCards } from "../blogs/card-queries.ts";
import { followedTags, newestFollowing } from "../blogs/following-queries.ts";
import { withoutMuted } from "../blogs/muted.ts";
import { presentCard } from "../blogs/present.ts";
import type { Context } from "../context.ts";
import { pictureAddresses } from "../media/picture-addresses.ts";
import { feedOwner } from "../accounts/personal-feed.ts";
import { siteFacts } from "../site/info.ts";
import { entriesOf, maxEntries } from "./entries.ts";
import { defaultIcon, noFeed } from "./public.ts";
import { feedBytes } from "./write.ts";

/** Muted words remove some. */
const candidateCount = 4 * maxEntries;

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
  const tags = await followedTags(read, viewer.id);
  const newest = await newestFollowing(read, viewer.id, tags, candidateCount);
  const rows = await loadCards(read, newest, viewer.id);
  const unmutedIds = new Set((await withoutMuted(read, viewer, rows.map(presentCard))).map(({ id }) => id));
  const unmutedRows = rows.filter(({ id }) => unmutedIds.has(id));
  const site = await siteFacts(ctx);
  const { publicUrl } = ctx.config;
  const entries = await entriesOf(ctx, viewer, unmutedRows, async (pictures) => {
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
      icon: publicUrl + (site.picture ?? defaultIcon),
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
