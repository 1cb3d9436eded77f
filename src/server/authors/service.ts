import type { z } from "zod";
import { audienceOf } from "../../shared/audience.ts";
import {
  authorLimits,
  type AnswerInvitation,
  type AuthorInvitation,
  type BlogAuthors,
  type InvitationAnswer,
  type InviteAuthor,
  type RemoveAuthor,
} from "../../shared/authors.ts";
import { AppError } from "../../shared/errors.ts";
import type { MemberContext } from "../context.ts";
import type { Transaction } from "../database/writer.ts";
import { blogTopic, profileTopic, userTopic, draftTopic } from "../live/stored-events.ts";
import { rightsTopic } from "../live/signals.ts";
import { notify, withdraw } from "../notifications/service.ts";
import { publishWithdrawn } from "../notifications/events.ts";
import { visibleUser, requireWriter } from "../profiles/access.ts";
import { enforceNewAccountLimit } from "../profiles/new-account-limits.ts";
import { presentPerson } from "../profiles/present.ts";
import { userById } from "../profiles/queries.ts";
import { isPersonHidden } from "../blocks/queries.ts";
import { ownBlog, writableBlog } from "../blogs/access.ts";
import * as queries from "./queries.ts";
import { notifyHubOfAuthors } from "../blogs/events.ts";
import { listOf } from "../blogs/policy.ts";
import { blogFactsById, type BlogFacts } from "../blogs/queries.ts";

/** Returns authors and invited people; to co-authors only those who are not hidden from them. */
export async function blogAuthors(
  { database: { read }, viewer }: MemberContext,
  { id }: { id: string },
): Promise<BlogAuthors> {
  const blog = await writableBlog(read, viewer, { id });
  const owner = await userById(read, blog.authorId);
  if (!owner) throw new AppError("not_found", "This blog doesn’t exist, or you can’t see it.");
  const mine = blog.authorId === viewer.id;
  const rows = await queries.coAuthorsAndInvited(read, id, viewer.id);
  return {
    id,
    mine,
    closed: blog.authorPrivate,
    authors: [
      { ...presentPerson(owner), role: "owner", since: asDate(blog.createdAt) },
      ...rows.flatMap(({ invitedAt, acceptedAt, isVisible, ...person }) =>
        mine || isVisible
          ? [
              {
                ...presentPerson(person),
                role: acceptedAt === null ? ("invited" as const) : ("author" as const),
                since: asDate(acceptedAt ?? invitedAt),
              },
            ]
          : [],
      ),
    ],
  };
}

const asDate = (time: number): string => new Date(time).toISOString();

export async function authorInvitations({
  database: { read },
  viewer,
}: MemberContext): Promise<{ invitations: AuthorInvitation[] }> {
  const rows = await queries.invitationsOf(read, viewer.id, authorLimits.invitations);
  return {
    invitations: rows.map(({ id, title, by, invitedAt }) => ({
      id,
      title,
      by: presentPerson(by),
      at: asDate(invitedAt),
    })),
  };
}

/**
 * Invites a co-author; no-op for invited people and authors. Throws `not_found` for an unknown or hidden person, `conflict` at
 * the maximum.
 */
export async function inviteAuthor(
  ctx: MemberContext,
  { id, username }: z.output<typeof InviteAuthor>,
): Promise<{ message: string }> {
  await ctx.limits.take("invite", ctx.viewer.id);
  return ctx.database.write(async (tx) => {
    const blog = await ownBlog(tx, ctx.viewer, { id });
    const { user, relation } = await visibleUser(tx, ctx.viewer, { username }).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error;
      throw new AppError(error.code, error.message, { field: "username" });
    });
    if (relation.isSelf)
      throw new AppError("bad_request", "You’re already an author of this blog.", { field: "username" });
    const role = await queries.authorRole(tx, id, user.id);
    if (role === "author") return { message: `${user.name} is already an author.` };
    if (role === "invited") return { message: `${user.name} is invited already.` };
    if ((await queries.coAuthorsAndInvited(tx, id)).length + 1 >= authorLimits.most)
      throw new AppError(
        "conflict",
        `A blog can have up to ${authorLimits.most} authors, including invited ones. Remove someone first.`,
        { field: "username" },
      );
    await enforceNewAccountLimit(tx, ctx, "firstDayLinks", () => 1);
    await queries.insertInvitation(tx, id, user.id, Date.now());
    publishInvitation(tx, blog, user.id);
    await notify(tx, { userId: user.id, kind: "invited", actorId: ctx.viewer.id, target: id, blogId: id });
    return { message: `${user.name} is invited.` };
  });
}

