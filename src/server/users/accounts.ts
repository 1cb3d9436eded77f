import { AppError } from "../../shared/errors.ts";
import { hashPassword, refuseCommon, refuseOwn } from "../auth/passwords.ts";
import type { Context } from "../context.ts";
import { isDuplicate } from "../database/errors.ts";
import { hashSecret, newId } from "../ids.ts";
import { searchTopic } from "../live/stored-events.ts";
import { emails } from "../mail/emails.ts";
import { requireSignupAllowed, currentSignupMode, claimInvitation } from "./signup-policy.ts";
import { findSignupRequest } from "./signup-request-queries.ts";
import { completeSignup } from "./signup-approval.ts";
import { issueToken, ownerOfLink, sendMail, sendNothing, wrongLink, type Given } from "./mail-links.ts";
import * as queries from "./queries.ts";
import type { UserRow } from "./queries.ts";
import { takeSignUp } from "./quotas.ts";
import { requireAllowedEmail, requireAllowedNetwork } from "./signup-blocks.ts";
import { storedSite } from "./site-queries.ts";
import { asUsername, claimUsername, freeUsername } from "./usernames.ts";

const checkYourMail = "Please check your email: we sent you a link to confirm your address.";

/** Adds an account whose address is taken as confirmed: what whoever runs the site does at its command line. Throws `conflict`. */
export async function addAccount(
  parts: Pick<Context, "config" | "database">,
  input: { name: string; email: string; password: string; username?: string; isAdmin?: boolean },
): Promise<{ id: string; username: string }> {
  refuseCommon(input.password);
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
      await tx.emit(searchTopic, { kind: "search.people" });
      return name;
    });
    return { id, username };
  } catch (error) {
    if (isDuplicate(error, "users.email"))
      throw new AppError("conflict", "There’s already an account with that email address.", {
        field: "email",
      });
    throw error;
  }
}

/** What a browser does while somebody fills in the form; null where nothing is asked for. */
export const beginSignUp = async (ctx: Context): Promise<{ task: string | null }> => ({
  task: (await asksForWork(ctx)) ? ctx.tasks.give() : null,
});

/** Of browsers alone: programs have the bounds of their networks, or do not sign up at all. */
async function asksForWork(ctx: Context): Promise<boolean> {
  const { signUpWork } = await storedSite(ctx.database.read);
  if (signUpWork === "only" && !ctx.browser)
    throw new AppError("forbidden", "You can only sign up on the site itself. Please sign up there.");
  return ctx.config.rateLimit && ctx.browser !== null && signUpWork !== "off";
}

async function requireWork(ctx: Context, done: string | undefined): Promise<void> {
  if ((await asksForWork(ctx)) && !(done !== undefined && ctx.tasks.take(done)))
    throw new AppError(
      "forbidden",
      "Your browser couldn’t complete the check against bots. Please try again. If that doesn’t help, update it or use another one.",
      { field: "work" },
    );
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
    work?: string | undefined;
  },
): Promise<{ message: string }> {
  await requireAllowedNetwork(ctx.database.read, ctx.address);
  await requireAllowedEmail(ctx.database.read, input.email);
  // To whoever filled in what nobody sees it looks as if it had worked.
  if (input.contact_url) {
    await sendNothing(ctx);
    return { message: checkYourMail };
  }
  const admitted = await requireSignupAllowed(ctx.database.read, input.invitation);
  const answer = admitted === "waits" ? (input.answer ?? "") : null;
  refuseCommon(input.password);
  refuseOwn(input.password, input);
  await requireWork(ctx, input.work);
  // By itself, before what costs something and before anything is known of the address: all of them count. A link has its places.
  if (admitted !== "invited") await ctx.database.write((tx) => takeSignUp(tx, ctx));
  const passwordHash = await hashPassword(input.password);
  const known = await queries.userByEmail(ctx.database.read, input.email);
  if (known) {
    await remind(ctx, known, { name: input.name, passwordHash, answer });
    return { message: checkYourMail };
  }
  const id = newId();
  try {
    await sendMail(ctx, "verify", input.email, async (tx) => {
      await claimInvitation(tx, input.invitation);
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
      return emails.verify(ctx.config, input, token);
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
      return emails.alreadyThere(ctx.config, user);
    });
  return sendMail(ctx, "verify", user.email, async (tx) => {
    if (await findSignupRequest(tx, user.id)) {
      await queries.leaveTrace(tx, Date.now());
      return emails.signupPending(ctx.config, user);
    }
    // What was answered may be forgotten by now: that they have to wait is not.
    const newest = await queries.newestSignUp(tx, user.id);
    const bound = given ?? newest;
    const answer =
      bound?.answer ?? newest?.answer ?? ((await currentSignupMode(tx)) === "approval" ? "" : null);
    const token = await issueToken(tx, user.id, "verify", { ...bound, answer });
    return emails.verify(ctx.config, { email: user.email, name: bound?.name ?? user.name }, token);
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

/** What a link that confirms an address is answered with. */
interface Confirmed {
  message: string;
  /** Moderators decide first. */
  waits: boolean;
  /** The address, which whoever signs in with need not type again; null where the link had done its work before. */
  email: string | null;
}

/**
 * Confirms an address by the token of its mail. The first one of a site becomes its administrator. To whoever is signed in as the
 * account that it confirmed it says so again.
 */
export async function verifyEmail(ctx: Context, input: { token: string }): Promise<Confirmed> {
  const advice = "Sign in to get a new one.";
  const hash = hashSecret(input.token);
  if (ctx.viewer) {
    const owner = await queries.userByMailToken(ctx.database.read, hash, "verified", Date.now());
    if (owner?.id === ctx.viewer.id)
      return { message: "Your address is confirmed.", waits: false, email: null };
  }
  await ownerOfLink(ctx, input.token, "verify", advice);
  const [isIn, email] = await ctx.database.write(async (tx) => {
    const token = await queries.takeMailToken(tx, hash, "verify", Date.now());
    const user = token && (await queries.userById(tx, token.userId));
    if (!user) throw wrongLink(advice);
    await queries.deleteMailTokens(tx, user.id, "verify");
    const { name, passwordHash, answer, userId, expiresAt } = token;
    await queries.insertMailToken(tx, { hash, kind: "verified", userId, expiresAt });
    await queries.updateUser(tx, user.id, {
      ...(name ? { name } : {}),
      ...(passwordHash ? { passwordHash } : {}),
    });
    return [await completeSignup(tx, user, answer), user.email] as const;
  });
  return {
    waits: !isIn,
    email,
    message: isIn
      ? "Your address is confirmed. You can sign in now."
      : "Your address is confirmed. The moderators review new accounts. We’ll email you as soon as they decide.",
  };
}
