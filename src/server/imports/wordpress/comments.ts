import { DocumentError } from "../../../shared/document/document-error.ts";
import { parsedDate } from "../reading/dates.ts";
import { countText } from "../../../shared/count-text.ts";
import type { SourceComment } from "../source.ts";
import { htmlToText } from "./blocks.ts";
import type { XmlElement } from "./xml.ts";

/** Returns a post's comments. Counts and reports pingbacks and refused comments. */
export function commentsOf(item: XmlElement, reportProblem: (problem: string) => void): SourceComment[] {
  const skipped = { pings: 0, refused: 0, unreadable: 0 };
  const comments: SourceComment[] = [];
  for (const comment of item.all("wp:comment")) {
    const kind = comment.childText("wp:comment_type");
    const state = comment.childText("wp:comment_approved");
    if (kind && kind !== "comment") skipped.pings++;
    else if (state !== "1" && state !== "0" && state !== "approve" && state !== "hold") skipped.refused++;
    else {
      const parsed = readComment(comment, state === "1" || state === "approve");
      if (parsed) comments.push(parsed);
      else skipped.unreadable++;
    }
  }
  if (skipped.pings > 0)
    reportProblem(`${countText(skipped.pings, "mention")} by other sites (pingbacks) skipped`);
  if (skipped.refused > 0)
    reportProblem(`${countText(skipped.refused, "comment")} skipped: spam or in the trash`);
  if (skipped.unreadable > 0)
    reportProblem(`${countText(skipped.unreadable, "comment")} skipped: no text or date`);
  return comments;
}

function readComment(comment: XmlElement, approved: boolean): SourceComment | null {
  const createdAt =
    parsedDate(comment.childText("wp:comment_date_gmt")) ?? parsedDate(comment.childText("wp:comment_date"));
  const text = readText(comment.childText("wp:comment_content"));
  const parent = comment.childText("wp:comment_parent");
  if (!createdAt || !text) return null;
  return {
    source: comment.childText("wp:comment_id"),
    parent: parent && parent !== "0" ? parent : undefined,
    name: comment.childText("wp:comment_author") || "Anonymous",
    text,
    createdAt,
    approved,
  };
}

function readText(html: string): string {
  try {
    return htmlToText(html);
  } catch (error) {
    if (error instanceof DocumentError) return "";
    throw error;
  }
}
