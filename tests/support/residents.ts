import { contextOf } from "../../src/server/asking.ts";
import { hashPassword } from "../../src/server/auth/passwords.ts";
import type { App } from "../../src/server/app.ts";
import { newId } from "../../src/server/ids.ts";
import { approveSignup } from "../../src/server/users/signup-approval.ts";
import { insertUser, userById } from "../../src/server/users/queries.ts";
import { beginSession } from "../../src/server/users/sign-in.ts";
import { asUsername, freeUsername } from "../../src/server/users/usernames.ts";
import { newEmail, password, type Browser, type Resident } from "./browser.ts";

/** The hash of the tests' password, made once in a process because it takes a tenth of a second. */
let passwordHash: Promise<string> | undefined;

/**
 * Stores an account and signs it in with this browser, with the result of `moveIn`. It calls the site's own functions and leaves
 * out requests, emails and password hashes, which take most of a test's time.
 */
export async function makeResident({ parts }: App, url: string, browser: Browser, name: string) {
  const id = newId();
  const email = newEmail(name);
  const hash = await (passwordHash ??= hashPassword(password));
  await parts.database.write(async (tx) => {
    const username = await freeUsername(tx, name, parts.config.siteName);
    const createdAt = Date.now();
    await insertUser(tx, { id, ...asUsername(username), email, name, passwordHash: hash, createdAt });
    await approveSignup(tx, id);
  });
  const ctx = await contextOf(parts, null, {
    headers: { origin: url, host: new URL(url).host, "user-agent": "node" },
    address: "127.0.0.1",
    transport: "http",
    setCookie: (cookie) => browser.keep(cookie),
  });
  const user = await userById(parts.database.read, id);
  if (!user) throw new Error(`${name} was not stored.`);
  const { viewer } = await beginSession(ctx, user);
  return Object.assign(browser, { me: viewer, email }) satisfies Resident;
}
