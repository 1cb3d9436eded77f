import { DocumentError } from "../../../shared/document/document-error.ts";
import { counted, moment } from "../reading/values.ts";
import type { SourceComment } from "../source.ts";
import { asText } from "./blocks.ts";
import type { Part } from "./xml.ts";

/** What people wrote below a post; what is no comment of a person's, or was refused there, is counted. */
export function commentsOf(item: Part, tell: (problem: string) => void): SourceComment[] {
  const out = { pings: 0, refused: 0, unreadable: 0 };
  const comments: SourceComment[] = [];
  for (const comment of item.all("wp:comment")) {
    const kind = comment.said("wp:comment_type");
    const state = comment.said("wp:comment_approved");
    if (kind && kind !== "comment") out.pings++;
    else if (state !== "1" && state !== "0" && state !== "approve" && state !== "hold") out.refused++;
    else {
      const read = readComment(comment, state === "1" || state === "approve");
      if (read) comments.push(read);
      else out.unreadable++;
    }
  }
  if (out.pings > 0) tell(`${counted(out.pings, "mention")} by other sites (pingbacks) skipped`);
  if (out.refused > 0) tell(`${counted(out.refused, "comment")} skipped: spam or in the trash`);
  if (out.unreadable > 0) tell(`${counted(out.unreadable, "comment")} skipped: no text or date`);
  return comments;
}

function readComment(comment: Part, approved: boolean): SourceComment | null {
  const createdAt = moment(comment.said("wp:comment_date_gmt")) ?? moment(comment.said("wp:comment_date"));
  const text = readText(comment.said("wp:comment_content"));
  const parent = comment.said("wp:comment_parent");
  if (!createdAt || !text) return null;
  return {
    source: comment.said("wp:comment_id"),
    parent: parent && parent !== "0" ? parent : undefined,
    name: comment.said("wp:comment_author") || "Anonymous",
    text,
    createdAt,
    approved,
  };
}

function readText(html: string): string {
  try {
    return asText(html);
  } catch (error) {
    if (error instanceof DocumentError) return "";
    throw error;
  }
}
