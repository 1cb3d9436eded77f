import { expect, test } from "vitest";
import { maxNameLookups } from "../../../src/shared/mentions.ts";
import { expectRefusal } from "../../support/expect-refusal.ts";
import { siteWith } from "../../support/site-with.ts";
import { password, type SignedInBrowser } from "../../support/test-site.ts";

test("a username, current or former, finds its account unless that is blocked, deleted or unconfirmed", async () => {
  const [testSite, , ana, ben, eve] = await siteWith("Administrator", "Ana", "Ben", "Eve");
  const named = async ({ api }: Pick<SignedInBrowser, "api">, ...usernames: string[]) =>
    (await api.users.named.query({ usernames })).people.map(({ asked, username }) => [asked, username]);
  const [anasName, bensName] = [ana.me.username, ben.me.username];
  expect(await named(testSite.browser(), anasName, "nobody", bensName.toUpperCase(), anasName)).toEqual([
    [anasName, anasName],
    [bensName, bensName],
  ]);
  expect(await named(eve)).toEqual([]);

  await ana.api.users.updateProfile.mutate({ username: "ana.of.now" });
  expect(await named(eve, anasName, "ana.of.now")).toEqual([
    [anasName, "ana.of.now"],
    ["ana.of.now", "ana.of.now"],
  ]);
  await ben.api.social.block.mutate({ userId: eve.me.id, blocked: true });
  expect(await named(eve, bensName, anasName)).toEqual([[anasName, "ana.of.now"]]);
  expect(await named(ana, bensName)).toEqual([[bensName, bensName]]);
  await ana.api.users.remove.mutate({ password });
  expect(await named(eve, anasName, "ana.of.now")).toEqual([]);

  await testSite.browser().api.users.signUp.mutate({ name: "New", email: "new@example.org", password });
  const [{ username: unconfirmedName }] = testSite.rows(
    "select username from users where verified_at is null",
  ) as unknown as [{ username: string }];
  expect(await named(eve, unconfirmedName)).toEqual([]);
  const tooManyNames = Array.from({ length: maxNameLookups + 1 }, (_, index) => `somebody${index}`);
  await expectRefusal(eve.api.users.named.query({ usernames: tooManyNames }), "BAD_REQUEST");
});
