import { fileURLToPath } from "node:url";
import type { Page } from "@playwright/test";
import { build, type Rolldown } from "vite";
import type { SignedInBrowser } from "../support/browser.ts";
import { Proxy } from "../support/proxy.ts";
import { aBlog, aComment } from "../support/sample-content.ts";
import { expect, sharedTest as test, type TestSite } from "./test-site.ts";

declare global {
  interface Window {
    /** Follows a blog's topic as a page does; `heard` and `states` grow from then on. */
    followBlog(id: string): void;
    heard: string[];
    states: string[];
  }
}

let code: Promise<Rolldown.RolldownOutput> | undefined;
const lineCode = () =>
  (code ??= build({
    configFile: false,
    logLevel: "error",
    build: {
      write: false,
      target: "es2022",
      modulePreload: false,
      rolldownOptions: {
        input: fileURLToPath(new URL("../support/live-connection-page.ts", import.meta.url)),
      },
    },
  }) as Promise<Rolldown.RolldownOutput>);

/** Opens a page with only the live connection, behind a proxy, that follows a blog; returns its author, too. */
async function pageBehind(page: Page, site: TestSite) {
  const author = await site.createAccount("Ana");
  const blog = await author.api.blogs.create.mutate(aBlog());
  const proxy = await Proxy.before(site.url);
  const { output } = await lineCode();
  for (const chunk of output)
    if (chunk.type === "chunk") {
      proxy.own.set(`/${chunk.fileName}`, { type: "text/javascript", body: chunk.code });
      if (chunk.isEntry)
        proxy.own.set("/line", {
          type: "text/html",
          body: `<script type="module" src="/${chunk.fileName}"></script>`,
        });
    }
  const open = async () => {
    await page.goto(`${proxy.url}/line`);
    await page.waitForFunction(() => "followBlog" in window);
    await page.evaluate((id) => window.followBlog(id), blog.id);
  };
  return { author, blog, proxy, open };
}

const receivedEvents = (page: Page) => page.evaluate(() => window.heard);
const states = (page: Page) => page.evaluate(() => window.states);
/** Whether the proxy's last request for a stream was for a socket or for server-sent events. */
const transport = ({ requests }: Proxy) =>
  requests.findLast((request) => request === "upgrade" || request.includes("live.follow")) === "upgrade"
    ? "socket"
    : "events";

async function expectEvent(
  page: Page,
  author: SignedInBrowser,
  blog: { id: string },
  text: string,
  timeout: number,
) {
  await author.api.comments.create.mutate({ ...aComment(blog), text });
  await expect.poll(() => receivedEvents(page), { timeout, intervals: [50] }).toContain(text);
}

/** Returns after how many milliseconds the connection is live. */
async function liveIn(page: Page): Promise<number> {
  const from = Date.now();
  await expect.poll(() => receivedEvents(page), { intervals: [50] }).toContain("checkpoint");
  return Date.now() - from;
}

/** What other tests on a busy machine may add, in milliseconds. */
const slack = 2_000;

test("falls back to server-sent events at once where WebSockets are refused, without going offline", async ({
  page,
  site,
}) => {
  const { author, blog, proxy, open } = await pageBehind(page, site);
  await using _ = proxy;
  proxy.faults.sockets = "refuse";
  await open();
  expect(await liveIn(page)).toBeLessThan(2_000 + slack);
  await expectEvent(page, author, blog, "over events", 1_000 + slack);
  expect([transport(proxy), await states(page)]).toEqual(["events", ["connecting", "live"]]);
});

test("falls back from silent sockets within 5 s, and replaces a dead connection and events on focus @more", async ({
  page,
  site,
}) => {
  const { author, blog, proxy, open } = await pageBehind(page, site);
  await using _ = proxy;
  proxy.faults.sockets = "swallow";
  await open();
  expect(await liveIn(page)).toBeLessThan(5_000 + slack);
  await expectEvent(page, author, blog, "over events", 1_000 + slack);
  expect(transport(proxy)).toBe("events");

  // Events that died silently are noticed within thirteen seconds, as a socket is.
  proxy.freezeConnections();
  await expectEvent(page, author, blog, "over other events", 13_000 + 2_000 + slack);
  expect([transport(proxy), await states(page)]).toEqual([
    "events",
    ["connecting", "live", "connecting", "live"],
  ]);

  // It returns to sockets when the person does, or the browser reports another network.
  proxy.faults.sockets = "pass";
  await page.evaluate(() => dispatchEvent(new Event("online")));
  await expect.poll(() => transport(proxy)).toBe("socket");
  await expectEvent(page, author, blog, "over a socket", 1_000 + slack);
  expect(transport(proxy)).toBe("socket");

  // A connection that died silently is noticed within a second when the tab gets the focus.
  const before = await states(page);
  proxy.freezeConnections();
  await author.api.comments.create.mutate({ ...aComment(blog), text: "unheard" });
  await page.evaluate(() => dispatchEvent(new Event("focus")));
  await expect
    .poll(() => receivedEvents(page), { timeout: 1_500 + slack, intervals: [50] })
    .toContain("unheard");
  expect(await states(page)).toEqual(before);
});
