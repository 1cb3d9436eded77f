import { hash } from "node:crypto";
import type { z } from "zod";
import { DocumentError } from "../../shared/document/document-error.ts";
import { AppError } from "../../shared/errors.ts";
import type { SetText, TextKind } from "../../shared/site.ts";
import type { MemberContext, Services } from "../context.ts";
import { setSiteSetting } from "./queries.ts";
import { addText, newestText } from "./text-queries.ts";
import { requireAdmin } from "../moderation/access.ts";
import { logSiteAction } from "../moderation/log.ts";
import { publishSiteChange } from "./settings.ts";
import { compileStyleSheet } from "./style-sheet.ts";

type Tools = Pick<Services, "config" | "database" | "workers">;

/** Publishes a site text; older versions stay readable. */
export async function setText(
  ctx: MemberContext,
  input: z.output<typeof SetText>,
): Promise<{ message: string }> {
  // Before any costly work.
  await requireAdmin(ctx.database.read, ctx.viewer);
  const { kind, source } = input;
  const rendered = await renderSiteText(ctx, input);
  await ctx.database.write(async (tx) => {
    const actor = await requireAdmin(tx, ctx.viewer);
    if (((await newestText(tx, kind))?.source ?? "") === source) return;
    const createdAt = Date.now();
    await addText(tx, { kind, source, rendered, createdAt });
    await setSiteSetting(
      tx,
      kind,
      source === "" ? "" : kind === "sheet" ? hashOf(rendered) : String(createdAt),
    );
    await logSiteAction(tx, actor, "site", names[kind], source.slice(0, 1_000));
    publishSiteChange(tx);
  });
  return { message: source === "" ? "Text removed." : "Text published." };
}

/** Renders a text. Throws `bad_request`. */
async function renderSiteText(tools: Tools, { kind, source }: z.output<typeof SetText>): Promise<string> {
  if (source === "") return "";
  return kind === "sheet" ? compileStyleSheet(source) : renderMarkdown(tools, source);
}

const names: Record<TextKind, string> = {
  terms: "terms",
  privacy: "privacy page",
  landing: "landing text",
  sheet: "style sheet",
};

const hashOf = (text: string): string => hash("sha256", text).slice(0, 20);

/** Renders Markdown by the schema of blogs. */
async function renderMarkdown({ workers, config }: Tools, source: string): Promise<string> {
  const queueOwner = "site";
  try {
    const { document, pictures } = await workers.run("markdown", { text: source }, queueOwner);
    const checked = await workers.run("check", { document }, queueOwner);
    if (pictures.length > 0 || checked.images.length > 0)
      throw new AppError("bad_request", "Site texts can’t have pictures. Please link to them.", {
        field: "source",
      });
    const input = { document: checked.document, origin: config.publicUrl, images: {} };
    return (await workers.run("render", input, queueOwner)).html;
  } catch (cause) {
    if (!(cause instanceof DocumentError)) throw cause;
    throw new AppError("bad_request", cause.message, { field: "source", cause });
  }
}
