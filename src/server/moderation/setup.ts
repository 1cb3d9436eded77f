import type { z } from "zod";
import type { HideSetup, SiteSetup } from "../../shared/moderation.ts";
import type { MemberContext } from "../context.ts";
import { listInvitations } from "../users/signup-policy-queries.ts";
import { countVerified } from "../users/queries.ts";
import { setStored, storedSite } from "../users/site-queries.ts";
import { publishStaffQueues } from "../users/staff-events.ts";
import { asAdmin } from "./access.ts";

/** Which steps of setting the site up are done, for administrators. Throws `forbidden`. */
export async function siteSetup(ctx: MemberContext): Promise<SiteSetup> {
  const { read } = ctx.database;
  await asAdmin(read, ctx.viewer);
  const { name, setup } = await storedSite(read);
  const { config } = ctx;
  return {
    isHidden: setup === "hidden",
    done: {
      name: name !== undefined || config.isNamed,
      mail: config.smtpUrl !== undefined,
      backup: config.backups.every !== undefined,
      people: (await listInvitations(read, 1)).length > 0 || (await countVerified(read, 2)) > 1,
    },
  };
}

/** Hides the steps from all administrators, or shows them again. Throws `forbidden`. */
export async function hideSetup(
  ctx: MemberContext,
  { hidden }: z.output<typeof HideSetup>,
): Promise<{ message: string }> {
  await ctx.database.write(async (tx) => {
    await asAdmin(tx, ctx.viewer);
    await setStored(tx, "setup", hidden ? "hidden" : "");
    await publishStaffQueues(tx);
  });
  return { message: hidden ? "Hidden. You’ll find everything under Moderation." : "Shown again." };
}
