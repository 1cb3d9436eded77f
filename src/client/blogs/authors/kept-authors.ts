import type { AuthorInvitation, BlogAuthors } from "../../../shared/authors.ts";
import { changed, keptPerson } from "../../live/changed.ts";
import { askAgain, kept } from "../../live/kept.ts";
import { keepAlso } from "../../live/live.ts";

const authors = kept<BlogAuthors>({
  topics: ({ id }) => [`writing:${id}`, "feed"],
  on: {
    "writing.authors": askAgain,
    "person.gone": (known, { personId }) =>
      known.authors.some(({ id }) => id === personId)
        ? { ...known, authors: known.authors.filter(({ id }) => id !== personId) }
        : known,
    "person.changed": (known, { person }) =>
      changed(known, { authors: known.authors.map((one) => keptPerson(one, person)) }),
  },
});

const invitations = kept<{ invitations: AuthorInvitation[] }>({
  topics: () => ["me"],
  on: { "viewer.invitationsChanged": askAgain },
});

keepAlso({ "blogs.authors": authors, "blogs.invitations": invitations });
