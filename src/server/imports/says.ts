import { hash } from "node:crypto";
import type { SourcePost } from "./source.ts";

/** Of what the source says: another one, and it said something else. */
export const hashOf = (post: SourcePost): string =>
  post.says ?? hash("sha256", JSON.stringify({ ...post, file: undefined, comments: undefined }), "base64url");
