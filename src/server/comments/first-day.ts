import { mentionsIn } from "../../shared/mentions.ts";
import { isNew, takeFirstDay } from "../auth/first-day.ts";
import type { MemberContext } from "../context.ts";
import { userById } from "../users/queries.ts";
import { heldById } from "./held-queries.ts";
import { commentById } from "./queries.ts";

const inText = (text: string): number =>
  (text.match(/\bhttps?:\/\/|\bwww\./gi)?.length ?? 0) + mentionsIn(text).length;

/**
 * Throws `forbidden` where somebody new has more links and mentions in their comments than a first day has room for. `before` is what
 * the comment said so far; a new one that is known already is a retry, and was counted.
 */
export async function boundFirstDay(
  ctx: MemberContext,
  { id, text }: { id: string; text: string },
  before?: string,
): Promise<void> {
  const added = inText(text) - inText(before ?? "");
  if (added <= 0) return;
  const { read } = ctx.database;
  if (
    before === undefined &&
    ((await commentById(read, id, ctx.viewer.id)) ?? (await heldById(read, id, ctx.viewer.id)))
  )
    return;
  // Whoever runs the site brings in what they want.
  if (ctx.transport === "local") return;
  const user = await userById(read, ctx.viewer.id);
  if (user && isNew(user)) await takeFirstDay(ctx.limits, "firstDayTalk", user.id, added);
}
