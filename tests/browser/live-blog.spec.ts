import type { Page } from "@playwright/test";
import { openPublishSheet } from "./editor-helpers.ts";
import { expectAccessible, startLiveBlog } from "./live-blog-page.ts";
import {
  allowErrors,
  expect,
  distanceMoved,
  sharedTest as test,
  visit,
  waitUntilUsable,
} from "./test-site.ts";

const headlines = (page: Page): Promise<string[]> =>
  page.locator(".entry article").evaluateAll((rows) => rows.map((row) => row.getAttribute("aria-label")!));

const composer = (page: Page) => page.getByRole("form", { name: "New entry" });
const composerText = (page: Page) => composer(page).getByRole("textbox", { name: "New entry" });

test("a live blog is started from My blogs, gets entries and ends; readers see all of it arrive", async ({
  site,
  open,
}) => {
  const [ana, eve] = [await site.createAccount("Ana Torres"), await site.createAccount("Eve Lund")];
  const writer = await open(ana);
  await writer.goto("/my-blogs");
  await writer.getByRole("link", { name: "Start a live blog" }).click();
  await writer.getByRole("textbox", { name: "Title" }).fill("The cup final");
  await openPublishSheet(writer);
  await expect(writer.getByRole("checkbox", { name: "Live blog" })).toBeChecked();
  await writer.getByRole("button", { name: "Go Live" }).click();
  await expect(writer).toHaveURL(/\/blog\/the-cup-final/);
  const address = new URL(writer.url()).pathname;
  await expect(composer(writer)).toBeVisible();

  const reader = await open(eve);
  await visit(reader, address);
  await expect(reader.getByText("The first entry will appear here by itself.")).toBeVisible();
  await expect(composer(reader)).toHaveCount(0);

  await composerText(writer).click();
  await writer.keyboard.type("We are off.");
  await writer.keyboard.press("ControlOrMeta+Enter");
  await expect(reader.getByRole("article", { name: "We are off." })).toBeVisible();
  await expect(composerText(writer)).toHaveText("");
  // The next one is typed without a click.
  await writer.keyboard.type("What a pass, and a goal!");
  await composer(writer).getByRole("textbox", { name: "Title" }).fill("GOAL! 1–0");
  await composer(writer).getByRole("button", { name: "Key moment" }).click();
  await composer(writer).getByRole("button", { name: "Post" }).click();
  await expect(reader.getByRole("heading", { name: "GOAL! 1–0" })).toBeVisible();
  const moments = reader.getByRole("navigation", { name: "Key moments" });
  await expect(moments.getByRole("link")).toHaveText(/GOAL! 1–0/);
  expect(await headlines(reader)).toEqual(["GOAL! 1–0", "We are off."]);
  expect(await headlines(writer)).toEqual(await headlines(reader));

  await writer.getByRole("button", { name: "Add Summary" }).click();
  await writer
    .getByRole("textbox", { name: "What happened so far" })
    .fill("- Home leads 1–0\n\nRain since eight");
  await writer.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await expect(reader.getByRole("region", { name: "Summary" }).getByRole("listitem")).toHaveText([
    "Home leads 1–0",
    "Rain since eight",
  ]);
  await expectAccessible(reader, "reader");
  await expectAccessible(writer, "writer");

  await writer.getByRole("article", { name: "We are off." }).getByRole("button", { name: "Edit" }).click();
  const editor = writer.getByRole("form", { name: "Edit entry" });
  await editor.getByRole("textbox", { name: "Edit entry" }).click();
  await writer.keyboard.press("ControlOrMeta+End");
  await writer.keyboard.type(" At last.");
  await editor.getByRole("button", { name: "Save" }).click();
  await expect(reader.getByRole("article", { name: "We are off. At last." })).toBeVisible();
  await expect(reader.getByRole("article", { name: /We are off/ }).getByText("edited")).toBeVisible();

  await writer.getByRole("article", { name: "GOAL! 1–0" }).getByRole("button", { name: "Withdraw" }).click();
  await writer.getByRole("alertdialog").getByRole("button", { name: "Withdraw" }).click();
  await expect(reader.getByRole("heading", { name: "GOAL! 1–0" })).toHaveCount(0);
  await writer.locator(".toast-action", { hasText: "Undo" }).click();
  await expect(reader.getByRole("heading", { name: "GOAL! 1–0" })).toBeVisible();

  await reader.getByRole("article", { name: "GOAL! 1–0" }).getByRole("button", { name: "Like" }).click();
  await expect(
    writer.getByRole("article", { name: "GOAL! 1–0" }).getByRole("button", { name: "Like, 1 like" }),
  ).toBeVisible();

  await writer.getByRole("complementary", { name: "On air" }).getByRole("button", { name: "End…" }).click();
  await writer.getByRole("button", { name: "End", exact: true }).click();
  await expect(reader.getByText(/^Ended · 1 min · 2 entries$/)).toBeVisible();
  await expect(composer(writer)).toHaveCount(0);
  // Nothing moves on an open page; a page opened after the end tells the story from its beginning.
  expect(await headlines(reader)).toEqual(["GOAL! 1–0", "We are off. At last."]);
  const guest = await open();
  await visit(guest, address);
  expect(await headlines(guest)).toEqual(["We are off. At last.", "GOAL! 1–0"]);
  await expectAccessible(guest, "ended");
});

