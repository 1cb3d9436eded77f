import type { Config } from "../runtime/config.ts";
import { deviceName } from "../../shared/user-agent.ts";
import { shorten } from "../../shared/document/shorten.ts";
import { limits } from "../../shared/limits.ts";
import type { EmailFrequency } from "../../shared/notifications.ts";
import { sentRoutes } from "../../shared/routes.ts";
import type { Mail } from "./mailer.ts";

const signature = (config: Config) => `\n\n${config.siteName}\n${config.publicUrl}\n`;

/** Greets without a name that looks like a link: anyone can sign up with any name and address. */
const greeting = (name: string) => (/\S[.:/@]\S/.test(name) ? "Hello," : `Hello ${name},`);

interface Digest {
  frequency: Exclude<EmailFrequency, "never">;
  entries: { sentence: string; excerpt: string | null; path: string }[];
  more: number;
  unsubscribe: string;
}

const frequencyTexts = { now: "right away", daily: "once a day", weekly: "once a week" };

const subjectOf = ({ siteName }: Config, entries: Digest["entries"], more: number): string =>
  entries.length === 1 && more === 0
    ? shorten(entries[0]?.sentence ?? "", 120)
    : `${more > 0 ? "More than " : ""}${entries.length} new notifications on ${siteName}`;

const undoPart = (config: Config, token: string) =>
  `If this was you, you can delete this email.\n\nIf it wasn’t you, undo it within ${limits.token.undoDays} days:\n\n${config.publicUrl}${sentRoutes.undoAccess(token)}\n\nThe page asks you to confirm. Then everyone is signed out, recently added sign-in methods are removed, and we send you a link to choose a new password.`;

const newPasswordPart = (config: Config, token: string) =>
  `Please choose a new one:\n\n${config.publicUrl}${sentRoutes.resetPassword(token)}\n\nThe link works once, within 24 hours. After that, choose “Forgot password” on the sign-in page.`;

