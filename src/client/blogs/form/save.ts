import { messages } from "../../../shared/errors.ts";
import type { Picture } from "../../../shared/blogs.ts";
import { errorCode, errorField, errorMessage, isUnanswered } from "../../api/errors.ts";
import { UploadError } from "../../uploads/upload.ts";
import type { BlogFields, FieldErrors } from "./values.ts";

/** What the API takes, to create a blog and to change one. */
export interface BlogInput {
  id: string;
  title: string;
  description: string;
  tags: string[];
  document: unknown;
  coverId: string | null;
  slug: string | undefined;
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
  /** `stale`: it was changed elsewhere since. `gone`: there is no such blog any more. */
  why: "signed-out" | "stale" | "gone" | "refused";
}

const fieldNames: Record<string, keyof FieldErrors> = {
  title: "title",
  description: "description",
  tags: "tags",
  document: "content",
  cover: "cover",
  coverId: "cover",
  slug: "address",
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
    const { title, description, tags, draft, private: closed, document, address } = fields;
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
        slug: address || undefined,
      }),
      cover: picture,
    };
  } catch (error) {
    return { failure: failureOf(error, fallback) };
  }
}

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
  if (isUnanswered(error)) return { message: messages.connection, errors: {}, why: "refused" };
  const message = errorMessage(error, fallback);
  const field = fieldNames[errorField(error) ?? ""];
  return { message, errors: field ? { [field]: message } : {}, why: reasonOf(error) };
}

function reasonOf(error: unknown): SaveFailure["why"] {
  const code = errorCode(error);
  if (code === "UNAUTHORIZED") return "signed-out";
  if (code === "NOT_FOUND") return "gone";
  return code === "CONFLICT" && errorField(error) === "version" ? "stale" : "refused";
}
