import { hash } from "node:crypto";
import path from "node:path";
import { limits } from "../../shared/limits.ts";
import type { Connection } from "../database/connection.ts";
import { importedBlog, runById, type EarlierImport } from "./queries.ts";
import type { Source, SourcePost } from "./source.ts";
import { cutText } from "./post-text.ts";

/** The origin of an import, as far as known. Distinguishes two posts of one name. */
export interface ImportOrigin {
  kind: string;
  /** Of the file or folder; null without a run. */
  name: string | null;
  origin: string | null;
}

export async function importOriginOf(
  connection: Connection,
  { kind, origins = [] }: Source,
  runId: string | null,
): Promise<ImportOrigin> {
  const run = runId === null ? undefined : await runById(connection, runId);
  return { kind, name: run === undefined ? null : plainName(run.name), origin: origins[0] ?? null };
}

/** Removes what differs between exports: date, copy number, extension. */
const plainName = (name: string): string =>
  path
    .normalize(name)
    .toLowerCase()
    .replace(/\.(?:zip|json|xml|csv|md)$/, "")
    .replace(/\s*\(\d+\)/g, "")
    .replace(/\d{4}-?\d{2}-?\d{2}(?:[-_.t ]?\d{2}[-_.:]?\d{2}(?:[-_.:]?\d{2})?z?)?/g, "");

/** An earlier import with its key, or the key for a new one. */
export interface KnownPost {
  key: string;
  row: EarlierImport | undefined;
}

/** Finds a post's earlier import, ignoring equally named posts from elsewhere. */
export async function findKnownPost(
  connection: Connection,
  authorId: string,
  post: SourcePost,
  origin: ImportOrigin,
): Promise<KnownPost> {
  const { source, title, publishedAt } = post;
  const shortHash = (...parts: string[]) => hash("sha256", JSON.stringify(parts), "base64url").slice(0, 16);
  const originName = origin.origin ?? origin.name ?? "";
  const fallbackKey = `${origin.kind}:${shortHash(originName, title, publishedAt?.toISOString() ?? "")}:${source}`;
  for (const key of [source, `${origin.kind}:${shortHash(originName)}:${source}`]) {
    const row = await importedBlog(connection, authorId, key);
    if (row === undefined || isSamePost(post, row, origin)) return { key, row };
  }
  return { key: fallbackKey, row: await importedBlog(connection, authorId, fallbackKey) };
}

function isSamePost(post: SourcePost, row: EarlierImport, origin: ImportOrigin): boolean {
  if (row.kind !== null && row.kind !== origin.kind) return false;
  // A source's own ID identifies the post wherever its file is.
  if (!isPathOnly(post, origin.kind) || row.hash?.startsWith(postHash(post))) return true;
  const hasSameName = row.name === null || origin.name === null ? null : plainName(row.name) === origin.name;
  if (row.current === null || row.current !== row.etag) return hasSameName !== false;
  const hasSameTitle = row.title === cutText(post.title, limits.title.max, "title", () => undefined);
  const date = post.publishedAt?.getTime();
  const hasSameDate = date === row.publishedAt;
  if (hasSameName === true) return hasSameTitle || hasSameDate || date === undefined;
  return hasSameName === false ? hasSameTitle && hasSameDate : hasSameTitle || hasSameDate;
}

const isPathOnly = ({ source, file }: SourcePost, kind: string): boolean =>
  kind === "markdown" || source === file || source.startsWith("wordpress/");

/** Changes with the source's content. */
export const postHash = (post: SourcePost): string =>
  post.contentHash ??
  hash(
    "sha256",
    JSON.stringify({ ...post, file: undefined, comments: undefined, live: undefined }),
    "base64url",
  );
