import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import { notificationTopics } from "../../shared/notifications.ts";
import { sentRoutes } from "../../shared/routes.ts";
import { isSigned, signatureOf } from "../auth/signatures.ts";
import type { Config } from "../config.ts";
import type { Context } from "../context.ts";
import type { Connection } from "../database/connection.ts";
import { userTopic } from "../live/stored-events.ts";
import { userById } from "../users/queries.ts";
import { allChannels, storeChannels } from "./channel-queries.ts";

const day = 24 * 60 * 60 * 1000;

const purpose = "no more mails";

/** Returns the address where a person unsubscribes from notification emails without signing in. */
export async function unsubscribeAddress(
  { publicUrl }: Config,
  connection: Connection,
  userId: string,
  now = Date.now(),
): Promise<string> {
  const said = `${userId}.${Math.floor(now / day) + limits.token.unsubscribeDays}`;
  return `${publicUrl}${sentRoutes.unsubscribe(`${said}.${await signatureOf(connection, purpose, said)}`)}`;
}

/**
 * Turns off all notification emails of the person that the link was made for; a second call changes nothing. Throws `bad_request`
 * for a link that is forged, incomplete or expired.
 */
export async function unsubscribe(
  ctx: Pick<Context, "database" | "limits" | "address">,
  token: string,
): Promise<{ message: string }> {
  const { read } = ctx.database;
  const [userId = "", until = "", mark = ""] = token.split(".");
  if (!(await isSigned(read, purpose, `${userId}.${until}`, mark))) {
    await ctx.limits.take("wrongLink", ctx.address);
    throw new AppError(
      "bad_request",
      "This link is incomplete. Open it from the email again, or turn off emails in Settings.",
    );
  }
  if (Number(until) < Date.now() / day)
    throw new AppError(
      "bad_request",
      "This link has expired. Use the one in a newer email, or turn off emails in Settings.",
    );
  if ((await stillMailed(read, userId)).length > 0)
    await ctx.database.write(async (tx) => {
      const mailed = await stillMailed(tx, userId);
      for (const [topic, channels] of mailed)
        await storeChannels(tx, userId, topic, { ...channels, mail: "never" });
      if (mailed.length > 0) await tx.emit(userTopic(userId), { kind: "viewer.channelsChanged" });
    });
  return {
    message: "You’re unsubscribed from emails. You can turn them on again in Settings.",
  };
}

/** Returns the topics that a person gets emails about; none if the account was deleted. */
async function stillMailed(connection: Connection, userId: string) {
  if (!(await userById(connection, userId))) return [];
  const channels = await allChannels(connection, userId);
  return notificationTopics
    .map((topic) => [topic, channels[topic]] as const)
    .filter(([, { mail }]) => mail !== "never");
}
