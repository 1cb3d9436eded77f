import type { Locator, Page } from "@playwright/test";
import { addCoAuthor, anEntry, createLiveBlog, pagesOfEntries, postEntry } from "../support/live-blogs.ts";
import { paragraphs } from "../support/sample-content.ts";
import { until } from "../support/until.ts";
import { allowErrors, distanceMoved, expect, test, visitLive, waitUntilUsable } from "./test-site.ts";

/* A busy live blog: two people write it, and many read it. */

const composer = (page: Page) => page.getByRole("form", { name: "New entry" });
const text = (title: string) => paragraphs(`What happened in ${title}, at length.`, "And more of it.");

/** Posts an entry with the keyboard. */
async function postByHand(page: Page, title: string): Promise<void> {
  await composer(page).getByRole("textbox", { name: "Title" }).fill(title);
  await composer(page).getByRole("textbox", { name: "New entry" }).click();
  await page.keyboard.type("By hand.");
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(page.getByRole("heading", { name: title, exact: true })).toBeVisible();
}

/** Shows the entries that wait, and loads the rest, with all key moments. */
async function showAll(page: Page): Promise<void> {
  const buttons = page.locator(".entries-waiting button, .entries-more button, .entries-keys button");
  const ready = buttons.and(page.locator(":not([aria-busy=true])"));
  // React may replace it at this moment.
  while ((await buttons.count()) > 0)
    await ready
      .first()
      .click({ timeout: 1_000 })
      .catch(() => undefined);
}

/** Returns all that a page has of a live blog: its entries and its key moments, in its order. */
async function shown(page: Page) {
  await showAll(page);
  return page.evaluate(() => ({
    entries: [...document.querySelectorAll(".entry")].map((row) => [
      row.id,
      row.querySelector(".entry-when time")?.getAttribute("datetime"),
      row.querySelector(".entry-title")?.textContent ?? "",
      row.querySelector(".entry-text")?.innerHTML,
      row.querySelector(".entry-by")?.textContent,
      row.hasAttribute("data-moment"),
    ]),
    keys: [...document.querySelectorAll(".entries-keys li")].map((row) => row.textContent),
  }));
}

/** Records by how many pixels a part moves in any frame from now on. */
const watchMoves = (part: Locator) =>
  part.evaluate((element) => {
    const { top } = element.getBoundingClientRect();
    const moves = Object.assign(window, { farthestMove: 0 });
    const look = (): void => {
      moves.farthestMove = Math.max(moves.farthestMove, Math.abs(element.getBoundingClientRect().top - top));
      requestAnimationFrame(look);
    };
    look();
  });

