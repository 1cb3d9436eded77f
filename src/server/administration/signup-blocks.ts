import type { z } from "zod";
import type { SetSignupBlock } from "../../shared/administration.ts";
import { AppError } from "../../shared/errors.ts";
import { staffLimits } from "../../shared/staff-limits.ts";
import type { MemberContext } from "../context.ts";
import type { Transaction } from "../database/writer.ts";
import { notFound, requireAdmin } from "../moderation/access.ts";
import { logSiteAction, type Actor } from "../moderation/log.ts";
import { deleteSignupBlock, insertSignupBlock, listSignupBlocks } from "../signup/signup-block-queries.ts";
import { parseSignupBlock } from "../signup/signup-blocks.ts";

export const setSignupBlock = (
  ctx: MemberContext,
  { value, blocked }: z.output<typeof SetSignupBlock>,
): Promise<{ message: string }> =>
  ctx.database.write(async (tx) => {
    const actor = await requireAdmin(tx, ctx.viewer);
    const stored = await changeSignupBlock(tx, actor, value, blocked);
    return {
      message: blocked
        ? `Sign-ups from ${stored} are blocked.`
        : `Sign-ups from ${stored} are allowed again.`,
    };
  });

/** Blocks or unblocks sign-ups from a domain or network. Returns its stored form. Throws `bad_request` for anything else. */
export async function changeSignupBlock(
  tx: Transaction,
  actor: Actor,
  text: string,
  blocked: boolean,
): Promise<string> {
  const block = parseSignupBlock(text);
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
  const isChanged = blocked
    ? await insertSignupBlock(tx, row)
    : // Older versions stored it as typed.
      (await deleteSignupBlock(tx, block)) ||
      (await deleteSignupBlock(tx, { ...block, value: text.trim().toLowerCase() }));
  if (isChanged) await logSiteAction(tx, actor, blocked ? "block-sign-ups" : "unblock-sign-ups", block.value);
  if (!isChanged && !blocked) throw notFound();
  return block.value;
}
