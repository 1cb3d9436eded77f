import { addressKey } from "../auth/rate-limits.ts";
import { rightsToBlogs } from "../blogs/card-queries.ts";
import { renderedHtml } from "../text/render-html.ts";
import { cardSource, feedSource, isInPrivateAudience, rankingSource } from "../blogs/live.ts";
import { slugHolders } from "../blogs/queries.ts";
import { draftSource } from "../writing/live.ts";
import { blogSource } from "./blog.ts";
import type { Context } from "../context.ts";
import { searchSource } from "../search/live.ts";
import { viewerSource } from "./viewer.ts";
import { asMember } from "../http/trpc.ts";
import { profileSource, seesList } from "../profiles/live.ts";
import { visibleAmong, userById } from "../profiles/queries.ts";
import { rankedSorts } from "../../shared/feed-sorts.ts";
import type { TopicName } from "../../shared/live.ts";
import type { TopicAccess } from "../live/access-tracker.ts";
import type { EphemeralTopic } from "../live/ephemeral-topics.ts";
import { addressTopic, blocksTopic, rightsTopic } from "../live/signals.ts";
import type { Source } from "../live/source.ts";

/** What the access to topics is decided by: read for all topics of a stream together. */
interface AccessFacts {
  viewerId: string | null;
  /** The topics that are signalled when the viewer's rights change: they are suspended, or block somebody. */
  viewerSignals: string[];
  /** The topics that are signalled when the viewer's blocks change. */
  blockSignals: string[];
  /** Whether the viewer lets others see that they read; true for a guest. Read only where a `reading` topic is followed. */
  showsPresence: boolean;
  /** Whether the person exists and is visible to the viewer. */
  isVisible: (userId: string) => boolean;
  /** What the viewer can do with a blog. */
  blog: (id: string) => BlogAccess | undefined;
  /** What a guest can do with it. */
  publicBlog: (id: string) => BlogAccess | undefined;
  /** The id of the blog at an address. */
  blogAt: (slug: string) => string | undefined;
}
type BlogAccess = Awaited<ReturnType<typeof rightsToBlogs>>[number];

/** A kind of topic. `id` is what follows the kind in the topic's name. */
interface TopicKind {
  /** Presents its stored events. */
  source?: (ctx: Context, id: string) => Source | undefined;
  /** Its current state, which is not stored. */
  ephemeral?: (ctx: Context, id: string) => EphemeralTopic | undefined;
  /** A page is at one blog: of several topics of this kind the last counts. */
  isOnePerPage?: true;
  /** The blog whose rights decide. */
  blogOf?: (id: string) => string;
  /** Only blogs that a guest can read count as readable. */
  isPublic?: true;
  access: (id: string, facts: AccessFacts) => TopicAccess;
}

const everyone = (): TopicAccess => ({ readable: true, signals: [] });

const readersOfBlog = (id: string, { blog, viewerSignals }: AccessFacts): TopicAccess =>
  accessTo(id, blog(id), Boolean(blog(id)?.readable), viewerSignals);

const writersOfBlog = (blogId: string, { blog, viewerSignals }: AccessFacts): TopicAccess => ({
  readable: Boolean(blog(blogId)?.writable),
  signals: [rightsTopic(blogId), ...viewerSignals],
});

/** Presence at a blog is shown where everybody can read it, to those who can. */
function presenceAtBlog(blogId: string, facts: AccessFacts): TopicAccess {
  const blog = facts.publicBlog(blogId);
  const isReadable = facts.viewerId === null || Boolean(facts.blog(blogId)?.readable);
  return accessTo(blogId, blog, Boolean(blog?.readable) && isReadable, facts.viewerSignals);
}

const accessTo = (
  blogId: string,
  blog: BlogAccess | undefined,
  readable: boolean,
  viewerSignals: string[],
): TopicAccess => ({
  readable,
  signals: [rightsTopic(blogId), ...(blog ? [rightsTopic(blog.authorId)] : []), ...viewerSignals],
});

