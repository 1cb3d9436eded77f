import path from "node:path";
import type { BrowserContext, Page } from "@playwright/test";
import Sqlite from "better-sqlite3";
import type { PushMessage } from "../../src/shared/push.ts";
import { aBlog, aComment } from "../support/sample-content.ts";
import { everyBrowser, launchOptions } from "../../scripts/browser.ts";
import { withWorker } from "./offline-helpers.ts";
import { expect, allowErrors, password, sharedTest as test } from "./test-site.ts";

/* The browser's side of push. tests/integration/push/push.test.ts tests what the site sends; here the browser is handed it. */

// The headless shell shows no notifications: without another Chromium, tests that need some are skipped.
const fullChromium = everyBrowser().find((browser) => !browser.includes("headless"));
const notShown = "only a whole Chromium shows notifications";
test.use({
  launchOptions: { ...launchOptions(), ...(fullChromium ? { executablePath: fullChromium } : {}) },
});

/** Delivers a push message to the service worker, as the browser does. */
async function deliver(page: Page, message: PushMessage): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) =>
    session.on("ServiceWorker.workerVersionUpdated", ({ versions }) => {
      const active = versions.find(({ status }) => status === "activated");
      if (active) resolve(active.registrationId);
    }),
  );
  await session.send("ServiceWorker.enable");
  const { origin } = new URL(page.url());
  await session.send("ServiceWorker.deliverPushMessage", {
    origin,
    registrationId: await registered,
    data: JSON.stringify(message),
  });
  // The session stays attached: on a busy machine detaching would drop the message.
}

const shownNotifications = (page: Page): Promise<{ title: string; body: string; tag: string }[]> =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    return (await registration.getNotifications()).map(({ title, body, tag }) => ({ title, body, tag }));
  });

/**
 * Delivers a push until these notifications are shown: Chromium drops one that it has not displayed yet when a test asks for all of
 * them.
 */
const deliverShown = (page: Page, message: PushMessage, shown: object[]): Promise<void> =>
  expect(async () => {
    await deliver(page, message);
    await expect.poll(() => shownNotifications(page), { timeout: 5_000 }).toMatchObject(shown);
  }).toPass();

const aNotification = (url: string, tag = "comment:1", read: string[] = []): PushMessage => ({
  tag,
  title: "Ben Oke commented on “A walk at night”",
  body: "Owls, really?",
  url,
  read,
});

async function click(context: BrowserContext): Promise<void> {
  const [worker] = context.serviceWorkers();
  await worker!.evaluate(async () => {
    const { registration } = self as unknown as { registration: ServiceWorkerRegistration };
    const [notification] = await registration.getNotifications();
    const Click = (self as unknown as { NotificationEvent: new (type: string, init: object) => Event })
      .NotificationEvent;
    dispatchEvent(new Click("notificationclick", { notification }));
  });
}

test("shows a pushed notification, leads to its blog in the open page, and closes it when read elsewhere", async ({
  site,
  open,
}) => {
  test.skip(!fullChromium, notShown);
  const [ana, ben] = await site.createAccounts("Ana Torres", "Ben Oke");
  const blog = await ana.api.blogs.create.mutate(aBlog());
  // Something is unread whenever a notification must stay: a page closes all of them once nothing is, also while it loads.
  await ben.api.comments.create.mutate(aComment(blog));
  const page = await open(ana, { ...withWorker, permissions: ["notifications"] });
  await page.goto("/settings");
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await deliverShown(page, aNotification(`/blog/${blog.slug}`), [
    { title: "Ben Oke commented on “A walk at night”", body: "Owls, really?", tag: "comment:1" },
  ]);
  await deliverShown(page, aNotification("/home", "comment:2", ["comment:1"]), [{ tag: "comment:2" }]);
  await ben.api.social.likeBlog.mutate({ blogId: blog.id, liked: true });
  await expect(page.getByRole("button", { name: "Notifications, 2 new" })).toBeVisible();
  expect(await shownNotifications(page)).toHaveLength(1);
  await ana.api.social.readNotifications.mutate({});
  await expect.poll(() => shownNotifications(page)).toEqual([]);

  await ben.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  await expect(page.getByRole("button", { name: "Notifications, 1 new" })).toBeVisible();
  // Under another tag: Chromium may close a notification with the tag of one that was just closed.
  await deliverShown(page, aNotification(`/blog/${blog.slug}`, "comment:3"), [{ tag: "comment:3" }]);
  await click(page.context());
  await expect(page.getByText("Owls, mostly.")).toBeVisible();
  expect(await shownNotifications(page)).toEqual([]);
});

test("closes notifications when their person signs out @more", async ({ site, open }) => {
  test.skip(!fullChromium, notShown);
  const [ana, ben] = await site.createAccounts("Ana Torres", "Ben Oke");
  // A page closes all notifications if nothing is unread.
  await ben.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  const page = await open(ana, { ...withWorker, permissions: ["notifications"] });
  await page.goto("/settings");
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await deliver(page, aNotification("/home"));
  await expect.poll(() => shownNotifications(page)).toHaveLength(1);
  await page.getByRole("button", { name: "Menu of Ana Torres" }).click();
  await page.getByRole("menuitem", { name: "Log Out" }).click();
  await expect(page).toHaveURL(/signin/);
  await expect.poll(() => shownNotifications(page)).toEqual([]);
});

