import { fileURLToPath } from "node:url";
import type { Page } from "@playwright/test";
import { build, type Rolldown } from "vite";
import type { Resident } from "../support/browser.ts";
import { Proxy } from "../support/proxy.ts";
import { aBlog, aComment } from "../support/writing.ts";
import { expect, sharedTest as test, type Site } from "./site.ts";

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

/** A page of the live line alone, behind a proxy, that follows a blog; and whoever wrote it. */
async function pageBehind(page: Page, site: Site) {
  const author = await site.resident("Ana");
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

const heard = (page: Page) => page.evaluate(() => window.heard);
const states = (page: Page) => page.evaluate(() => window.states);
const way = (page: Page) => page.evaluate(() => sessionStorage.getItem("live-transport"));

async function comes(page: Page, author: Resident, blog: { id: string }, text: string, within: number) {
  await author.api.comments.create.mutate({ ...aComment(blog), text });
  await expect.poll(() => heard(page), { timeout: within, intervals: [50] }).toContain(text);
}

/** How long it takes until the line is live, in milliseconds. */
async function liveIn(page: Page): Promise<number> {
  const from = Date.now();
  await expect.poll(() => heard(page), { intervals: [50] }).toContain("checkpoint");
  return Date.now() - from;
}

/** What a machine that is busy with other tests takes on top. */
const slack = 2_000;

test("where WebSockets are refused the stream comes as events, at once, and nobody is offline", async ({
  page,
  site,
}) => {
  const { author, blog, proxy, open } = await pageBehind(page, site);
  await using _ = proxy;
  proxy.obstacles.sockets = "refuse";
  await open();
  expect(await liveIn(page)).toBeLessThan(2_000 + slack);
  await comes(page, author, blog, "over events", 1_000 + slack);
  expect([await way(page), await states(page)]).toEqual(["1", ["connecting", "live"]]);
});

test("where frames are swallowed and events held back, each is found out within five seconds, and the stream is asked for; over a line that died silently a glance is enough @more", async ({
  page,
  site,
}) => {
  const { author, blog, proxy, open } = await pageBehind(page, site);
  await using _ = proxy;
  proxy.obstacles.sockets = "swallow";
  await open();
  expect(await liveIn(page)).toBeLessThan(5_000 + slack);
  await comes(page, author, blog, "over events", 1_000 + slack);
  expect(await way(page)).toBe("1");

  // What worked is remembered for the next page; it works no more.
  proxy.obstacles.holdsEvents = true;
  await open();
  expect(await liveIn(page)).toBeLessThan(5_000 + slack);
  await comes(page, author, blog, "asked for", 2_000 + slack);
  expect([await way(page), await states(page)]).toEqual(["2", ["connecting", "live"]]);

  // And back, as soon as the network says that it is another.
  proxy.obstacles.sockets = "pass";
  await page.evaluate(() => dispatchEvent(new Event("online")));
  await expect.poll(() => way(page)).toBe("0");
  const asked = proxy.asked.length;
  await comes(page, author, blog, "over a socket", 1_000 + slack);
  expect(proxy.asked.slice(asked).filter((what) => what.includes("live.since")).length).toBeLessThanOrEqual(
    1,
  );

  // Nobody says that it is dead: whoever looks at the tab again is right within a second.
  proxy.fallSilent();
  await author.api.comments.create.mutate({ ...aComment(blog), text: "unheard" });
  await page.evaluate(() => dispatchEvent(new Event("focus")));
  await expect.poll(() => heard(page), { timeout: 1_500 + slack, intervals: [50] }).toContain("unheard");
  expect(await states(page)).toEqual(["connecting", "live"]);
});
