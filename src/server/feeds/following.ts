import { hash } from "node:crypto";
import { Tag } from "../../shared/blogs.ts";
import type { FeedFile } from "../../shared/feeds.ts";
import { routes } from "../../shared/routes.ts";
import { asCards } from "../blogs/card-queries.ts";
import { withoutMuted } from "../blogs/muted.ts";
import { presentCard } from "../blogs/present.ts";
import { newestTagged } from "../blogs/tag-queries.ts";
import type { Context } from "../context.ts";
import { pictureAddresses } from "../rest/present.ts";
import { holderOfFeed } from "../users/own-feed.ts";
import { siteFacts } from "../users/site.ts";
import { entriesOf, mostEntries } from "./entries.ts";
import { writeFeed } from "./formats.ts";
import { noFeed } from "./public.ts";
import { writtenByFollowed } from "./queries.ts";

/** Of more than is shown, since words that are muted leave some out. */
const looked = 2 * mostEntries;

/** What changes with time alone in an address of a picture that is not everybody's. */
const signature = /\?until=\d+&(?:amp;)?key=[\w-]+/g;

/**
 * The newest of what somebody follows, people and tags, as they may read it: whoever has the key reads as its holder. Throws
 * `not_found` where it opens nothing, or the account is shut.
 */
export async function followingFeed(
  ctx: Context,
  key: string,
  file: FeedFile,
): Promise<{ bytes: Buffer; etag: string }> {
  const { read } = ctx.database;
  const holder = await holderOfFeed(read, key);
  if (!holder) {
    await ctx.limits.take("wrongLink", ctx.address);
    throw noFeed();
  }
  await ctx.limits.take("ownFeed", holder.id);
  const viewer = { id: holder.id, isAdmin: holder.isAdmin };
  const newest = new Map(await writtenByFollowed(read, viewer.id, looked));
  for (const interest of holder.interests) {
    const { data: tag } = Tag.safeParse(interest);
    const at = { viewer: viewer.id, limit: looked, offset: 0 };
    if (tag === interest)
      for (const { number, publishedAt } of await newestTagged(read, tag, at))
        newest.set(number, publishedAt);
  }
  const numbers = [...newest].sort(([one, at], [other, when]) => when - at || other - one);
  const rows = await asCards(
    read,
    numbers.slice(0, 2 * looked).map(([number]) => ({ number })),
    viewer.id,
  );
  const shown = new Set((await withoutMuted(read, viewer, rows.map(presentCard))).map(({ id }) => id));
  const ofOthers = rows.filter(({ id, author }) => author.id !== viewer.id && shown.has(id));
  const site = await siteFacts(ctx);
  const { publicUrl } = ctx.config;
  const entries = await entriesOf(ctx, viewer, ofOthers, async (pictures) => {
    const addressOf = await pictureAddresses(ctx, pictures);
    return (path) => addressOf(path) ?? path;
  });
  const text = writeFeed(
    {
      id: `${publicUrl}/following/${holder.id}`,
      title: `Following · ${site.name}`,
      description: `What ${holder.name} follows.`,
      language: site.language,
      page: publicUrl + routes.home(),
      self: (name) => `${publicUrl}/following/${key}/${name}`,
      icon: site.picture && publicUrl + site.picture,
      hub: undefined,
      entries,
    },
    file,
  );
  return {
    bytes: Buffer.from(text),
    etag: `W/"${hash("sha256", text.replace(signature, ""), "base64url").slice(0, 22)}"`,
  };
}
