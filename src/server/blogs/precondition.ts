import { AppError } from "../../shared/errors.ts";

/** A precondition of a change, checked in its transaction. */
export interface Precondition {
  holds: (blog: { id: string; version: number; draft: boolean }) => boolean;
  refusal: () => AppError;
}

/** Requires the version that the form started from. */
export const fromVersion = (version: number | undefined): Precondition => ({
  holds: (blog) => blog.version === version,
  refusal: () =>
    new AppError(
      "conflict",
      version === undefined
        ? "The site was updated. Your text is saved on this device: reload the page and save again."
        : "This blog was changed elsewhere since you began. Compare the two versions, then save again.",
      { field: "version" },
    ),
});
