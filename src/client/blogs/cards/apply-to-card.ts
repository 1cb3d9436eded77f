import type { BlogCard } from "../../../shared/blogs.ts";
import type { LiveEvent } from "../../../shared/live.ts";
import type { Person } from "../../../shared/users.ts";
import { patch, patchPerson } from "../../live/queries/patch.ts";

/** Applies an event to a blog, in a list or on its own page. Returns the same object where it does not concern it. */
export function applyToCard<Card extends BlogCard>(
  card: Card,
  event: LiveEvent,
  isOptimistic: boolean,
): Card {
  switch (event.kind) {
    case "blog.counted": {
      const { likesCount, savesCount, commentsCount } = event;
      return event.blogId === card.id
        ? patch(card, { likesCount, savesCount, commentsCount } as Partial<Card>)
        : card;
    }
    case "blog.edited":
      // A card without `onAir` is not on air.
      return event.card.id === card.id
        ? patch(card, { onAir: undefined, ...event.card } as unknown as Partial<Card>)
        : card;
    case "viewer.like":
      return event.blogId === card.id && event.liked !== card.liked
        ? { ...card, liked: event.liked, likesCount: card.likesCount + step(isOptimistic, event.liked) }
        : card;
    case "viewer.save":
      return event.blogId === card.id && event.saved !== card.saved
        ? { ...card, saved: event.saved, savesCount: card.savesCount + step(isOptimistic, event.saved) }
        : card;
    case "person.changed":
    case "viewer.profileChanged": {
      const now = (person: Person): Person => patchPerson(person, event.person);
      return patch(card, {
        author: now(card.author),
        coAuthors: card.coAuthors?.map(now),
      } as Partial<Card>);
    }
    default:
      return card;
  }
}

/** An optimistic change moves a count until the server's event says the new one. */
const step = (isOptimistic: boolean, on: boolean): number => (isOptimistic ? (on ? 1 : -1) : 0);
