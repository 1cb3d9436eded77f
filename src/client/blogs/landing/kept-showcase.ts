import type { SeenComment } from "../../../shared/comments.ts";
import type { Showcase } from "../../../shared/feed.ts";
import { changed, keptPerson } from "../../live/changed.ts";
import { ask, kept } from "../../live/kept.ts";
import { keepAlso } from "../../live/live.ts";
import { keptCard } from "../kept-card.ts";
import { cardTopics, ofCards } from "../kept.ts";

/** Of the newest so many are shown. */
const most = 3;
const cards = ofCards<Showcase>();

/**
 * What guests are shown of the site. What is said below the first of its blogs comes to stand on top as it is said; where something goes
 * the server is asked what takes its place.
 */
export const keptShowcase = kept<Showcase>({
  // The first by the topic of an open blog alone: what is told of it as a card is one fact with what is said there.
  topics: ({ blogs: [first, ...blogs] }) => [
    ...cardTopics({ blogs }),
    first !== undefined && `blog:${first.id}`,
  ],
  on: {
    ...cards,
    "blog.published": (list) => (list.blogs.length === 0 ? ask : list),
    "blog.gone": (list, { blogId }) => (list.blogs.some(({ id }) => id === blogId) ? ask : list),
    "feed.changed": () => ask,
    "person.gone": (list, { personId }) => (isIn(list, personId) ? ask : list),
    accessLost: () => ask,
    "comment.created": (list, { comment, commentsCount }) => {
      const known = list.comments.some(({ id }) => id === comment.id);
      const isShown = comment.parentId === null && !known && comment.blogId === list.blogs[0]?.id;
      return {
        ...counted(list, commentsCount),
        comments: isShown ? [{ liked: false, ...comment }, ...list.comments].slice(0, most) : list.comments,
      };
    },
    "comment.edited": (list, { commentId, text, editedAt }) =>
      withComments(list, (one) => (one.id === commentId ? changed(one, { text, editedAt }) : one)),
    "comment.deleted": (list, { commentIds, emptied, commentsCount }) =>
      list.comments.some(({ id }) => commentIds.includes(id) || emptied.includes(id))
        ? ask
        : counted(list, commentsCount),
    "comment.marked": (list, { commentId, mark }) =>
      mark === "hidden" && !list.comments.some(({ id }) => id === commentId) ? list : ask,
    "person.changed": (list, { person }) => ({
      ...list,
      blogs: list.blogs.map((card) => keptCard(card, { kind: "person.changed", person }, false)),
      comments: list.comments.map((one) =>
        one.author ? changed(one, { author: keptPerson(one.author, person) }) : one,
      ),
    }),
  },
  jitterMs: 500,
});

/** Only what is said of the first is told so; of the others their cards tell. */
function counted(list: Showcase, commentsCount: number): Showcase {
  const [first, ...others] = list.blogs;
  if (!first || first.commentsCount === commentsCount) return list;
  return { ...list, blogs: [{ ...first, commentsCount }, ...others] };
}

const isIn = ({ blogs, comments }: Showcase, personId: string): boolean =>
  blogs.some(({ author }) => author.id === personId) ||
  comments.some(({ author }) => author?.id === personId);

function withComments(list: Showcase, change: (comment: SeenComment) => SeenComment): Showcase {
  return { ...list, comments: list.comments.map(change) };
}

keepAlso({ "blogs.showcase": keptShowcase });
