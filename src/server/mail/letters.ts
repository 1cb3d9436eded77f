import type { Config } from "../config.ts";
import { deviceName } from "../../shared/device.ts";
import { shorten } from "../../shared/document/shorten.ts";
import { limits } from "../../shared/limits.ts";
import type { WayOfMail } from "../../shared/notices.ts";
import { sentRoutes } from "../../shared/routes.ts";
import type { Mail } from "./mailer.ts";

const sign = (config: Config) => `\n\n${config.siteName}\n${config.publicUrl}\n`;

/** By name, unless the name could be read as an address: anybody may give any name and anybody's address at a sign-up. */
const greeting = (name: string) => (/\S[.:/@]\S/.test(name) ? "Hello," : `Hello ${name},`);

/** What a letter tells of notices: sentences with what was said, and where they lead. */
interface NoticesTold {
  way: Exclude<WayOfMail, "never">;
  entries: { sentence: string; excerpt: string | null; path: string }[];
  /** How many there are beside these. */
  more: number;
  unsubscribe: string;
}

const ways = { now: "at once", daily: "once a day", weekly: "once a week" };

const subjectOf = ({ siteName }: Config, entries: NoticesTold["entries"], more: number): string =>
  entries.length === 1 && more === 0
    ? shorten(entries[0]?.sentence ?? "", 120)
    : `${more > 0 ? "More than " : ""}${entries.length} new notifications on ${siteName}`;

/** What to do about a change that a mail reports, for a reader who did not make it. */
const undoPart = (config: Config, token: string) =>
  `If that was you, you can delete this mail.\n\nIf it was not you, undo it within ${limits.token.undoDays} days:\n\n${config.publicUrl}${sentRoutes.undoAccess(token)}\n\nThe page asks once more. Then everybody is signed out, what was added to how you sign in is removed, also some days back, and we send you a link to choose a new password.`;

