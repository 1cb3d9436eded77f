import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../../shared/errors.ts";
import type { MemberContext } from "../context.ts";
import { addPicture, coverTypes } from "../media/service.ts";
import type { StoredImage } from "../text/parse-html.ts";
import { asBadRequest } from "../writing/compose.ts";
import { readFormParts, requireField, type FormParts } from "./multipart-form.ts";

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

/** Reads the form of `POST` and `PATCH /blogs`, multipart or JSON (docs/specification.md, 7.3). */
export function readBlogForm(
  ctx: MemberContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<BlogForm> {
  return ctx.temporary.folder(async (folder) => {
    const { values, content, cover }: FormParts = request.isMultipart()
      ? await readFormParts(ctx, request, reply, folder)
      : { values: asValues(request.body) };
    const form: BlogForm = {};
    for (const name of texts) if (values.has(name)) form[name] = asText(values.get(name), name);
    for (const name of ["draft", "private"] as const)
      if (values.has(name)) form[name] = asFlag(values.get(name), name);
    for (const name of ["tags", "coverFocus"] as const)
      if (values.has(name)) form[name] = asJson(values.get(name), name);
    if (content !== undefined) form.document = await asDocument(ctx, { file: content }, folder);
    else if (values.has("content"))
      form.document = await asDocument(ctx, { text: asString(values.get("content")) }, folder);
    if (cover) form.coverId = (await addPicture(ctx, cover, coverTypes)).id;
    return form;
  });
}

function asValues(body: unknown): Map<string, unknown> {
  const isFields = body !== null && typeof body === "object" && !Array.isArray(body);
  const values = new Map<string, unknown>(isFields ? Object.entries(body) : []);
  for (const name of values.keys()) requireField(name);
  return values;
}

const asString = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

function asText(value: unknown, field: string): string {
  if (typeof value !== "string")
    throw new AppError("bad_request", `The field ${field} is a text.`, { field });
  return value;
}

function asFlag(value: unknown, field: string): boolean {
  if (value === true || value === "true") return true;
  if (value === false || value === "false" || value === "") return false;
  throw new AppError("bad_request", `The field ${field} is true or false.`, { field });
}

function asJson(value: unknown, field: string): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    throw new AppError("bad_request", `The field ${field} is not valid JSON.`, { field });
  }
}

/** Parses content into a document and stores its pictures one at a time. */
async function asDocument(
  ctx: MemberContext,
  content: { text: string } | { file: string },
  folder: string,
): Promise<string> {
  const origin = ctx.config.publicUrl;
  const { document, pictures } = await asBadRequest(
    "content",
    ctx.workers.run("content", { ...content, origin, folder }, ctx.viewer.id),
  );
  if (pictures.length === 0) return document;
  const stored: Record<string, StoredImage> = {};
  for (const { src, file } of pictures) stored[src] = await addPicture(ctx, file);
  return (await ctx.workers.run("place", { document, stored }, ctx.viewer.id)).document;
}
