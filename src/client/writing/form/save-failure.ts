import { messages } from "../../../shared/errors.ts";
import { errorCode, errorField, errorMessage, isUnanswered } from "../../api/errors.ts";
import { UploadError } from "../../uploads/upload.ts";
import type { FieldErrors } from "./blog-fields.ts";

/** Why a save failed: the message, and the field. */
export interface SaveFailure {
  message: string;
  errors: FieldErrors;
  /** `gone`: the blog does not exist any more. */
  kind: "signed-out" | "gone" | "refused";
}

export const signedOut = "You’re signed out. Your text is saved on this device.";

/** Why changes are no longer sent. */
export const notSentTexts = {
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

/** Returns the message for no connection: an update has its own (docs/specification.md, 8.8). */
export const unreachableText = (fallback: string): string =>
  fallback === messages.update ? messages.update : messages.connection;

export function saveFailureOf(error: unknown, fallback: string): SaveFailure {
  if (error instanceof UploadError) {
    // Only a lost upload is a connection error (docs/specification.md, 8.13).
    const message = error.reason === "lost" ? messages.connection : error.message;
    return {
      message,
      errors: { cover: message },
      kind: error.reason === "signed-out" ? "signed-out" : "refused",
    };
  }
  if (isUnanswered(error)) return { message: unreachableText(fallback), errors: {}, kind: "refused" };
  const message = errorMessage(error, fallback);
  const field = fieldNames[errorField(error) ?? ""];
  return { message, errors: field ? { [field]: message } : {}, kind: reasonOf(error) };
}

function reasonOf(error: unknown): SaveFailure["kind"] {
  const code = errorCode(error);
  if (code === "UNAUTHORIZED") return "signed-out";
  return code === "NOT_FOUND" ? "gone" : "refused";
}
