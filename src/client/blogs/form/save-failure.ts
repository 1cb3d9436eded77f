import { messages } from "../../../shared/errors.ts";
import { errorCode, errorField, errorMessage, isUnanswered } from "../../api/errors.ts";
import { UploadError } from "../../uploads/upload.ts";
import type { FieldErrors } from "./values.ts";

/** Why a blog is not saved: what to say, and at which field. */
export interface SaveFailure {
  message: string;
  errors: FieldErrors;
  /** `gone`: there is no such blog any more. */
  why: "signed-out" | "gone" | "refused";
}

export const signedOut = "You’re signed out. Your text is saved on this device.";

/** Why nothing that is written here goes to the server any more. */
export const notWritten = {
  ended: "You can no longer write here. Your unsaved text is kept on this device.",
  full: "Eight people are already writing here. You can write once one leaves. Your text is saved on this device.",
  old: "The site was updated. Reload the page; your text is saved on this device.",
};

const fieldNames: Record<string, keyof FieldErrors> = {
  title: "title",
  description: "description",
  tags: "tags",
  document: "content",
  cover: "cover",
  coverId: "cover",
  coverFocus: "cover",
  slug: "address",
  schedule: "later",
  language: "language",
  canonicalUrl: "canonicalUrl",
  searchTitle: "searchTitle",
  searchDescription: "searchDescription",
};

/** What is said where the server can't be reached: an update has its own words (docs/specification.md, 8.8), a new blog the connection's. */
export const unreached = (fallback: string): string =>
  fallback === messages.update ? messages.update : messages.connection;

/** What went wrong with a save. */
export function failureOf(error: unknown, fallback: string): SaveFailure {
  if (error instanceof UploadError) {
    // Only what was lost on the way is the connection's fault (docs/specification.md, 8.13).
    const message = error.reason === "lost" ? messages.connection : error.message;
    return {
      message,
      errors: { cover: message },
      why: error.reason === "signed-out" ? "signed-out" : "refused",
    };
  }
  if (isUnanswered(error)) return { message: unreached(fallback), errors: {}, why: "refused" };
  const message = errorMessage(error, fallback);
  const field = fieldNames[errorField(error) ?? ""];
  return { message, errors: field ? { [field]: message } : {}, why: reasonOf(error) };
}

function reasonOf(error: unknown): SaveFailure["why"] {
  const code = errorCode(error);
  if (code === "UNAUTHORIZED") return "signed-out";
  return code === "NOT_FOUND" ? "gone" : "refused";
}
