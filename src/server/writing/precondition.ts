import { AppError } from "../../shared/errors.ts";

/** A precondition of a change, checked in its transaction. */
export interface Precondition {
  holds: (blog: { id: string; etag: number; draft: boolean }) => boolean;
  refusal: () => AppError;
}

/** Requires the etag that the form started from. */
export const fromEtag = (etag: number): Precondition => ({
  holds: (blog) => blog.etag === etag,
  refusal: () =>
    new AppError(
      "conflict",
      "This blog was changed elsewhere since you began. Look at what it says now, then save again.",
      { field: "etag" },
    ),
});
