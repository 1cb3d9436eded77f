import { messages } from "../../shared/errors.ts";
import type { Picture } from "../../shared/blogs.ts";
import { errorCode, errorField, errorMessage, isUnanswered } from "../api/errors.ts";
import { UploadError } from "../editor/upload.ts";
import type { BlogFields, FieldErrors } from "./blog-form-values.ts";

/** What the API takes, to create a blog and to change one. */
export interface BlogInput {
  id: string;
  title: string;
  description: string;
  tags: string[];
  document: unknown;
  coverId: string | null;
  draft: boolean;
  private: boolean;
}

export interface Saved {
  slug: string;
  version: number;
  message: string;
}

/** Why a blog is not saved: what to say, and at which field. */
export interface SaveFailure {
  message: string;
  errors: FieldErrors;
  signedOut: boolean;
}

const fieldNames: Record<string, keyof FieldErrors> = {
  title: "title",
  description: "description",
  tags: "tags",
  document: "content",
  cover: "cover",
  coverId: "cover",
};

/** Waits for the cover, then sends the blog. Nothing is thrown: what went wrong is an answer. */
export async function saveBlog(
  id: string,
  fields: BlogFields,
  cover: () => Promise<Picture | null>,
  send: (input: BlogInput) => Promise<Saved>,
  fallback: string,
): Promise<{ saved: Saved; cover: Picture | null } | { failure: SaveFailure }> {
  try {
    const { title, description, tags, draft, private: closed, document } = fields;
    const picture = await cover();
    return {
      saved: await send({
        id,
        title,
        description,
        tags,
        draft,
        private: closed,
        document,
        coverId: picture?.id ?? null,
      }),
      cover: picture,
    };
  } catch (error) {
    return { failure: failureOf(error, fallback) };
  }
}

export function failureOf(error: unknown, fallback: string): SaveFailure {
  if (error instanceof UploadError) {
    // Only what was lost on the way is the connection's fault (decisions, "Errors and messages").
    const message = error.reason === "lost" ? messages.connection : error.message;
    return { message, errors: { cover: message }, signedOut: error.reason === "signed-out" };
  }
  if (isUnanswered(error)) return { message: messages.connection, errors: {}, signedOut: false };
  const message = errorMessage(error, fallback);
  const field = fieldNames[errorField(error) ?? ""];
  return {
    message,
    errors: field ? { [field]: message } : {},
    signedOut: errorCode(error) === "UNAUTHORIZED",
  };
}
