import type { Further } from "../../../../shared/further.ts";
import { changed, keptListed } from "../../../live/changed.ts";
import { kept } from "../../../live/kept.ts";
import { keepAlso } from "../../../live/live.ts";
import { cardTopics, ofCards, ofMutes } from "../../kept.ts";

const ofPeople = (further: Further, change: (person: Further["authors"][number]) => typeof person): Further =>
  changed(further, { authors: further.authors.map(change) });

/** How the end of a blog is kept: what is chosen there stays, and says what is so by now. */
const row = kept<Further>({
  topics: (further) => [...cardTopics(further), "me"],
  on: {
    ...ofCards<Further>(),
    ...ofMutes<Further>(),
    "viewer.follow": (further, { userId, status }) => withFollow(further, userId, status),
    "follow.settled": (further, { userId, status }) => withFollow(further, userId, status),
    "person.changed": (further, event, about) => {
      const now = ofCards<Further>()["person.changed"]!(further, event, about) as Further;
      return ofPeople(now, (person) => keptListed(person, event));
    },
  },
});

function withFollow(further: Further, userId: string, follow: Further["authors"][number]["follow"]): Further {
  return ofPeople(further, (person) =>
    person.id === userId && person.follow !== "self" ? changed(person, { follow }) : person,
  );
}

keepAlso({ "blogs.further": row });
