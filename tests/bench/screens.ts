import type { Page } from "@playwright/test";
import { launch } from "../simulation/chromium.ts";
import { signUpAndSignIn, openBrowser, type SignedInBrowser } from "../support/browser.ts";
import { aComment } from "../support/sample-content.ts";
import path from "node:path";
import { median, percentile, type Row, type Site } from "./bench-site.ts";

const comments = 50;

/** From the click that sends a reply in one browser until it is painted in another's, one reply after the other. */
export async function screens({ server, dataDir, ana, blog }: Site): Promise<Row[]> {
  const ben = await signUpAndSignIn(openBrowser(server.url), "Ben", path.join(dataDir, "outbox"));
  const root = await ana.api.comments.create.mutate(aComment(blog, { text: "Who heard it?" }));
  const browser = await launch();
  const openPage = async ({ cookie }: SignedInBrowser): Promise<Page> => {
    const context = await browser.newContext({ reducedMotion: "reduce" });
    const [name = "", value = ""] = cookie.split("=");
    await context.addCookies([{ name, value, url: server.url, httpOnly: true, sameSite: "Lax" }]);
    const page = await context.newPage();
    await page.goto(`${server.url}/blog/${blog.slug}#comment-${root.id}`);
    await page.locator(`#comment-${root.id}`).getByRole("button", { name: "Reply", exact: true }).waitFor();
    return page;
  };
  const [senderPage, readerPage] = [await openPage(ben), await openPage(ana)];
  const row = senderPage.locator(`#comment-${root.id}`);
  await senderPage.evaluate(() => {
    addEventListener(
      "click",
      () =>
        void (document.documentElement.dataset.clicked = String(performance.timeOrigin + performance.now())),
      true,
    );
  });
  const times: number[] = [];
  for (let index = 0; index < comments; index++) {
    const text = `Number ${index} heard it.`;
    await row.getByRole("button", { name: "Reply", exact: true }).first().click();
    await row.getByRole("textbox", { name: "Reply" }).fill(text);
    const painted = readerPage.evaluate(
      (replyText) =>
        new Promise<number>((resolve) => {
          const check = () => {
            if (!document.getElementById("comment-list")?.textContent.includes(replyText)) return;
            observer.disconnect();
            // A task after the next frame: by then it has been painted.
            requestAnimationFrame(() =>
              setTimeout(() => resolve(performance.timeOrigin + performance.now()), 0),
            );
          };
          const observer = new MutationObserver(check);
          observer.observe(document.body, { childList: true, subtree: true, characterData: true });
          check();
        }),
      text,
    );
    await row.locator("button[type=submit]").click();
    const paintedAt = await painted;
    times.push(paintedAt - Number(await senderPage.evaluate(() => document.documentElement.dataset.clicked)));
  }
  await browser.close();
  await ben.close();
  return [
    {
      title: `From the click to another browser's screen, p95 of ${comments} replies (median ${median(times).toFixed(0)} ms)`,
      ours: `${percentile(times, 0.95).toFixed(0)} ms`,
      bare: "",
      value: percentile(times, 0.95),
      unit: "ms",
      target: { atMost: 150 },
    },
  ];
}
