import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import type { Viewer } from "../../shared/users.ts";
import { hashPassword, isPassword } from "../auth/passwords.ts";
import type { Context } from "../context.ts";
import type { Connection } from "../database/connection.ts";
import { isDuplicate } from "../database/errors.ts";
import type { Transaction } from "../database/writer.ts";
import { hashSecret, newId, newSecret } from "../ids.ts";
import { cursorNow } from "../live/outbox.ts";
import { letters } from "../mail/letters.ts";
import { post, postNothing } from "../mail/post.ts";
import { presentViewer } from "./present.ts";
import * as queries from "./queries.ts";
import type { UserRow } from "./queries.ts";
import { asUsername, claimUsername, freeUsername } from "./usernames.ts";

const checkYourMail = "Please check your mail: we have sent you a link to confirm your address.";
const day = 24 * 60 * 60 * 1000;

/** What somebody gave at a sign-up: a link opens the account with what its own mail's sign-up gave, never with a stranger's. */
type Given = { name: string | null; passwordHash: string | null };

async function issueToken(
  tx: Transaction,
  userId: string,
  kind: "verify" | "reset",
  given?: Given,
): Promise<string> {
  const token = newSecret();
  // An older link to confirm an address keeps working: people open the mail that came first.
  if (kind === "reset") await queries.deleteMailTokens(tx, userId, kind);
  await queries.insertMailToken(tx, {
    hash: hashSecret(token),
    kind,
    userId,
    ...given,
    expiresAt: Date.now() + (limits.token.hours / 24) * day,
  });
  return token;
}

/** Adds an account whose address is taken as confirmed: what whoever runs the site does at its command line. Throws `conflict`. */
export async function addAccount(
  parts: Pick<Context, "config" | "database">,
  input: { name: string; email: string; password: string; username?: string; isAdmin?: boolean },
): Promise<{ id: string; username: string }> {
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
  input: { name: string; email: string; password: string },
): Promise<{ message: string }> {
  await ctx.limits.take("signUp", ctx.address);
  const passwordHash = await hashPassword(input.password);
  const known = await queries.userByEmail(ctx.database.read, input.email);
  if (known) {
    await remind(ctx, known, { name: input.name, passwordHash });
    return { message: checkYourMail };
  }
  const id = newId();
  try {
    await ctx.database.write(async (tx) => {
      const username = await freeUsername(tx, input.name, ctx.config.siteName);
      await queries.insertUser(tx, {
        id,
        ...asUsername(username),
        email: input.email,
        name: input.name,
        passwordHash,
        createdAt: Date.now(),
      });
      const token = await issueToken(tx, id, "verify", { name: input.name, passwordHash });
      await post(tx, letters.verify(ctx.config, input, token));
    });
  } catch (error) {
    // Somebody signed up with this address in the same moment: they have the mail.
    if (!isDuplicate(error, "users.email")) throw error;
  }
  return { message: checkYourMail };
}

/** Says by mail what the answer does not: that there is an account, or again how to confirm it. `given` is of the sign-up that is meant, where that is known. */
async function remind(ctx: Context, user: UserRow, given?: Given): Promise<void> {
  if (!(await mayMail(ctx, user))) await ctx.database.write(leaveTrace);
  else if (user.verifiedAt === null) await sendVerification(ctx, user, given);
  else
    await ctx.database.write(async (tx) => {
      await queries.leaveTrace(tx, Date.now());
      await post(tx, letters.alreadyThere(ctx.config, user), mailTo(user));
    });
}

/** Writes as much as where a mail goes out with a link. */
async function leaveTrace(tx: Transaction): Promise<void> {
  await queries.leaveTrace(tx, Date.now());
  await postNothing(tx);
}

/** What a mail counts as; it is given back where the mail never arrives. */
const mailTo = (user: UserRow) => ({ rule: "mail", key: user.email }) as const;

/** False where enough mails have gone there; saying so would tell that the address has an account. */
async function mayMail(ctx: Context, user: UserRow): Promise<boolean> {
  const { rule, key } = mailTo(user);
  return ctx.limits.take(rule, key).then(
    () => true,
    () => false,
  );
}

async function sendVerification(ctx: Context, user: UserRow, given?: Given): Promise<void> {
  await ctx.database.write(async (tx) => {
    const bound = given ?? (await queries.newestSignUp(tx, user.id));
    const token = await issueToken(tx, user.id, "verify", bound);
    const to = { email: user.email, name: bound?.name ?? user.name };
    await post(tx, letters.verify(ctx.config, to, token), mailTo(user));
  });
}

/** Sends the verification mail again. The same answer, whatever the case. */
export async function resendVerification(
  ctx: Context,
  input: { email: string },
): Promise<{ message: string }> {
  await ctx.limits.take("signUp", ctx.address);
  const user = await queries.userByEmail(ctx.database.read, input.email);
  if (user) await remind(ctx, user);
  else await ctx.database.write(leaveTrace);
  return { message: checkYourMail };
}

