import type { BlogCard, BlogList, BlogStats, Sort } from "../../shared/blogs.ts";
import type { LiveEvent, TopicName } from "../../shared/live.ts";
import type { ProfileTab } from "../../shared/routes.ts";
import type { BlogSearch, Recommendations } from "../../shared/search.ts";
import { mayPass } from "../api/errors.ts";
import { ask, askAgain, kept, Lacking } from "../live/kept.ts";
import type { About, Kept, KeptTable } from "../live/kept.ts";
import { keepAlso } from "../live/live.ts";
import { withTurned } from "../live/turned-here.ts";
import { feedNow, isMoved, isOnPage, mayBeLast } from "./feed/feed-data.ts";
import type { FeedPage } from "./feed/feed-data.ts";
import type { TagPage } from "./feed/tagged.ts";
import { keptCard } from "./kept-card.ts";

export interface Cards {
  blogs: readonly BlogCard[];
  hasMore?: boolean;
}
type List<C extends Cards> = Kept<C>["on"];

/** A list without what is gone from it; the server is asked for what moves up from its next page. */
function without<C extends Cards>(list: C, isGone: (card: BlogCard) => boolean): C | Lacking<C> {
  const blogs = list.blogs.filter((card) => !isGone(card));
  if (blogs.length === list.blogs.length) return list;
  const left = { ...list, blogs };
  return list.hasMore || blogs.length === 0 ? new Lacking(left) : left;
}

/** What every list of cards makes of what is told about its cards. */
export const ofCards = <C extends Cards>() => {
  const each = (list: C, event: LiveEvent, { own }: Pick<About<unknown>, "own">): C => {
    let isChanged = false;
    const blogs = list.blogs.map((card) => {
      const now = keptCard(card, event, own);
      isChanged ||= now !== card;
      return now;
    });
    return isChanged ? { ...list, blogs } : list;
  };
  return {
    "blog.counted": each,
    "blog.edited": each,
    "blog.authors": (list, { blogId }) => (list.blogs.some(({ id }) => id === blogId) ? ask : list),
    "viewer.like": each,
    "viewer.save": each,
    "viewer.profileChanged": each,
    "person.changed": each,
    "person.gone": (list, { personId }) => without(list, ({ author }) => author.id === personId),
    accessLost: (list, _event, { topic }) => without(list, ({ id }) => topic === `card:${id}`),
  } satisfies List<C> as List<C>;
};

/** The topics of a list of cards; `feed` tells of people's names, too. */
export const cardTopics = ({ blogs }: Cards): TopicName[] => [
  "feed",
  ...blogs.map(({ id }) => `card:${id}` as const),
];

/** Lists that leave out whom the viewer has muted. */
export const ofMutes = <C extends Cards>(): List<C> => ({
  "viewer.mute": (list, { userId, muted }) =>
    muted ? without(list, ({ author }) => author.id === userId) : list,
});

/** Blogs of people whom the viewer follows or does not any more come or go. */
const ofFollows = { "viewer.follow": askAgain, "follow.settled": askAgain } as const;

const ofFeeds: List<FeedPage> = {
  ...ofCards<FeedPage>(),
  ...ofMutes<FeedPage>(),
  ...ofFollows,
  // A draft may still be read, by its author, and stands in no feed.
  "blog.edited": (list, event, about) =>
    event.card.draft
      ? without(list, ({ id }) => id === event.card.id)
      : ofCards<FeedPage>()["blog.edited"]!(list, event, about),
};

const feed = kept<FeedPage, { page: number; sort: Sort }>({
  topics: (list, { sort }) => [...cardTopics(list), "me", sort === "likes" && "likes"],
  on: {
    ...ofFeeds,
    "blog.ranked": (list, { blogId: id, was, ...rank }) => (isMoved(list, { id, ...rank }, was) ? ask : list),
    "blog.published": (list, { blogId, publishedAt, likesCount, jitterMs }, { input }) => {
      if (input.sort === "likes")
        return isMoved(list, { id: blogId, publishedAt, likesCount }, null) ? ask : list;
      const fresh = list.fresh ?? [];
      // With nothing to read there is nothing that would move.
      if (list.blogs.length === 0 && input.page === 1) return ask;
      const isKnown = fresh.includes(blogId) || list.blogs.some(({ id }) => id === blogId);
      return isKnown || !isOnPage(list, publishedAt)
        ? list
        : { ...list, fresh: [...fresh, blogId], jitterMs };
    },
    "blog.gone": (list, { blogId, publishedAt, left }, { input }) => {
      if (list.fresh?.includes(blogId)) return { ...list, fresh: list.fresh.filter((id) => id !== blogId) };
      if (list.blogs.some(({ id }) => id === blogId)) return list;
      // What stood on a page before this one lets one of this page's move there.
      const mayMove =
        list.page > 1 && (input.sort === "likes" || !publishedAt || isOnPage(list, publishedAt));
      return mayMove || mayBeLast(list, left) ? ask : list;
    },
    "feed.changed": (list, { oldest, newest, left }, { input }) =>
      input.sort === "likes" || isOnPage(list, newest) || isOnPage(list, oldest) || mayBeLast(list, left)
        ? ask
        : list,
  },
  merge: (shown, now, { page, sort }) => (page === 1 && sort === "latest" ? feedNow(shown, now) : now),
});

