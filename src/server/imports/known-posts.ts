import { hash } from "node:crypto";
import path from "node:path";
import { limits } from "../../shared/limits.ts";
import type { Connection } from "../database/connection.ts";
import { importedBlog, runById, type EarlierImport } from "./queries.ts";
import { postHash } from "./post-hash.ts";
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
  place: ImportOrigin,
): Promise<KnownPost> {
  const { source, title, publishedAt } = post;
  const short = (...parts: string[]) => hash("sha256", JSON.stringify(parts), "base64url").slice(0, 16);
  const from = place.origin ?? place.name ?? "";
  const last = `${place.kind}:${short(from, title, publishedAt?.toISOString() ?? "")}:${source}`;
  for (const key of [source, `${place.kind}:${short(from)}:${source}`]) {
    const row = await importedBlog(connection, authorId, key);
    if (row === undefined || isSamePost(post, row, place)) return { key, row };
  }
  return { key: last, row: await importedBlog(connection, authorId, last) };
}

function isSamePost(post: SourcePost, row: EarlierImport, place: ImportOrigin): boolean {
  if (row.kind !== null && row.kind !== place.kind) return false;
  // A source's own ID identifies the post wherever its file is.
  if (!isPathOnly(post, place.kind) || row.hash?.startsWith(postHash(post))) return true;
  const hasSameName = row.name === null || place.name === null ? null : plainName(row.name) === place.name;
  if (row.current === null || row.current !== (row.version ?? 1)) return hasSameName !== false;
  const sameTitle = row.title === cutText(post.title, limits.title.max, "title", () => undefined);
  const date = post.publishedAt?.getTime();
  const sameDate = date === row.publishedAt;
  if (hasSameName === true) return sameTitle || sameDate || date === undefined;
  return hasSameName === false ? sameTitle && sameDate : sameTitle || sameDate;
}

const isPathOnly = ({ source, file }: SourcePost, kind: string): boolean =>
  kind === "markdown" || source === file || source.startsWith("wordpress/");
