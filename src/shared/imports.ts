import { z } from "zod";
import { Id } from "./users.ts";

/** What an import may be made of; each has its line in `server/imports/kinds.ts`. */
export const importKinds = ["markdown", "ghost", "wordpress", "medium", "substack", "reprise"] as const;
export type ImportKind = (typeof importKinds)[number];

/** What each is called, and what file of it is taken. */
export const importNames: Record<ImportKind, { name: string; file: string }> = {
  markdown: {
    name: "Markdown",
    file: "a ZIP of your site’s folder (Hugo, Jekyll, Zola, Astro, Eleventy), or one .md file",
  },
  ghost: { name: "Ghost", file: "the JSON export, or a ZIP of it with the folder content/images" },
  wordpress: {
    name: "WordPress",
    file: "the XML export (WXR), or a ZIP of it with the folder wp-content/uploads",
  },
  medium: { name: "Medium", file: "the ZIP that Medium mails you" },
  substack: { name: "Substack", file: "the ZIP of the export" },
  reprise: { name: "Reprise", file: "the ZIP of another site’s export" },
};

export const runStates = [
  "waiting",
  "running",
  "stopping",
  "done",
  "failed",
  "cancelled",
  "undoing",
  "undone",
] as const;
export type RunState = (typeof runStates)[number];

export interface ReportLine {
  file: string;
  reason: string;
}

/** What became of an import: each thing that did not come in as it stood has a line with the reason. */
export interface ImportReport {
  /** Posts, and what should have been some. */
  found: number;
  imported: number;
  /** Imported before, and another text in the source since. */
  changed: number;
  /** Imported before, and left as it is. */
  before: number;
  pictures: number;
  /** By guests' names; not there in reports of before. */
  comments?: number;
  /** Imported, and for their author alone: what is not plainly public. */
  drafts: ReportLine[];
  /** No posts at all. */
  leftOut: ReportLine[];
  /** Edited or deleted here since they were imported: left as they are here. */
  kept: ReportLine[];
  problems: { file: string; problem: string }[];
  /** Lines beyond those that a report has room for. */
  more: number;
}

/** An import as its owner's page shows it. */
export interface ImportRun {
  id: string;
  kind: string;
  name: string;
  state: RunState;
  done: number;
  count: number;
  problem: string | null;
  createdAt: string;
  /** Blogs that it made and that are there still. */
  blogs: number;
}

const flag = z
  .enum(["1", "0"])
  .default("0")
  .transform((value) => value === "1");

/** What is said with an upload, in its address: the file alone comes in the form. */
export const StartImport = z.strictObject({
  kind: z.enum(importKinds, "Choose where the file is from."),
  name: z
    .string()
    .max(1_000)
    .transform(
      (name) =>
        name
          .replace(/^.*[/\\]/, "")
          .replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, "")
          .trim()
          .slice(0, 200)
          .toWellFormed() || "file",
    ),
  again: flag,
  fetch: flag,
});

export const ImportId = z.strictObject({ id: Id });

/** The largest file that is taken by upload, in bytes: the command has no such bound. */
export const importUpload = 500_000_000;
