import type { z } from "zod";
import { entryLimits, entryProblems } from "../../shared/entries.ts";
import type { ViewerEntry } from "../../shared/entries.ts";
import type { EntryLike, EntryWithdrawal, NewEntry } from "../../shared/entry-inputs.ts";
import { AppError } from "../../shared/errors.ts";
import { hasVisibleText } from "../../shared/plain-text.ts";
import { authorsOf, writableBlog } from "../blogs/access.ts";
import { publishCoverage, publishEntryWords } from "../blogs/events.ts";
import { isOnAir } from "../blogs/policy.ts";
import type { BlogFacts } from "../blogs/queries.ts";
import type { MemberContext } from "../context.ts";
import type { Connection } from "../database/connection.ts";
import type { Transaction } from "../database/writer.ts";
import { blogTopic, userTopic } from "../live/stored-events.ts";
import { updateUnusedSince } from "../media/queries.ts";
import { requireWriter } from "../profiles/access.ts";
import { enforceNewAccountLimit, linksInHtml } from "../profiles/new-account-limits.ts";
import { takeText } from "../profiles/quotas.ts";
import { compose, type Composed } from "../writing/compose.ts";
import { requireOwnPictures, resolvePictures } from "../writing/pictures.ts";
import { changeableEntry, entryNotFound, entryToInteract } from "./access.ts";
import * as queries from "./queries.ts";
import { seenEntry } from "./reading.ts";

/**
 * Posts an entry of a live blog that is on air. A known id gets the same answer, so that a retry posts nothing twice. Throws
 * `bad_request` with the field, `conflict` if the blog is not on air, `too_many` for a limit.
 */
export async function postEntry(ctx: MemberContext, input: z.output<typeof NewEntry>): Promise<ViewerEntry> {
  const { id, blogId, title, isKey } = input;
  const { read } = ctx.database;
  const known = await postedBefore(ctx, read, input);
  if (known) return known;
  await ctx.limits.take("entry", ctx.viewer.id);
  requireOnAir(await writableBlog(read, ctx.viewer, { id: blogId }));
  const { blog, composed } = await composeEntry(ctx, blogId, input);
  return ctx.database.write(async (tx) => {
    const stored = await postedBefore(ctx, tx, input);
    if (stored) return stored;
    const current = await writableBlog(tx, ctx.viewer, { id: blogId });
    requireOnAir(current);
    await requireWriter(tx, ctx.viewer);
    await requireRoom(tx, blogId);
    const now = Date.now();
    await enforceNewAccountLimit(tx, ctx, "firstDayBlogs", () => linksInHtml(composed.html));
    await queries.insertEntry(tx, {
      ...queries.derived(composed),
      id,
      blogId,
      authorId: ctx.viewer.id,
      at: timeOf(input, now),
      title,
      isKey,
      createdAt: now,
    });
    await showPictures(ctx, tx, blog, id, composed.pictureIds, now);
    tx.emit(blogTopic(blogId), { kind: "entry.posted", entryId: id });
    await publishEntryWords(tx, current);
    return readEntry(ctx, tx, id);
  });
}

type EntryChange = Pick<z.output<typeof NewEntry>, "id"> & Partial<z.output<typeof NewEntry>>;

/** Changes an entry, also after the end; missing parts stay. Throws as `postEntry` does. */
export async function editEntry(ctx: MemberContext, input: EntryChange): Promise<ViewerEntry> {
  const { id, document } = input;
  await ctx.limits.take("entry", ctx.viewer.id);
  const before = await changeableEntry(ctx.database.read, ctx.viewer, id);
  const { title = before.entry.title } = input;
  const composed =
    document === undefined
      ? undefined
      : (await composeEntry(ctx, before.blog.id, { title, document })).composed;
  return ctx.database.write(async (tx) => {
    const { entry, blog } = await changeableEntry(tx, ctx.viewer, id);
    await requireWriter(tx, ctx.viewer);
    const change = { title: input.title ?? entry.title, isKey: input.isKey ?? entry.isKey };
    const { html } = composed ?? entry;
    requireContent(change.title, html, composed?.text);
    const now = Date.now();
    await enforceNewAccountLimit(tx, ctx, "firstDayBlogs", () => linksInHtml(html) - linksInHtml(entry.html));
    await queries.updateEntry(tx, id, {
      ...(composed && queries.derived(composed)),
      ...change,
      ...(input.at !== undefined && { at: timeOf(input, now) }),
      editedAt: now,
    });
    if (composed) await showPictures(ctx, tx, blog, id, composed.pictureIds, now);
    if (entry.withdrawnAt === null) {
      tx.emit(blogTopic(blog.id), { kind: "entry.edited", entryId: id });
      const hasOtherWords = change.title !== entry.title || html !== entry.html;
      await (hasOtherWords ? publishEntryWords : publishCoverage)(tx, blog);
    }
    return readEntry(ctx, tx, id);
  });
}

/** Withdraws an entry, or brings it back. */
export async function withdrawEntry(
  ctx: MemberContext,
  { id, withdrawn }: z.output<typeof EntryWithdrawal>,
): Promise<{ withdrawn: boolean; message: string }> {
  // Readers see it again; a mistake can always be withdrawn.
  if (!withdrawn) await ctx.limits.take("entry", ctx.viewer.id);
  await ctx.database.write(async (tx) => {
    const { entry, blog } = await changeableEntry(tx, ctx.viewer, id);
    if ((entry.withdrawnAt !== null) === withdrawn) return;
    if (!withdrawn) {
      await requireWriter(tx, ctx.viewer);
      await requireRoom(tx, blog.id);
    }
    await queries.updateEntry(tx, id, { withdrawnAt: withdrawn ? Date.now() : null });
    const kind = withdrawn ? "entry.withdrawn" : "entry.posted";
    tx.emit(blogTopic(blog.id), { kind, entryId: id });
    await publishEntryWords(tx, blog);
  });
  return { withdrawn, message: withdrawn ? "Entry withdrawn." : "The entry is back." };
}

