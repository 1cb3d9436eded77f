import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import { notificationTopicNames } from "../../shared/notifications.ts";
import { sentRoutes } from "../../shared/routes.ts";
import { isSigned, sign } from "../auth/signatures.ts";
import type { Config } from "../runtime/config.ts";
import type { Context } from "../context.ts";
import type { Connection } from "../database/connection.ts";
import { userTopic } from "../live/stored-events.ts";
import { userById } from "../profiles/queries.ts";
import { allChannels, storeChannels } from "./channel-queries.ts";

const day = 24 * 60 * 60 * 1000;

const purpose = "no more mails";

/** Returns the link to unsubscribe from emails without signing in. */
export async function unsubscribeAddress(
  { publicUrl }: Config,
  connection: Connection,
  userId: string,
  now = Date.now(),
): Promise<string> {
  const payload = `${userId}.${Math.floor(now / day) + limits.token.unsubscribeDays}`;
  return `${publicUrl}${sentRoutes.unsubscribe(`${payload}.${await sign(connection, purpose, payload)}`)}`;
}

/** Turns off the emails of the token's owner; idempotent. Throws `bad_request` for an invalid or expired token. */
export async function unsubscribe(
  ctx: Pick<Context, "database" | "limits" | "address">,
  token: string,
): Promise<{ message: string }> {
  const { read } = ctx.database;
  const [userId = "", until = "", signature = ""] = token.split(".");
  if (!(await isSigned(read, purpose, `${userId}.${until}`, signature))) {
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
  if ((await topicsWithEmail(read, userId)).length > 0)
    await ctx.database.write(async (tx) => {
      const mailed = await topicsWithEmail(tx, userId);
      for (const [topic, channels] of mailed)
        await storeChannels(tx, userId, topic, { ...channels, mail: "never" });
      if (mailed.length > 0) tx.emit(userTopic(userId), { kind: "viewer.channelsChanged" });
    });
  return {
    message: "You’re unsubscribed from emails. You can turn them on again in Settings.",
  };
}

/** Returns the topics with emails; none of a deleted account. */
async function topicsWithEmail(connection: Connection, userId: string) {
  if (!(await userById(connection, userId))) return [];
  const channels = await allChannels(connection, userId);
  return notificationTopicNames
    .map((topic) => [topic, channels[topic]] as const)
    .filter(([, { mail }]) => mail !== "never");
}