test("new entries wait above what a reader reads, and slide in where the top is in view", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const { slug, post } = await startLiveBlog(ana, 40);
  const reader = await open();
  await visit(reader, `/blog/${slug}`);
  expect(await headlines(reader)).toHaveLength(30);
  const line = reader.getByRole("article", { name: "Minute 30", exact: true });
  await line.evaluate((element) => element.scrollIntoView({ block: "center" }));
  const before = await line.boundingBox();
  await post("Minute 41");
  await post("GOAL! 2–0");
  const pill = reader.getByRole("button", { name: "2 new: GOAL! 2–0" });
  await expect(pill).toBeInViewport();
  expect(await distanceMoved(line, before)).toBeLessThan(3);
  await expect(reader.getByRole("log", { name: "New entries" })).toContainText("GOAL! 2–0");
  await pill.click();
  await expect(reader.getByRole("heading", { name: "GOAL! 2–0" })).toBeInViewport();
  await post("Minute 43");
  await expect(reader.getByRole("heading", { name: "Minute 43" })).toBeInViewport();

  // The rest comes on request, and a key moment that is not loaded yet is found.
  const answer = Promise.withResolvers<void>();
  await reader.route("**/trpc/blogs.entries*", async (route) => {
    await answer.promise;
    await route.continue();
  });
  await reader
    .getByRole("navigation", { name: "Key moments" })
    .getByRole("link", { name: /Minute 10$/ })
    .click();
  const loading = reader.getByRole("status").filter({ hasText: "Loading…" });
  await expect(loading).toBeInViewport();
  if (process.env.PICTURES) await reader.screenshot({ path: `${process.env.PICTURES}/loading-moment.png` });
  answer.resolve();
  await expect(reader.getByRole("heading", { name: "Minute 10", exact: true })).toBeInViewport();
  await expect(loading).toHaveCount(0);
  expect(await headlines(reader)).toHaveLength(43);
  await reader.getByRole("button", { name: "Oldest first" }).click();
  await expect.poll(async () => (await headlines(reader))[0]).toBe("Minute 1");
  // The choice is remembered on this device.
  await reader.reload();
  await waitUntilUsable(reader);
  await expect.poll(async () => (await headlines(reader))[0]).toBe("Minute 1");
});

test("a writer who sees the oldest first can show a posted entry, and can cancel an edit that does not load", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const { slug } = await startLiveBlog(ana, 31);
  const writer = await open(ana);
  await visit(writer, `/blog/${slug}`);
  await writer.getByRole("button", { name: "Oldest first" }).click();
  await expect.poll(async () => (await headlines(writer))[0]).toBe("Minute 1");
  await composerText(writer).click();
  await writer.keyboard.type("The end.");
  await writer.keyboard.press("ControlOrMeta+Enter");
  await expect(writer.getByText("Entry posted.")).toBeVisible();
  await writer.getByRole("button", { name: "Show", exact: true }).click();
  const posted = writer.getByRole("listitem").getByRole("article", { name: "The end." });
  await expect(posted).toBeInViewport();

  const procedure = "**/trpc/blogs.entryForEdit*";
  await writer.route(procedure, () => {});
  await posted.getByRole("button", { name: "Edit" }).click();
  await posted.getByRole("button", { name: "Cancel" }).click();
  await expect(posted).toContainText("The end.");
});

test("what was typed in the composer outlives its tab, and a post without a network is sent once", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const { slug } = await startLiveBlog(ana, 1);
  const writer = await open(ana);
  await visit(writer, `/blog/${slug}`);
  await composerText(writer).click();
  await writer.keyboard.type("Half a sentence");
  await writer.reload();
  await expect(composerText(writer)).toHaveText("Half a sentence");
  const guest = await open();
  await visit(guest, `/blog/${slug}`);
  expect(await headlines(guest)).toEqual(["Minute 1"]);

  allowErrors(writer);
  await writer.context().setOffline(true);
  await composer(writer).getByRole("button", { name: "Post" }).click();
  await expect(writer.getByRole("article", { name: "Half a sentence" })).toBeVisible();
  await writer.context().setOffline(false);
  await expect(guest.getByRole("article", { name: "Half a sentence" })).toBeVisible();
  await expect(writer.getByRole("article", { name: "Half a sentence" })).toHaveCount(1);
  await guest.reload();
  expect(await headlines(guest)).toEqual(["Half a sentence", "Minute 1"]);
});