/** Plain-text emails. Each says what its link does, and what happens without it. */
export const emails = {
  verify: (config: Config, to: { email: string; name: string }, token: string): Mail => ({
    to: to.email,
    subject: `Confirm your email address for ${config.siteName}`,
    text: `${greeting(to.name)}\n\nPlease confirm your email address:\n\n${config.publicUrl}${sentRoutes.verifyEmail(token)}\n\nThe link works once, within 24 hours. If you didn’t sign up, ignore this email: nothing happens.${signature(config)}`,
  }),
  test: (config: Config, email: string): Mail => ({
    to: email,
    subject: `Test email from ${config.siteName}`,
    text: `Hello,\n\nThis is a test: ${config.siteName} can send emails. You don’t have to do anything.${signature(config)}`,
    headers: { "Auto-Submitted": "auto-generated" },
  }),
  signupPending: (config: Config, to: { email: string; name: string }): Mail => ({
    to: to.email,
    subject: `Your account on ${config.siteName} is waiting for approval`,
    text: `${greeting(to.name)}\n\nSomeone, most likely you, just tried to sign up with this address again. It’s already confirmed, and the moderators are reviewing your request. We’ll email you as soon as they decide. You don’t have to do anything.${signature(config)}`,
  }),
  signupApproved: (config: Config, to: { email: string; name: string }): Mail => ({
    to: to.email,
    subject: `Welcome to ${config.siteName}`,
    text: `${greeting(to.name)}\n\nYour account is approved. Sign in here:\n\n${config.publicUrl}/signin${signature(config)}`,
  }),
  signupRejected: (config: Config, to: { email: string; name: string }, reason: string): Mail => ({
    to: to.email,
    subject: `Your request to join ${config.siteName}`,
    text: `${greeting(to.name)}\n\nThe moderators of ${config.siteName} didn’t approve your account.${reason ? `\n\nReason: ${reason}` : ""}\n\nWe’ve deleted the account.${signature(config)}`,
  }),
  alreadyThere: (config: Config, to: { email: string; name: string }): Mail => ({
    to: to.email,
    subject: `You already have an account on ${config.siteName}`,
    text: `${greeting(to.name)}\n\nSomeone, most likely you, just tried to sign up with this address. You already have an account. Sign in here:\n\n${config.publicUrl}/signin\n\nIf you forgot your password, choose “Forgot password” there. If it wasn’t you, ignore this email: nothing changed.${signature(config)}`,
  }),
  reset: (config: Config, to: { email: string; name: string }, token: string): Mail => ({
    to: to.email,
    subject: `Choose a new password for ${config.siteName}`,
    text: `${greeting(to.name)}\n\nChoose a new password here:\n\n${config.publicUrl}${sentRoutes.resetPassword(token)}\n\nThe link works once, within 24 hours, and signs you out everywhere else. If you didn’t request it, ignore this email: your password stays the same.${signature(config)}`,
  }),
  newEmail: (config: Config, to: { email: string; name: string }, token: string): Mail => ({
    to: to.email,
    subject: `Confirm your new email address for ${config.siteName}`,
    text: `${greeting(to.name)}\n\nPlease confirm this address for your account:\n\n${config.publicUrl}${sentRoutes.changeEmail(token)}\n\nThe link works once, within 24 hours. If you didn’t request it, ignore this email: nothing happens.${signature(config)}`,
  }),
  emailTaken: (config: Config, email: string): Mail => ({
    to: email,
    subject: `This address has an account on ${config.siteName}`,
    text: `Hello,\n\nSomeone tried to change the address of another account to this one, which already has an account. Sign in to it here:\n\n${config.publicUrl}/signin\n\nTo use the address for the other account, change the address of this one first, or delete it. If it wasn’t you, ignore this email: nothing changed.${signature(config)}`,
  }),
  allowEmail: (config: Config, to: { email: string; name: string }, email: string, token: string): Mail => ({
    to: to.email,
    subject: `Change your email address on ${config.siteName}`,
    text: `${greeting(to.name)}\n\nYou asked to change the address of your account to ${email}. If that’s right, open this link, and we’ll send a second one to the new address:\n\n${config.publicUrl}${sentRoutes.changeEmail(token)}\n\nThe link works once, within 24 hours. If you didn’t request it, don’t open it, and check in your settings where you’re signed in. Your address stays the same.${signature(config)}`,
  }),
  emailChanged: (
    config: Config,
    to: { email: string; name: string },
    email: string,
    token: string,
  ): Mail => ({
    to: to.email,
    subject: `Your email address on ${config.siteName} was changed`,
    text: `${greeting(to.name)}\n\nThe address of your account was changed to ${email}. If this was you, you can delete this email.\n\nIf it wasn’t you, change it back here:\n\n${config.publicUrl}${sentRoutes.changeEmail(token)}\n\nThe link works once, within ${limits.token.undoDays} days. Your account gets this address back, everyone is signed out, recently added sign-in methods are removed, and we send you a link to choose a new password.${signature(config)}`,
  }),
  emailBack: (config: Config, to: { email: string; name: string }, token: string): Mail => ({
    to: to.email,
    subject: `Your email address on ${config.siteName} was restored`,
    text: `${greeting(to.name)}\n\nYour account has this address again, and everyone is signed out. Your old password no longer works, since the person who changed the address may know it. ${newPasswordPart(config, token)}${signature(config)}`,
  }),
  accessBack: (config: Config, to: { email: string; name: string }, token: string): Mail => ({
    to: to.email,
    subject: `Everyone is signed out of your account on ${config.siteName}`,
    text: `${greeting(to.name)}\n\nEveryone is signed out of your account, and recently added sign-in methods are removed. Your old password no longer works, since someone else may know it. ${newPasswordPart(config, token)}${signature(config)}`,
  }),
  accessChanged: (
    config: Config,
    to: { email: string; name: string },
    what: string,
    token: string,
  ): Mail => ({
    to: to.email,
    subject: `${what} (${config.siteName})`,
    text: `${greeting(to.name)}\n\n${what}. ${undoPart(config, token)}${signature(config)}`,
  }),
  newSignIn: (
    config: Config,
    to: { email: string; name: string },
    from: { userAgent: string; address: string },
    token: string,
  ): Mail => ({
    to: to.email,
    subject: `New sign-in to your account on ${config.siteName}`,
    text: `${greeting(to.name)}\n\nSomeone signed in to your account on a new device: ${deviceName(from.userAgent)}, from ${from.address}, ${new Date().toUTCString()}. ${undoPart(config, token)}${signature(config)}`,
  }),
  /** `unsubscribe` is opened by a person or called by an email program (RFC 8058). */
  notifications: (
    config: Config,
    to: { email: string; name: string },
    { frequency, entries, more, unsubscribe }: Digest,
  ): Mail => ({
    to: to.email,
    subject: subjectOf(config, entries, more),
    text: `${greeting(to.name)}\n\n${entries.map(({ sentence, excerpt, path }) => `${sentence}${excerpt ? `:\n\n  ${excerpt}` : "."}\n\n${config.publicUrl}${path}`).join("\n\n\n")}\n\n${more > 0 ? `\nYou have more unread notifications: ${config.publicUrl}/notifications\n\n` : ""}\nYou get these emails ${frequencyTexts[frequency]}, as chosen in your settings: ${config.publicUrl}/settings\n\nTo unsubscribe, open this link:\n\n${unsubscribe}${signature(config)}`,
    headers: {
      "List-Unsubscribe": `<${unsubscribe}>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      "Auto-Submitted": "auto-generated",
    },
  }),
  remove: (config: Config, to: { email: string; name: string }, token: string): Mail => ({
    to: to.email,
    subject: `Delete your account on ${config.siteName}`,
    text: `${greeting(to.name)}\n\nOpen this link to delete your account and everything you wrote:\n\n${config.publicUrl}${sentRoutes.deleteAccount(token)}\n\nThe page asks you to confirm. The link works once, within 24 hours. If you didn’t request it, ignore this email and check in your settings where you’re signed in. Your account stays.${signature(config)}`,
  }),
};
