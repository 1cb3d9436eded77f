import { headlineOf } from "../../shared/entries.ts";
import type { Entry, KeyMoment } from "../../shared/entries.ts";
import { presentPerson } from "../profiles/present.ts";
import type { EntryRow } from "./queries.ts";

const iso = (time: number): string => new Date(time).toISOString();

/** Presents an entry with its text as pages show it. A hidden author has no name; the entry is the blog's. */
export const presentEntry = (row: EntryRow, html: string): Entry => ({
  id: row.id,
  blogId: row.blogId,
  at: iso(row.at),
  author: row.author && !row.isHidden ? presentPerson(row.author) : null,
  title: row.title,
  isKey: row.isKey,
  html,
  headline: headlineOf(row),
  editedAt: row.editedAt === null ? null : iso(row.editedAt),
  likesCount: row.likesCount,
});

export const presentKeyMoment = (row: Pick<EntryRow, "id" | "at" | "title" | "excerpt">): KeyMoment => ({
  id: row.id,
  at: iso(row.at),
  headline: headlineOf(row),
});
