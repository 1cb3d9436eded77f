import type { Page } from "@playwright/test";
import { launch } from "../simulation/chromium.ts";
import { paint, upload } from "../support/pictures.ts";
import { aBlog } from "../support/sample-content.ts";
import { median, percentile, type Row, type Site } from "./bench-site.ts";

/** Keys typed alternately into the two texts, and the milliseconds between them: as fast as people type. */
const keys = 200;
const apart = 80;
const words = 10_000;
const pictures = 50;
const letters = 395_000;

/** From a key to the frame that shows it, in a long text with pictures and in an empty one. */
export async function typing({ server, ana }: Site): Promise<Row[]> {
  const { src } = await upload(ana, await paint());
  const text = "owls and bats at night and a train now and then ".repeat(20).trim().split(" ");
  const paragraph = { type: "paragraph", content: [{ type: "text", text: text.join(" ") }] };
  const picture = { type: "paragraph", content: [{ type: "image", attrs: { src, alt: "An owl" } }] };
  const some = Math.ceil(words / text.length / pictures);
  const content = Array.from({ length: pictures }, () => [
    picture,
    ...Array.from({ length: some }, () => paragraph),
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
    const written = field.locator("p").filter({ hasText: "owls" });
    const count = await written.count();
    if (count > 0) await written.nth(Math.floor(count / 2)).click();
    await page.evaluate(() => {
      const seen = window as unknown as { times: number[] };
      seen.times = [];
      addEventListener(
        "keydown",
        ({ timeStamp }) =>
          // A task after the key's frame: by then it has been painted.
          requestAnimationFrame(() => setTimeout(() => seen.times.push(performance.now() - timeStamp), 0)),
        true,
      );
    });
    return page;
  };
  const long = await openForm({ document });
  const empty = await openForm({ document: { type: "doc", content: [{ type: "paragraph" }] } });
  for (let key = 0; key < keys; key++)
    for (const page of [long, empty]) {
      await page.keyboard.press(key % 8 === 7 ? "Space" : "o");
      await page.waitForTimeout(apart / 2);
    }
  for (const page of [long, empty])
    await page.getByRole("textbox", { name: "Content" }).getByText("ooooooo ooooooo").waitFor();
  const timesOf = (page: Page) =>
    page.evaluate(() => (window as unknown as { times: number[] }).times.splice(0));
  const [there, beside] = [await timesOf(long), await timesOf(empty)];
  /** Returns the time from each of these keys to its frame, one by one, when idle. */
  const timed = async (page: Page, rounds: number, ...pressed: string[]): Promise<number[]> => {
    await timesOf(page);
    const last: number[] = [];
    for (let round = 0; round < rounds; round++)
      for (const key of pressed) {
        await page.keyboard.press(key);
        await page.waitForFunction(() => (window as unknown as { times: number[] }).times.length > 0);
        await page.waitForTimeout(apart * 4);
        // Of a key with a modifier only the second keydown counts.
        last.push((await timesOf(page)).at(-1)!);
      }
    return last;
  };
  const turns = await timed(long, 7, "ControlOrMeta+a", "ControlOrMeta+b");
  const [selected, bold] = [0, 1].map((half) => turns.filter((_, at) => at % 2 === half)) as [
    number[],
    number[],
  ];
  const line = await openForm({ document: { type: "doc", content: [oneLine()] } });
  await line.keyboard.press("ControlOrMeta+End");
  const inLine = await timed(line, 15, "o");
  await browser.close();
  const over = percentile(there, 0.95) - percentile(beside, 0.95);
  return [
    {
      what: `A key in ${words.toLocaleString("en")} words with ${pictures} pictures, p95, over an empty text's (medians ${median(there).toFixed(1)} and ${median(beside).toFixed(1)} ms)`,
      ours: `${percentile(there, 0.95).toFixed(1)} ms`,
      bare: `${percentile(beside, 0.95).toFixed(1)} ms`,
      value: over,
      unit: "ms more",
      target: { atMost: 16 },
    },
    {
      what: `All of it made bold, and not, median (selected: ${median(selected).toFixed(1)} ms)`,
      ours: `${median(bold).toFixed(1)} ms`,
      bare: "",
      value: median(bold),
      unit: "ms",
      target: { atMost: 100 },
    },
    {
      what: `A key in one paragraph of ${letters.toLocaleString("en")} characters, median`,
      ours: `${median(inLine).toFixed(1)} ms`,
      bare: "",
      value: median(inLine),
      unit: "ms",
      target: { atMost: 150 },
    },
  ];
}

/** Returns a paragraph of almost the maximum length of a text. */
function oneLine() {
  const phrase = "owls and bats at night and a train now and then ";
  const text = phrase.repeat(Math.ceil(letters / phrase.length)).slice(0, letters);
  return { type: "paragraph", content: [{ type: "text", text }] };
}
