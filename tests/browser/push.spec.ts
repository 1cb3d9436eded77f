import type { BrowserContext, Page } from "@playwright/test";
import type { PushMessage } from "../../src/shared/push.ts";
import { aBlog } from "../support/writing.ts";
import { everyBrowser, launchOptions } from "../../scripts/browser.ts";
import { withWorker } from "./device.ts";
import { expect, test } from "./site.ts";

/* The browser's side of push. What the site sends stands in tests/integration/push.test.ts: here the browser is handed it. */

// The headless shell shows no notifications; where there is nothing else, what needs some is left out.
const whole = everyBrowser().find((browser) => !browser.includes("headless"));
const notShown = "only a whole Chromium shows notifications";
test.use({ launchOptions: { ...launchOptions(), ...(whole ? { executablePath: whole } : {}) } });

/** Hands the worker a push as the browser does with one that came. */
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
  // Not detached: on a busy machine the message would go with the session.
}

const shown = (page: Page): Promise<{ title: string; body: string; tag: string }[]> =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    return (await registration.getNotifications()).map(({ title, body, tag }) => ({ title, body, tag }));
  });

const aNotice = (url: string): PushMessage => ({
  kind: "notice",
  tag: "comment:1",
  title: "Ben Oke commented on “A walk at night”",
  body: "Owls, really?",
  url,
});

async function click(context: BrowserContext): Promise<void> {
  const [worker] = context.serviceWorkers();
  await worker!.evaluate(async () => {
    const { registration } = self as unknown as { registration: ServiceWorkerRegistration };
    const [notification] = await registration.getNotifications();
    const Click = (self as unknown as { NotificationEvent: new (type: string, of: object) => Event })
      .NotificationEvent;
    dispatchEvent(new Click("notificationclick", { notification }));
  });
}

test("what is pushed shows, leads to what it tells of in the open page, and closes when it is read elsewhere", async ({
  site,
  open,
}) => {
  test.skip(!whole, notShown);
  const ana = await site.resident("Ana Torres");
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const page = await open(ana, { ...withWorker, permissions: ["notifications"] });
  await page.goto("/settings");
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  const notice = aNotice(`/blog/${blog.slug}`);
  await deliver(page, notice);
  await expect
    .poll(() => shown(page))
    .toEqual([{ title: "Ben Oke commented on “A walk at night”", body: "Owls, really?", tag: "comment:1" }]);
  await deliver(page, { kind: "read", tags: ["comment:2"] });
  expect(await shown(page)).toHaveLength(1);
  await deliver(page, { kind: "read", tags: ["comment:1"] });
  await expect.poll(() => shown(page)).toEqual([]);

  await deliver(page, notice);
  await expect.poll(() => shown(page)).toHaveLength(1);
  await click(page.context());
  await expect(page.getByText("Owls, mostly.")).toBeVisible();
  expect(await shown(page)).toEqual([]);
});

test("who signs out leaves no notification in sight", async ({ site, open }) => {
  test.skip(!whole, notShown);
  const ana = await site.resident("Ana Torres");
  const page = await open(ana, { ...withWorker, permissions: ["notifications"] });
  await page.goto("/settings");
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await deliver(page, aNotice("/home"));
  await expect.poll(() => shown(page)).toHaveLength(1);
  await page.getByRole("button", { name: "Menu of Ana Torres" }).click();
  await page.getByRole("menuitem", { name: "Log Out" }).click();
  await expect(page).toHaveURL(/signin/);
  await expect.poll(() => shown(page)).toEqual([]);
});

test("the settings say how this device stands, and ask for nothing before a click", async ({
  site,
  open,
}) => {
  const ana = await site.resident("Ana Torres");
  const without = await open(ana);
  await without.goto("/settings");
  await expect(without.getByRole("switch", { name: "Likes: push" })).toBeVisible();

  const denied = await open(ana, withWorker);
  await denied.addInitScript(() =>
    Object.defineProperty(Notification, "permission", { get: () => "denied", configurable: true }),
  );
  await denied.goto("/settings");
  await expect(denied.getByText("does not let this site show notifications")).toBeVisible();

  const unable = await open(ana, withWorker);
  await unable.addInitScript(() => Reflect.deleteProperty(window, "PushManager"));
  await unable.goto("/settings");
  await expect(unable.getByText("can’t show notifications of this site")).toBeVisible();

  // A browser whose push service is a part of the test.
  const able = await open(ana, { ...withWorker, permissions: ["notifications"] });
  await able.addInitScript(() => {
    let asked = 0;
    let subscription: object | null = null;
    Object.defineProperty(Notification, "permission", { get: () => "default", configurable: true });
    Notification.requestPermission = async () => (asked++, "granted");
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
    Object.assign(window, { asked: () => asked });
  });
  await able.goto("/settings");
  const turnOn = able.getByRole("button", { name: "Turn on for this device" });
  await expect(turnOn).toBeVisible();
  const asked = () => able.evaluate(() => (window as unknown as { asked: () => number }).asked());
  expect(await asked()).toBe(0);
  await turnOn.click();
  await expect(able.getByRole("button", { name: "Turn off for this device" })).toBeVisible();
  expect(await asked()).toBe(1);
  expect((await ana.api.push.state.query()).on).toBe(true);
  await able.getByRole("button", { name: "Turn off for this device" }).click();
  await expect(turnOn).toBeVisible();
  expect((await ana.api.push.state.query()).on).toBe(false);
});
