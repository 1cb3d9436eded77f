import { z } from "zod";
import { Id } from "./users.ts";
import type { Person } from "./users.ts";

/*
 * Authors of a blog (docs/decisions/0021-co-authors-and-carets.md): its owner, and co-authors, who accepted an invitation by
 * username. Co-authors read and write as the owner does; only the owner invites, removes, decides who comments, and deletes.
 *
 * Events: `blog.authors` on `blog:{id}` and `card:{id}` when a name is added or removed; `draft.authors` on `draft:{id}`,
 * also for invitations; on `me`, `viewer.invitationsChanged` for the invited and `viewer.blogsChanged` for those who joined or
 * left. Pages refetch at each. A removed co-author gets `accessLost` for `draft:{id}`. Notifications: `invited` (its `target`
 * is the blog's id, for `answerInvitation`) and, for the owner, `joined`.
 */

/** Authors of one blog, including its owner and invited people; and open invitations listed. */
export const authorLimits = { most: 8, invitations: 50 } as const;

/** `invited` people can read only the title. */
export type AuthorRole = "owner" | "author" | "invited";

/** `since` is when they were invited, joined, or began it: ISO 8601. */
export interface BlogAuthor extends Person {
  role: AuthorRole;
  since: string;
}

/**
 * The owner first, then co-authors as they joined, then invitations. `mine`: the viewer is the owner. `closed`: the owner's
 * account is private, so only followers can read what they publish.
 */
export interface BlogAuthors {
  id: string;
  mine: boolean;
  closed: boolean;
  authors: BlogAuthor[];
}

/** `id` is the blog's; the invited person learns only its title. */
export interface AuthorInvitation {
  id: string;
  title: string;
  by: Person;
  at: string;
}

/** `slug` is the blog's; null if they declined. */
export interface InvitationAnswer {
  id: string;
  slug: string | null;
  message: string;
}

/** As typed, with or without a leading @. */
export const InviteAuthor = z.strictObject({
  id: Id,
  username: z
    .string()
    .max(200)
    .transform((value) => value.trim().toLowerCase().replace(/^@/, ""))
    .refine((value) => value !== "", "Enter a username."),
});
export const AnswerInvitation = z.strictObject({ id: Id, accept: z.boolean() });
/** The owner can remove anyone, also an invitation; co-authors only themselves. */
export const RemoveAuthor = z.strictObject({ id: Id, userId: Id });
