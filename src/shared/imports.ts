import { z } from "zod";
import { Id } from "./users.ts";

/** Each has its entry in `server/imports/kinds.ts`. */
export const importKinds = ["markdown", "ghost", "wordpress", "medium", "substack", "reprise"] as const;
export type ImportKind = (typeof importKinds)[number];

/** Names, and the accepted files. */
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

/** The result of an import. Each item that was not imported unchanged has a line with the reason. */
export interface ImportReport {
  /** Including files that should have been posts. */
  found: number;
  imported: number;
  /** Imported before, and changed in the source since. */
  changed: number;
  /** Imported before, and left unchanged. */
  before: number;
  pictures: number;
  /** By guest names; missing in older reports. */
  comments?: number;
  /** Imported as drafts, since they are not clearly public. */
  drafts: ReportLine[];
  /** No posts at all. */
  leftOut: ReportLine[];
  /** Edited or deleted here since they were imported, so left unchanged. */
  kept: ReportLine[];
  problems: { file: string; problem: string }[];
  /** Lines beyond those that a report has room for. */
  more: number;
}

export interface ImportRun {
  id: string;
  kind: string;
  name: string;
  state: RunState;
  done: number;
  count: number;
  problem: string | null;
  createdAt: string;
  /** Created by it and not deleted since. */
  blogs: number;
}

const flag = z
  .enum(["1", "0"])
  .default("0")
  .transform((value) => value === "1");

/** The query of an upload; the form contains only the file. */
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

/** Bytes of an uploaded file; the command line has no such limit. */
export const importUpload = 500_000_000;
