import { isNew, takeFirstDay } from "../auth/first-day.ts";
import type { MemberContext } from "../context.ts";
import { userById } from "../users/queries.ts";

const inHtml = (html: string): number => html.match(/<a [^>]*href="http/g)?.length ?? 0;

/**
 * Throws `forbidden` where somebody new publishes more links than a first day has room for. `before` reads what others could
 * read already.
 */
export async function boundFirstDay(
  ctx: MemberContext,
  html: () => Promise<string>,
  before: () => Promise<string> = async () => "",
): Promise<void> {
  // Whoever runs the site brings in what they want.
  if (ctx.transport === "local") return;
  const user = await userById(ctx.database.read, ctx.viewer.id);
  if (!user || !isNew(user)) return;
  await takeFirstDay(ctx.limits, "firstDayBlogs", user.id, inHtml(await html()) - inHtml(await before()));
}
