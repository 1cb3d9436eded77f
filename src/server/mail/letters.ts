import type { Config } from "../config.ts";
import { routes } from "../../shared/routes.ts";
import type { Mail } from "./mailer.ts";

const sign = (config: Config) => `\n\n${config.siteName}\n${config.publicUrl}\n`;

/** By name, unless the name could be read as an address: anybody may give any name and anybody's address at a sign-up. */
const greeting = (name: string) => (/\S[.:/@]\S/.test(name) ? "Hello," : `Hello ${name},`);

/** The letters the site sends. Plain text: each has one link and says what happens without it. */
export const letters = {
  verify: (config: Config, to: { email: string; name: string }, token: string): Mail => ({
    to: to.email,
    subject: `Confirm your e-mail address for ${config.siteName}`,
    text: `${greeting(to.name)}\n\nplease confirm that this address is yours:\n\n${config.publicUrl}${routes.verifyEmail(token)}\n\nThe link works once, for 24 hours. If you did not sign up, ignore this mail: nothing happens.${sign(config)}`,
  }),
  alreadyThere: (config: Config, to: { email: string; name: string }): Mail => ({
    to: to.email,
    subject: `You already have an account on ${config.siteName}`,
    text: `${greeting(to.name)}\n\nsomebody, most likely you, just tried to sign up with this address. You already have an account. Sign in here:\n\n${config.publicUrl}/signin\n\nIf you forgot the password, choose "Forgot password" there. If it was not you, ignore this mail: nothing changed.${sign(config)}`,
  }),
  reset: (config: Config, to: { email: string; name: string }, token: string): Mail => ({
    to: to.email,
    subject: `Choose a new password for ${config.siteName}`,
    text: `${greeting(to.name)}\n\nhere you can choose a new password:\n\n${config.publicUrl}${routes.resetPassword(token)}\n\nThe link works once, for 24 hours, and ends your other sessions. If you did not ask for it, ignore this mail: your password stays.${sign(config)}`,
  }),
  remove: (config: Config, to: { email: string; name: string }, token: string): Mail => ({
    to: to.email,
    subject: `Delete your account on ${config.siteName}`,
    text: `${greeting(to.name)}\n\nhere you can delete your account, with everything that you wrote:\n\n${config.publicUrl}${routes.deleteAccount(token)}\n\nThe page asks once more. The link works once, for 24 hours. If you did not ask for it, ignore this mail and look at where you are signed in, in your settings: your account stays.${sign(config)}`,
  }),
};
