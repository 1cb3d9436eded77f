import type { z } from "zod";
import { AppError } from "../../shared/errors.ts";
import type { MoveCaret } from "../../shared/drafts.ts";
import type { MemberContext } from "../context.ts";
import { writableBlog } from "./access.ts";

/** Moves a page's caret. Access was checked when its stream opened, otherwise here. */
export async function moveCaret(
  ctx: MemberContext,
  { id, client, ...caret }: z.output<typeof MoveCaret>,
): Promise<{ id: string }> {
  if (!ctx.draftPresence.moveCaret(id, ctx.viewer.id, client, caret))
    await writableBlog(ctx.database.read, ctx.viewer, { id });
  return { id };
}

/** Throws `conflict` if the most people already write in the text. */
export function requireWriterSlot(ctx: MemberContext, blogId: string, client: string): void {
  if (ctx.draftPresence.mayWrite(blogId, ctx.viewer.id, client)) return;
  throw new AppError(
    "conflict",
    "Eight people are already writing here. Your text is saved on this device, and will be sent when one leaves.",
    { field: "client" },
  );
}
