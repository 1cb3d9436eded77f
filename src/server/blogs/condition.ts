import { AppError } from "../../shared/errors.ts";

/** What must still stand for a change to be made: asked within the transaction that makes it. */
export interface Condition {
  holds: (blog: { id: string; version: number }) => boolean;
  refusal: () => AppError;
}

/** The version that a form began with. */
export const fromVersion = (version: number | undefined): Condition => ({
  holds: (blog) => blog.version === version,
  refusal: () =>
    new AppError(
      "conflict",
      version === undefined
        ? "This page is older than the site. What you wrote is kept on this device: reload the page, and save it again."
        : "This blog was changed elsewhere since you began. Compare the two versions, then save again.",
      { field: "version" },
    ),
});

/** The strong tag of a blog as it stands: REST's name for its version. */
export const tagOf = ({ id, version }: { id: string; version: number }): string => `"${id}.${version}"`;

const tag = /(?:W\/)?"[^"]*"/g;

/** An `If-Match` header (RFC 9110, 13.1.1): `*`, or tags, of which a weak one fits nothing. Throws `bad_request` where it is neither. */
export function ifMatch(header: string | undefined): Condition | undefined {
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
        "The blog was changed since then. Read it again, and change what stands now.",
      ),
  };
}