/** Sets the viewer's like of an entry. */
export async function likeEntry(
  ctx: MemberContext,
  { id, liked }: z.output<typeof EntryLike>,
): Promise<{ liked: boolean; likesCount: number }> {
  return ctx.database.write(async (tx) => {
    const { blog } = await entryToInteract(tx, ctx.viewer, id);
    if (await queries.setEntryLike(tx, id, ctx.viewer.id, liked, Date.now())) {
      tx.emit(blogTopic(blog.id), { kind: "entry.liked", entryId: id });
      tx.emit(userTopic(ctx.viewer.id), {
        kind: "viewer.entryLike",
        entryId: id,
        blogId: blog.id,
        liked,
      });
    }
    return { liked, likesCount: (await queries.entryById(tx, id, ctx.viewer.id))?.likesCount ?? 0 };
  });
}

function requireOnAir(blog: BlogFacts): void {
  if (isOnAir(blog)) return;
  throw new AppError(
    "conflict",
    blog.liveSince === null || blog.draft
      ? "This is not a live blog."
      : "This live blog has ended. Reopen it to post more.",
    { field: "live" },
  );
}

/** Throws `forbidden` if a live blog has all the entries that it can have. */
export async function requireRoom(tx: Connection, blogId: string): Promise<void> {
  if ((await queries.countEntries(tx, blogId)) < entryLimits.ofBlog) return;
  throw new AppError(
    "forbidden",
    `A live blog can have up to ${entryLimits.ofBlog.toLocaleString("en")} entries. Please start another one.`,
  );
}

/** Returns the entry if it was posted before. Throws `conflict` if its id belongs to another one. */
async function postedBefore(
  ctx: MemberContext,
  connection: Connection,
  { id, blogId }: z.output<typeof NewEntry>,
): Promise<ViewerEntry | undefined> {
  const entry = await queries.entryById(connection, id, ctx.viewer.id);
  if (!entry) return undefined;
  if (entry.authorId !== ctx.viewer.id || entry.blogId !== blogId)
    throw new AppError("conflict", "That id is taken. Please try again.");
  await writableBlog(connection, ctx.viewer, { id: blogId });
  return seenEntry(ctx, entry);
}

/** Checks an entry's text and stores its pictures. Returns them with the blog as it was read for that. */
export async function composeEntry(
  ctx: MemberContext,
  blogId: string,
  { document, title }: Pick<z.output<typeof NewEntry>, "document" | "title">,
): Promise<{ blog: BlogFacts; composed: Composed }> {
  const { read } = ctx.database;
  const blog = await writableBlog(read, ctx.viewer, { id: blogId });
  await requireWriter(read, ctx.viewer);
  // Of a large body it is JSON already (http/json-body.ts).
  const json = typeof document === "string" ? document : (JSON.stringify(document) ?? "null");
  if (json.length > entryLimits.jsonBytes) throw tooLong();
  const authors = await authorsOf(read, blog);
  const composed = await compose(ctx, json, (sent) => resolvePictures(ctx, sent, authors), {
    withoutIds: true,
  });
  if (composed.text.length > entryLimits.text || Buffer.byteLength(composed.document) > entryLimits.jsonBytes)
    throw tooLong();
  requireContent(title, composed.html, composed.text);
  await takeText(ctx, blog.authorId, Buffer.byteLength(composed.document) + Buffer.byteLength(composed.html));
  return { blog, composed };
}

/** Throws `bad_request` for an entry that shows nothing. */
function requireContent(title: string, html: string, text = html.replace(/<[^>]*>/g, "")): void {
  if (title === "" && !hasVisibleText(text) && !/<(?:img|iframe|hr|a|math)\b/.test(html))
    throw new AppError("bad_request", entryProblems.empty, { field: "document" });
}

const tooLong = () => new AppError("bad_request", entryProblems.tooLong, { field: "document" });

/** A time zone can make an earlier one of the year 0, which no list could continue after: it has six digits and a sign. */
const earliest = Date.parse("0000-01-01T00:00:00Z");

/** Returns the time that readers see: as asked for, but not in the future. */
export const timeOf = ({ at }: { at?: string | undefined }, now: number): number =>
  at === undefined ? now : Math.max(earliest, Math.min(Date.parse(at), now));

/** Stores which pictures an entry shows. Throws `bad_request` if some are gone. */
export async function showPictures(
  ctx: MemberContext,
  tx: Transaction,
  blog: BlogFacts,
  id: string,
  pictureIds: string[],
  now: number,
): Promise<void> {
  await requireOwnPictures(tx, await authorsOf(tx, blog), pictureIds);
  const before = await queries.picturesOfEntries(tx, [id]);
  await queries.setEntryPictures(tx, id, pictureIds);
  await updateUnusedSince(tx, [...before, ...pictureIds], now);
}

async function readEntry(ctx: MemberContext, tx: Transaction, id: string): Promise<ViewerEntry> {
  const row = await queries.entryById(tx, id, ctx.viewer.id);
  if (!row) throw entryNotFound();
  return seenEntry(ctx, row);
}