/** What those publish whom the viewer follows: whose it is, the server knows. What is new waits as it does in the feed. */
const following = kept<FeedPage, { page: number }>({
  topics: (list) => [...cardTopics(list), "me"],
  on: {
    ...ofFeeds,
    "blog.published": (list, { blogId }) =>
      list.fresh?.includes(blogId) || list.blogs.some(({ id }) => id === blogId) ? list : ask,
    "blog.gone": (list, { blogId }) => {
      if (list.fresh?.includes(blogId)) return { ...list, fresh: list.fresh.filter((id) => id !== blogId) };
      return list.page > 1 || list.hasMore ? ask : list;
    },
    "feed.changed": askAgain,
  },
  merge: (shown, now, { page }) => (page === 1 ? feedNow(shown, now) : now),
});

/** A list of a profile. What one has just taken off one's own stays, to be put back. */
const byAuthor = kept<BlogList & { userId: string }, { tab: ProfileTab }>({
  topics: (list) => [...cardTopics(list), `profile:${list.userId}`, "me"],
  on: {
    ...ofCards<BlogList & { userId: string }>(),
    ...ofFollows,
    // An account that opens has its blogs again.
    "feed.changed": askAgain,
    "profile.listed": (list, event, { input }) => (event.list === (input.tab ?? "blogs") ? ask : list),
  },
  merge: (shown, now, { tab }) => {
    const what = { "liked-blogs": "like", "saved-blogs": "save" }[tab as string];
    return what ? { ...now, blogs: withTurned(shown.blogs, now.blogs, (id) => `${what}:${id}`) } : now;
  },
});

const mine = kept<BlogList>({
  topics: (list) => [...cardTopics(list), "me"],
  on: { ...ofCards<BlogList>(), "viewer.blogsChanged": askAgain },
});

/** Sums of one's own blogs. */
const stats = kept<BlogStats>({
  topics: () => ["me"],
  on: {
    "viewer.blogsChanged": askAgain,
    "viewer.countsChanged": askAgain,
  },
  jitterMs: 500,
});

/** What is found by which words only the server knows. */
const search = kept<BlogSearch>({
  topics: (list) => [...cardTopics(list), "search", "me"],
  on: {
    ...ofCards<BlogSearch>(),
    ...ofMutes<BlogSearch>(),
    ...ofFollows,
    "search.blogs": askAgain,
    accessLost: (list, event, about) => {
      const left = ofCards<BlogSearch>().accessLost!(list, event, about);
      return left === list ? list : new Lacking(left instanceof Lacking ? left.data : (left as BlogSearch));
    },
  },
});

/** What has a tag. Only the server knows where in it a blog comes; what is new there waits as it does in the feed. */
const byTag = kept<TagPage, { tag: string; page: number; sort: Sort }>({
  topics: (list, { sort }) => [...cardTopics(list), "search", "me", sort === "likes" && "likes"],
  on: {
    ...ofCards<TagPage>(),
    ...ofMutes<TagPage>(),
    ...ofFollows,
    "blog.edited": (list, event, about) =>
      event.card.draft || !event.card.tags.includes(list.tag)
        ? without(list, ({ id }) => id === event.card.id)
        : ofCards<TagPage>()["blog.edited"]!(list, event, about),
    "blog.ranked": (list, { blogId: id, was, ...rank }) => (isMoved(list, { id, ...rank }, was) ? ask : list),
    "search.blogs": (list, { tags }) => (tags === null || tags.includes(list.tag) ? ask : list),
  },
  merge: (shown, now, { page, sort }) =>
    page === 1 && sort === "latest" ? { ...now, ...feedNow(shown, now) } : now,
});

const recommended = kept<Recommendations>({
  topics: (list) => [...cardTopics(list), "me"],
  on: { ...ofCards<Recommendations>(), ...ofMutes<Recommendations>(), "follow.settled": askAgain },
  calm: async (client, shown) => {
    const list = shown();
    const cards = await Promise.all(
      list.blogs.map(({ id, why }) =>
        client.blogs.card.query({ id }).then(
          (card) => ({ ...card, why }),
          (error: unknown) => {
            if (mayPass(error)) throw error;
          },
        ),
      ),
    );
    const blogs = cards.filter((card) => card !== undefined);
    // They come together, and are told on from where the first of them was read.
    return { ...list, cursor: blogs[0]?.cursor, blogs };
  },
});

/** How lists of blogs are kept; whoever shows one imports this. */
export const keptBlogs: KeptTable = {
  "blogs.list": feed,
  "blogs.following": following,
  "blogs.byAuthor": byAuthor,
  "blogs.byTag": byTag,
  "blogs.mine": mine,
  "blogs.stats": stats,
  "blogs.search": search,
  "blogs.recommended": recommended,
};

keepAlso(keptBlogs);
