import type { Fields } from "./not-public.ts";

/** Front matter that can not be read; the message says why and `line` where in the file, as far as it is known. */
export class FrontMatterError extends Error {
  override name = "FrontMatterError";
  readonly line: number | null;

  constructor(message: string, line: number | null, cause?: unknown) {
    super(line === null ? message : `${message} (line ${line})`, { cause });
    this.line = line;
  }
}

export interface Matter {
  fields: Fields;
  /** As it is written. */
  source: string;
  body: string;
}
