import type { z } from "zod";
import type { HideSetup, SiteSetup } from "../../shared/administration.ts";
import type { MemberContext } from "../context.ts";
import { mailDelivery } from "../mail/delivery.ts";
import { listInvitations } from "../sign-in/sign-up-policy-queries.ts";
import { countVerified } from "../profiles/queries.ts";
import { setSiteSetting, storedSettings } from "./queries.ts";
import { publishStaffQueues } from "../moderation/staff-events.ts";
import { requireAdmin } from "../moderation/access.ts";

/** Returns which setup steps are done. Throws `forbidden`. */
export async function siteSetup(ctx: MemberContext): Promise<SiteSetup> {
  const { read } = ctx.database;
  await requireAdmin(read, ctx.viewer);
  const { name, setup, securityContact } = await storedSettings(read);
  const { config } = ctx;
  const mail = await mailDelivery(read, config);
  return {
    isHidden: setup === "hidden",
    mail,
    done: {
      name: name !== undefined || config.isNamed,
      contact: Boolean(securityContact),
      mail: mail.state === "works",
      backup: config.backups.every !== undefined,
      people: (await listInvitations(read, 1)).length > 0 || (await countVerified(read, 2)) > 1,
    },
  };
}

/** Hides or shows the steps for all administrators. Throws `forbidden`. */
export async function hideSetup(
  ctx: MemberContext,
  { hidden }: z.output<typeof HideSetup>,
): Promise<{ message: string }> {
  await ctx.database.write(async (tx) => {
    await requireAdmin(tx, ctx.viewer);
    await setSiteSetting(tx, "setup", hidden ? "hidden" : "");
    await publishStaffQueues(tx);
  });
  return { message: hidden ? "Hidden. You’ll find everything under Moderation." : "Shown again." };
}
