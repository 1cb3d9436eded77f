import type { Page } from "@playwright/test";
import { documentLimits } from "../../src/shared/document/limits.ts";
import { launch } from "../simulation/chromium.ts";
import { paint, upload } from "../support/pictures.ts";
import { aBlog } from "../support/sample-content.ts";
import { median, percentile, type Row, type Site } from "./bench-site.ts";

/** Keys typed alternately into the two texts, and the milliseconds between them: as fast as people type. */
const keys = 200;
const keyIntervalMs = 80;
const words = 10_000;
const pictures = 50;
const characters = 395_000;

/** From a key to the frame that shows it, in a long text with pictures and in an empty one. */
export async function typing({ server, ana }: Site): Promise<Row[]> {
  const { src } = await upload(ana, await paint());
  const text = "owls and bats at night and a train now and then ".repeat(20).trim().split(" ");
  const paragraph = { type: "paragraph", content: [{ type: "text", text: text.join(" ") }] };
  const picture = { type: "paragraph", content: [{ type: "image", attrs: { src, alt: "An owl" } }] };
  const paragraphsPerPicture = Math.ceil(words / text.length / pictures);
  const content = Array.from({ length: pictures }, () => [
    picture,
    ...Array.from({ length: paragraphsPerPicture }, () => paragraph),
  ]).flat();
  const document = { type: "doc", content };
  const browser = await launch();
  const openForm = async (change: object): Promise<Page> => {
    const { slug } = await ana.api.blogs.create.mutate(aBlog({ draft: true, ...change }));
    const context = await browser.newContext();
    const [name = "", value = ""] = ana.cookie.split("=");
    await context.addCookies([{ name, value, url: server.url, httpOnly: true, sameSite: "Lax" }]);
    const page = await context.newPage();
    await page.goto(`${server.url}/edit/${slug}`, { waitUntil: "networkidle" });
    const field = page.getByRole("textbox", { name: "Content" });
    await field.click();
    // In the middle, with much text after it.
    const paragraphsWithText = field.locator("p").filter({ hasText: "owls" });
    const count = await paragraphsWithText.count();
    if (count > 0) await paragraphsWithText.nth(Math.floor(count / 2)).click();
    await page.evaluate(() => {
      const pageWindow = window as unknown as { times: number[] };
      pageWindow.times = [];
      addEventListener(
        "keydown",
        ({ timeStamp }) =>
          // A task after the key's frame: by then it has been painted.
          requestAnimationFrame(() =>
            setTimeout(() => pageWindow.times.push(performance.now() - timeStamp), 0),
          ),
        true,
      );
    });
    return page;
  };
  const longPage = await openForm({ document });
  const emptyText = { type: "doc", content: [{ type: "paragraph" }] };
  const emptyPage = await openForm({ document: emptyText });
  for (let key = 0; key < keys; key++)
    for (const page of [longPage, emptyPage]) {
      await page.keyboard.press(key % 8 === 7 ? "Space" : "o");
      await page.waitForTimeout(keyIntervalMs / 2);
    }
  for (const page of [longPage, emptyPage])
    await page.getByRole("textbox", { name: "Content" }).getByText("ooooooo ooooooo").waitFor();
  const timesOf = (page: Page) =>
    page.evaluate(() => (window as unknown as { times: number[] }).times.splice(0));
  const [longTimes, emptyTimes] = [await timesOf(longPage), await timesOf(emptyPage)];
  /** Returns the time from each of these keys to its frame, one by one, when idle. */
  const measureKeys = async (page: Page, rounds: number, ...keyNames: string[]): Promise<number[]> => {
    await timesOf(page);
    const times: number[] = [];
    for (let round = 0; round < rounds; round++)
      for (const key of keyNames) {
        await page.keyboard.press(key);
        await page.waitForFunction(() => (window as unknown as { times: number[] }).times.length > 0);
        await page.waitForTimeout(keyIntervalMs * 4);
        // Of a key with a modifier only the second keydown counts.
        times.push((await timesOf(page)).at(-1)!);
      }
    return times;
  };
  const boldTimes = await measureKeys(longPage, 7, "ControlOrMeta+a", "ControlOrMeta+b");
  const [selected, bold] = [0, 1].map((half) => boldTimes.filter((_, index) => index % 2 === half)) as [
    number[],
    number[],
  ];
  const onePage = await openForm({ document: { type: "doc", content: [oneLine()] } });
  await onePage.keyboard.press("ControlOrMeta+End");
  const oneLineTimes = await measureKeys(onePage, 15, "o");
  const pastes: Row[] = [];
  for (const [name, kinds] of Object.entries(largestPastes()))
    pastes.push(await measurePaste(await openForm({ document: emptyText }), name, kinds));
  await browser.close();
  const difference = percentile(longTimes, 0.95) - percentile(emptyTimes, 0.95);
  return [
    {
      title: `A key in ${words.toLocaleString("en")} words with ${pictures} pictures, p95, over an empty text's (medians ${median(longTimes).toFixed(1)} and ${median(emptyTimes).toFixed(1)} ms)`,
      ours: `${percentile(longTimes, 0.95).toFixed(1)} ms`,
      bare: `${percentile(emptyTimes, 0.95).toFixed(1)} ms`,
      value: difference,
      unit: "ms more",
      target: { atMost: 16 },
    },
    {
      title: `All of it made bold, and not, median (selected: ${median(selected).toFixed(1)} ms)`,
      ours: `${median(bold).toFixed(1)} ms`,
      bare: "",
      value: median(bold),
      unit: "ms",
      target: { atMost: 100 },
    },
    {
      title: `A key in one paragraph of ${characters.toLocaleString("en")} characters, median`,
      ours: `${median(oneLineTimes).toFixed(1)} ms`,
      bare: "",
      value: median(oneLineTimes),
      unit: "ms",
      target: { atMost: 150 },
    },
    ...pastes,
  ];
}