/** Confirms an address by the token of its mail. The first one of a site becomes its administrator. */
export async function verifyEmail(ctx: Context, input: { token: string }): Promise<{ message: string }> {
  await ctx.limits.take("signInAddress", ctx.address);
  await ctx.database.write(async (tx) => {
    const token = await queries.takeMailToken(tx, hashSecret(input.token), "verify", Date.now());
    if (!token)
      throw new AppError(
        "bad_request",
        "This link has been used already or its time is over. Sign in to get a new one.",
      );
    await queries.deleteMailTokens(tx, token.userId, "verify");
    const isAdmin = await queries.hasNoVerifiedUser(tx);
    const { name, passwordHash } = token;
    await queries.updateUser(tx, token.userId, {
      verifiedAt: Date.now(),
      ...(isAdmin ? { isAdmin } : {}),
      ...(name ? { name } : {}),
      ...(passwordHash ? { passwordHash } : {}),
    });
  });
  return { message: "Your address is confirmed. You can sign in now." };
}

/** Sends a link to choose a new password. The same answer, whatever the case. */
export async function forgotPassword(ctx: Context, input: { email: string }): Promise<{ message: string }> {
  await ctx.limits.take("signUp", ctx.address);
  const user = await queries.userByEmail(ctx.database.read, input.email);
  if (user && (await mayMail(ctx, user)))
    await ctx.database.write(async (tx) => {
      const token = await issueToken(tx, user.id, "reset");
      await post(tx, letters.reset(ctx.config, user, token), mailTo(user));
    });
  else await ctx.database.write(leaveTrace);
  return { message: "If that address has an account, we have sent it a link to choose a new password." };
}

/** Sets a new password by the token of the mail, which also shows that the address is theirs. Every session ends. */
export async function resetPassword(
  ctx: Context,
  input: { token: string; password: string },
): Promise<{ message: string }> {
  await ctx.limits.take("signInAddress", ctx.address);
  const passwordHash = await hashPassword(input.password);
  const ended = await ctx.database.write(async (tx) => {
    const token = await queries.takeMailToken(tx, hashSecret(input.token), "reset", Date.now());
    if (!token)
      throw new AppError(
        "bad_request",
        "This link has been used already or its time is over. Please ask for a new one.",
      );
    const user = await queries.userById(tx, token.userId);
    const isAdmin = user?.verifiedAt === null && (await queries.hasNoVerifiedUser(tx));
    // A link of a sign-up, which may be a stranger's, would set that sign-up's password in place of this one.
    await queries.deleteMailTokens(tx, token.userId, "verify");
    await queries.updateUser(tx, token.userId, {
      passwordHash,
      verifiedAt: user?.verifiedAt ?? Date.now(),
      ...(isAdmin ? { isAdmin } : {}),
    });
    return queries.deleteSessionsOf(tx, token.userId);
  });
  ctx.sessions.closed(ended);
  return { message: "Your password is changed. You can sign in with it now." };
}

/** Signs in with a password. An unverified account gets its mail again and is told so; only the right password learns that. */
export async function signIn(
  ctx: Context,
  input: { email: string; password: string },
): Promise<{ viewer: Viewer; token: string; message: string }> {
  await ctx.limits.take("signInAddress", ctx.address);
  await ctx.limits.take("signInAccount", input.email);
  const user = await queries.userByEmail(ctx.database.read, input.email);
  const right = await isPassword(user?.passwordHash, input.password);
  if (!user || !right) throw wrongPair();
  if (user.verifiedAt === null) {
    // The link is for whoever knows this password, not for who signed up with the address last.
    await remind(ctx, user, { name: user.name, passwordHash: user.passwordHash });
    throw new AppError(
      "forbidden",
      "Please confirm your e-mail address first: we have sent you the link again.",
    );
  }
  await ctx.limits.forgive("signInAccount", input.email);
  const signedIn = await beginSession(ctx, user);
  // Looked at once more now that there is a session: a new password that came in between has not ended it.
  const now = await queries.userById(ctx.database.read, user.id);
  if (now?.passwordHash === user.passwordHash) return signedIn;
  await ctx.sessions.end(signedIn.token);
  throw wrongPair();
}

const wrongPair = () => new AppError("unauthorized", "That e-mail address and password do not go together.");

/** Starts a session for somebody who has shown who they are, and sets its cookie. */
export async function beginSession(
  ctx: Context,
  user: UserRow,
): Promise<{ viewer: Viewer; token: string; message: string }> {
  const cursor = await cursorNow(ctx.database.read);
  const session = await ctx.sessions.begin(user.id, ctx.userAgent);
  ctx.setCookie(session.cookie);
  return {
    viewer: { ...presentViewer(user, session.handle), cursor },
    token: session.token,
    message: `Welcome, ${user.name}.`,
  };
}
