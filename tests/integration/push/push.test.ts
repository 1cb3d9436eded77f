import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { execute } from "../../../src/server/database/connection.ts";
import { expectRefusal } from "../../support/expect-refusal.ts";
import { PushService } from "../../support/push-service.ts";
import {
  aBlog,
  aComment,
  followTopics,
  startTestSite,
  until,
  type SignedInBrowser,
  type TestSite,
} from "../../support/test-site.ts";

/* Push to browsers without an open page, through a test push service that decrypts messages as browsers do. */

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

const subscriptions = () => testSite.rows<{ user_id: string }>("select user_id from push_subscriptions");
const jobs = () =>
  testSite.rows<{ name: string; last_error: string }>("select * from jobs where name = 'push'");
const pushesReceived = (count: number) =>
  until(async () => service.received.length >= count, `${count} pushes`);
const pushJobsDone = () => until(async () => jobs().length === 0, "no push waits");
const last = () => service.received.at(-1)!.message;

test("sends a comment's notification once to a subscribed browser, encrypted for it", async () => {
  expect(await ana.api.push.state.query()).toMatchObject({ on: false });
  await ana.api.push.subscribe.mutate(service.subscribe());
  expect(await ana.api.push.state.query()).toMatchObject({ on: true });
  expect(await ben.api.push.state.query()).toMatchObject({ on: false });
  const comment = await ben.api.comments.create.mutate(aComment(blog, { text: "Owls, really?" }));
  await pushesReceived(1);
  expect(last()).toEqual({
    tag: expect.stringContaining("comment:"),
    title: "Ben Oke commented on “A walk at night”",
    body: "Owls, really?",
    url: `/blog/${blog.slug}#comment-${comment.id}`,
    read: [],
  });
  expect(service.received[0]!.headers).toMatchObject({ "content-encoding": "aes128gcm", ttl: "86400" });
  await pushJobsDone();
  expect(service.requestCount).toBe(1);
});

test("keeps the site's push key across a restart", async () => {
  const sealedKey = () =>
    testSite.rows<{ value: string }>("select value from meta where key = 'push_key'")[0]!.value;
  const { key } = await ana.api.push.state.query();
  expect(Buffer.from(key, "base64url")).toHaveLength(65);
  const { PushSender } = await import("../../../src/server/push/push-sender.ts");
  expect((await PushSender.open(testSite.app.services.database, testSite.config)).key).toBe(key);
  expect(sealedKey()).not.toContain(key);
});

describe("sends no push", () => {
  beforeEach(async () => void (await ana.api.push.subscribe.mutate(service.subscribe())));
  const expectNoPush = async () => {
    await pushJobsDone();
    expect(service.requestCount).toBe(0);
  };

  test("while the person looks at a page, and sends again once they look away", async () => {
    const page = followTopics(ana, ["me", "looking"]);
    await until(async () => testSite.app.services.presence.isActive(ana.me.id), "a page that is looked at");
    await ben.api.comments.create.mutate(aComment(blog));
    await expectNoPush();
    page.stop();
    await until(async () => !testSite.app.services.presence.isActive(ana.me.id), "nobody looking");
    await ben.api.social.follow.mutate({ userId: ana.me.id, follow: true });
    await pushesReceived(1);
    expect(last().title).toBe("Ben Oke started following you");
  });

  test("about topics whose push channel is off", async () => {
    await ana.api.social.setNotificationChannels.mutate({ topic: "comments", push: false });
    await ben.api.comments.create.mutate(aComment(blog));
    await ben.api.social.likeBlog.mutate({ blogId: blog.id, liked: true });
    await expectNoPush();
  });

  test("about what the person may no longer see at the time of sending", async () => {
    service.nextStatuses.push(503);
    await ben.api.comments.create.mutate(aComment(blog));
    await until(async () => service.requestCount === 1, "a first try");
    await ana.api.social.block.mutate({ userId: ben.me.id, blocked: true });
    await testSite.write(async (tx) => {
      await execute(tx, "update jobs set due_at = 0 where name = 'push'");
      tx.signal("jobs");
    });
    await pushJobsDone();
    expect(service.received).toEqual([]);
  });

  test("after the session has ended", async () => {
    expect(subscriptions()).toHaveLength(1);
    await ana.api.users.signOut.mutate();
    expect(subscriptions()).toEqual([]);
    await ben.api.comments.create.mutate(aComment(blog));
    await expectNoPush();
  });
});

test("closes notifications that were read elsewhere with the next push, once, and never with a push of its own", async () => {
  await ana.api.push.subscribe.mutate(service.subscribe());
  await ben.api.comments.create.mutate(aComment(blog));
  await pushesReceived(1);
  await pushJobsDone();
  const { tag } = last();
  await ana.api.social.readNotifications.mutate({});
  await pushJobsDone();
  expect(service.requestCount).toBe(1);
  await ben.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  await pushesReceived(2);
  expect(last()).toMatchObject({ title: "Ben Oke started following you", read: [tag] });
  await pushJobsDone();
  await ben.api.comments.create.mutate(aComment(blog));
  await pushesReceived(3);
  expect(last().read).toEqual([]);
});

