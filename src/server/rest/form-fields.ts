import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../../shared/errors.ts";
import type { MemberContext } from "../context.ts";
import { addPicture } from "../media/service.ts";
import type { StoredImage } from "../text/parse-html.ts";
import { asBadRequest } from "../writing/compose.ts";
import { readFormParts, requireField, type FormParts, type FormShape } from "./multipart-form.ts";

/* The forms of /api/v1 with a text, multipart or JSON (docs/specification.md, 7.3). */

/** Reads a form into `folder`. Throws `bad_request` for a field that its shape does not have. */
export const readForm = async (
  ctx: MemberContext,
  request: FastifyRequest,
  reply: FastifyReply,
  into: { folder: string; shape: FormShape },
): Promise<FormParts> =>
  request.isMultipart()
    ? readFormParts(ctx, request, reply, into)
    : { values: asValues(request.body, into.shape) };

/** Returns a form's content as unchecked JSON of a document, or undefined if it has none. */
export async function documentIn(
  ctx: MemberContext,
  { content, values }: FormParts,
  folder: string,
): Promise<string | undefined> {
  if (content !== undefined) return asDocument(ctx, { file: content }, folder);
  return values.has("content")
    ? asDocument(ctx, { text: asString(values.get("content")) }, folder)
    : undefined;
}

function asValues(body: unknown, shape: FormShape): Map<string, unknown> {
  const isFields = body !== null && typeof body === "object" && !Array.isArray(body);
  const values = new Map<string, unknown>(isFields ? Object.entries(body) : []);
  for (const name of values.keys()) requireField(shape, name);
  return values;
}

const asString = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

export function asText(value: unknown, field: string): string {
  if (typeof value !== "string")
    throw new AppError("bad_request", `The field ${field} is a text.`, { field });
  return value;
}

export function asFlag(value: unknown, field: string): boolean {
  if (value === true || value === "true") return true;
  if (value === false || value === "false" || value === "") return false;
  throw new AppError("bad_request", `The field ${field} is true or false.`, { field });
}

export function asJson(value: unknown, field: string): unknown {
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
