import { afterEach, beforeEach, expect, test } from "vitest";
import { PushService } from "../support/push-service.ts";
import {
  aBlog,
  aComment,
  listen,
  password,
  refusal,
  startTown,
  until,
  type Browser,
  type Resident,
  type Town,
} from "../support/town.ts";

/* A subscription belongs to the session that asked for it, under the secret which that had then. */

let town: Town;
let service: PushService;
let ana: Resident;
let ben: Resident;
let blog: { id: string; slug: string };

beforeEach(async () => {
  town = await startTown({}, {}, { mayReach: () => true });
  [ana, ben] = [await town.resident("Ana Torres"), await town.resident("Ben Oke")];
  blog = await ana.api.blogs.create.mutate(aBlog());
  service = await PushService.start((await ana.api.push.state.query()).key);
});
afterEach(async () => {
  await service[Symbol.asyncDispose]();
  await town[Symbol.asyncDispose]();
});

const better = "an even better one";
const noneWaits = (name: "push" | "mail") =>
  until(() => town.rows(`select 1 from jobs where name = '${name}'`).length === 0, `no ${name} that waits`);
/** How many pushes a comment of Ben's brings. */
async function pushedByComment(text: string): Promise<number> {
  const before = service.asked;
  await ben.api.comments.create.mutate(aComment(blog, { text }));
  await noneWaits("push");
  return service.asked - before;
}
/** How many mails about notifications Ana was sent. */
async function mailed(): Promise<number> {
  await noneWaits("mail");
  const mails = await town.mailsTo(ana.email);
  return mails.filter((mail) => mail.includes("Subject: Push notifications were turned on")).length;
}
const stateOf = async ({ api }: Browser) => {
  const { on, renewable } = await api.push.state.query();
  return { on, renewable };
};

test.each([
  ["a new password", () => ana.api.users.changePassword.mutate({ current: password, password: better })],
  ["ending all other sessions", () => ana.api.users.revokeOtherSessions.mutate()],
])("%s ends what is pushed to this session, until its own browser renews it", async (_, end) => {
  const thief = town.browser(ana.cookie);
  const stolen = service.subscribe();
  await thief.api.push.subscribe.mutate(stolen);
  expect(await pushedByComment("One.")).toBe(1);
  await end();
  expect(await pushedByComment("Two.")).toBe(0);
  expect(await thief.api.users.me.query()).toBeNull();
  expect(await refusal(thief.api.push.subscribe.mutate(stolen))).toMatchObject({ code: "UNAUTHORIZED" });
  expect(await stateOf(ana)).toEqual({ on: false, renewable: true });
  await ana.api.push.subscribe.mutate(service.subscribe());
  expect(await stateOf(ana)).toEqual({ on: true, renewable: true });
  expect(await pushedByComment("Three.")).toBe(1);
});

test("a subscription under way while its session gets another secret is refused", async () => {
  const thief = town.browser(ana.cookie);
  const { limits } = town.app.parts;
  const take = limits.take.bind(limits);
  // The call has been let in already, and counts itself right before it stores anything.
  limits.take = async (rule, ...rest) => {
    if (rule === "push") await ana.api.users.changePassword.mutate({ current: password, password: better });
    return take(rule, ...rest);
  };
  expect(await refusal(thief.api.push.subscribe.mutate(service.subscribe()))).toMatchObject({
    code: "UNAUTHORIZED",
  });
  limits.take = take;
  expect(town.rows("select 1 from push_subscriptions")).toEqual([]);
});

test("a subscription that is new to its session is mailed, the same one again is not", async () => {
  const own = service.subscribe();
  await ana.api.push.subscribe.mutate(own);
  await ana.api.push.subscribe.mutate(own);
  expect(await mailed()).toBe(1);
  // Its browser renews it by itself after a new password.
  await ana.api.users.changePassword.mutate({ current: password, password: better });
  await ana.api.push.subscribe.mutate(own);
  expect(await mailed()).toBe(1);
  // Another browser takes its place.
  await ana.api.push.subscribe.mutate(service.subscribe());
  expect(await mailed()).toBe(2);
});

test("the link of that mail ends what is pushed, and signs everybody out", async () => {
  await ana.api.push.subscribe.mutate(service.subscribe());
  const token = await town.mailedToken(ana.email, "undo-access");
  await town.browser().api.users.followEmailLink.mutate({ token });
  expect(town.rows("select 1 from push_subscriptions")).toEqual([]);
  expect(await pushedByComment("One.")).toBe(0);
  expect(await ana.api.users.me.query()).toBeNull();
});

test("the list of sessions says which ones notifications are pushed to, in open settings at once", async () => {
  const phone = town.browser();
  await phone.api.users.signIn.mutate({ email: ana.email, password });
  const page = listen(ana, "me");
  await page.live();
  const pushed = async () =>
    (await ana.api.users.sessions.query()).sessions.filter(({ push }) => push).map(({ current }) => current);
  expect(await pushed()).toEqual([]);
  await phone.api.push.subscribe.mutate(service.subscribe());
  await page.heard("viewer.signInChanged", 1);
  expect(await pushed()).toEqual([false]);
  await ana.api.push.subscribe.mutate(service.subscribe());
  await page.heard("viewer.signInChanged", 2);
  expect(new Set(await pushed())).toEqual(new Set([false, true]));
  await phone.api.push.unsubscribe.mutate();
  await page.heard("viewer.signInChanged", 3);
  expect(await pushed()).toEqual([true]);
});
