import { DocumentError } from "../../../shared/document/document-error.ts";
import { FileProblem, type Found } from "../source.ts";
import { short } from "./values.ts";

/** Reports an unreadable text; the import continues. */
export function unreadableText(file: string, error: unknown): Found {
  const isExpected = error instanceof FileProblem || error instanceof DocumentError;
  const reason = isExpected ? error.message : `reading it failed (${short(String(error), 120)})`;
  return { file, reason: `It can’t be imported: ${reason}`, isWrong: true };
}
