import type { Fields } from "./visibility.ts";

/** Unreadable front matter; the message gives the reason, `line` the line in the file if known. */
export class FrontMatterError extends Error {
  override name = "FrontMatterError";
  readonly line: number | null;

  constructor(message: string, line: number | null, cause?: unknown) {
    super(line === null ? message : `${message} (line ${line})`, { cause });
    this.line = line;
  }
}

export interface ParsedFrontMatter {
  fields: Fields;
  /** The front matter as written. */
  source: string;
  body: string;
}
