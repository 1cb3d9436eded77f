import { hash } from "node:crypto";
import path from "node:path";
import { limits } from "../../shared/limits.ts";
import type { Connection } from "../database/connection.ts";
import { importedBlog, runById, type Imported } from "./queries.ts";
import { hashOf } from "./says.ts";
import type { Source, SourcePost } from "./source.ts";
import { cutText } from "./text.ts";

/** Where an import comes from, as far as it is known: by it two texts of one name are told apart. */
export interface Place {
  kind: string;
  /** The file's or folder's; null where no run says it. */
  name: string | null;
  origin: string | null;
}

export async function placeOf(
  connection: Connection,
  { kind, origins = [] }: Source,
  runId: string | null,
): Promise<Place> {
  const run = runId === null ? undefined : await runById(connection, runId);
  return { kind, name: run === undefined ? null : plainName(run.name), origin: origins[0] ?? null };
}

/** A name without what changes from one export to the next: its date, which copy it is, its ending. */
const plainName = (name: string): string =>
  path
    .normalize(name)
    .toLowerCase()
    .replace(/\.(?:zip|json|xml|csv|md)$/, "")
    .replace(/\s*\(\d+\)/g, "")
    .replace(/\d{4}-?\d{2}-?\d{2}(?:[-_.t ]?\d{2}[-_.:]?\d{2}(?:[-_.:]?\d{2})?z?)?/g, "");

/** What the author has of a post already, and the key it is, or becomes, known by. */
export interface Known {
  key: string;
  row: Imported | undefined;
}

/** Finds what was brought in of a post; what only has the same name, and came from elsewhere, is none of it. */
export async function knownOf(
  connection: Connection,
  authorId: string,
  post: SourcePost,
  place: Place,
): Promise<Known> {
  const { source, title, publishedAt } = post;
  const short = (...parts: string[]) => hash("sha256", JSON.stringify(parts), "base64url").slice(0, 16);
  const from = place.origin ?? place.name ?? "";
  const last = `${place.kind}:${short(from, title, publishedAt?.toISOString() ?? "")}:${source}`;
  for (const key of [source, `${place.kind}:${short(from)}:${source}`]) {
    const row = await importedBlog(connection, authorId, key);
    if (row === undefined || isOf(post, row, place)) return { key, row };
  }
  return { key: last, row: await importedBlog(connection, authorId, last) };
}

function isOf(post: SourcePost, row: Imported, place: Place): boolean {
  if (row.kind !== null && row.kind !== place.kind) return false;
  // What has an id of its own is known by it wherever it lies.
  if (!isPathOnly(post, place.kind) || row.hash?.startsWith(hashOf(post))) return true;
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
