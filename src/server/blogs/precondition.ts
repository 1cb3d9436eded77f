import { AppError } from "../../shared/errors.ts";

/** A precondition of a change, checked in its transaction. */
export interface Precondition {
  holds: (blog: { id: string; version: number; draft: boolean }) => boolean;
  refusal: () => AppError;
}

/** Requires the version that the form started from. */
export const fromVersion = (version: number): Precondition => ({
  holds: (blog) => blog.version === version,
  refusal: () =>
    new AppError(
      "conflict",
      "This blog was changed elsewhere since you began. Look at what it says now, then save again.",
      { field: "version" },
    ),
});
