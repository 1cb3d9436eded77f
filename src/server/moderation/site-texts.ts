import { hash } from "node:crypto";
import type { z } from "zod";
import { DocumentError } from "../../shared/document/document-error.ts";
import { AppError } from "../../shared/errors.ts";
import type { SetText, TextKind } from "../../shared/site.ts";
import type { MemberContext, Parts } from "../context.ts";
import type { Transaction } from "../database/writer.ts";
import { setStored } from "../users/site-queries.ts";
import { addText, newestText } from "../users/text-queries.ts";
import { asAdmin } from "./access.ts";
import { noteOfSite, type Actor } from "./log.ts";
import { publishSiteChange } from "./site.ts";
import { drawSheet } from "./style-sheet.ts";

type Tools = Pick<Parts, "config" | "database" | "workers">;

/** Publishes a text from now on; what it was before stays to be read. */
export async function setText(
  ctx: MemberContext,
  input: z.output<typeof SetText>,
): Promise<{ message: string }> {
  // Before anything is worked on for it.
  await asAdmin(ctx.database.read, ctx.viewer);
  await changeText(ctx, input, (tx) => asAdmin(tx, ctx.viewer));
  return { message: input.source === "" ? "Text removed." : "Text published." };
}

/** The same for whoever `asActor` says may. */
export async function changeText(
  tools: Tools,
  { kind, source }: z.output<typeof SetText>,
  asActor: (tx: Transaction) => Promise<Actor>,
): Promise<void> {
  const drawn = await drawnText(tools, { kind, source });
  await tools.database.write(async (tx) => {
    const actor = await asActor(tx);
    if (((await newestText(tx, kind))?.source ?? "") === source) return;
    const createdAt = Date.now();
    await addText(tx, { kind, source, drawn, createdAt });
    await setStored(tx, kind, source === "" ? "" : kind === "sheet" ? hashOf(drawn) : String(createdAt));
    await noteOfSite(tx, actor, "site", names[kind], source.slice(0, 1_000));
    await publishSiteChange(tx);
  });
}

/** A text as it is drawn. Throws `bad_request` where it can't be. */
export async function drawnText(tools: Tools, { kind, source }: z.output<typeof SetText>): Promise<string> {
  if (source === "") return "";
  return kind === "sheet" ? drawSheet(source) : drawText(tools, source);
}

const names: Record<TextKind, string> = {
  terms: "terms",
  privacy: "privacy page",
  landing: "landing text",
  sheet: "style sheet",
};

const hashOf = (text: string): string => hash("sha256", text).slice(0, 20);

/** Markdown as HTML, by the schema that blogs have. */
async function drawText({ workers, config }: Tools, source: string): Promise<string> {
  const whose = "site";
  try {
    const { document, pictures } = await workers.run("markdown", { text: source }, whose);
    const checked = await workers.run("check", { document }, whose);
    if (pictures.length > 0 || checked.images.length > 0)
      throw new AppError("bad_request", "Site texts can’t have pictures. Please link to them.", {
        field: "source",
      });
    const input = { document: checked.document, origin: config.publicUrl, images: {} };
    return (await workers.run("render", input, whose)).html;
  } catch (cause) {
    if (!(cause instanceof DocumentError)) throw cause;
    throw new AppError("bad_request", cause.message, { field: "source", cause });
  }
}
