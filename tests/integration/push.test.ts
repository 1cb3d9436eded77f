import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { PushMessage } from "../../src/shared/push.ts";
import { PushService } from "../support/push-service.ts";
import {
  aBlog,
  aComment,
  followTopics,
  refusal,
  startTown,
  until,
  type Resident,
  type Town,
} from "../support/town.ts";

/* Browsers that receive push notifications while no page is open, by a push service that reads what it is sent as they do. */

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

const subscriptions = () => town.rows<{ user_id: string }>("select user_id from push_subscriptions");
const jobs = () => town.rows<{ name: string; last_error: string }>("select * from jobs where name = 'push'");
const come = (many: number) => until(async () => service.came.length >= many, `${many} pushes`);
const settled = () => until(async () => jobs().length === 0, "no push waits");
const last = () => service.came.at(-1)!.message as PushMessage & { kind: "notification" };

test("a comment is told to a browser that asked for it, which alone can read it", async () => {
  expect(await ana.api.push.state.query()).toMatchObject({ on: false });
  await ana.api.push.subscribe.mutate(service.subscribe());
  expect(await ana.api.push.state.query()).toMatchObject({ on: true });
  expect(await ben.api.push.state.query()).toMatchObject({ on: false });
  const comment = await ben.api.comments.create.mutate(aComment(blog, { text: "Owls, really?" }));
  await come(1);
  expect(last()).toEqual({
    kind: "notification",
    tag: expect.stringContaining("comment:"),
    title: "Ben Oke commented on “A walk at night”",
    body: "Owls, really?",
    url: `/blog/${blog.slug}#comment-${comment.id}`,
  });
  expect(service.came[0]!.headers).toMatchObject({ "content-encoding": "aes128gcm", ttl: "86400" });
  await settled();
  expect(service.asked).toBe(1);
});

test("the site's key stays what it is, also over a restart of the server", async () => {
  const sealed = () =>
    town.rows<{ value: string }>("select value from meta where key = 'push_key'")[0]!.value;
  const { key } = await ana.api.push.state.query();
  expect(Buffer.from(key, "base64url")).toHaveLength(65);
  const { Pushes } = await import("../../src/server/push/pushes.ts");
  expect((await Pushes.open(town.app.parts.database, town.config)).key).toBe(key);
  expect(sealed()).not.toContain(key);
});

describe("nothing is told", () => {
  beforeEach(async () => void (await ana.api.push.subscribe.mutate(service.subscribe())));
  const nothing = async () => {
    await settled();
    expect(service.asked).toBe(0);
  };

  test("to whoever looks at a page, and it is again once they look away", async () => {
    const page = followTopics(ana, ["me", "looking"]);
    await until(async () => town.app.parts.presence.isActive(ana.me.id), "a page that is looked at");
    await ben.api.comments.create.mutate(aComment(blog));
    await nothing();
    page.stop();
    await until(async () => !town.app.parts.presence.isActive(ana.me.id), "nobody looking");
    await ben.api.social.follow.mutate({ userId: ana.me.id, follow: true });
    await come(1);
    expect(last().title).toBe("Ben Oke started following you");
  });

  test("of what its person does not want by push", async () => {
    await ana.api.social.setNotificationChannels.mutate({ topic: "comments", push: false });
    await ben.api.comments.create.mutate(aComment(blog));
    await ben.api.social.likeBlog.mutate({ blogId: blog.id, liked: true });
    await nothing();
  });

  test("of what they may no longer see when it would be sent", async () => {
    service.answers.push(503);
    await ben.api.comments.create.mutate(aComment(blog));
    await until(async () => service.asked === 1, "a first try");
    await ana.api.social.block.mutate({ userId: ben.me.id, blocked: true });
    await town.write(async (tx) => {
      await tx.drizzle.run("update jobs set due_at = 0 where name = 'push'");
      tx.signal("jobs");
    });
    await settled();
    expect(service.came).toEqual([]);
  });

  test("after the session has ended, or the account is gone", async () => {
    expect(subscriptions()).toHaveLength(1);
    await ana.api.users.signOut.mutate();
    expect(subscriptions()).toEqual([]);
    await ben.api.comments.create.mutate(aComment(blog));
    await nothing();
  });
});

test("what was read elsewhere is withdrawn, once", async () => {
  await ana.api.push.subscribe.mutate(service.subscribe());
  await ben.api.comments.create.mutate(aComment(blog));
  await come(1);
  await settled();
  const { tag } = last();
  await ana.api.social.readNotifications.mutate({});
  await come(2);
  expect(service.came[1]!.message).toEqual({ kind: "read", tags: [tag] });
  await settled();
  await ana.api.social.readNotifications.mutate({});
  await settled();
  expect(service.asked).toBe(2);
});