/** Returns the largest texts that a paste accepts: as many parts as a blog can have, as many characters as are read as Markdown. */
function largestPastes(): Record<string, Record<string, string>> {
  const phrase = "owls and bats at night and a train now and then";
  const style = "font-family: Arial, sans-serif; font-size: 11pt; color: #000000; white-space: pre-wrap;";
  const paragraphs = documentLimits.nodes / 2 - 100;
  const html = Array.from({ length: paragraphs }, () => `<p><span style="${style}">${phrase}</span></p>`);
  const item = `- **${phrase}**, [a guide](https://example.org/), \`code\`\n`;
  const part = `## ${phrase}\n\n${`${phrase} `.repeat(10)}\n\n${item.repeat(5)}\n`;
  return {
    [`${paragraphs.toLocaleString("en")} paragraphs of HTML`]: {
      "text/html": html.join(""),
      "text/plain": `${phrase}\n`.repeat(paragraphs),
    },
    "200,000 characters of Markdown": { "text/plain": part.repeat(200_000 / part.length) },
  };
}

/** Measures the longest block of the main thread from a paste until its text is shown. */
async function measurePaste(page: Page, name: string, kinds: Record<string, string>): Promise<Row> {
  const field = page.getByRole("textbox", { name: "Content" });
  await field.click();
  const isMarkdown = !("text/html" in kinds);
  await field.evaluate((text, contents) => {
    const pageWindow = window as unknown as { blocks: number[] };
    pageWindow.blocks = [];
    new PerformanceObserver((list) =>
      pageWindow.blocks.push(...list.getEntries().map(({ duration }) => duration)),
    ).observe({ type: "longtask" });
    setTimeout(() => {
      const clipboardData = new DataTransfer();
      for (const [kind, data] of Object.entries(contents)) clipboardData.setData(kind, data);
      const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
      text.dispatchEvent(event);
    }, 0);
  }, kinds);
  await page.waitForFunction(
    (selector) => document.querySelectorAll(selector).length > 100,
    isMarkdown ? ".ProseMirror li" : ".ProseMirror p",
  );
  // Until nothing has blocked for two seconds.
  for (let count = -1, now = 0; now !== count;) {
    count = now;
    await page.waitForTimeout(2000);
    now = await page.evaluate(() => (window as unknown as { blocks: number[] }).blocks.length);
  }
  const blocks = await page.evaluate(() => (window as unknown as { blocks: number[] }).blocks);
  const longest = Math.max(0, ...blocks);
  return {
    title: `The largest paste, ${name}: longest block of the main thread`,
    ours: `${longest.toFixed(0)} ms`,
    bare: "",
    value: longest,
    unit: "ms",
    target: { atMost: 1000 },
  };
}

/** Returns a paragraph of almost the maximum length of a text. */
function oneLine() {
  const phrase = "owls and bats at night and a train now and then ";
  const text = phrase.repeat(Math.ceil(characters / phrase.length)).slice(0, characters);
  return { type: "paragraph", content: [{ type: "text", text }] };
}
