import { z } from "zod";
import { AppError } from "../../shared/errors.ts";
import type { Precondition } from "../writing/precondition.ts";

export const Conditions = z.object({
  "if-match": z
    .string()
    .optional()
    .describe(
      "the ETag of the blog, or *: if the blog has changed since, the answer is 412 and nothing is saved",
    ),
});

/** Returns a blog's strong ETag. */
export const tagOf = ({ id, etag }: { id: string; etag: number }): string => `"${id}.${etag}"`;

const tag = /(?:W\/)?"[^"]*"/g;

/** Parses `If-Match` (RFC 9110, 13.1.1): `*` or tags, of which weak ones never match. Throws `bad_request`. */
export function ifMatch(header: string | undefined): Precondition | undefined {
  if (header === undefined) return undefined;
  const anything = header.trim() === "*";
  const tags: readonly string[] = header.match(tag) ?? [];
  if (!anything && (tags.length === 0 || !/^[\s,]*$/.test(header.replace(tag, ""))))
    throw new AppError("bad_request", 'If-Match is * or a list of tags in quotes, such as "…".');
  return {
    holds: (blog) => anything || tags.includes(tagOf(blog)),
    refusal: () =>
      new AppError(
        "precondition_failed",
        "The blog has changed since then. Read it again before you change it.",
      ),
  };
}