/** The letters the site sends. Plain text: each says what its link does, and what happens without it. */
export const letters = {
  verify: (config: Config, to: { email: string; name: string }, token: string): Mail => ({
    to: to.email,
    subject: `Confirm your e-mail address for ${config.siteName}`,
    text: `${greeting(to.name)}\n\nplease confirm that this address is yours:\n\n${config.publicUrl}${sentRoutes.verifyEmail(token)}\n\nThe link works once, for 24 hours. If you did not sign up, ignore this mail: nothing happens.${sign(config)}`,
  }),
  waits: (config: Config, to: { email: string; name: string }): Mail => ({
    to: to.email,
    subject: `You wait to join ${config.siteName}`,
    text: `${greeting(to.name)}\n\nsomebody, most likely you, just tried to sign up with this address again. It is confirmed already, and the moderators look at who joins: we write to you as soon as they have decided. There is nothing that you have to do.${sign(config)}`,
  }),
  letIn: (config: Config, to: { email: string; name: string }): Mail => ({
    to: to.email,
    subject: `Welcome to ${config.siteName}`,
    text: `${greeting(to.name)}\n\nyou are let in. Sign in here:\n\n${config.publicUrl}/signin${sign(config)}`,
  }),
  refused: (config: Config, to: { email: string; name: string }, reason: string): Mail => ({
    to: to.email,
    subject: `You asked to join ${config.siteName}`,
    text: `${greeting(to.name)}\n\nthe moderators of ${config.siteName} have decided not to let you in.${reason ? `\n\nThey say: ${reason}` : ""}\n\nNothing of the account is kept.${sign(config)}`,
  }),
  alreadyThere: (config: Config, to: { email: string; name: string }): Mail => ({
    to: to.email,
    subject: `You already have an account on ${config.siteName}`,
    text: `${greeting(to.name)}\n\nsomebody, most likely you, just tried to sign up with this address. You already have an account. Sign in here:\n\n${config.publicUrl}/signin\n\nIf you forgot the password, choose "Forgot password" there. If it was not you, ignore this mail: nothing changed.${sign(config)}`,
  }),
  reset: (config: Config, to: { email: string; name: string }, token: string): Mail => ({
    to: to.email,
    subject: `Choose a new password for ${config.siteName}`,
    text: `${greeting(to.name)}\n\nhere you can choose a new password:\n\n${config.publicUrl}${sentRoutes.resetPassword(token)}\n\nThe link works once, for 24 hours, and ends your other sessions. If you did not ask for it, ignore this mail: your password stays.${sign(config)}`,
  }),
  newEmail: (config: Config, to: { email: string; name: string }, token: string): Mail => ({
    to: to.email,
    subject: `Confirm your new e-mail address for ${config.siteName}`,
    text: `${greeting(to.name)}\n\nplease confirm that your account is to have this address:\n\n${config.publicUrl}${sentRoutes.changeEmail(token)}\n\nThe link works once, for 24 hours. If you did not ask for it, ignore this mail: nothing happens.${sign(config)}`,
  }),
  emailTaken: (config: Config, email: string): Mail => ({
    to: email,
    subject: `This address has an account on ${config.siteName}`,
    text: `Hello,\n\nsomebody wanted to give another account this address, which has one already. Sign in to it here:\n\n${config.publicUrl}/signin\n\nTo use the address for the other account, give this one another address first, or delete it. If it was not you, ignore this mail: nothing changed.${sign(config)}`,
  }),
  allowEmail: (config: Config, to: { email: string; name: string }, email: string, token: string): Mail => ({
    to: to.email,
    subject: `Change your e-mail address on ${config.siteName}`,
    text: `${greeting(to.name)}\n\nyour account is to have another address: ${email}. If that is what you want, open this link, and a second one goes there:\n\n${config.publicUrl}${sentRoutes.changeEmail(token)}\n\nThe link works once, for 24 hours. If you did not ask for it, do not open it, and look at where you are signed in, in your settings: your address stays.${sign(config)}`,
  }),
  emailChanged: (
    config: Config,
    to: { email: string; name: string },
    email: string,
    token: string,
  ): Mail => ({
    to: to.email,
    subject: `Your e-mail address on ${config.siteName} was changed`,
    text: `${greeting(to.name)}\n\nyour account has another address now: ${email}. If that was you, you can delete this mail.\n\nIf it was not you, take it back here:\n\n${config.publicUrl}${sentRoutes.changeEmail(token)}\n\nThe link works once, for ${limits.token.undoDays} days. Your account gets this address back, everybody is signed out of it, what was added to how you sign in is removed, also some days back, and we send you a link to choose a new password.${sign(config)}`,
  }),
  emailBack: (config: Config, to: { email: string; name: string }, token: string): Mail => ({
    to: to.email,
    subject: `Your e-mail address on ${config.siteName} is back`,
    text: `${greeting(to.name)}\n\nyour account has this address again, and everybody is signed out of it. Your password works no more, since whoever changed the address may know it. Please choose a new one:\n\n${config.publicUrl}${sentRoutes.resetPassword(token)}\n\nThe link works once, for 24 hours. After that, choose "Forgot password" on the sign-in page.${sign(config)}`,
  }),
  accessBack: (config: Config, to: { email: string; name: string }, token: string): Mail => ({
    to: to.email,
    subject: `Everybody is signed out of your account on ${config.siteName}`,
    text: `${greeting(to.name)}\n\neverybody is signed out of your account, and what was added to how you sign in is removed. Your password works no more, since somebody else may know it. Please choose a new one:\n\n${config.publicUrl}${sentRoutes.resetPassword(token)}\n\nThe link works once, for 24 hours. After that, choose "Forgot password" on the sign-in page.${sign(config)}`,
  }),
  accessChanged: (
    config: Config,
    to: { email: string; name: string },
    what: string,
    token: string,
  ): Mail => ({
    to: to.email,
    subject: `${what} on ${config.siteName}`,
    text: `${greeting(to.name)}\n\n${what.toLowerCase()}. ${undoPart(config, token)}${sign(config)}`,
  }),
  newSignIn: (
    config: Config,
    to: { email: string; name: string },
    from: { userAgent: string; address: string },
    token: string,
  ): Mail => ({
    to: to.email,
    subject: `New sign-in to your account on ${config.siteName}`,
    text: `${greeting(to.name)}\n\nsomebody signed in to your account where nobody had before: ${deviceName(from.userAgent)}, from ${from.address}, ${new Date().toUTCString()}. ${undoPart(config, token)}${sign(config)}`,
  }),
  /** `unsubscribe` is an address that ends such mails, by hand or by the mail program itself (RFC 8058). */
  notices: (
    config: Config,
    to: { email: string; name: string },
    { way, entries, more, unsubscribe }: NoticesTold,
  ): Mail => ({
    to: to.email,
    subject: subjectOf(config, entries, more),
    text: `${greeting(to.name)}\n\n${entries.map(({ sentence, excerpt, path }) => `${sentence}${excerpt ? `:\n\n  ${excerpt}` : "."}\n\n${config.publicUrl}${path}`).join("\n\n\n")}\n\n${more > 0 ? `\nThere is more that you have not read: ${config.publicUrl}/notifications\n\n` : ""}\nYou get mails like this ${ways[way]}, as you chose in your settings: ${config.publicUrl}/settings\n\nTo get none any more, open this link:\n\n${unsubscribe}${sign(config)}`,
    headers: {
      "List-Unsubscribe": `<${unsubscribe}>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      "Auto-Submitted": "auto-generated",
    },
  }),
  remove: (config: Config, to: { email: string; name: string }, token: string): Mail => ({
    to: to.email,
    subject: `Delete your account on ${config.siteName}`,
    text: `${greeting(to.name)}\n\nhere you can delete your account, with everything that you wrote:\n\n${config.publicUrl}${sentRoutes.deleteAccount(token)}\n\nThe page asks once more. The link works once, for 24 hours. If you did not ask for it, ignore this mail and look at where you are signed in, in your settings: your account stays.${sign(config)}`,
  }),
};
