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
import { coverageTopic, peopleTopic, rightsTopic } from "../live/signals.ts";
import { avatarPath } from "../media/paths.ts";
import { visibleUser } from "../profiles/access.ts";
import { canReadAccount } from "../profiles/policy.ts";
import { siteFacts } from "../site/info.ts";
import type { Config } from "../runtime/config.ts";
import { entriesOf, maxEntries } from "./entries.ts";
import type { Feed } from "./formats.ts";
import { liveBlogFeed } from "./live-blog-feed.ts";

export type FeedRequest =
  | { of: "site" }
  | { of: "person"; username: string }
  | { of: "tag"; tag: string }
  /** A live blog's. */
  | { of: "blog"; slug: string }
  | { of: "search"; query: string };

export const feedPath = (request: FeedRequest, file: FeedFile): string => {
  switch (request.of) {
    case "site":
      return `/${file}`;
    case "person":
      return `${routes.profile(request.username)}/${file}`;
    case "tag":
      return `${routes.tag(request.tag)}/${file}`;
    case "blog":
      return `${routes.blog(request.slug)}/${file}`;
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

/** A feed with the topics that invalidate it, or the current address of a renamed account or blog. */
type Found = { feed: Feed; topics: string[] } | { renamed: FeedRequest };

type Properties = Pick<Feed, "title" | "description" | "page" | "entries"> &
  Partial<Pick<Feed, "id" | "language">> & { icon?: string | null };

/** The installed site's icon (pages/pwa.ts), for a site without a picture of its own. */
export const defaultIcon = "/static/icons/192.png";

/** Signalled when a public blog appears, disappears or changes. */
const contentTopics = [feedTopic, searchTopic, peopleTopic];

/**
 * Returns a feed as guests can read it. Throws `not_found` for unknown or private accounts and blogs, other blogs than live ones,
 * and unused tags.
 */
export async function publicFeed(ctx: Context, request: FeedRequest, file: FeedFile): Promise<Found> {
  const site = await siteFacts(ctx);
  const { read } = ctx.database;
  const newest = { viewer: null, limit: maxEntries, offset: 0 };
  const { publicUrl } = ctx.config;
  const feedOf = (properties: Properties, blogs: { id: string }[], topics: string[] = []): Found => ({
    // The rights of a blog also change with its co-authors, who are named in each entry. Any blog can become a live blog.
    topics: [...contentTopics, ...topics, ...blogs.flatMap(({ id }) => [rightsTopic(id), coverageTopic(id)])],
    feed: {
      id: publicUrl + feedPath(request, "atom.xml"),
      language: site.language,
      self: publicUrl + feedPath(request, file),
      hub: hubOf(ctx.config, request),
      ...properties,
      page: publicUrl + properties.page,
      icon: publicUrl + (properties.icon ?? site.picture ?? defaultIcon),
    },
  });
  const buildFeed = async (
    properties: Omit<Properties, "entries">,
    rows: CardRow[],
    topics: string[] = [],
  ): Promise<Found> => {
    const entries = await entriesOf(ctx, null, rows, () => (path) => publicUrl + path);
    return feedOf({ ...properties, entries }, rows, topics);
  };

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
    case "blog": {
      const found = await liveBlogFeed(ctx, request.slug);
      if (!found) throw noFeed();
      const { blog, entries } = found;
      if (blog.slug !== request.slug) return { renamed: { of: "blog", slug: blog.slug } };
      const properties = {
        // Stable if the slug changes.
        id: `${publicUrl}${routes.blog(blog.id)}`,
        title: `${blog.title} · ${site.name}`,
        description: blog.description || blog.excerpt,
        page: routes.blog(blog.slug),
        ...(blog.language && { language: blog.language }),
        entries,
      };
      return feedOf(properties, [blog]);
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
