import type { ImportReport } from "../../shared/imports.ts";
import type { MemberContext } from "../context.ts";
import { openSource } from "./apart/open.ts";
import { importFrom, type ImportOptions } from "./run.ts";

/** Brings in a folder of Markdown, as blogs of the context's viewer, with the pictures beside the text. */
export async function importMarkdown(
  ctx: MemberContext,
  folder: string,
  options: ImportOptions = {},
): Promise<ImportReport> {
  const source = await openSource({ kind: "markdown", file: folder });
  try {
    return await importFrom(ctx, source, options);
  } finally {
    await source.close();
  }
}
