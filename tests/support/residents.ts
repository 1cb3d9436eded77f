import { contextOf } from "../../src/server/asking.ts";
import { hashPassword } from "../../src/server/auth/passwords.ts";
import type { App } from "../../src/server/app.ts";
import { newId } from "../../src/server/ids.ts";
import { letIn } from "../../src/server/users/arrival.ts";
import { insertUser, userById } from "../../src/server/users/queries.ts";
import { beginSession } from "../../src/server/users/sign-in.ts";
import { asUsername, freeUsername } from "../../src/server/users/usernames.ts";
import { newEmail, password, type Browser, type Resident } from "./browser.ts";

/** The hash of the tests' password: one is enough for all accounts of a process, since it takes a tenth of a second to make. */
let passwordHash: Promise<string> | undefined;

/**
 * Makes an account that is signed in with this browser, as `moveIn` leaves it, by the site's own functions but without its
 * requests, emails and password hashes, which take most of a test's time.
 */
export async function makeResident({ parts }: App, url: string, browser: Browser, name: string) {
  const id = newId();
  const email = newEmail(name);
  const hash = await (passwordHash ??= hashPassword(password));
  await parts.database.write(async (tx) => {
    const username = await freeUsername(tx, name, parts.config.siteName);
    const createdAt = Date.now();
    await insertUser(tx, { id, ...asUsername(username), email, name, passwordHash: hash, createdAt });
    await letIn(tx, id);
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
