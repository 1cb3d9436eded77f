import { ZodError } from "zod";
import { DocumentError } from "../../shared/document/document-error.ts";
import { AppError } from "../../shared/errors.ts";
import type { ImportReport } from "../../shared/imports.ts";
import { importBounds as bounds } from "./bounds.ts";
import { FileProblem } from "./source.ts";

export const emptyReport = (): ImportReport => ({
  found: 0,
  imported: 0,
  changed: 0,
  before: 0,
  pictures: 0,
  comments: 0,
  drafts: [],
  leftOut: [],
  kept: [],
  problems: [],
  more: 0,
});

/** A post's report lines, stored with it for a report resumed after a crash. */
export interface PostReport {
  /** Why it is a draft. */
  hidden?: string;
  problems: string[];
  pictures: number;
  /** Comments imported by this run. */
  comments?: number;
}

/** Shortens a text, or a file's name, to the length of a report's line. */
export const shortLine = (text: string): string =>
  text.length <= bounds.line ? text : `${text.slice(0, bounds.line - 1).toWellFormed()}…`;

type List = "drafts" | "leftOut" | "kept" | "problems";
const lists: List[] = ["problems", "drafts", "kept", "leftOut"];
const countOf = (report: ImportReport): number => lists.reduce((sum, name) => sum + report[name].length, 0);

/** Counts the line when the report is full. */
export function addLine(report: ImportReport, list: List, file: string, reason: string): void {
  if (countOf(report) >= bounds.lines) report.more++;
  else if (list === "problems")
    report.problems.push({ file: shortLine(file), problem: shortLine(sentence(reason)) });
  else report[list].push({ file: shortLine(file), reason: shortLine(reason) });
}

/** Returns a report with the lines that a page shows, and counts the others. */
export function shownReport(report: ImportReport): ImportReport {
  const shown: ImportReport = {
    ...report,
    drafts: report.drafts.slice(0, bounds.shownLines),
    leftOut: report.leftOut.slice(0, bounds.shownLines),
    kept: report.kept.slice(0, bounds.shownLines),
    problems: report.problems.slice(0, bounds.shownLines),
  };
  return { ...shown, more: report.more + countOf(report) - countOf(shown) };
}

/** Returns all lines of a report as a text file. */
export function reportText(report: ImportReport): string {
  const lines = lists.flatMap((name) =>
    report[name].map(
      (line) => `${line.file}: ${"problem" in line ? line.problem : `${reasons[name]}${line.reason}`}`,
    ),
  );
  const more = report.more > 0 ? [`And ${report.more} more.`] : [];
  return [...lines, ...more].map((line) => `${line.replace(/\s+/g, " ")}\n`).join("");
}

const reasons: Record<List, string> = {
  problems: "",
  drafts: "a draft: ",
  kept: "unchanged: ",
  leftOut: "skipped: ",
};

/** Sorts the lines by the source's order: posts are imported concurrently. */
export function sortLines(report: ImportReport, order: ReadonlyMap<string, number>): void {
  for (const lines of [report.drafts, report.leftOut, report.kept, report.problems])
    lines.sort((one, other) => order.get(one.file)! - order.get(other.file)!);
}

export function addPostReport(report: ImportReport, file: string, postReport: PostReport): void {
  if (postReport.hidden !== undefined) addLine(report, "drafts", file, postReport.hidden);
  for (const problem of postReport.problems) addLine(report, "problems", file, problem);
  report.pictures += postReport.pictures;
  report.comments = (report.comments ?? 0) + (postReport.comments ?? 0);
}

export const isExpectedError = (error: unknown): boolean =>
  [AppError, DocumentError, FileProblem, ZodError].some((kind) => error instanceof kind);

/** Returns a message for users, without stack traces and library messages. */
export function errorMessage(error: unknown): string {
  const message =
    error instanceof ZodError
      ? error.issues[0]?.message
      : isExpectedError(error)
        ? (error as Error).message
        : null;
  return message?.split("\n", 1)[0] ?? "Something went wrong. See the server’s log for details.";
}

export function sentence(text: string): string {
  const line = text.trim();
  return line.charAt(0).toUpperCase() + line.slice(1) + (/[.!?…]$/.test(line) ? "" : ".");
}

/** Joins the first three names. */
export const firstNames = (all: string[]): string =>
  all
    .slice(0, 3)
    .map((one) => one.slice(0, 80).toWellFormed())
    .join(", ") + (all.length > 3 ? " …" : "");

/** Reports removed generator tags. */
export const skippedTagsText = (unknown: string[]): string =>
  `Skipped ${unknown.length === 1 ? "a part" : `${unknown.length} parts`} that only the old site supports (kept the text within): ${firstNames(unknown)}`;
