import type { z } from "zod";
import { AppError } from "../../shared/errors.ts";
import type { MoveCaret } from "../../shared/writing.ts";
import type { MemberContext } from "../context.ts";
import { writableBlog } from "./access.ts";

/** Says where the caret of a page is: of one that has the text open by its stream, whose right to that was asked for there. */
export async function moveCaret(
  ctx: MemberContext,
  { id, client, ...caret }: z.output<typeof MoveCaret>,
): Promise<{ id: string }> {
  if (!ctx.writingPresence.moveCaret(id, ctx.viewer.id, client, caret))
    await writableBlog(ctx.database.read, ctx.viewer, { id });
  return { id };
}

/** Throws `conflict` where as many write in the text as may at once. */
export function requirePlace(ctx: MemberContext, blogId: string, client: string): void {
  if (ctx.writingPresence.mayWrite(blogId, ctx.viewer.id, client)) return;
  throw new AppError(
    "conflict",
    "Eight people are already writing here. Your text is saved on this device, and will be sent when one leaves.",
    { field: "client" },
  );
}
