import type { z } from "zod";
import type { SetSignupBlock } from "../../shared/administration.ts";
import { AppError } from "../../shared/errors.ts";
import { staffLimits } from "../../shared/staff-limits.ts";
import type { MemberContext } from "../context.ts";
import { notFound, requireAdmin } from "../moderation/access.ts";
import { logSiteAction } from "../moderation/log.ts";
import { deleteSignupBlock, insertSignupBlock, listSignupBlocks } from "../sign-in/sign-up-block-queries.ts";
import { parseSignupBlock } from "../sign-in/sign-up-blocks.ts";

/** Blocks or unblocks sign-ups from a domain or network. Throws `bad_request` for anything else. */
export const setSignupBlock = (
  ctx: MemberContext,
  { value, blocked }: z.output<typeof SetSignupBlock>,
): Promise<{ message: string }> =>
  ctx.database.write(async (tx) => {
    const actor = await requireAdmin(tx, ctx.viewer);
    const block = parseSignupBlock(value);
    if (!block)
      throw new AppError(
        "bad_request",
        "Enter an email domain like example.org, or an IP address or network like 192.0.2.0/24.",
        { field: "value" },
      );
    const { most: max } = staffLimits.signupBlocks;
    if (blocked && (await listSignupBlocks(tx, max)).length === max)
      throw new AppError("conflict", `There are already ${max} blocks. Remove some first.`);
    const row = { ...block, author: actor.username, createdAt: Date.now() };
    const isChanged = blocked ? await insertSignupBlock(tx, row) : await deleteSignupBlock(tx, block);
    if (isChanged)
      await logSiteAction(tx, actor, blocked ? "block-sign-ups" : "unblock-sign-ups", block.value);
    if (!isChanged && !blocked) throw notFound();
    return {
      message: blocked
        ? `Sign-ups from ${block.value} are blocked.`
        : `Sign-ups from ${block.value} are allowed again.`,
    };
  });
