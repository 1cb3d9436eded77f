import type { ImportReport } from "../../shared/imports.ts";
import type { MemberContext } from "../context.ts";
import { importFrom, type ImportOptions } from "./import-posts.ts";
import { openSource } from "./kinds.ts";

/** Imports Markdown and its pictures as the viewer's blogs. */
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
