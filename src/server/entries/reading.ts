import type { z } from "zod";
import { entryLimits } from "../../shared/entries.ts";
import type { EditableEntry, EntryList, ViewerEntry } from "../../shared/entries.ts";
import type { EntryOf, ListEntries } from "../../shared/entry-inputs.ts";
import { addressKey } from "../auth/rate-limits.ts";
import { readableBlog } from "../blogs/access.ts";
import type { Context, MemberContext } from "../context.ts";
import { renderedHtml } from "../text/render-html.ts";
import { changeableEntry, entryNotFound } from "./access.ts";
import { presentEntry, presentKeyMoment } from "./present.ts";
import * as queries from "./queries.ts";
import type { EntryRow } from "./queries.ts";

/** Returns the rows of a page of a blog's entries in an order, after a position; at least one if there are more. */
export async function pageOfEntries(
  ctx: Context,
  { blogId, order, after }: z.output<typeof ListEntries>,
): Promise<{ page: EntryRow[] } & Pick<EntryList, "more" | "total">> {
  const { read } = ctx.database;
  await readableBlog(read, ctx.viewer, { id: blogId });
  const rows = await queries.listEntries(
    read,
    { blogId, viewer: ctx.viewer?.id ?? null, order, limit: entryLimits.page + 1 },
    after && { at: Date.parse(after.at), id: after.id },
  );
  let room: number = entryLimits.characters;
  const end = rows.findIndex(
    ({ html }, index) => index === entryLimits.page || ((room -= html.length) < 0 && index > 0),
  );
  const page = end === -1 ? rows : rows.slice(0, end);
  const last = end === -1 ? undefined : page.at(-1);
  return {
    page,
    more: last ? { at: new Date(last.at).toISOString(), id: last.id } : null,
    total: await queries.countEntries(read, blogId),
  };
}

/** Returns a page of a blog's entries. */
export async function listEntries(
  ctx: Context,
  input: z.output<typeof ListEntries>,
): Promise<Omit<EntryList, "cursor">> {
  const { page, ...list } = await pageOfEntries(ctx, input);
  const keys = await queries.keyMoments(ctx.database.read, input.blogId, entryLimits.keys);
  return {
    ...list,
    entries: await Promise.all(page.map((row) => seenEntry(ctx, row))),
    keys: keys.map(presentKeyMoment),
  };
}

/** Presents an entry as the viewer sees it. */
export const seenEntry = async (ctx: Context, row: EntryRow): Promise<ViewerEntry> => ({
  ...presentEntry(row, await renderedHtml(ctx.workers, row.html, ctx.viewer?.id ?? addressKey(ctx.address))),
  liked: Boolean(row.liked),
});

/** Returns an entry of a blog, or null if it has none with this id. Throws `not_found` if the viewer cannot read the blog. */
export async function readEntry(
  ctx: Context,
  { blogId, id }: z.output<typeof EntryOf>,
): Promise<{ entry: ViewerEntry | null }> {
  const { read } = ctx.database;
  await readableBlog(read, ctx.viewer, { id: blogId });
  const row = await queries.entryById(read, id, ctx.viewer?.id ?? null);
  const isShown = row?.blogId === blogId && row.withdrawnAt === null;
  return { entry: isShown ? await seenEntry(ctx, row) : null };
}

/** Returns an entry for its editor. */
export async function entryForEdit(ctx: MemberContext, { id }: { id: string }): Promise<EditableEntry> {
  const { read } = ctx.database;
  const { entry } = await changeableEntry(read, ctx.viewer, id);
  const document = (await queries.entryDocuments(read, [id])).get(id);
  if (document === undefined) throw entryNotFound();
  const { title, isKey, at, editedAt } = entry;
  return {
    id,
    title,
    isKey,
    at: new Date(at).toISOString(),
    editedAt: editedAt === null ? null : new Date(editedAt).toISOString(),
    document: JSON.parse(document) as unknown,
  };
}
