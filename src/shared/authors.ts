import { z } from "zod";
import { Id } from "./users.ts";
import type { Person } from "./users.ts";

/*
 * Who writes a blog (docs/decisions/0045): its owner, whom it came from, and co-authors, whom the owner invited by username and who
 * accepted. Co-authors read and write as the owner does; the owner alone invites and removes, decides who comments, and deletes.
 *
 * What a page hears of it: `blog.authors` on `blog:{id}` and `card:{id}`, where a name came or went; `writing.authors` on
 * `writing:{id}`, also of invitations; `viewer.invitationsChanged` on `me` of who is invited, `viewer.blogsChanged` of who joined
 * or left. Pages refetch at each of these. Who was removed gets `accessLost` for `writing:{id}`. Notifications are `invited` (its
 * `target` is the blog's id, for `answerInvitation`) and, for the owner, `joined`.
 */

/** At most so many write one blog, its owner and who is invited among them; of invitations that wait so many are listed. */
export const authorLimits = { most: 8, invitations: 50 } as const;

/** `owner` or `author`; `invited` have not answered yet, and read nothing of it but its title. */
export type AuthorRole = "owner" | "author" | "invited";

/** Somebody who writes a blog, or is invited to. `since` is when they were invited, joined, or began it: ISO 8601. */
export interface BlogAuthor extends Person {
  role: AuthorRole;
  since: string;
}

/**
 * The owner first, then co-authors as they joined, then invitations. `mine`: the viewer is the owner. `closed`: the owner's account is
 * private, so that their followers alone read what they publish.
 */
export interface BlogAuthors {
  id: string;
  mine: boolean;
  closed: boolean;
  authors: BlogAuthor[];
}

/** What somebody is invited to write, and by whom. `id` is the blog's; of what it says they learn the title alone. */
export interface AuthorInvitation {
  id: string;
  title: string;
  by: Person;
  at: string;
}

/** `slug` leads to what they write from now on; null where they declined. */
export interface InvitationAnswer {
  id: string;
  slug: string | null;
  message: string;
}

/** As it is typed: with or without an @ before it. */
export const InviteAuthor = z.strictObject({
  id: Id,
  username: z
    .string()
    .max(200)
    .transform((value) => value.trim().toLowerCase().replace(/^@/, ""))
    .refine((value) => value !== "", "Enter a username."),
});
export const AnswerInvitation = z.strictObject({ id: Id, accept: z.boolean() });
/** By the owner anybody, an invitation too; by a co-author themselves: they leave. */
export const RemoveAuthor = z.strictObject({ id: Id, userId: Id });