test("shows this device's push state in the settings, and asks for permission only after a click @more", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const withoutWorker = await open(ana);
  await withoutWorker.goto("/settings");
  await expect(withoutWorker.getByRole("switch", { name: "Likes: push" })).toBeVisible();

  const denied = await open(ana, withWorker);
  await denied.addInitScript(() =>
    Object.defineProperty(Notification, "permission", { get: () => "denied", configurable: true }),
  );
  await denied.goto("/settings");
  await expect(denied.getByText("Notifications are blocked for this site")).toBeVisible();

  const withoutPush = await open(ana, withWorker);
  await withoutPush.addInitScript(() => Reflect.deleteProperty(window, "PushManager"));
  await withoutPush.goto("/settings");
  await expect(withoutPush.getByText("doesn’t support push notifications")).toBeVisible();

  const withPush = await open(ana, { ...withWorker, permissions: ["notifications"] });
  await withPush.addInitScript(() => {
    let requestCount = 0;
    let subscription: object | null = null;
    Object.defineProperty(Notification, "permission", { get: () => "default", configurable: true });
    Notification.requestPermission = async () => (requestCount++, "granted");
    const toJSON = () => ({
      endpoint: "https://push.example.org/1",
      keys: {
        p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        auth: "BTBZMqHH6r4Tts7J_aSIgg",
      },
    });
    const unsubscribe = async () => ((subscription = null), true);
    PushManager.prototype.getSubscription = async () => subscription as unknown as PushSubscription | null;
    PushManager.prototype.subscribe = async () =>
      (subscription = { toJSON, unsubscribe }) as unknown as PushSubscription;
    Object.assign(window, { asked: () => requestCount });
  });
  await withPush.goto("/settings");
  const turnOn = withPush.getByRole("button", { name: "Turn on for this device" });
  await expect(turnOn).toBeVisible();
  const permissionRequests = () =>
    withPush.evaluate(() => (window as unknown as { asked: () => number }).asked());
  expect(await permissionRequests()).toBe(0);
  await turnOn.click();
  await expect(withPush.getByRole("button", { name: "Turn off for this device" })).toBeVisible();
  expect(await permissionRequests()).toBe(1);
  expect((await ana.api.push.state.query()).on).toBe(true);
  const inList = withPush.getByText("push notifications on");
  await expect(inList).toBeVisible();
  await withPush.getByRole("button", { name: "Turn off for this device" }).click();
  await expect(turnOn).toBeVisible();
  await expect(inList).toBeHidden();
  expect((await ana.api.push.state.query()).on).toBe(false);

  // A new password ends this session's subscription; its browser renews it.
  await turnOn.click();
  await expect(inList).toBeVisible();
  for (const page of [withoutWorker, denied, withoutPush, withPush]) allowErrors(page);
  await withPush.getByRole("button", { name: "Change password" }).click();
  await withPush.getByRole("textbox", { name: "Current password" }).fill(password);
  await withPush.getByRole("textbox", { name: "New password" }).fill("an even better one");
  await withPush.keyboard.press("Enter");
  await expect(withPush.getByText("Password changed.")).toBeVisible();
  const store = new Sqlite(path.join(site.dataDir, "reprise.db"), { readonly: true });
  const live = store.prepare("select endpoint from push_subscriptions where user_id = ? and gone_at is null");
  await expect.poll(() => live.pluck().all(ana.me.id)).toEqual(["https://push.example.org/1"]);
  store.close();
  await expect(inList).toBeVisible();
  await expect(withPush.getByRole("button", { name: "Turn off for this device" })).toBeVisible();
});

test("renews an expired push subscription without a page, if there was one @more", async ({ site, open }) => {
  const ana = await site.createAccount("Ana Torres");
  const page = await open(ana, withWorker);
  await page.goto("/settings");
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  const [worker] = page.context().serviceWorkers();
  /** Stubs the push service to give a new subscription, and dispatches the browser's event about it. */
  const renew = (endpoint: string) =>
    worker!.evaluate(async (newEndpoint) => {
      const scope = self as unknown as {
        PushManager: { prototype: { subscribe: (options: object) => Promise<object> } };
        ExtendableEvent: new (type: string) => Event & { waitUntil: (work: Promise<unknown>) => void };
      };
      let subscribeOptions: object | undefined;
      scope.PushManager.prototype.subscribe = async (options) => {
        subscribeOptions = options;
        const keys = {
          p256dh: "BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM",
          auth: "tBHItJI5svbpez7KI4CCXg",
        };
        return { toJSON: () => ({ endpoint: newEndpoint, expirationTime: null, keys }) };
      };
      const event = new scope.ExtendableEvent("pushsubscriptionchange");
      const pending: Promise<unknown>[] = [];
      event.waitUntil = (work) => void pending.push(work);
      dispatchEvent(event);
      await Promise.all(pending);
      return { asked: subscribeOptions, works: pending.length };
    }, endpoint);

  expect(await renew("https://push.example.org/one")).toEqual({ works: 1 });
  const pushState = async () => {
    const { on, renewable } = await ana.api.push.state.query();
    return { on, renewable };
  };
  expect(await pushState()).toEqual({ on: false, renewable: false });

  const { key } = await ana.api.push.state.query();
  await ana.api.push.subscribe.mutate({
    endpoint: "https://push.example.org/before",
    keys: {
      p256dh: "BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM",
      auth: "tBHItJI5svbpez7KI4CCXg",
    },
  });
  expect(await renew("https://push.example.org/two")).toEqual({
    asked: { userVisibleOnly: true, applicationServerKey: key },
    works: 1,
  });
  expect(await pushState()).toEqual({ on: true, renewable: true });
  const store = new Sqlite(path.join(site.dataDir, "reprise.db"), { readonly: true });
  const storedEndpoints = store.prepare("select endpoint from push_subscriptions where user_id = ?").pluck();
  expect(storedEndpoints.all(ana.me.id)).toEqual(["https://push.example.org/two"]);
  store.close();
});
