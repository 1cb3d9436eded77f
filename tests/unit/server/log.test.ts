import { expect, test } from "vitest";
import { loggable } from "../../../src/server/log.ts";
import { routes } from "../../../src/shared/routes.ts";

const secret = "a-secret.that-came_by.mail";
const links = {
  verifyEmail: routes.verifyEmail(secret),
  resetPassword: routes.resetPassword(secret),
  changeEmail: routes.changeEmail(secret),
  deleteAccount: routes.deleteAccount(secret),
  unsubscribe: routes.unsubscribe(secret),
  invitation: routes.signUp(secret),
  "over REST": `/api/v1/verify-email/${secret}`,
};

test.each(Object.entries(links))("what a mail's link opens does not reach the log: %s", (_name, path) => {
  expect(loggable(path)).not.toContain("secret");
  expect(loggable(`${path}?from=mail`)).not.toContain("secret");
  expect(loggable(path)).toContain(path.split(/[/?]/)[1]);
});

test("other addresses stand in the log as they are, but for what they ask", () => {
  expect(loggable("/blog/a-walk-at-night?comments=open")).toBe("/blog/a-walk-at-night?…");
  expect(loggable("/unsubscribe")).toBe("/unsubscribe");
});
