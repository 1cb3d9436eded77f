import { AppError } from "../../shared/errors.ts";

/** What must still stand for a change to be made: asked within the transaction that makes it. */
export interface Condition {
  holds: (blog: { id: string; version: number; draft: boolean }) => boolean;
  refusal: () => AppError;
}

/** The version that a form began with. */
export const fromVersion = (version: number | undefined): Condition => ({
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

/** It is a draft still. */
export const whileDraft: Condition = {
  holds: ({ draft }) => draft,
  refusal: () => new AppError("conflict", "This blog was published in the meantime."),
};