test("two people write sixty entries: no reader loses their place, and each page ends as a fresh one", async ({
  site,
  open,
}) => {
  const [ana, ben, eve] = await site.createAccounts("Ana Torres", "Ben Oke", "Eve Lund");
  const blog = await createLiveBlog(ana, { title: "The cup final" });
  await addCoAuthor(ana, blog, ben);
  const posted: string[] = [];
  const post = async (number: number) => {
    const title = `Minute ${number}`;
    const entry = { title, isKey: number % 10 === 0, document: text(title) };
    posted.push((await postEntry(number % 2 === 0 ? ana : ben, blog, entry)).id);
  };
  for (let number = 1; number <= 35; number++) await post(number);

  const phoneSize = { viewport: { width: 390, height: 800 } };
  const [anaPage, benPage] = [await open(ana), await open(ben)];
  const readers = [
    await open(eve),
    await open(eve),
    await open(eve, phoneSize),
    await open(eve),
    await open(),
  ];
  const [, scrolled, , offline] = readers as [Page, Page, Page, Page];
  for (const page of [anaPage, benPage, ...readers]) await visitLive(page, `/blog/${blog.slug}`);
  allowErrors(offline);
  const line = scrolled.getByRole("article", { name: "Minute 20", exact: true });
  await line.evaluate((element) => element.scrollIntoView({ block: "center" }));
  const before = await line.boundingBox();
  await watchMoves(line);

  const change = { title: "", isKey: false };
  for (let number = 36; number <= 95; number++) {
    await post(number);
    const [id, other] = [posted[number - 6]!, posted[number - 20]!];
    const title = `Minute ${number - 5}, more exactly`;
    if (number === 40) await offline.context().setOffline(true);
    if (number % 4 === 0)
      await ana.api.blogs.editEntry.mutate({
        ...change,
        id,
        title,
        document: paragraphs(...Array.from({ length: 8 }, (_, at) => `${title}, line ${at}.`)),
      });
    // An hour earlier: below everything that was there.
    if (number % 12 === 0)
      await ana.api.blogs.editEntry.mutate({
        ...change,
        id: other,
        isKey: true,
        document: text("another hour"),
        at: new Date(Date.now() - 3_600_000).toISOString(),
      });
    if (number % 7 === 0) await ana.api.blogs.withdrawEntry.mutate({ id: other, withdrawn: true });
    if (number % 14 === 0) await ana.api.blogs.withdrawEntry.mutate({ id: other, withdrawn: false });
    if (number % 15 === 0) await postByHand(number % 2 === 0 ? anaPage : benPage, `By hand at ${number}`);
    if (number === 80) await offline.context().setOffline(false);
  }
  await postByHand(anaPage, "The final whistle");
  const last = (page: Page) => page.getByRole("log", { name: "New entries" }).getByText("The final whistle");
  for (const page of readers) await expect(last(page)).toHaveCount(1);
  expect(await distanceMoved(line, before)).toBeLessThan(3);
  expect(await scrolled.evaluate(() => (window as { farthestMove?: number }).farthestMove)).toBeLessThan(3);

  /** A fresh page of the same person. */
  const expectedOn = async (page: Page) => {
    const fresh = await page.context().newPage();
    await fresh.goto(page.url());
    await waitUntilUsable(fresh);
    return shown(fresh);
  };
  const [guest, ...ofEve] = readers.toReversed() as [Page, ...Page[]];
  for (const [page, ...others] of [[anaPage], [benPage], [guest], ofEve] as [Page, ...Page[]][]) {
    const expected = await expectedOn(page);
    expect(expected.entries.length).toBeGreaterThan(90);
    for (const one of [page, ...others]) await expect.poll(() => shown(one)).toEqual(expected);
    if (page !== guest) continue;
    await page.getByRole("button", { name: "Oldest first" }).click();
    await expect(page.locator(".entry").first()).toHaveAttribute("id", String(expected.entries.at(-1)![0]));
    const reversed = { entries: expected.entries.toReversed(), keys: expected.keys.toReversed() };
    await expect.poll(() => shown(page)).toEqual(reversed);
  }
});

test("a server killed while ten entries are posted loses none that it answered, and doubles none", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const blog = await createLiveBlog(ana);
  await postEntry(ana, blog, { title: "Kick-off" });
  const reader = await open();
  await visitLive(reader, `/blog/${blog.slug}`);
  allowErrors(reader);

  const titles = Array.from({ length: 10 }, (_, number) => `Minute ${number + 1}`);
  const wanted = titles.map((title) => anEntry(blog, { title }));
  const answered: string[] = [];
  const some = Promise.withResolvers<void>();
  const post = async (entry: ReturnType<typeof anEntry>): Promise<void> => {
    const isAnswered = () => ana.api.blogs.postEntry.mutate(entry).then(Boolean, () => false);
    await until(isAnswered);
    if (answered.push(entry.id) === 4) some.resolve();
  };
  const posts = (async () => {
    for (const entry of wanted) await post(entry);
  })();
  await some.promise;
  await site.kill("SIGKILL");
  const known = [...answered];
  expect(known.length).toBeLessThan(10);
  await site.start();
  await posts;
  // A device that got no answer sends again.
  await Promise.all(wanted.map(post));
  const entries = (await pagesOfEntries(ana, blog, "oldest")).flatMap((page) => page.entries);
  expect(entries.map(({ title }) => title)).toEqual(["Kick-off", ...titles]);
  expect(entries.map(({ id }) => id)).toEqual(expect.arrayContaining(known));
  const last = reader.getByRole("log", { name: "New entries" }).getByText("Minute 10");
  await expect(last).toHaveCount(1);
  await showAll(reader);
  const headings = reader.locator(".entry-title");
  await expect(headings).toHaveText([...titles.toReversed(), "Kick-off"]);
});
