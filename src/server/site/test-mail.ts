import { AppError } from "../../shared/errors.ts";
import type { MemberContext, Services } from "../context.ts";
import { deliver } from "../mail/delivery.ts";
import { emails } from "../mail/email-texts.ts";
import { mailProblem } from "../mail/mail-problem.ts";
import { requireAdmin } from "../moderation/access.ts";
import { publishStaffQueues } from "../moderation/staff-events.ts";
import { newId } from "../runtime/ids.ts";

/** In milliseconds; browsers wait for an answer a little longer. */
const patience = 12_000;

/** Sends a test email to the administrator's own address. Throws `forbidden`, or what `testMail` throws. */
export async function sendTestMail(ctx: MemberContext): Promise<{ message: string }> {
  const { email } = await requireAdmin(ctx.database.read, ctx.viewer);
  await ctx.limits.take("testMail", ctx.viewer.id);
  const sending = testMail(ctx, email);
  let timer: NodeJS.Timeout | undefined;
  const tooSlow = new Promise<never>((_, reject) => {
    const error = new AppError(
      "bad_request",
      "The mail server hasn’t answered yet. The site’s settings will show how it ends.",
    );
    timer = setTimeout(() => reject(error), patience);
  });
  return Promise.race([sending, tooSlow]).finally(() => clearTimeout(timer));
}

/** Sends a test email. Throws `bad_request` with the reason if the mail server does not accept it. */
export async function testMail(
  services: Pick<Services, "config" | "database" | "log" | "mailer">,
  email: string,
): Promise<{ message: string }> {
  const { config } = services;
  const { smtpUrl } = config;
  try {
    await deliver(services, emails.test(config, email), newId(), publishStaffQueues);
  } catch (cause) {
    if (smtpUrl === undefined) throw cause;
    throw new AppError("bad_request", mailProblem(cause, smtpUrl), { cause });
  }
  return {
    message:
      smtpUrl === undefined
        ? "No mail server is set. The email is the newest file in DATA_DIR/outbox."
        : `Sent to ${email}. If it doesn’t arrive in a few minutes, check the spam folder.`,
  };
}
