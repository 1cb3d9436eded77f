import { contextOf } from "../../src/server/http/request-context.ts";
import { hashPassword } from "../../src/server/auth/passwords.ts";
import type { App } from "../../src/server/app.ts";
import { newId } from "../../src/server/runtime/ids.ts";
import { approveSignup } from "../../src/server/sign-in/sign-up-approval.ts";
import { insertUser, userById } from "../../src/server/profiles/queries.ts";
import { beginSession } from "../../src/server/sign-in/sign-in.ts";
import { withSkeleton, freeUsername } from "../../src/server/profiles/usernames.ts";
import { newEmail, password, type Browser, type SignedInBrowser } from "./browser.ts";

/** The hash of the tests' password, computed once in a process because it takes a tenth of a second. */
let passwordHash: Promise<string> | undefined;

/**
 * Stores an account and signs it in with this browser, with the result of `signUpAndSignIn`. Calls the site's own functions without
 * requests, emails and password hashes, which take most of a test's time.
 */
export async function createSignedInAccount({ services }: App, url: string, browser: Browser, name: string) {
  const id = newId();
  const email = newEmail(name);
  const hash = await (passwordHash ??= hashPassword(password));
  await services.database.write(async (tx) => {
    const username = await freeUsername(tx, name, services.config.siteName);
    const createdAt = Date.now();
    await insertUser(tx, { id, ...withSkeleton(username), email, name, passwordHash: hash, createdAt });
    await approveSignup(tx, { setUpByLink: false }, id);
  });
  const ctx = await contextOf(services, null, {
    headers: { origin: url, host: new URL(url).host, "user-agent": "node" },
    address: "127.0.0.1",
    transport: "http",
    setCookie: (cookie) => browser.storeCookie(cookie),
  });
  const user = await userById(services.database.read, id);
  if (!user) throw new Error(`${name} was not stored.`);
  const { viewer } = await beginSession(ctx, user);
  return Object.assign(browser, { me: viewer, email }) satisfies SignedInBrowser;
}