/** All kinds of topics that a page can follow, with their events and who can read them. */
const topicKinds: Record<string, TopicKind> = {
  me: {
    source: (ctx) => viewerSource(ctx.database.read, asMember(ctx).viewer.id),
    access: (_id, { viewerId, isVisible, viewerSignals }) => ({
      readable: viewerId !== null && isVisible(viewerId),
      signals: viewerSignals,
    }),
  },
  feed: { source: ({ database }) => feedSource(database.read), access: everyone },
  search: { source: searchSource, access: everyone },
  ...Object.fromEntries(
    rankedSorts.map((sort): [string, TopicKind] => [
      sort,
      { source: ({ database }) => rankingSource(database.read, sort), access: everyone },
    ]),
  ),
  blog: {
    source: ({ database, workers, viewer, address }, id) =>
      blogSource(database.read, id, (html) => renderedHtml(workers, html, viewer?.id ?? addressKey(address))),
    blogOf: (id) => id,
    access: readersOfBlog,
  },
  card: {
    source: ({ database }, id) => cardSource(database.read, id),
    blogOf: (id) => id,
    access: readersOfBlog,
  },
  profile: {
    source: ({ database }, id) => profileSource(database.read, id),
    access: (id, { isVisible, blockSignals }) => ({
      readable: isVisible(id),
      signals: [rightsTopic(id), ...blockSignals],
    }),
  },
  draft: {
    source: ({ database }, id) => draftSource(database.read, id),
    ephemeral: ({ draftPresence }, id) => draftPresence.topicOf(id),
    blogOf: (id) => id,
    access: writersOfBlog,
  },
  /** This page has the text open. */
  here: {
    ephemeral: ({ viewer, draftPresence }, id) => {
      const [blogId, client] = splitTopic(id);
      return viewer ? draftPresence.joinWriters(blogId, viewer.id, client) : undefined;
    },
    isOnePerPage: true,
    blogOf: (id) => splitTopic(id)[0],
    access: (id, facts) => writersOfBlog(splitTopic(id)[0], facts),
  },
  presence: {
    ephemeral: ({ presence }, id) => presence.topicOf(id),
    blogOf: (id) => id,
    isPublic: true,
    access: presenceAtBlog,
  },
  /** This page shows the blog. */
  reading: {
    ephemeral: ({ viewer, presence, address }, id) => {
      const [blogId, key] = splitTopic(id);
      return presence.joinReaders(
        blogId,
        viewer ? { key: viewer.id } : { key: `guest ${key}`, from: addressKey(address) },
      );
    },
    isOnePerPage: true,
    blogOf: (id) => splitTopic(id)[0],
    isPublic: true,
    access: (id, facts) => {
      const access = presenceAtBlog(splitTopic(id)[0], facts);
      return { ...access, readable: access.readable && facts.showsPresence };
    },
  },
  /** This page is visible to its member. */
  looking: {
    ephemeral: ({ viewer, presence }) => (viewer ? presence.markActive(viewer.id) : undefined),
    access: (_id, { viewerId }) => ({ readable: viewerId !== null, signals: [] }),
  },
  /** A blog that could not be read, until it can. */
  address: {
    access: (slug, { blogAt, blog: blogById, viewerSignals }) => {
      const blog = blogById(blogAt(slug) ?? "");
      return {
        readable: Boolean(blog?.readable),
        signals: [
          addressTopic(slug),
          ...(blog ? [rightsTopic(blog.id), rightsTopic(blog.authorId)] : []),
          ...viewerSignals,
        ],
      };
    },
  },
};

const kindOf = (name: string): TopicKind | undefined => topicKinds[splitTopic(name)[0]];

/** Splits a topic's name into its kind and what follows. */
function splitTopic(name: string): [kind: string, id: string] {
  const at = name.indexOf(":");
  return at < 0 ? [name, ""] : [name.slice(0, at), name.slice(at + 1)];
}

/** Returns what a stream sends of each topic. Throws `unauthorized` where a guest follows what only members have. */
export const topicsFor = (
  ctx: Context,
  names: TopicName[],
): { name: TopicName; source: Source | undefined; ephemeral: EphemeralTopic | undefined }[] =>
  names.map((name) => {
    const [kind, id] = splitTopic(name);
    const { source, ephemeral, isOnePerPage } = topicKinds[kind] ?? {};
    const counts = !isOnePerPage || names.findLast((other) => splitTopic(other)[0] === kind) === name;
    return { name, source: source?.(ctx, id), ephemeral: counts ? ephemeral?.(ctx, id) : undefined };
  });

/** Returns whether the viewer belongs to the audience of an event of this topic. */
export async function isInAudience(ctx: Context, name: string, audience: string): Promise<boolean> {
  const [kind, id] = splitTopic(name);
  return kind === "profile" ? seesList(ctx, id, audience) : isInPrivateAudience(ctx, audience);
}

/** Reads the viewer's access to these topics: of all blogs in one query. */
export async function accessToTopics(ctx: Context, names: TopicName[]): Promise<Map<TopicName, TopicAccess>> {
  const facts = await readAccessFacts(ctx, names);
  return new Map(
    names.flatMap((name) => {
      const access = kindOf(name)?.access(splitTopic(name)[1], facts);
      return access ? [[name, access]] : [];
    }),
  );
}

async function readAccessFacts(ctx: Context, names: TopicName[]): Promise<AccessFacts> {
  const { read } = ctx.database;
  const viewerId = ctx.viewer?.id ?? null;
  const blockSignals = viewerId === null ? [] : [blocksTopic(viewerId)];
  const idsOf = (kind: string) =>
    names.map(splitTopic).flatMap(([topicKind, id]) => (topicKind === kind ? [id] : []));
  const blogIdsOf = (isPublic: boolean) =>
    names.flatMap((name) => {
      const kind = kindOf(name);
      return kind?.blogOf && Boolean(kind.isPublic) === isPublic ? [kind.blogOf(splitTopic(name)[1])] : [];
    });
  const blogsFor = async (ids: string[], viewer: string | null) =>
    new Map((ids.length === 0 ? [] : await rightsToBlogs(read, ids, viewer)).map((blog) => [blog.id, blog]));
  const slugs = idsOf("address");
  const idsBySlug = slugs.length === 0 ? new Map<string, string>() : await slugHolders(read, slugs);
  const publicIds = blogIdsOf(true);
  const blogs = await blogsFor(
    [...blogIdsOf(false), ...idsBySlug.values(), ...(viewerId ? publicIds : [])],
    viewerId,
  );
  const publicBlogs = await blogsFor(publicIds, null);
  const userIds = [...idsOf("profile"), ...(viewerId ? [viewerId] : [])];
  const visible = new Set(userIds.length === 0 ? [] : await visibleAmong(read, userIds, viewerId));
  const isReading = idsOf("reading").length > 0;
  return {
    viewerId,
    viewerSignals: viewerId === null ? [] : [rightsTopic(viewerId), ...blockSignals],
    blockSignals,
    showsPresence: !viewerId || (isReading && Boolean((await userById(read, viewerId))?.showPresence)),
    isVisible: (userId) => visible.has(userId),
    blog: (id) => blogs.get(id),
    publicBlog: (id) => publicBlogs.get(id),
    blogAt: (slug) => idsBySlug.get(slug),
  };
}
