import type { z } from "zod";
import { limits } from "../shared/limits.ts";
import { FollowTopics, type Told, type TopicName } from "../shared/live.ts";
import { countedAs } from "./auth/limits.ts";
import { rightsToBlogs } from "./blogs/card-queries.ts";
import { drawnHtml } from "./blogs/drawn-html.ts";
import { cardSource, feedSource, hearsOfPrivate, likesSource } from "./blogs/live.ts";
import { writingSource } from "./blogs/writing-live.ts";
import { slugHolders } from "./blogs/queries.ts";
import { blogSource } from "./comments/live.ts";
import type { Context } from "./context.ts";
import { addressTopic, rightsTopic, limitedTopic, userTopic, blocksTopic } from "./live/facts.ts";
import { follow } from "./live/follow.ts";
import type { Moment } from "./live/presence.ts";
import type { Right } from "./live/rights.ts";
import type { Source } from "./live/tail.ts";
import { searchSource } from "./search/live.ts";
import { ownSource } from "./social/live.ts";
import { anyone, asMember, pieces, router } from "./trpc.ts";
import { fewAtOnce, inTurn } from "./turns.ts";
import { profileSource, seesList } from "./users/live.ts";
import { knownAmong, userById } from "./users/queries.ts";
import { mutedBy } from "./users/mute-queries.ts";
import { limitedIdsVisibleTo, blockedEitherWay } from "./users/block-queries.ts";

/** What each kind of topic tells of, and by which area. */
const sourceOf: Record<string, (ctx: Context, id: string) => Source | undefined> = {
  me: (ctx) => ownSource(ctx.database.read, asMember(ctx).viewer.id),
  feed: ({ database }) => feedSource(database.read),
  search: searchSource,
  likes: ({ database }) => likesSource(database.read),
  blog: ({ database, workers }, id) => blogSource(database.read, id, (html) => drawnHtml(workers, html)),
  card: ({ database }, id) => cardSource(database.read, id),
  profile: ({ database }, id) => profileSource(database.read, id),
  writing: ({ database }, id) => writingSource(database.read, id),
};

/** What stands at the moment, and is stored nowhere. A page is at one blog: of several that it names the last counts. */
function momentOf(ctx: Context, names: TopicName[], name: TopicName): Moment | undefined {
  const [kind, id] = parted(name);
  if (kind === "looking" && ctx.viewer) return ctx.presence.lookingOf(ctx.viewer.id);
  if (kind === "presence") return ctx.presence.of(id);
  if (kind === "writing") return ctx.here.of(id);
  const isAtOne = kind === "reading" || kind === "here";
  if (!isAtOne || names.findLast((other) => parted(other)[0] === kind) !== name) return undefined;
  const [blogId, key] = parted(id);
  if (kind === "here") return ctx.viewer ? ctx.here.pageOf(blogId, ctx.viewer.id, key) : undefined;
  return ctx.presence.readingOf(
    blogId,
    ctx.viewer ? { key: ctx.viewer.id } : { key: `guest ${key}`, from: countedAs(ctx.address) },
  );
}

const parted = (name: string): [kind: string, id: string] => {
  const at = name.indexOf(":");
  return at < 0 ? [name, ""] : [name.slice(0, at), name.slice(at + 1)];
};

/** The stream of an open page. Throws `unauthorized` where a guest asks for what is a member's own. */
function followTopics(ctx: Context, input: z.output<typeof FollowTopics>, signal: AbortSignal | undefined) {
  const names = [...new Set(input.topics)] as TopicName[];
  const viewer = ctx.viewer ?? undefined;
  return follow({
    database: ctx.database,
    bus: ctx.bus,
    tail: ctx.tail,
    topics: names.map((name) => {
      const [kind, id] = parted(name);
      return { name, source: sourceOf[kind]?.(ctx, id), moment: momentOf(ctx, names, name) };
    }),
    from: [input.since, input.lastEventId],
    own: ctx.viewer ? userTopic(ctx.viewer.id) : undefined,
    rightsTo: (asked) => rightsTo(ctx, asked),
    isAmong: (name, among) => {
      const [kind, id] = parted(name);
      return kind === "profile" ? seesList(ctx, id, among) : hearsOfPrivate(ctx, among);
    },
    hidden: {
      signals: [limitedTopic, ...(viewer ? [blocksTopic(viewer.id)] : [])],
      load: async () => {
        const { read } = ctx.database;
        const limited = await ctx.limitedAccounts.all();
        const own = async (of: (connection: typeof read, id: string) => Promise<string[]>) =>
          new Set(viewer ? await of(read, viewer.id) : []);
        const followed = limited.size > 0 ? await own(limitedIdsVisibleTo) : limited;
        return { blocked: await own(blockedEitherWay), muted: await own(mutedBy), limited, followed };
      },
    },
    signal,
    line: ctx.line,
  });
}