/** Accepts or declines an invitation. Throws `not_found` if it was withdrawn. */
export async function answerInvitation(
  ctx: MemberContext,
  { id, accept }: z.output<typeof AnswerInvitation>,
): Promise<InvitationAnswer> {
  return ctx.database.write(async (tx) => {
    const [blog, role] = [
      await blogFactsById(tx, id, ctx.viewer.id),
      await queries.authorRole(tx, id, ctx.viewer.id),
    ];
    // Idempotent: two tabs can accept.
    if (blog && accept && role === "author")
      return { id, slug: blog.slug, message: "You’re an author of this blog now." };
    if (!blog || role !== "invited" || (await isPersonHidden(tx, ctx.viewer.id, blog.authorId)))
      throw new AppError("not_found", "This invitation was withdrawn.");
    if (!accept) {
      await endAuthorship(tx, blog, ctx.viewer.id);
      return { id, slug: null, message: "Invitation declined." };
    }
    await requireWriter(tx, ctx.viewer);
    await queries.acceptInvitation(tx, id, ctx.viewer.id, Date.now());
    publishInvitation(tx, blog, ctx.viewer.id);
    await withdraw(tx, invitation(blog, ctx.viewer.id));
    await publishCoAuthors(tx, blog, ctx.viewer.id);
    await notify(tx, {
      userId: blog.authorId,
      kind: "joined",
      actorId: ctx.viewer.id,
      target: id,
      blogId: id,
    });
    return { id, slug: blog.slug, message: "You’re an author of this blog now." };
  });
}

/** Removes an author or withdraws an invitation: the owner anyone's, a co-author their own. */
export async function removeAuthor(
  ctx: MemberContext,
  { id, userId }: z.output<typeof RemoveAuthor>,
): Promise<{ message: string }> {
  return ctx.database.write(async (tx) => {
    const isSelf = userId === ctx.viewer.id;
    const blog = await (isSelf ? writableBlog : ownBlog)(tx, ctx.viewer, { id });
    if (userId === blog.authorId)
      throw new AppError("bad_request", "This is your blog. You can delete it instead.");
    const role = await endAuthorship(tx, blog, userId);
    return {
      message: isSelf
        ? "You left this blog."
        : role === "invited"
          ? "Invitation withdrawn."
          : "Author removed.",
    };
  });
}

const invitation = (blog: BlogFacts, userId: string) =>
  ({ userId, kind: "invited", actorId: blog.authorId, target: blog.id }) as const;

/** Ends a person's authorship or invitation and returns which it was. Open editors lose access. */
export async function endAuthorship(
  tx: Transaction,
  blog: BlogFacts,
  userId: string,
): Promise<"author" | "invited" | undefined> {
  const role = await queries.authorRole(tx, blog.id, userId);
  if (!role) return undefined;
  await queries.deleteAuthor(tx, blog.id, userId);
  await withdraw(tx, invitation(blog, userId));
  await withdraw(tx, { userId: blog.authorId, kind: "joined", actorId: userId, target: blog.id });
  publishInvitation(tx, blog, userId);
  if (role === "author") await publishCoAuthors(tx, blog, userId);
  return role;
}

/** Ends all authorships and invitations of a blog before its deletion. */
export async function endAuthorships(tx: Transaction, blogId: string): Promise<void> {
  const rows = await queries.coAuthorsAndInvited(tx, blogId);
  const blog = rows.length > 0 ? await blogFactsById(tx, blogId, null) : undefined;
  if (blog) for (const { id } of rows) await endAuthorship(tx, blog, id);
}

/** Ends authorships and invitations between two people, after a block. */
export async function endAuthorshipsBetween(tx: Transaction, userId: string, otherId: string): Promise<void> {
  for (const [owner, person] of [
    [userId, otherId],
    [otherId, userId],
  ] as const)
    await endSome(tx, person, await queries.blogsSharedWith(tx, owner, person));
}

/** The cost in rows: it emits several events. */
const rowsPerAuthorship = 5;

/** Ends some authorships and invitations of a deleted account. Returns their cost in rows. */
export const deleteSomeAuthorships = async (
  tx: Transaction,
  userId: string,
  limit: number,
): Promise<number> =>
  rowsPerAuthorship *
  (await endSome(
    tx,
    userId,
    await queries.someCoAuthoredIds(tx, userId, Math.ceil(limit / rowsPerAuthorship)),
  ));

async function endSome(tx: Transaction, userId: string, blogIds: string[]): Promise<number> {
  for (const id of blogIds) {
    const blog = await blogFactsById(tx, id, null);
    if (blog) await endAuthorship(tx, blog, userId);
  }
  return blogIds.length;
}

function publishInvitation(tx: Transaction, blog: BlogFacts, userId: string): void {
  tx.emit(draftTopic(blog.id), { kind: "draft.authors" });
  tx.emit(userTopic(userId), { kind: "viewer.invitationsChanged" });
}

/** Notifies pages and feeds of the blog and of the person's blogs. */
async function publishCoAuthors(tx: Transaction, blog: BlogFacts, userId: string): Promise<void> {
  tx.emit(blogTopic(blog.id), { kind: "blog.authors" });
  tx.emit(userTopic(userId), { kind: "viewer.blogsChanged", blogId: blog.id });
  tx.emit(profileTopic(userId), { kind: "profile.listed", list: listOf(blog) });
  tx.emit(profileTopic(userId), { kind: "profile.changed" });
  // Their notifications about the blog depend on their access.
  publishWithdrawn(tx, [userId]);
  // Only this person's lists gain or lose a followers-only blog: their open pages refetch.
  if (audienceOf(blog) === "followers") tx.emit(userTopic(userId), { kind: "viewer.blocksChanged" });
  // Also invalidates the feeds that contain the blog.
  tx.signal(rightsTopic(blog.id));
  await notifyHubOfAuthors(tx, blog, userId);
}
