import { z } from "zod";
import { entryLimits, entryOrders } from "../../shared/entries.ts";
import { EntryEdit, ListEntries, NewEntry, SetSummary } from "../../shared/entry-inputs.ts";
import type { EntryPosition, LiveState, ViewerEntry } from "../../shared/entries.ts";
import { emptyDocument } from "../../shared/document/empty-document.ts";
import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import { BlogKey, Id } from "../../shared/users.ts";
import { parseBlogKey, readableBlog, writableBlog } from "../blogs/access.ts";
import { presentLive } from "../blogs/present.ts";
import type { MemberContext } from "../context.ts";
import { changeableEntry } from "../entries/access.ts";
import { setLive, setSummary } from "../entries/on-air.ts";
import { presentEntry } from "../entries/present.ts";
import { pageOfEntries } from "../entries/reading.ts";
import { editEntry, postEntry, withdrawEntry } from "../entries/service.ts";
import { newId } from "../runtime/ids.ts";
import { writableBlogId } from "./blog-responses.ts";
import { check, type Endpoints } from "./endpoints.ts";
import { restEntries } from "./entry-answers.ts";
import { EntryFormShape, NewEntryFormShape, readEntryForm } from "./entry-form.ts";
import { EntryShape, LiveShape, MessageShape, SuccessShape } from "./shapes.ts";

const ByBlog = z.object({ blogId: BlogKey });
const ByEntry = z.object({ entryId: Id });
const form = (shape: z.ZodType) => ({
  description: "Fields as in the form; also as a JSON body, with content as an HTML string or a document.",
  shape,
});

/** Live blogs: their entries, and whether they are on air. */
export function entryCalls(calls: Endpoints): void {
  calls.open("GET", "/blogs/:blogId/entries", {
    summary: "The entries of a live blog, page by page",
    tag: "Live blogs",
    description: `A page has up to ${entryLimits.page} entries, fewer if they are long.`,
    params: ByBlog,
    query: z.object({
      order: z.enum(entryOrders).default("newest"),
      after: z.string().max(100).optional().describe("`next` of the page before"),
    }),
    answer: SuccessShape.extend({
      entries: z.array(EntryShape),
      entriesCount: z.number().describe("of all pages"),
      hasMore: z.boolean(),
      next: z.string().nullable().describe("where the next page begins; null if there is none"),
    }),
    handle: async (ctx, { params, query }) => {
      const blog = await readableBlog(ctx.database.read, ctx.viewer, parseBlogKey(params.blogId));
      const after = query.after === undefined ? undefined : positionIn(query.after);
      const { page, more, total } = await pageOfEntries(ctx, { blogId: blog.id, order: query.order, after });
      return {
        success: true,
        entries: await restEntries(
          ctx,
          blog,
          page.map((row) => presentEntry(row, "")),
        ),
        entriesCount: total,
        hasMore: more !== null,
        next: more && `${more.at},${more.id}`,
      };
    },
  });
  calls.member("POST", "/blogs/:blogId/entries", {
    summary: "Post an entry of a live blog that is on air",
    tag: "Live blogs",
    form: form(NewEntryFormShape),
    bodyLimit: limits.body.json,
    params: ByBlog,
    answer: MessageShape.extend({ entry: EntryShape }),
    handle: async (ctx, { params, request, reply }) => {
      const blogId = await writableBlogId(ctx, params.blogId);
      const sent = await readEntryForm(ctx, { request, reply }, NewEntryFormShape);
      const entry = await postEntry(
        ctx,
        check(NewEntry, { id: newId(), document: emptyDocument(), ...sent, blogId }),
      );
      return { success: true, message: "Your entry is posted.", entry: await oneEntry(ctx, entry) };
    },
  });
  calls.member("PATCH", "/entries/:entryId", {
    summary: "Change an entry; missing fields stay as they are",
    tag: "Live blogs",
    form: form(EntryFormShape),
    bodyLimit: limits.body.json,
    params: ByEntry,
    answer: MessageShape.extend({ entry: EntryShape }),
    handle: async (ctx, { params, request, reply }) => {
      const { id } = (await changeableEntry(ctx.database.read, ctx.viewer, params.entryId)).entry;
      const sent = await readEntryForm(ctx, { request, reply }, EntryFormShape);
      const entry = await editEntry(ctx, { ...check(Change, sent), id });
      return { success: true, message: "Entry updated.", entry: await oneEntry(ctx, entry) };
    },
  });
  calls.member("DELETE", "/entries/:entryId", {
    summary: "Withdraw an entry",
    tag: "Live blogs",
    params: ByEntry,
    answer: MessageShape,
    handle: async (ctx, { params }) => ({
      success: true,
      message: (await withdrawEntry(ctx, { id: params.entryId, withdrawn: true })).message,
    }),
  });
  calls.member("PATCH", "/blogs/:blogId/live", {
    summary: "Start, end or reopen a live blog, and change its summary",
    tag: "Live blogs",
    description: "One that ends without entries is an ordinary blog again. Missing fields stay as they are.",
    params: ByBlog,
    body: z.strictObject({
      live: z.boolean().optional(),
      summary: SetSummary.shape.summary.optional(),
    }),
    answer: MessageShape.extend({ live: LiveShape.nullable() }),
    handle: async (ctx, { params, body: { live, summary } }) => {
      const id = await writableBlogId(ctx, params.blogId);
      // An end can make it an ordinary blog, which has no summary.
      if (live === true) await setLive(ctx, { id, live });
      if (summary) await setSummary(ctx, { id, summary });
      if (live === false) await setLive(ctx, { id, live });
      const state = presentLive(await writableBlog(ctx.database.read, ctx.viewer, { id }));
      return { success: true, message: messageOf(state), live: state };
    },
  });
}

/** An edit without defaults: missing parts stay. */
const fields = EntryEdit.shape;
const Change = z.object({
  title: fields.title.unwrap().optional(),
  isKey: fields.isKey.unwrap().optional(),
  document: fields.document.optional(),
  at: fields.at,
});

const messageOf = (live: LiveState | null): string =>
  live === null
    ? "This is an ordinary blog."
    : live.ended === null
      ? "This live blog is on air."
      : "This live blog has ended.";

function positionIn(after: string): EntryPosition {
  const [at, id] = after.split(",");
  const position = ListEntries.shape.after.safeParse({ at, id });
  if (!position.data)
    throw new AppError("bad_request", "after is next of the page before.", { field: "after" });
  return position.data;
}

async function oneEntry(ctx: MemberContext, entry: ViewerEntry) {
  const blog = await readableBlog(ctx.database.read, ctx.viewer, { id: entry.blogId });
  const [answer] = await restEntries(ctx, blog, [entry]);
  return answer;
}
