import type { Entry, ViewerEntry } from "../../shared/entries.ts";
import type { Person } from "../../shared/users.ts";
import type { Mutation, MutationContext } from "../live/mutations/optimistic-mutations.ts";
import { errorMessage } from "../api/errors.ts";
import { messages } from "../../shared/errors.ts";
import { askToSignIn, showLimited } from "../session/failure.ts";
import { checkSession } from "../session/session.ts";
import { storedToken } from "../session/stored-user.ts";
import { toast } from "../ui/toasts.tsx";
import { restoreEntryDraft } from "./entry-drafts.ts";
import type { EntryDraft } from "./entry-drafts.ts";

/** An entry that is being sent. */
export interface UnsentEntry extends EntryDraft {
  /** Chosen by this tab, so that sending it twice posts one entry. */
  id: string;
  blogId: string;
  viewerId: string;
  /** When it was posted by this device's clock, and as it looks until the server's answer. */
  at: string;
  html: string;
  headline: string;
}

interface EditInput extends UnsentEntry {
  before: ViewerEntry;
  /** The time that readers are to see, if it was changed. */
  newAt?: string;
}

interface LikeInput {
  id: string;
  blogId: string;
  on: boolean;
}

/** Mutations of one entry are sent in order: it exists before it is edited. */
const keyOf = (id: string): string => `entry-${id}`;

async function showSignedOut({ navigate }: MutationContext): Promise<void> {
  await checkSession();
  const message = "Your entry is saved and will be posted when you sign back in.";
  if (storedToken() === null) askToSignIn(`You’re signed out. ${message}`, navigate);
  else toast({ message: `You’re signed in as someone else now. ${message}` });
}

const personOf = ({ id, username, name, picture }: Person): Person => ({ id, username, name, picture });

const shownAs = (
  { id, blogId, at, title, isKey, html, headline }: UnsentEntry,
  author: Person | null,
): Entry => ({
  id,
  blogId,
  at,
  author: author && personOf(author),
  title,
  isKey,
  html,
  headline,
  editedAt: null,
  likesCount: 0,
});

/** Posts an entry. It stays in the offline queue until it is answered; if it fails, its text becomes a draft again. */
export const postEntry = (
  context: MutationContext,
): Mutation<UnsentEntry, ViewerEntry & { cursor: string }> => ({
  name: "blogs.postEntry",
  key: ({ id }) => keyOf(id),
  optimisticEvents: (entry, me) => [
    { topic: `blog:${entry.blogId}`, event: { kind: "entry.posted", entry: shownAs(entry, me), total: 0 } },
  ],
  // With the time of the post, so that entries that waited for a network are in their order.
  send: ({ id, blogId, title, isKey, document, at }) =>
    context.client.blogs.postEntry.mutate({ id, blogId, title, isKey, document, at }),
  keepOffline: true,
  onSignedOut: () => void showSignedOut(context),
  onError: (error, { viewerId, blogId, title, isKey, document }) => {
    restoreEntryDraft({ viewerId, blogId, at: "entry" }, { title, isKey, document });
    toast({ kind: "error", message: errorMessage(error, messages.connection) });
  },
});

/** Changes an entry. The draft of the change stays on the device until it is answered. */
export const editEntry = (
  context: MutationContext,
): Mutation<EditInput, ViewerEntry & { cursor: string }> => ({
  name: "blogs.editEntry",
  key: ({ id }) => keyOf(id),
  optimisticEvents: ({ before, newAt, ...entry }) => {
    const { at, likesCount, author } = before;
    const shown = { ...shownAs(entry, author), at: newAt ?? at, likesCount, editedAt: entry.at };
    return [{ topic: `blog:${entry.blogId}`, event: { kind: "entry.edited", entry: shown, total: 0 } }];
  },
  send: ({ id, title, isKey, document, newAt }) =>
    context.client.blogs.editEntry.mutate({ id, title, isKey, document, ...(newAt && { at: newAt }) }),
});

/** Withdraws an entry; the message offers to bring it back. */
export const withdrawEntry = (context: MutationContext): Mutation<ViewerEntry> => ({
  name: "blogs.withdrawEntry",
  key: ({ id }) => keyOf(id),
  optimisticEvents: ({ id, blogId }) => [
    { topic: `blog:${blogId}`, event: { kind: "entry.withdrawn", entryId: id, total: 0 } },
  ],
  send: ({ id }) => context.client.blogs.withdrawEntry.mutate({ id, withdrawn: true }),
});

/** Brings a withdrawn entry back. */
export const restoreEntry = (context: MutationContext): Mutation<ViewerEntry> => ({
  name: "blogs.restoreEntry",
  key: ({ id }) => keyOf(id),
  optimisticEvents: (entry) => [
    { topic: `blog:${entry.blogId}`, event: { kind: "entry.posted", entry, total: 0 } },
  ],
  send: ({ id }) => context.client.blogs.withdrawEntry.mutate({ id, withdrawn: false }),
});

/** Likes or unlikes an entry. It stays in the offline queue until it is answered. */
export const likeEntry = (context: MutationContext): Mutation<LikeInput> => ({
  name: "blogs.likeEntry",
  key: ({ id }) => `entry-like-${id}`,
  optimisticEvents: ({ id, blogId, on }) => [
    { topic: "me", event: { kind: "viewer.entryLike", entryId: id, blogId, liked: on } },
  ],
  send: ({ id, on }) => context.client.blogs.likeEntry.mutate({ id, liked: on }),
  keepOffline: true,
  onLimited: showLimited,
  onSignedOut: () =>
    askToSignIn(
      "You’re signed out. Your like is saved and will be sent when you sign back in.",
      context.navigate,
    ),
});
