import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { Id } from "../../shared/users.ts";
import type { MemberContext } from "../context.ts";
import { check } from "./endpoints.ts";
import { asFlag, asText, documentIn, readForm } from "./form-fields.ts";
import { BlogFormShape } from "./blog-form.ts";

/** The form of an entry that is changed, as the API documentation describes it. */
export const EntryFormShape = z.object({
  title: z.string().optional(),
  content: BlogFormShape.shape.content,
  isKey: z.enum(["true", "false"]).optional().describe("whether it is a key moment"),
  at: z
    .string()
    .optional()
    .describe("the time that readers see, in ISO 8601 with a time zone; the time of the post without it"),
});

export const NewEntryFormShape = EntryFormShape.extend({
  _id: z.string().optional().describe("a UUID that you make: with the same one, a retry posts nothing twice"),
});

/** The entry form of /api/v1; missing fields are undefined. */
interface EntryForm {
  id?: string;
  title?: string;
  isKey?: boolean;
  at?: string;
  /** Unchecked JSON. */
  document?: string;
}

/** Reads the form of `POST …/entries` or `PATCH /entries/…`. */
export function readEntryForm(
  ctx: MemberContext,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  shape: typeof EntryFormShape | typeof NewEntryFormShape,
): Promise<EntryForm> {
  return ctx.temporary.folder(async (folder) => {
    const parts = await readForm(ctx, request, reply, { folder, shape });
    const { values } = parts;
    const form: EntryForm = {};
    if (values.has("_id")) form.id = check(z.object({ _id: Id }), { _id: values.get("_id") })._id;
    for (const name of ["title", "at"] as const)
      if (values.has(name)) form[name] = asText(values.get(name), name);
    if (values.has("isKey")) form.isKey = asFlag(values.get("isKey"), "isKey");
    const document = await documentIn(ctx, parts, folder);
    if (document !== undefined) form.document = document;
    return form;
  });
}
