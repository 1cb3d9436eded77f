import type { Further } from "../../../../shared/further.ts";
import { patch, patchListedPerson } from "../../../live/queries/patch.ts";
import { liveQuery } from "../../../live/queries/live-query.ts";
import { registerLiveQueries } from "../../../live/live.ts";
import { cardTopics, cardHandlers, muteHandlers } from "../../blog-queries.ts";

const ofPeople = (further: Further, change: (person: Further["authors"][number]) => typeof person): Further =>
  patch(further, { authors: further.authors.map(change) });

/** The recommendations at the end of a blog: the same blogs stay, with their current data. */
const furtherBlogs = liveQuery<Further>({
  topics: (further) => [...cardTopics(further), "me"],
  on: {
    ...cardHandlers<Further>(),
    ...muteHandlers<Further>(),
    "viewer.follow": (further, { userId, status }) => withFollow(further, userId, status),
    "follow.settled": (further, { userId, status }) => withFollow(further, userId, status),
    "person.changed": (further, event, about) => {
      const now = cardHandlers<Further>()["person.changed"]!(further, event, about) as Further;
      return ofPeople(now, (person) => patchListedPerson(person, event));
    },
  },
});

function withFollow(further: Further, userId: string, follow: Further["authors"][number]["follow"]): Further {
  return ofPeople(further, (person) =>
    person.id === userId && person.follow !== "self" ? patch(person, { follow }) : person,
  );
}

registerLiveQueries({ "blogs.further": furtherBlogs });
