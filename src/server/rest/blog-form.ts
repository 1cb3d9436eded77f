import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { MemberContext } from "../context.ts";
import { addPicture, coverTypes } from "../media/service.ts";
import { asFlag, asJson, asText, documentIn, readForm } from "./form-fields.ts";

/** The blog form as the API documentation describes it. */
export const BlogFormShape = z.object({
  title: z.string().optional(),
  description: z.string().optional(),
  image: z
    .string()
    .meta({ format: "binary" })
    .optional()
    .describe("a png or jpeg file; empty or null for none"),
  coverFocus: z
    .string()
    .optional()
    .describe(
      "JSON: {x, y}, the point of the image that stays in view where it is cropped, in whole percent; null for its middle",
    ),
  content: z
    .string()
    .optional()
    .describe("JSON: an HTML string, a ProseMirror document, or {} for an empty one"),
  draft: z.enum(["true", "false"]).optional(),
  private: z.enum(["true", "false"]).optional(),
  tags: z.string().optional().describe("a JSON array of texts"),
  slug: z
    .string()
    .optional()
    .describe("the part of its address, a-z, 0-9 and hyphens; without one the title makes it"),
  canonicalUrl: z.string().optional().describe("where it appeared first; empty for nowhere else"),
  searchTitle: z
    .string()
    .optional()
    .describe("what search engines show in place of the title; empty for that"),
  searchDescription: z
    .string()
    .optional()
    .describe("what search engines show in place of the description; empty for that"),
  language: z
    .string()
    .optional()
    .describe("what it is written in, such as en or pt-BR; empty has it guessed"),
  images: z.array(z.string().meta({ format: "binary" })).optional(),
});

/** The blog form of /api/v1; missing fields are undefined. */
export interface BlogForm {
  title?: string;
  description?: string;
  slug?: string;
  canonicalUrl?: string;
  searchTitle?: string;
  searchDescription?: string;
  language?: string;
  /** Unchecked JSON. */
  document?: string;
  coverId?: string;
  /** Unchecked. */
  coverFocus?: unknown;
  draft?: boolean;
  private?: boolean;
  tags?: unknown;
}

const texts = [
  "title",
  "description",
  "slug",
  "canonicalUrl",
  "searchTitle",
  "searchDescription",
  "language",
] as const;

/** Reads the form of `POST` and `PATCH /blogs`. */
export function readBlogForm(
  ctx: MemberContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<BlogForm> {
  return ctx.temporary.folder(async (folder) => {
    const parts = await readForm(ctx, request, reply, { folder, shape: BlogFormShape });
    const { values, cover } = parts;
    const form: BlogForm = {};
    for (const name of texts) if (values.has(name)) form[name] = asText(values.get(name), name);
    for (const name of ["draft", "private"] as const)
      if (values.has(name)) form[name] = asFlag(values.get(name), name);
    for (const name of ["tags", "coverFocus"] as const)
      if (values.has(name)) form[name] = asJson(values.get(name), name);
    const document = await documentIn(ctx, parts, folder);
    if (document !== undefined) form.document = document;
    if (cover) form.coverId = (await addPicture(ctx, cover, coverTypes)).id;
    return form;
  });
}
