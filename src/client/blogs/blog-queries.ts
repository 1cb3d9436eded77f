import type { BlogCard, BlogList, BlogStats } from "../../shared/blogs.ts";
import { defaultSort, isRanked, rankTopics, type Sort } from "../../shared/feed-sorts.ts";
import type { LiveEvent, TopicName } from "../../shared/live.ts";
import type { ProfileTab } from "../../shared/routes.ts";
import type { BlogSearch, Recommendations } from "../../shared/search.ts";
import { isTransient } from "../api/errors.ts";
import { REFETCH, refetch, liveQuery, Incomplete } from "../live/queries/live-query.ts";
import type { EventContext, LiveQuery, LiveQueries } from "../live/queries/live-query.ts";
import { registerLiveQueries } from "../live/live.ts";
import { patch } from "../live/queries/patch.ts";
import { keepToggledOff } from "../live/mutations/recent-toggles.ts";
import { mergeFirstPage, changesRankedPage, isOnPage, mayBeLast } from "./feed/feed-data.ts";
import type { FeedPage, FollowingPage } from "./feed/feed-data.ts";
import type { TagPage } from "./feed/fresh-blogs.ts";
import { applyToCard } from "./cards/apply-to-card.ts";

export interface CardList {
  blogs: readonly BlogCard[];
  hasMore?: boolean;
}
type Handlers<C extends CardList> = LiveQuery<C>["on"];

/** Removes cards from a list; what moves up from the next page is fetched. */
function without<C extends CardList>(list: C, isGone: (card: BlogCard) => boolean): C | Incomplete<C> {
  const blogs = list.blogs.filter((card) => !isGone(card));
  if (blogs.length === list.blogs.length) return list;
  const left = { ...list, blogs };
  return list.hasMore || blogs.length === 0 ? new Incomplete(left) : left;
}

/** Handlers that every list of blogs has. */
export const cardHandlers = <C extends CardList>() => {
  const applyToCards = (
    list: C,
    event: LiveEvent,
    { isOptimistic }: Pick<EventContext<unknown>, "isOptimistic">,
  ): C =>
    patch<CardList>(list, { blogs: list.blogs.map((card) => applyToCard(card, event, isOptimistic)) }) as C;
  return {
    "blog.counted": applyToCards,
    "blog.edited": applyToCards,
    "blog.authors": (list, { blogId }) => (list.blogs.some(({ id }) => id === blogId) ? REFETCH : list),
    "viewer.like": applyToCards,
    "viewer.save": applyToCards,
    "viewer.profileChanged": applyToCards,
    "person.changed": applyToCards,
    "person.gone": (list, { personId }) => without(list, ({ author }) => author.id === personId),
    accessLost: (list, _event, { topic }) => without(list, ({ id }) => topic === `card:${id}`),
  } satisfies Handlers<C> as Handlers<C>;
};

/** The topics of a list of blogs; `feed` also carries changed names. */
export const cardTopics = ({ blogs }: CardList): TopicName[] => [
  "feed",
  ...blogs.map(({ id }) => `card:${id}` as const),
];

/** Handlers of lists that leave out muted people. */
export const muteHandlers = <C extends CardList>(): Handlers<C> => ({
  "viewer.mute": (list, { userId, muted }) =>
    muted ? without(list, ({ author }) => author.id === userId) : list,
});

/** Handlers of lists in which blogs come or go with following their authors. */
const followHandlers = { "viewer.follow": refetch, "follow.settled": refetch } as const;

const feedHandlers = <C extends FeedPage>(): Handlers<C> => ({
  ...cardHandlers<C>(),
  ...muteHandlers<C>(),
  ...followHandlers,
  // The author may still read a draft, but no feed has it.
  "blog.edited": (list, event, about) =>
    event.card.draft
      ? without(list, ({ id }) => id === event.card.id)
      : cardHandlers<C>()["blog.edited"]!(list, event, about),
});

const feed = liveQuery<FeedPage, { page: number; sort: Sort }>({
  topics: (list, { sort }) => [...cardTopics(list), "me", ...rankTopics(sort)],
  on: {
    ...feedHandlers<FeedPage>(),
    "blog.ranked": (list, { blogId: id, was, ...rank }, { input: { sort } }) =>
      isRanked(sort) && changesRankedPage(list, sort, { id, ...rank }, was) ? REFETCH : list,
    "blog.published": (list, { blogId, publishedAt, counts, jitterMs }, { input: { page, sort } }) => {
      if (isRanked(sort)) {
        const rank = { id: blogId, publishedAt, count: counts[sort] };
        return changesRankedPage(list, sort, rank, null) ? REFETCH : list;
      }
      const fresh = list.fresh ?? [];
      // An empty page shows it at once: nothing moves under the reader.
      if (list.blogs.length === 0 && page === 1) return REFETCH;
      const isKnown = fresh.includes(blogId) || list.blogs.some(({ id }) => id === blogId);
      return isKnown || !isOnPage(list, publishedAt)
        ? list
        : { ...list, fresh: [...fresh, blogId], jitterMs };
    },
    "blog.gone": (list, { blogId, publishedAt, left }, { input }) => {
      if (list.fresh?.includes(blogId)) return { ...list, fresh: list.fresh.filter((id) => id !== blogId) };
      if (list.blogs.some(({ id }) => id === blogId)) return list;
      // A blog that leaves an earlier page makes one of this page move there.
      const mayMove = list.page > 1 && (isRanked(input.sort) || !publishedAt || isOnPage(list, publishedAt));
      return mayMove || mayBeLast(list, left) ? REFETCH : list;
    },
    "feed.changed": (list, { oldest, newest, left }, { input }) =>
      isRanked(input.sort) || isOnPage(list, newest) || isOnPage(list, oldest) || mayBeLast(list, left)
        ? REFETCH
        : list,
  },
  merge: (shown, now, { page, sort }) =>
    page === 1 && sort === defaultSort ? mergeFirstPage(shown, now) : now,
});

