import type { z } from "zod";
import { AppError } from "../../shared/errors.ts";
import type { OfHeld, StaffHeld } from "../../shared/finding.ts";
import { staffLimits } from "../../shared/staff-limits.ts";
import { admitHeld, takeAwayHeld } from "../comments/held.ts";
import { heldById } from "../comments/held-queries.ts";
import type { MemberContext } from "../context.ts";
import type { Transaction } from "../database/writer.ts";
import type { UserRow } from "../users/queries.ts";
import { isPersonHidden } from "../users/block-queries.ts";
import { asStaff, gone, staffBlog } from "./access.ts";
import { listHeldForLink } from "./find-queries.ts";
import { note } from "./log.ts";
import { canJudgeHeld } from "./policy.ts";
import { presentStaffHeld } from "./present.ts";

type Of = z.output<typeof OfHeld>;

/** Comments that wait since they are their writer's first with a link, whichever has waited longest first. */
export async function heldComments(ctx: MemberContext): Promise<{ comments: StaffHeld[]; hasMore: boolean }> {
  const { read } = ctx.database;
  await asStaff(read, ctx.viewer);
  const { page: size } = staffLimits.reports;
  const rows = await listHeldForLink(read, size + 1);
  const comments: StaffHeld[] = [];
  for (const row of rows.slice(0, size))
    comments.push(presentStaffHeld(row, !(await isPersonHidden(read, ctx.viewer.id, row.owner.id))));
  return { comments, hasMore: rows.length > size };
}

/** Lets one in, as the author of the blog could. */
export const letInHeld = (ctx: MemberContext, { commentId: id }: Of): Promise<{ message: string }> =>
  ctx.database.write(async (tx) => {
    const { actor, held, blog } = await openHeld(tx, ctx, id);
    await admitHeld(tx, held, blog);
    await note(tx, actor, "let-in", { kind: "comment", id });
    return { message: "The comment is there for everybody." };
  });

/** Deletes one that nobody else has seen. */
export const refuseHeld = (ctx: MemberContext, { commentId: id }: Of): Promise<{ message: string }> =>
  ctx.database.write(async (tx) => {
    const { actor, held, blog } = await openHeld(tx, ctx, id);
    await note(tx, actor, "hide", { kind: "comment", id });
    await takeAwayHeld(tx, held, blog);
    return { message: "The comment is deleted." };
  });

async function openHeld(tx: Transaction, ctx: MemberContext, id: string) {
  const actor: UserRow = await asStaff(tx, ctx.viewer);
  const found = await heldById(tx, id, null);
  if (!found) throw gone();
  const blog = await staffBlog(tx, found.blogId);
  // Whom its author has blocked since comments there no more.
  const held = await heldById(tx, id, blog.authorId);
  if (!held || !canJudgeHeld(held, blog)) throw gone();
  if (held.author.id === actor.id && !actor.isAdmin)
    throw new AppError("forbidden", "This is your own: another moderator has to answer it.");
  return { actor, held, blog };
}
