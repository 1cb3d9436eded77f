import type { ImportReport } from "../../src/shared/imports.ts";
import type { MemberContext } from "../../src/server/context.ts";
import { importFrom, type ImportOptions } from "../../src/server/imports/import-posts.ts";
import { openSource } from "../../src/server/imports/kinds.ts";

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
