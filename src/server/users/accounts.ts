import { AppError } from "../../shared/errors.ts";
import { hashPassword, refuseCommon, refuseOwn } from "../auth/passwords.ts";
import type { Context } from "../context.ts";
import { isDuplicate } from "../database/errors.ts";
import { hashSecret, newId } from "../ids.ts";
import { searchTopic } from "../live/facts.ts";
import { letters } from "../mail/letters.ts";
import { requireAdmission, signUpNow, takePlace } from "./admission.ts";
import { findApplication } from "./application-queries.ts";
import { arrive } from "./arrival.ts";
import { issueToken, ownerOfLink, sendMail, sendNothing, wrongLink, type Given } from "./mail-links.ts";
import * as queries from "./queries.ts";
import type { UserRow } from "./queries.ts";
import { requireMail, requireNetwork } from "./senders.ts";
import { asUsername, claimUsername, freeUsername } from "./usernames.ts";

const checkYourMail = "Please check your mail: we have sent you a link to confirm your address.";

/** Adds an account whose address is taken as confirmed: what whoever runs the site does at its command line. Throws `conflict`. */
export async function addAccount(
  parts: Pick<Context, "config" | "database">,
  input: { name: string; email: string; password: string; username?: string; isAdmin?: boolean },
): Promise<{ id: string; username: string }> {
  await refuseCommon(input.password);
  refuseOwn(input.password, input);
  const passwordHash = await hashPassword(input.password);
  const id = newId();
  const now = Date.now();
  try {
    const username = await parts.database.write(async (tx) => {
      const { siteName } = parts.config;
      if (input.username !== undefined) await claimUsername(tx, input.username, { siteName, now });
      const name = input.username ?? (await freeUsername(tx, input.name, siteName));
      const isAdmin = input.isAdmin ?? (await queries.hasNoVerifiedUser(tx));
      await queries.insertUser(tx, {
        id,
        ...asUsername(name),
        email: input.email,
        name: input.name,
        passwordHash,
        isAdmin,
        verifiedAt: now,
        createdAt: now,
      });
      await tx.fact(searchTopic, { kind: "search.people" });
      return name;
    });
    return { id, username };
  } catch (error) {
    if (isDuplicate(error, "users.email"))
      throw new AppError("conflict", "There is an account with that e-mail address already.", {
        field: "email",
      });
    throw error;
  }
}

/** Signs up. The answer is the same whether the address has an account or not; the mail says the rest. */
export async function signUp(
  ctx: Context,
  input: {
    name: string;
    email: string;
    password: string;
    invitation?: string | undefined;
    answer?: string;
    contact_url?: string;
  },
): Promise<{ message: string }> {
  await ctx.limits.take("signUp", ctx.address);
  await requireNetwork(ctx.database.read, ctx.address);
  await requireMail(ctx.database.read, input.email);
  // To whoever filled in what nobody sees it looks as if it had worked.
  if (input.contact_url) {
    await sendNothing(ctx);
    return { message: checkYourMail };
  }
  const admitted = await requireAdmission(ctx.database.read, input.invitation);
  const answer = admitted === "waits" ? (input.answer ?? "") : null;
  await refuseCommon(input.password);
  refuseOwn(input.password, input);
  const passwordHash = await hashPassword(input.password);
  const known = await queries.userByEmail(ctx.database.read, input.email);
  if (known) {
    await remind(ctx, known, { name: input.name, passwordHash, answer });
    return { message: checkYourMail };
  }
  const id = newId();
  try {
    await sendMail(ctx, "verify", input.email, async (tx) => {
      await takePlace(tx, input.invitation);
      const username = await freeUsername(tx, input.name, ctx.config.siteName);
      await queries.insertUser(tx, {
        id,
        ...asUsername(username),
        email: input.email,
        name: input.name,
        passwordHash,
        createdAt: Date.now(),
      });
      const token = await issueToken(tx, id, "verify", { name: input.name, passwordHash, answer });
      return letters.verify(ctx.config, input, token);
    });
  } catch (error) {
    // Somebody signed up with this address in the same moment: they have the mail.
    if (!isDuplicate(error, "users.email")) throw error;
  }
  return { message: checkYourMail };
}

/**
 * Says by mail what the answer does not: that there is an account, or again how to confirm it. `given` is of the sign-up that
 * is meant, where that is known. False where enough mails of the kind have gone there.
 */
export function remind(ctx: Context, user: UserRow, given?: Given): Promise<boolean> {
  if (user.verifiedAt !== null)
    return sendMail(ctx, "there-already", user.email, async (tx) => {
      await queries.leaveTrace(tx, Date.now());
      return letters.alreadyThere(ctx.config, user);
    });
  return sendMail(ctx, "verify", user.email, async (tx) => {
    if (await findApplication(tx, user.id)) {
      await queries.leaveTrace(tx, Date.now());
      return letters.waits(ctx.config, user);
    }
    // What was answered may be forgotten by now: that they have to wait is not.
    const newest = await queries.newestSignUp(tx, user.id);
    const bound = given ?? newest;
    const answer = bound?.answer ?? newest?.answer ?? ((await signUpNow(tx)) === "approval" ? "" : null);
    const token = await issueToken(tx, user.id, "verify", { ...bound, answer });
    return letters.verify(ctx.config, { email: user.email, name: bound?.name ?? user.name }, token);
  });
}

/** Sends the verification mail again. The same answer, whatever the case. */
export async function resendVerification(
  ctx: Context,
  input: { email: string },
): Promise<{ message: string }> {
  await ctx.limits.take("resendVerification", ctx.address);
  const user = await queries.userByEmail(ctx.database.read, input.email);
  if (user) await remind(ctx, user);
  else await sendNothing(ctx);
  return { message: checkYourMail };
}

/** Confirms an address by the token of its mail. The first one of a site becomes its administrator. */
export async function verifyEmail(
  ctx: Context,
  input: { token: string },
): Promise<{ message: string; waits: boolean }> {
  const advice = "Sign in to get a new one.";
  await ownerOfLink(ctx, input.token, "verify", advice);
  const isIn = await ctx.database.write(async (tx) => {
    const token = await queries.takeMailToken(tx, hashSecret(input.token), "verify", Date.now());
    const user = token && (await queries.userById(tx, token.userId));
    if (!user) throw wrongLink(advice);
    await queries.deleteMailTokens(tx, user.id, "verify");
    const { name, passwordHash, answer } = token;
    await queries.updateUser(tx, user.id, {
      ...(name ? { name } : {}),
      ...(passwordHash ? { passwordHash } : {}),
    });
    return arrive(tx, user, answer);
  });
  return {
    waits: !isIn,
    message: isIn
      ? "Your address is confirmed. You can sign in now."
      : "Your address is confirmed. The moderators look at who joins: we write to you as soon as they have decided.",
  };
}
