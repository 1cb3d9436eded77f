import type { Locator, Page } from "@playwright/test";
import { upload } from "../support/pictures.ts";
import { aBlog } from "../support/sample-content.ts";
import { openPublishSheet } from "./editor-helpers.ts";
import { expect, sharedTest as test, visit } from "./test-site.ts";

/* Alignment and placement: a failure here looks untidy or misleads, but the page still works. */

const desktop = { width: 1280, height: 720 };
const phone = { width: 390, height: 844 };
const boxOf = async (part: Locator) => (await part.boundingBox())!;
/** Returns whether a click at its middle would reach it. */
const isOpen = (part: Locator) =>
  part.evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return document.elementFromPoint(x + width / 2, y + height / 2) === element;
  });

test("keeps the choice of readers beside the button that publishes, however much is above @more", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const { id: coverId } = await upload(ana);
  const tags = Array.from({ length: 10 }, (_, number) => `a-longer-tag-${number}`);
  const { slug } = await ana.api.blogs.create.mutate(aBlog({ coverId, tags }));
  const page = await open(ana, { viewport: desktop });
  await visit(page, `/edit/${slug}`);
  await openPublishSheet(page);
  await expect(page.locator(".cover-picture")).toBeVisible();
  for (const part of [
    page.getByRole("checkbox", { name: "Save as draft" }),
    page.getByRole("checkbox", { name: "Private" }),
    page.getByRole("button", { name: "Update Blog" }),
  ]) {
    await expect(part).toBeInViewport({ ratio: 1 });
    expect(await isOpen(part)).toBe(true);
  }
  const remove = page.getByRole("button", { name: "Remove cover" });
  await remove.focus();
  await expect(remove).toBeInViewport({ ratio: 1 });
  expect(await isOpen(remove)).toBe(true);

  for (const viewport of [{ width: 1280, height: 480 }, phone]) {
    await page.setViewportSize(viewport);
    const draft = page.getByRole("checkbox", { name: "Save as draft" });
    await draft.scrollIntoViewIfNeeded();
    expect(await isOpen(draft)).toBe(true);
  }
});

test("shows a card's cover at three to two on a phone, and search results in aligned rows @more", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  await ana.api.blogs.create.mutate(
    aBlog({ title: "Curlews", tags: ["night-birds", "estuaries", "binoculars"] }),
  );
  const page = await open(ana, { viewport: phone });
  await visit(page, "/search?q=curlews");
  const card = page.getByRole("article").filter({ hasText: "Curlews" });
  const cover = await boxOf(card.locator(".card-cover"));
  expect(cover.width / cover.height).toBeCloseTo(1.5, 1);
  const middle = async (part: Locator) => {
    const { y, height } = await boxOf(part);
    return Math.round(y + height / 2);
  };
  const factsMiddle = await middle(card.getByText("min read"));
  for (const part of [card.locator("time").first(), card.getByRole("button", { name: "Save" })])
    expect(Math.abs((await middle(part)) - factsMiddle)).toBeLessThan(3);
  expect((await boxOf(card.getByRole("list", { name: "Tags" }))).y).toBeGreaterThan(factsMiddle);
});

test("aligns the text of a frameless button with the end of its heading @more", async ({ site, open }) => {
  const ana = await site.createAccount("Ana Torres");
  const ben = await site.createAccount("Ben Oke");
  await ben.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  const page = await open(ana);
  const expectTextEndAligned = async (button: Locator, head: Locator) => {
    const textEnd = await button.evaluate((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      return range.getBoundingClientRect().right;
    });
    const { x, width } = await boxOf(head);
    expect(Math.abs(textEnd - (x + width))).toBeLessThan(3);
  };
  await visit(page, "/notifications");
  await expectTextEndAligned(page.getByRole("button", { name: "Mark all read" }), page.locator(".page-head"));
  await visit(page, "/settings");
  await expectTextEndAligned(
    page.getByRole("link", { name: "Choose from a list" }),
    page.locator(".settings-action").filter({ hasText: "Choose from a list" }),
  );
});

/** Counts the lines across the page right above an empty list. */
const rulesAbove = (page: Page) =>
  page
    .locator(".empty")
    .first()
    .evaluate((empty) => {
      const top = empty.getBoundingClientRect().top;
      return [...document.querySelectorAll("main *")].filter((element) => {
        const { top: from, bottom, width } = element.getBoundingClientRect();
        const style = getComputedStyle(element);
        const isRule = (border: string, y: number) =>
          border !== "0px" && width > 200 && y > top - 60 && y < top + 8;
        return isRule(style.borderTopWidth, from) || isRule(style.borderBottomWidth, bottom);
      }).length;
    });

test("draws one line above an empty list @more", async ({ site, open }) => {
  const cleo = await site.createAccount("Cleo Hart");
  const dora = await site.createAccount("Dora Vale");
  await dora.api.users.updateSettings.mutate({ private: true });
  const page = await open(cleo);
  const { username } = cleo.me;
  for (const address of [
    "/my-blogs",
    "/requests",
    "/notifications",
    "/search?q=zzzz",
    `/${username}`,
    `/${username}/saved-blogs`,
    `/followers/${username}`,
    `/${dora.me.username}`,
  ]) {
    await visit(page, address);
    await expect(page.locator(".empty").first()).toBeVisible();
    expect(await rulesAbove(page), address).toBe(1);
  }
});