test("a subscription that its push service does not know any more is forgotten; a busy one is tried again", async () => {
  await ana.api.push.subscribe.mutate(service.subscribe());
  service.answers.push(429);
  await ben.api.comments.create.mutate(aComment(blog));
  await until(async () => jobs()[0]?.last_error?.includes("busy") === true, "a job that waits");
  expect(jobs()[0]!.last_error).not.toContain("127.0.0.1");
  await town.write(async (tx) => {
    await tx.drizzle.run("update jobs set due_at = 0 where name = 'push'");
    tx.signal("jobs");
  });
  await come(1);
  await settled();
  service.answers.push(410);
  await ben.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  await until(async () => !(await ana.api.push.state.query()).on, "no subscription");
  await settled();
  const { asked } = service;
  await ben.api.comments.create.mutate(aComment(blog, { text: "And now?" }));
  await settled();
  expect(service.asked).toBe(asked);
});

test("what a push service has given up may be renewed by the browser that asked for it, until it is turned off", async () => {
  const stands = async (who: Resident) => {
    const { on, renewable } = await who.api.push.state.query();
    return { on, renewable };
  };
  expect(await stands(ana)).toEqual({ on: false, renewable: false });
  await ana.api.push.subscribe.mutate(service.subscribe());
  expect(await stands(ana)).toEqual({ on: true, renewable: true });
  service.answers.push(410);
  await ben.api.comments.create.mutate(aComment(blog));
  await until(async () => !(await stands(ana)).on, "that it is given up");
  expect(await stands(ana)).toEqual({ on: false, renewable: true });
  expect(await stands(ben)).toEqual({ on: false, renewable: false });
  const anew = service.subscribe();
  await ana.api.push.subscribe.mutate(anew);
  expect(town.rows("select endpoint, gone_at from push_subscriptions")).toEqual([
    { endpoint: anew.endpoint, gone_at: null },
  ]);
  await ben.api.comments.create.mutate(aComment(blog, { text: "There again?" }));
  await come(1);
  expect(last().body).toBe("There again?");
  // The same one, which works again.
  service.answers.push(410);
  await ben.api.comments.create.mutate(aComment(blog));
  await until(async () => !(await stands(ana)).on, "that it is given up");
  await ana.api.push.subscribe.mutate(anew);
  expect(await stands(ana)).toEqual({ on: true, renewable: true });
  await ana.api.push.unsubscribe.mutate();
  expect(await stands(ana)).toEqual({ on: false, renewable: false });
});

test("a browser has one subscription, an account ten, and another account takes the browser over", async () => {
  await ana.api.push.subscribe.mutate(service.subscribe());
  await ana.api.push.subscribe.mutate(service.subscribe());
  expect(subscriptions()).toHaveLength(1);
  const own = service.subscribe();
  await ana.api.push.subscribe.mutate(own);
  await ben.api.push.subscribe.mutate(own);
  expect(subscriptions().map(({ user_id }) => user_id)).toEqual([ben.me.id]);
  const cookies: string[] = [];
  for (let number = 0; number < 11; number++) {
    const { cookie } = await town.app.parts.sessions.begin(ben.me.id, `browser ${number}`);
    cookies.push(cookie);
    await town.browser(cookie.split(";")[0]).api.push.subscribe.mutate(service.subscribe());
  }
  expect(subscriptions()).toHaveLength(10);
});

test("nobody has the site send to this machine, its neighbours, or what is no push service", async () => {
  await using strict = await startTown();
  const cleo = await strict.resident("Cleo");
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
    expect(await refusal(cleo.api.push.subscribe.mutate(service.subscribe(endpoint)))).toMatchObject({
      code: "BAD_REQUEST",
    });
  const { keys } = service.subscribe();
  const broken = { endpoint: "https://push.example.org/1", keys: { ...keys, p256dh: "AAAA" } };
  expect(await refusal(cleo.api.push.subscribe.mutate(broken))).toMatchObject({ code: "BAD_REQUEST" });
  // A name that leads inside is found out when it is looked up.
  await cleo.api.push.subscribe.mutate(service.subscribe("https://localhost/1"));
  const own = await cleo.api.blogs.create.mutate(aBlog());
  const dan = await strict.resident("Dan");
  await dan.api.comments.create.mutate(aComment(own));
  const error = () =>
    strict.rows<{ last_error: string | null }>("select last_error from jobs where name = 'push'")[0];
  await until(async () => error()?.last_error?.includes("Not of the web") === true, "a refusal");
});
