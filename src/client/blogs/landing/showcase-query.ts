import type { ViewerComment } from "../../../shared/comments.ts";
import type { Showcase } from "../../../shared/feed.ts";
import { patch, patchPerson } from "../../live/queries/patch.ts";
import { REFETCH, liveQuery, refetch } from "../../live/queries/live-query.ts";
import { registerLiveQueries } from "../../live/live.ts";
import { applyToCard } from "../cards/apply-to-card.ts";
import { cardTopics, cardHandlers } from "../blog-queries.ts";

/** The number of newest comments that are shown. */
const COMMENTS = 3;
const cards = cardHandlers<Showcase>();

/**
 * What guests see of the site. New comments on the first blog appear on top at once; where something is removed the server is
 * asked what takes its place.
 */
export const showcaseQuery = liveQuery<Showcase>({
  // The first blog by the topic of an open blog alone, which also carries its counts.
  topics: ({ blogs: [first, ...blogs] }) => [
    ...cardTopics({ blogs }),
    first !== undefined && `blog:${first.id}`,
  ],
  on: {
    ...cards,
    "blog.published": (list) => (list.blogs.length === 0 ? REFETCH : list),
    "blog.gone": (list, { blogId }) => (list.blogs.some(({ id }) => id === blogId) ? REFETCH : list),
    "feed.changed": refetch,
    "person.gone": (list, { personId }) => (isIn(list, personId) ? REFETCH : list),
    accessLost: refetch,
    "comment.created": (list, { comment, commentsCount }) => {
      const known = list.comments.some(({ id }) => id === comment.id);
      const isShown = comment.parentId === null && !known && comment.blogId === list.blogs[0]?.id;
      return {
        ...counted(list, commentsCount),
        comments: isShown
          ? [{ liked: false, ...comment }, ...list.comments].slice(0, COMMENTS)
          : list.comments,
      };
    },
    "comment.edited": (list, { commentId, text, editedAt }) =>
      withComments(list, (one) => (one.id === commentId ? patch(one, { text, editedAt }) : one)),
    "comment.deleted": (list, { commentIds, emptied, commentsCount }) =>
      list.comments.some(({ id }) => commentIds.includes(id) || emptied.includes(id))
        ? REFETCH
        : counted(list, commentsCount),
    "comment.marked": (list, { commentId, mark }) =>
      mark === "hidden" && !list.comments.some(({ id }) => id === commentId) ? list : REFETCH,
    "person.changed": (list, { person }) => ({
      ...list,
      blogs: list.blogs.map((card) => applyToCard(card, { kind: "person.changed", person }, false)),
      comments: list.comments.map((one) =>
        one.author ? patch(one, { author: patchPerson(one.author, person) }) : one,
      ),
    }),
  },
  jitterMs: 500,
});

/** Comment events are those of the first blog; the others have their counts by card. */
function counted(list: Showcase, commentsCount: number): Showcase {
  const [first, ...others] = list.blogs;
  if (!first || first.commentsCount === commentsCount) return list;
  return { ...list, blogs: [{ ...first, commentsCount }, ...others] };
}

const isIn = ({ blogs, comments }: Showcase, personId: string): boolean =>
  blogs.some(({ author }) => author.id === personId) ||
  comments.some(({ author }) => author?.id === personId);

function withComments(list: Showcase, change: (comment: ViewerComment) => ViewerComment): Showcase {
  return { ...list, comments: list.comments.map(change) };
}

registerLiveQueries({ "blogs.showcase": showcaseQuery });
