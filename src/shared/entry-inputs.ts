import { z } from "zod";
import { entryLimits, entryOrders } from "./entries.ts";
import { Id, line } from "./users.ts";

/* What is sent about entries of live blogs, apart from entries.ts: pages need none of it. */

const Position = z.strictObject({ at: z.iso.datetime(), id: Id });

/** `after` is the position after which the page begins, in this order. */
export const ListEntries = z.strictObject({
  blogId: Id,
  order: z.enum(entryOrders),
  after: Position.optional(),
});

/** What an entry says. `at`: the time that readers see, if not that of the post. */
const content = {
  title: line(entryLimits.title, "The title").default(""),
  isKey: z.boolean().default(false),
  /** A ProseMirror document as JSON; checked against the schema by the service. */
  document: z.unknown(),
  at: z.iso.datetime({ offset: true, error: "That’s not a valid time." }).optional(),
};

/** `id` is made by the client, so that a retry posts nothing twice. */
export const NewEntry = z.strictObject({ id: Id, blogId: Id, ...content });
export const EntryEdit = z.strictObject({ id: Id, ...content });
/** An entry of a blog, as its address names it. */
export const EntryOf = z.strictObject({ blogId: Id, id: Id });
export const EntryId = z.strictObject({ id: Id });
/** The wanted states, not toggles: a retry changes nothing. */
export const EntryWithdrawal = z.strictObject({ id: Id, withdrawn: z.boolean() });
export const EntryLike = z.strictObject({ id: Id, liked: z.boolean() });
export const SetLive = z.strictObject({ id: Id, live: z.boolean() });
export const SetEmbeddable = z.strictObject({ id: Id, embeddable: z.boolean() });

export const SetSummary = z.strictObject({
  id: Id,
  summary: z
    .array(line(entryLimits.summary.length, "A point"))
    .max(100)
    .transform((points) => points.filter((point) => point !== ""))
    .refine(
      (points) => points.length <= entryLimits.summary.points,
      `A summary can have up to ${entryLimits.summary.points} points.`,
    ),
});
