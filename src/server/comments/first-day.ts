import { mentionsIn } from "../../shared/mentions.ts";
import { isNew, takeFirstDay } from "../auth/first-day.ts";
import type { MemberContext } from "../context.ts";
import { userById } from "../users/queries.ts";

const inText = (text: string): number =>
  (text.match(/\bhttps?:\/\/|\bwww\./gi)?.length ?? 0) + mentionsIn(text).length;

/** Throws `forbidden` where somebody new has more links and mentions in their comments than a first day has room for. */
export async function boundFirstDay(ctx: MemberContext, text: string, before = ""): Promise<void> {
  const added = inText(text) - inText(before);
  if (added <= 0) return;
  // Whoever runs the site brings in what they want.
  if (ctx.transport === "local") return;
  const user = await userById(ctx.database.read, ctx.viewer.id);
  if (user && isNew(user)) await takeFirstDay(ctx.limits, "firstDayTalk", user.id, added);
}
