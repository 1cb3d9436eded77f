import path from "node:path";
import type { MultipartFile, MultipartValue } from "@fastify/multipart";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import { AppError, unknownFieldMessage } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import type { MemberContext } from "../context.ts";
import { savePart, readMultipartForm } from "../media/form.ts";

/** A form as the API documentation describes it. */
export type FormShape = z.ZodObject;

/** A form's small fields as values, its content and cover as file paths. */
export interface FormParts {
  values: Map<string, unknown>;
  content?: string;
  cover?: string;
}

/** Throws `bad_request` for an unknown field, whose content is then not read. */
export function requireField(form: FormShape, name = ""): void {
  if (!Object.hasOwn(form.shape, name))
    throw new AppError("bad_request", unknownFieldMessage(name), { field: name.slice(0, 100) });
}

/** Reads a multipart form, large parts into files. Throws `too_large` above 40 MB in total. */
export async function readFormParts(
  ctx: Pick<MemberContext, "bytes" | "viewer" | "address">,
  request: FastifyRequest,
  reply: FastifyReply,
  { folder, shape }: { folder: string; shape: FormShape },
): Promise<FormParts> {
  const form: FormParts = { values: new Map() };
  const receivedFields = new Set<string>();
  const upload = { request, reply, most: limits.body.upload, tooLarge };
  return readMultipartForm(ctx, upload, async (begin) => {
    const parts = request.parts({
      // Content may be as large as a file, whatever its type.
      isPartAFile: (name, type, fileName) =>
        name === "content" || type === "application/octet-stream" || fileName !== undefined,
    }) as AsyncIterableIterator<MultipartFile | MultipartValue>;
    for await (const part of parts) {
      const name = part.fieldname;
      // A part may have no name.
      requireField(shape, name);
      if (part.type === "field") {
        if (part.valueTruncated)
          throw new AppError("too_large", `The field ${name} is too large.`, { field: name });
        if (name !== "images") requireUnique(receivedFields, name);
        form.values.set(name, part.value);
        continue;
      }
      begin(part.file);
      // The text's pictures come with its content; repeated `images` parts are discarded.
      if (name !== "image" && name !== "content") {
        for await (const _chunk of part.file);
        continue;
      }
      const file = path.join(folder, `${name}-${receivedFields.size}`);
      const maxSize = name === "image" ? limits.image.bytes : limits.body.upload;
      const size = await savePart(part.file, file, maxSize);
      if (name === "image" && size === 0) continue;
      requireUnique(receivedFields, name);
      form[name === "image" ? "cover" : "content"] = file;
    }
    return form;
  });
}

function requireUnique(receivedFields: Set<string>, field: string): void {
  if (receivedFields.has(field))
    throw new AppError("bad_request", `The field ${field} was sent twice.`, { field });
  receivedFields.add(field);
}

const tooLarge = () => new AppError("too_large", "That’s too large. The request can have up to 40 MB.");