/**
 * Which of these topics the viewer may read, with what is rung when that may change: all blogs and cards in one query. Who is
 * at a blog is told, and counted, where everybody may read it; of whoever does not show that they are, nothing is.
 */
async function rightsTo(ctx: Context, names: TopicName[]): Promise<Map<TopicName, Right>> {
  const { read } = ctx.database;
  const viewerId = ctx.viewer?.id ?? null;
  const blocks = viewerId === null ? [] : [blocksTopic(viewerId)];
  const own = viewerId === null ? [] : [rightsTopic(viewerId), ...blocks];
  const idsOf = (...kinds: string[]) =>
    names.map(parted).flatMap(([kind, id]) => (kinds.includes(kind) ? [id] : []));
  const rightsOf = async (ids: string[], who: string | null) =>
    new Map((ids.length === 0 ? [] : await rightsToBlogs(read, ids, who)).map((blog) => [blog.id, blog]));
  const isReading = idsOf("reading").map((id) => parted(id)[0]);
  const isThere = [...idsOf("presence"), ...isReading];
  const isWriting = [...idsOf("writing"), ...idsOf("here").map((id) => parted(id)[0])];
  const slugs = idsOf("address");
  const holders = slugs.length === 0 ? new Map<string, string>() : await slugHolders(read, slugs);
  const blogs = await rightsOf(
    [...idsOf("blog", "card"), ...isWriting, ...holders.values(), ...(viewerId ? isThere : [])],
    viewerId,
  );
  const open = await rightsOf(isThere, null);
  const userIds = [...idsOf("profile"), ...(viewerId ? [viewerId] : [])];
  const people = new Set(userIds.length === 0 ? [] : await knownAmong(read, userIds, viewerId));
  const isShown = !viewerId || (isReading.length > 0 && (await userById(read, viewerId))?.showPresence);
  const rights = new Map<TopicName, Right>();
  for (const name of names) {
    const [kind, id] = parted(name);
    if (["feed", "search", "likes"].includes(kind)) rights.set(name, { readable: true, rung: [] });
    if (kind === "looking") rights.set(name, { readable: viewerId !== null, rung: [] });
    if (kind === "me") rights.set(name, { readable: people.has(viewerId ?? ""), rung: own });
    if (kind === "writing" || kind === "here") {
      const blogId = kind === "here" ? parted(id)[0] : id;
      const blog = blogs.get(blogId);
      rights.set(name, {
        readable: Boolean(blog?.writable),
        rung: [rightsTopic(blogId), ...own],
      });
    }
    if (kind === "profile")
      rights.set(name, { readable: people.has(id), rung: [rightsTopic(id), ...blocks] });
    const isBlog = kind === "blog" || kind === "card";
    if (isBlog || kind === "presence" || kind === "reading") {
      const blogId = kind === "reading" ? parted(id)[0] : id;
      const blog = (isBlog ? blogs : open).get(blogId);
      const isMine = isBlog || viewerId === null || blogs.get(blogId)?.readable;
      const author = blog ? [rightsTopic(blog.authorId)] : [];
      rights.set(name, {
        readable: Boolean(blog?.readable && isMine) && (kind !== "reading" || Boolean(isShown)),
        rung: [rightsTopic(blogId), ...author, ...own],
      });
    }
    if (kind === "address") {
      const blog = blogs.get(holders.get(id) ?? "");
      rights.set(name, {
        readable: Boolean(blog?.readable),
        rung: [addressTopic(id), ...(blog ? [rightsTopic(blog.id), rightsTopic(blog.authorId)] : []), ...own],
      });
    }
  }
  return rights;
}

/** Counts what many topics cost beside the call that asks for them: each right is looked up, and all that happened is read. */
async function payForTopics(ctx: Context, { topics }: z.output<typeof FollowTopics>): Promise<void> {
  await ctx.limits.take("read", ctx.address, Math.floor(topics.length / limits.live.topicsAPoint));
}

/** So many pages with many topics are answered in pieces at once, and the others wait. */
const fewPieces = fewAtOnce(2);

/** The stream in pieces, for pages behind what lets no answer through before its end: all from a cursor on up to `at`. */
async function toldSince(ctx: Context, input: z.output<typeof FollowTopics>) {
  const told: (Told & { cursor: string })[] = [];
  let cursor = "";
  for await (const [at, one] of followTopics(ctx, input, ctx.signal)) {
    told.push({ cursor: (cursor = at), ...one });
    if (one.event.kind === "at") break;
  }
  return { told, cursor };
}

export const liveRouter = router({
  follow: anyone.input(FollowTopics).subscription(async ({ ctx, input, signal }) => {
    await payForTopics(ctx, input);
    return followTopics(ctx, input, signal);
  }),
  since: pieces.input(FollowTopics).query(async ({ ctx, input }) => {
    await payForTopics(ctx, input);
    const answer = () => inTurn(() => toldSince(ctx, input));
    return input.topics.length > limits.live.topicsAPoint ? fewPieces(answer) : answer();
  }),
});
