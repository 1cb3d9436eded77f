import type { AuthorInvitation, BlogAuthors } from "../../shared/authors.ts";
import { patch, patchPerson } from "../live/queries/patch.ts";
import { refetch, liveQuery } from "../live/queries/live-query.ts";
import { registerLiveQueries } from "../live/live.ts";

const authors = liveQuery<BlogAuthors>({
  topics: ({ id }) => [`draft:${id}`, "feed"],
  on: {
    "draft.authors": refetch,
    "person.gone": (known, { personId }) =>
      known.authors.some(({ id }) => id === personId)
        ? { ...known, authors: known.authors.filter(({ id }) => id !== personId) }
        : known,
    "person.changed": (known, { person }) =>
      patch(known, { authors: known.authors.map((one) => patchPerson(one, person)) }),
  },
});

const invitations = liveQuery<{ invitations: AuthorInvitation[] }>({
  topics: () => ["me"],
  on: { "viewer.invitationsChanged": refetch },
});

registerLiveQueries({ "blogs.authors": authors, "blogs.invitations": invitations });
