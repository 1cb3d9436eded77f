import { Tag } from "../../shared/blogs.ts";
import { AppError } from "../../shared/errors.ts";
import type { FeedFile } from "../../shared/feeds.ts";
import { routes } from "../../shared/routes.ts";
import { SearchQuery } from "../../shared/search.ts";
import { listByAuthor } from "../blogs/written-queries.ts";
import { listBlogs, publishedCards, type CardRow } from "../blogs/card-queries.ts";
import { searchBlogs } from "../search/blogs.ts";
import { listTagged } from "../blogs/tag-queries.ts";
import type { Context } from "../context.ts";
import { feedTopic, profileTopic, searchTopic } from "../live/stored-events.ts";
import { peopleTopic, rightsTopic } from "../live/signals.ts";
import { avatarPath } from "../media/paths.ts";
import { visibleUser } from "../profiles/access.ts";
import { canReadAccount } from "../profiles/policy.ts";
import { siteFacts } from "../site/info.ts";
import type { Config } from "../runtime/config.ts";
import { entriesOf, maxEntries } from "./entries.ts";
import type { Feed } from "./formats.ts";

export type FeedRequest =
  | { of: "site" }
  | { of: "person"; username: string }
  | { of: "tag"; tag: string }
  | { of: "search"; query: string };

export const feedPath = (request: FeedRequest, file: FeedFile): string => {
  switch (request.of) {
    case "site":
      return `/${file}`;
    case "person":
      return `${routes.profile(request.username)}/${file}`;
    case "tag":
      return `${routes.tag(request.tag)}/${file}`;
    case "search":
      return `/search/${file}?${new URLSearchParams({ q: request.query })}`;
  }
};

/** Returns the hub that is notified of a feed's changes; none for searches, since any change can concern any search. */
export const hubOf = ({ feedHub }: Pick<Config, "feedHub">, { of }: FeedRequest): string | undefined =>
  of === "search" ? undefined : feedHub;

/** Returns the canonical form; null if there is no such feed. */
export function canonicalFeed(request: FeedRequest): FeedRequest | null {
  if (request.of === "tag") {
    const { data: tag } = Tag.safeParse(request.tag);
    return tag === undefined ? null : { of: "tag", tag };
  }
  if (request.of === "search") {
    const { data: query } = SearchQuery.safeParse(request.query);
    return query === undefined ? null : query === "" ? { of: "site" } : { of: "search", query };
  }
  return request;
}

/** A feed with the topics that invalidate it, or a renamed account's current address. */
type Found = { feed: Feed; topics: string[] } | { renamed: FeedRequest };

/** The installed site's icon (pages/pwa.ts), for a site without a picture of its own. */
export const defaultIcon = "/static/icons/192.png";

/** Signalled when a public blog appears, disappears or changes. */
const contentTopics = [feedTopic, searchTopic, peopleTopic];

/** Returns a feed as guests can read it. Throws `not_found` for unknown or private accounts and unused tags. */
export async function publicFeed(ctx: Context, request: FeedRequest, file: FeedFile): Promise<Found> {
  const site = await siteFacts(ctx);
  const { read } = ctx.database;
  const newest = { viewer: null, limit: maxEntries, offset: 0 };
  const buildFeed = async (
    properties: Pick<Feed, "title" | "description" | "page"> & { id?: string; icon?: string | null },
    rows: CardRow[],
    topics: string[] = [],
  ): Promise<Found> => ({
    // The rights of a blog also change with its co-authors, who are named in each entry.
    topics: [...contentTopics, ...topics, ...rows.map(({ id }) => rightsTopic(id))],
    feed: {
      id: ctx.config.publicUrl + feedPath(request, "atom.xml"),
      language: site.language,
      self: ctx.config.publicUrl + feedPath(request, file),
      hub: hubOf(ctx.config, request),
      ...properties,
      page: ctx.config.publicUrl + properties.page,
      icon: ctx.config.publicUrl + (properties.icon ?? site.picture ?? defaultIcon),
      entries: await entriesOf(ctx, null, rows, () => (path) => ctx.config.publicUrl + path),
    },
  });

  switch (request.of) {
    case "site": {
      const rows = await listBlogs(read, "latest", newest);
      return buildFeed({ title: site.name, description: site.description, page: routes.home() }, rows);
    }
    case "person": {
      const { user, relation } = await visibleUser(read, null, request);
      if (!canReadAccount(relation, user)) throw noFeed();
      if (user.username !== request.username) return { renamed: { of: "person", username: user.username } };
      const properties = {
        // Stable if the username changes.
        id: `urn:uuid:${user.id}`,
        title: `${user.name} · ${site.name}`,
        description: user.bio || `${user.name} (@${user.username})`,
        page: routes.profile(user.username),
        icon: avatarPath(user.pictureId),
      };
      const rows = await listByAuthor(read, user.id, "public", newest);
      return buildFeed(properties, rows, [profileTopic(user.id), rightsTopic(user.id)]);
    }
    case "tag": {
      const rows = await listTagged(read, request.tag, "latest", newest);
      if (rows.length === 0) throw noFeed();
      const title = `#${request.tag} · ${site.name}`;
      const description = `The newest blogs with the tag ${request.tag}.`;
      return buildFeed({ title, description, page: routes.tag(request.tag) }, rows);
    }
    case "search": {
      const { blogs } = await searchBlogs(ctx, { query: request.query, page: 1 }, maxEntries, true);
      const rows = await publishedCards(
        read,
        blogs.map(({ id }) => id),
        null,
      );
      const title = `“${request.query}” · ${site.name}`;
      const description = `The newest blogs that match “${request.query}”.`;
      return buildFeed({ title, description, page: routes.search(request.query) }, rows);
    }
  }
}

export const noFeed = () => new AppError("not_found", "There is no feed at this address.");
