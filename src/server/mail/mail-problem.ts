import { decodeUri } from "../../shared/decode-uri.ts";

type MailError = Error & { code?: string; response?: string; responseCode?: number };

/** Removes email addresses: mail servers' errors name the recipient. */
export const withoutAddresses = (text: string): string => text.replace(/[^\s<>"'(]+@[^\s<>"')]+/g, "…");

/** Removes the user name and password of the mail server's URL, which a server may repeat. */
export function withoutAccount(text: string, smtpUrl: string): string {
  const { username, password } = new URL(smtpUrl);
  const name = decodeUri(username) ?? username;
  const secret = decodeUri(password) ?? password;
  const plain = [username, password, name, secret];
  const coded = [...plain, `\0${name}\0${secret}`].map((part) => Buffer.from(part).toString("base64"));
  return [...plain, ...coded]
    .filter((part) => part.length > 3)
    .toSorted((one, other) => other.length - one.length)
    .reduce((shown, part) => shown.replaceAll(part, "…"), text);
}

/** Whether the mail server refused one recipient for good, by its enhanced code: other emails may arrive. */
export function isAboutRecipient(error: unknown): boolean {
  return /^5\d\d[ -]5\.(?:1\.(?:[1-36]|10)|2\.\d+)\b/.test(causeOf(error).response ?? "");
}

const causeOf = (error: unknown): MailError =>
  (error instanceof Error && error.cause instanceof Error ? error.cause : error) as MailError;

/** Says in plain words why an email could not be sent, and what to do, without addresses and the account at the mail server. */
export function mailProblem(error: unknown, smtpUrl: string): string {
  const { code, message, response, responseCode } = causeOf(error);
  const { hostname, host } = new URL(smtpUrl);
  const said = withoutAddresses(withoutAccount(response ?? message, smtpUrl))
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 300);
  // Without its words, which are about the account.
  if (code === "EAUTH") return `${host} refuses the user name or the password in SMTP_URL.`;
  if (responseCode !== undefined) return `${host} refuses the email: “${said}”.`;
  if (/ENOTFOUND|EAI_AGAIN/.test(message) || code === "EDNS")
    return `There is no server at the name ${hostname}. Check the host in SMTP_URL.`;
  if (message.includes("ECONNREFUSED"))
    return `${host} refuses the connection. Check the host and the port in SMTP_URL.`;
  if (code === "ETIMEDOUT")
    return `${host} doesn’t answer. Check the host and the port in SMTP_URL, which begins with smtps:// for port 465 and with smtp:// for others. Your hosting provider may block the port.`;
  if (/wrong version number|SSL routines/.test(message))
    return `${host} doesn’t encrypt from the start. SMTP_URL begins with smtps:// for port 465 and with smtp:// for others.`;
  if (/certificate/.test(message)) return `The certificate of ${host} isn’t valid: ${said}.`;
  return `Sending through ${host} fails: ${said}.`;
}