test("drops a subscription unknown to its push service and retries when the service is busy", async () => {
  await ana.api.push.subscribe.mutate(service.subscribe());
  service.nextStatuses.push(429);
  await ben.api.comments.create.mutate(aComment(blog));
  await until(async () => jobs()[0]?.last_error?.includes("busy") === true, "a job that waits");
  expect(jobs()[0]!.last_error).not.toContain("127.0.0.1");
  await testSite.write(async (tx) => {
    await execute(tx, "update jobs set due_at = 0 where name = 'push'");
    tx.signal("jobs");
  });
  await pushesReceived(1);
  await pushJobsDone();
  service.nextStatuses.push(410);
  await ben.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  await until(async () => !(await ana.api.push.state.query()).on, "no subscription");
  await pushJobsDone();
  const { requestCount } = service;
  await ben.api.comments.create.mutate(aComment(blog, { text: "And now?" }));
  await pushJobsDone();
  expect(service.requestCount).toBe(requestCount);
});

test("lets the same browser renew a subscription that its push service dropped, until it is turned off", async () => {
  const stateOf = async (person: SignedInBrowser) => {
    const { on, renewable } = await person.api.push.state.query();
    return { on, renewable };
  };
  expect(await stateOf(ana)).toEqual({ on: false, renewable: false });
  await ana.api.push.subscribe.mutate(service.subscribe());
  expect(await stateOf(ana)).toEqual({ on: true, renewable: true });
  service.nextStatuses.push(410);
  await ben.api.comments.create.mutate(aComment(blog));
  await until(async () => !(await stateOf(ana)).on, "that it is given up");
  expect(await stateOf(ana)).toEqual({ on: false, renewable: true });
  expect(await stateOf(ben)).toEqual({ on: false, renewable: false });
  const renewed = service.subscribe();
  await ana.api.push.subscribe.mutate(renewed);
  expect(testSite.rows("select endpoint, gone_at from push_subscriptions")).toEqual([
    { endpoint: renewed.endpoint, gone_at: null },
  ]);
  await ben.api.comments.create.mutate(aComment(blog, { text: "There again?" }));
  await pushesReceived(1);
  expect(last().body).toBe("There again?");
  // The same subscription, which works again.
  service.nextStatuses.push(410);
  await ben.api.comments.create.mutate(aComment(blog));
  await until(async () => !(await stateOf(ana)).on, "that it is given up");
  await ana.api.push.subscribe.mutate(renewed);
  expect(await stateOf(ana)).toEqual({ on: true, renewable: true });
  await ana.api.push.unsubscribe.mutate();
  expect(await stateOf(ana)).toEqual({ on: false, renewable: false });
});

test("allows one subscription per browser and ten per account, and moves a browser to its next account", async () => {
  await ana.api.push.subscribe.mutate(service.subscribe());
  await ana.api.push.subscribe.mutate(service.subscribe());
  expect(subscriptions()).toHaveLength(1);
  const subscription = service.subscribe();
  await ana.api.push.subscribe.mutate(subscription);
  await ben.api.push.subscribe.mutate(subscription);
  expect(subscriptions().map(({ user_id }) => user_id)).toEqual([ben.me.id]);
  const cookies: string[] = [];
  for (let number = 0; number < 11; number++) {
    const { cookie } = await testSite.app.services.sessions.begin(ben.me.id, `browser ${number}`);
    cookies.push(cookie);
    await testSite.browser(cookie.split(";")[0]).api.push.subscribe.mutate(service.subscribe());
  }
  expect(subscriptions()).toHaveLength(10);
});

test("refuses push endpoints on this machine, in private networks and with invalid addresses or keys", async () => {
  await using strictSite = await startTestSite();
  const cleo = await strictSite.createAccount("Cleo");
  for (const endpoint of [
    "http://push.example.org/1",
    "https://127.0.0.1/1",
    "https://[::1]/1",
    "https://10.0.0.8:8443/1",
    "https://169.254.169.254/latest",
    "http://127.0.0.1:3000/1",
    "https://user:secret@push.example.org/1",
    "ftp://push.example.org/1",
  ])
    await expectRefusal(cleo.api.push.subscribe.mutate(service.subscribe(endpoint)), "BAD_REQUEST");
  const { keys } = service.subscribe();
  const broken = { endpoint: "https://push.example.org/1", keys: { ...keys, p256dh: "AAAA" } };
  await expectRefusal(cleo.api.push.subscribe.mutate(broken), "BAD_REQUEST");
  // A name that resolves to this machine is refused at delivery.
  await cleo.api.push.subscribe.mutate(service.subscribe("https://localhost/1"));
  const cleosBlog = await cleo.api.blogs.create.mutate(aBlog());
  const dan = await strictSite.createAccount("Dan");
  await dan.api.comments.create.mutate(aComment(cleosBlog));
  const error = () =>
    strictSite.rows<{ last_error: string | null }>("select last_error from jobs where name = 'push'")[0];
  await until(async () => error()?.last_error?.includes("Not of the web") === true, "a refusal");
});
