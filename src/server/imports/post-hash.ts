import { hash } from "node:crypto";
import type { SourcePost } from "./source.ts";

/** Changes with the source's content. */
export const postHash = (post: SourcePost): string =>
  post.contentHash ??
  hash("sha256", JSON.stringify({ ...post, file: undefined, comments: undefined }), "base64url");
