import type { BlogCard } from "../../shared/blogs.ts";
import type { LiveEvent } from "../../shared/live.ts";
import type { Person } from "../../shared/users.ts";
import { changed, keptPerson } from "../live/changed.ts";

/** What an event makes of a blog, in a list or on its own page; the very same where it does not concern it. */
export function keptCard<Card extends BlogCard>(card: Card, event: LiveEvent, own: boolean): Card {
  switch (event.kind) {
    case "blog.counted": {
      const { likesCount, savesCount, commentsCount } = event;
      return event.blogId === card.id
        ? changed(card, { likesCount, savesCount, commentsCount } as Partial<Card>)
        : card;
    }
    case "blog.edited":
      return event.card.id === card.id ? changed(card, event.card as Partial<Card>) : card;
    case "viewer.like":
      return event.blogId === card.id && event.liked !== card.liked
        ? { ...card, liked: event.liked, likesCount: card.likesCount + foreseen(own, event.liked) }
        : card;
    case "viewer.save":
      return event.blogId === card.id && event.saved !== card.saved
        ? { ...card, saved: event.saved, savesCount: card.savesCount + foreseen(own, event.saved) }
        : card;
    case "person.changed":
    case "viewer.profileChanged": {
      const now = (person: Person): Person => keptPerson(person, event.person);
      return changed(card, {
        author: now(card.author),
        coAuthors: card.coAuthors?.map(now),
      } as Partial<Card>);
    }
    default:
      return card;
  }
}

/** Counts are the server's to tell; what one does oneself moves them until it does. */
const foreseen = (own: boolean, on: boolean): number => (own ? (on ? 1 : -1) : 0);
