import { afterEach, beforeEach, expect, test } from "vitest";
import { expectRefusal } from "../../support/expect-refusal.ts";
import { PushService } from "../../support/push-service.ts";
import {
  aBlog,
  aComment,
  followTopic,
  password,
  startTestSite,
  until,
  type Browser,
  type SignedInBrowser,
  type TestSite,
} from "../../support/test-site.ts";

/* A push subscription belongs to the session that created it and to the secret it had then. */

let testSite: TestSite;
let service: PushService;
let ana: SignedInBrowser;
let ben: SignedInBrowser;
let blog: { id: string; slug: string };

beforeEach(async () => {
  testSite = await startTestSite({}, {}, { mayReach: () => true });
  [ana, ben] = [await testSite.createAccount("Ana Torres"), await testSite.createAccount("Ben Oke")];
  blog = await ana.api.blogs.create.mutate(aBlog());
  service = await PushService.start((await ana.api.push.state.query()).key);
});
afterEach(async () => {
  await service[Symbol.asyncDispose]();
  await testSite[Symbol.asyncDispose]();
});

const newPassword = "an even better one";
const jobsDone = (name: "push" | "mail") =>
  until(
    () => testSite.rows(`select 1 from jobs where name = '${name}'`).length === 0,
    `no ${name} that waits`,
  );
/** Returns the number of pushes that a comment by Ben causes. */
async function pushedByComment(text: string): Promise<number> {
  const before = service.requestCount;
  await ben.api.comments.create.mutate(aComment(blog, { text }));
  await jobsDone("push");
  return service.requestCount - before;
}
/** Returns the number of emails about push notifications that Ana received. */
async function pushAlertCount(): Promise<number> {
  await jobsDone("mail");
  const mails = await testSite.mailsTo(ana.email);
  return mails.filter((mail) => mail.includes("Subject: Push notifications were turned on")).length;
}
const stateOf = async ({ api }: Browser) => {
  const { on, renewable } = await api.push.state.query();
  return { on, renewable };
};

test.each([
  ["a new password", () => ana.api.users.changePassword.mutate({ current: password, password: newPassword })],
  ["ending all other sessions", () => ana.api.users.revokeOtherSessions.mutate()],
])("%s ends push to this session until its own browser renews the subscription", async (_, endSessions) => {
  const thief = testSite.browser(ana.cookie);
  const stolenSubscription = service.subscribe();
  await thief.api.push.subscribe.mutate(stolenSubscription);
  expect(await pushedByComment("One.")).toBe(1);
  await endSessions();
  expect(await pushedByComment("Two.")).toBe(0);
  expect(await thief.api.users.me.query()).toBeNull();
  await expectRefusal(thief.api.push.subscribe.mutate(stolenSubscription), "UNAUTHORIZED");
  expect(await stateOf(ana)).toEqual({ on: false, renewable: true });
  await ana.api.push.subscribe.mutate(service.subscribe());
  expect(await stateOf(ana)).toEqual({ on: true, renewable: true });
  expect(await pushedByComment("Three.")).toBe(1);
});

test("refuses a subscription when its session gets another secret meanwhile", async () => {
  const thief = testSite.browser(ana.cookie);
  const { limits } = testSite.app.services;
  const take = limits.take.bind(limits);
  // The call is authorized already and takes from the rate limit right before it stores anything.
  limits.take = async (rule, ...takeArgs) => {
    if (rule === "push")
      await ana.api.users.changePassword.mutate({ current: password, password: newPassword });
    return take(rule, ...takeArgs);
  };
  await expectRefusal(thief.api.push.subscribe.mutate(service.subscribe()), "UNAUTHORIZED");
  limits.take = take;
  expect(testSite.rows("select 1 from push_subscriptions")).toEqual([]);
});

test("emails the account about a subscription new to its session, not about a repeated one", async () => {
  const subscription = service.subscribe();
  await ana.api.push.subscribe.mutate(subscription);
  await ana.api.push.subscribe.mutate(subscription);
  expect(await pushAlertCount()).toBe(1);
  // The browser renews it by itself after a password change.
  await ana.api.users.changePassword.mutate({ current: password, password: newPassword });
  await ana.api.push.subscribe.mutate(subscription);
  expect(await pushAlertCount()).toBe(1);
  // Another browser replaces it.
  await ana.api.push.subscribe.mutate(service.subscribe());
  expect(await pushAlertCount()).toBe(2);
});

test("ends push and signs out every session when the link in that email is followed", async () => {
  await ana.api.push.subscribe.mutate(service.subscribe());
  const token = await testSite.mailedToken(ana.email, "undo-access");
  await testSite.browser().api.users.followEmailLink.mutate({ token });
  expect(testSite.rows("select 1 from push_subscriptions")).toEqual([]);
  expect(await pushedByComment("One.")).toBe(0);
  expect(await ana.api.users.me.query()).toBeNull();
});

test("marks sessions with push in the session list and updates open settings at once", async () => {
  const phone = testSite.browser();
  await phone.api.users.signIn.mutate({ email: ana.email, password });
  const page = followTopic(ana, "me");
  await page.waitForStart();
  const sessionsWithPush = async () =>
    (await ana.api.users.sessions.query()).sessions.filter(({ push }) => push).map(({ current }) => current);
  expect(await sessionsWithPush()).toEqual([]);
  await phone.api.push.subscribe.mutate(service.subscribe());
  await page.waitFor("viewer.signInChanged", 1);
  expect(await sessionsWithPush()).toEqual([false]);
  await ana.api.push.subscribe.mutate(service.subscribe());
  await page.waitFor("viewer.signInChanged", 2);
  expect(new Set(await sessionsWithPush())).toEqual(new Set([false, true]));
  await phone.api.push.unsubscribe.mutate();
  await page.waitFor("viewer.signInChanged", 3);
  expect(await sessionsWithPush()).toEqual([true]);
});
