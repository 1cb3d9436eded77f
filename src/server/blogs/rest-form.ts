import type { MultipartFile, MultipartValue } from "@fastify/multipart";
import type { FastifyRequest } from "fastify";
import { AppError } from "../../shared/errors.ts";
import { DocumentError } from "../../shared/document/document-error.ts";
import { emptyDocument } from "../../shared/document/schema.ts";
import type { MemberContext } from "../context.ts";
import { readingForm } from "../media/form.ts";
import { addPicture, coverTypes } from "../media/service.ts";
import { parseHtmlWithImages } from "./parse-html.ts";

/** The fields of the blog form as /api/v1 takes them; undefined where a field is missing. */
export interface BlogForm {
  title?: string;
  description?: string;
  document?: unknown;
  coverId?: string;
  draft?: boolean;
  private?: boolean;
  tags?: unknown;
}

/** Reads the multipart form (or JSON of the same fields) of `POST` and `PATCH /blogs` (rest contract, "Calls"). */
export async function readBlogForm(ctx: MemberContext, request: FastifyRequest): Promise<BlogForm> {
  const { values, cover } = request.isMultipart()
    ? await readingForm(() => readParts(request))
    : { values: asValues(request.body), cover: undefined };
  const form: BlogForm = {};
  for (const name of ["title", "description"] as const)
    if (values.has(name)) form[name] = asText(values.get(name), name);
  for (const name of ["draft", "private"] as const)
    if (values.has(name)) form[name] = asFlag(values.get(name), name);
  if (values.has("tags")) form.tags = asJson(values.get("tags"), "tags");
  if (values.has("content")) form.document = await asDocument(ctx, asJson(values.get("content"), "content"));
  if (cover) form.coverId = (await addPicture(ctx, cover, coverTypes)).id;
  return form;
}

async function readParts(
  request: FastifyRequest,
): Promise<{ values: Map<string, unknown>; cover: Buffer | undefined }> {
  const values = new Map<string, unknown>();
  let cover: Buffer | undefined;
  for await (const part of request.parts() as AsyncIterableIterator<MultipartFile | MultipartValue>) {
    if (part.type === "field") {
      if (part.valueTruncated)
        throw new AppError("too_large", `The field ${part.fieldname} is too large.`, {
          field: part.fieldname,
        });
      if (values.has(part.fieldname) && part.fieldname !== "images")
        throw new AppError("bad_request", `The field ${part.fieldname} was sent twice.`, {
          field: part.fieldname,
        });
      values.set(part.fieldname, part.value);
      continue;
    }
    // Pictures of the text come with its content; the repeated `images` beside it are read and let go.
    const bytes = await part.toBuffer();
    if (part.fieldname !== "image" || bytes.length === 0) continue;
    if (cover) throw new AppError("bad_request", "The field image was sent twice.", { field: "image" });
    cover = bytes;
  }
  return { values, cover };
}

const asValues = (body: unknown): Map<string, unknown> =>
  new Map(body !== null && typeof body === "object" && !Array.isArray(body) ? Object.entries(body) : []);

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
    // An editor's HTML that nobody wrapped in JSON is still HTML.
    if (field === "content" && value.trimStart().startsWith("<")) return value;
    throw new AppError("bad_request", `The field ${field} is not valid JSON.`, { field });
  }
}

/** An HTML string, a ProseMirror document, or `{}` for an empty one. */
async function asDocument(ctx: MemberContext, content: unknown): Promise<unknown> {
  if (typeof content === "string") {
    try {
      return await parseHtmlWithImages(content, async (bytes) => addPicture(ctx, bytes), {
        origin: ctx.config.publicUrl,
      });
    } catch (error) {
      throw error instanceof DocumentError
        ? new AppError("bad_request", error.message, { field: "content", cause: error })
        : error;
    }
  }
  if (
    content === null ||
    (typeof content === "object" && !Array.isArray(content) && Object.keys(content).length === 0)
  )
    return emptyDocument();
  return content;
}