/**
 * Blogs of followed people and with followed tags. Only the server knows whom the viewer follows; new ones wait behind a button
 * as in the feed.
 */
const following = liveQuery<FollowingPage, { page: number }>({
  topics: (list) => [...cardTopics(list), "me", list.tags.length > 0 && "search"],
  on: {
    ...feedHandlers<FollowingPage>(),
    // The viewer may follow other tags now.
    "viewer.profileChanged": refetch,
    "search.blogs": (list, { tags }) =>
      tags === null || tags.some((tag) => list.tags.includes(tag)) ? REFETCH : list,
    "blog.published": (list, { blogId }) =>
      list.fresh?.includes(blogId) || list.blogs.some(({ id }) => id === blogId) ? list : REFETCH,
    "blog.gone": (list, { blogId }) => {
      if (list.fresh?.includes(blogId)) return { ...list, fresh: list.fresh.filter((id) => id !== blogId) };
      return list.page > 1 || list.hasMore ? REFETCH : list;
    },
    "feed.changed": refetch,
  },
  merge: (shown, now, { page }) => (page === 1 ? { ...now, ...mergeFirstPage(shown, now) } : now),
});

/** A list of a profile. A blog that the viewer has just unliked or unsaved stays, so that it can be put back. */
const byAuthor = liveQuery<BlogList & { userId: string }, { tab: ProfileTab }>({
  topics: (list) => [...cardTopics(list), `profile:${list.userId}`, "me"],
  on: {
    ...cardHandlers<BlogList & { userId: string }>(),
    ...followHandlers,
    // An account that becomes public shows its blogs again.
    "feed.changed": refetch,
    "profile.listed": (list, event, { input }) => (event.list === (input.tab ?? "blogs") ? REFETCH : list),
  },
  merge: (shown, now, { tab }) => {
    const toggleKind = { "liked-blogs": "like", "saved-blogs": "save" }[tab as string];
    return toggleKind
      ? { ...now, blogs: keepToggledOff(shown.blogs, now.blogs, (id) => `${toggleKind}:${id}`) }
      : now;
  },
});

const mine = liveQuery<BlogList>({
  topics: (list) => [...cardTopics(list), "me"],
  on: { ...cardHandlers<BlogList>(), "viewer.blogsChanged": refetch },
});

/** The sums of the viewer's own blogs. */
const stats = liveQuery<BlogStats>({
  topics: () => ["me"],
  on: {
    "viewer.blogsChanged": refetch,
    "viewer.countsChanged": refetch,
  },
  jitterMs: 500,
});

/** Only the server knows which words find what. */
const search = liveQuery<BlogSearch>({
  topics: (list) => [...cardTopics(list), "search", "me"],
  on: {
    ...cardHandlers<BlogSearch>(),
    ...muteHandlers<BlogSearch>(),
    ...followHandlers,
    "search.blogs": refetch,
    accessLost: (list, event, about) => {
      const left = cardHandlers<BlogSearch>().accessLost!(list, event, about);
      return left === list
        ? list
        : new Incomplete(left instanceof Incomplete ? left.data : (left as BlogSearch));
    },
  },
});

/** Blogs with a tag. Only the server knows a blog's place; new ones wait behind a button as in the feed. */
const byTag = liveQuery<TagPage, { tag: string; page: number; sort: Sort }>({
  topics: (list, { sort }) => [...cardTopics(list), "search", "me", ...rankTopics(sort)],
  on: {
    ...cardHandlers<TagPage>(),
    ...muteHandlers<TagPage>(),
    ...followHandlers,
    "blog.edited": (list, event, about) =>
      event.card.draft || !event.card.tags.includes(list.tag)
        ? without(list, ({ id }) => id === event.card.id)
        : cardHandlers<TagPage>()["blog.edited"]!(list, event, about),
    "blog.ranked": (list, { blogId: id, was, ...rank }, { input: { sort } }) =>
      isRanked(sort) && changesRankedPage(list, sort, { id, ...rank }, was) ? REFETCH : list,
    "search.blogs": (list, { tags }) => (tags === null || tags.includes(list.tag) ? REFETCH : list),
  },
  merge: (shown, now, { page, sort }) =>
    page === 1 && sort === defaultSort ? { ...now, ...mergeFirstPage(shown, now) } : now,
});

const recommended = liveQuery<Recommendations>({
  topics: (list) => [...cardTopics(list), "me"],
  on: { ...cardHandlers<Recommendations>(), ...muteHandlers<Recommendations>(), "follow.settled": refetch },
  refetchVisible: async (client, shown) => {
    const list = shown();
    const cards = await Promise.all(
      list.blogs.map(({ id, why }) =>
        client.blogs.card.query({ id }).then(
          (card) => ({ ...card, why }),
          (error: unknown) => {
            if (isTransient(error)) throw error;
          },
        ),
      ),
    );
    const blogs = cards.filter((card) => card !== undefined);
    // They were read in one batch: its first cursor is the place of all.
    return { ...list, cursor: blogs[0]?.cursor, blogs };
  },
});

/** The live queries of lists of blogs; imported by the code that shows one. */
export const blogQueries: LiveQueries = {
  "blogs.list": feed,
  "blogs.following": following,
  "blogs.byAuthor": byAuthor,
  "blogs.byTag": byTag,
  "blogs.mine": mine,
  "blogs.stats": stats,
  "blogs.search": search,
  "blogs.recommended": recommended,
};

registerLiveQueries(blogQueries);
