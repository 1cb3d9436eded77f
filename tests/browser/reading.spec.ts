import type { Page } from "@playwright/test";
import { NO_SINGLE_KEYS } from "../../src/client/storage/device-choice.ts";
import { limits } from "../../src/shared/limits.ts";
import { paint } from "../support/pictures.ts";
import { aBlog, aComment, paragraphs } from "../support/sample-content.ts";
import { waitForHydration, expect, allowErrors, test, visit } from "./test-site.ts";

const commentsButton = (page: Page) => page.getByRole("button", { name: /^Comments\b/ });
const box = (page: Page) => page.getByRole("textbox", { name: "Add your comment" });
const commentOf = (page: Page, name: string) => page.getByRole("article", { name: `Comment by ${name}` });

/** Presses Tab until an element that matches has the focus. */
async function tabTo(page: Page, selector: string, maxPresses = 60): Promise<void> {
  for (let presses = 0; presses < maxPresses; presses++) {
    await page.keyboard.press("Tab");
    if (await page.evaluate((css) => document.activeElement?.matches(css) ?? false, selector)) return;
  }
  throw new Error(`Tab never comes to ${selector}.`);
}

/** Opens a page whose script loads when the returned function is called. */
async function openWithoutCode(page: Page, address: string): Promise<() => void> {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(/\/assets\/entry-browser.*\.js$/, async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(address, { waitUntil: "commit" });
  await page.waitForFunction(() => window.early);
  return release;
}

test("shows a blog, its comments and working links without a script", async ({ site, open }) => {
  const ana = await site.createAccount("Ana Torres");
  const { slug, id } = await ana.api.blogs.create.mutate(aBlog());
  await ana.api.comments.create.mutate(aComment({ id }, { text: "Said in the dark." }));
  const page = await open(undefined, { javaScriptEnabled: false });
  // Chromium logs the blocked scripts as failures.
  allowErrors(page);
  await page.goto(`/blog/${slug}`);
  await expect(page.getByText("Owls, mostly.")).toBeVisible();
  await commentsButton(page).click();
  await expect(page.getByText("Said in the dark.")).toBeVisible();
  await page.getByRole("link", { name: "Home", exact: true }).first().click();
  await expect(page).toHaveURL(/\/home$/);
  await page.getByRole("link", { name: "A walk at night" }).first().click();
  await expect(page.getByText("Owls, mostly.")).toBeVisible();
});

test("keeps the last of twenty fast clicks on Like and Save, on the page and on the server", async ({
  site,
  open,
}) => {
  const [ana, ben] = await site.createAccounts("Ana Torres", "Ben Oke");
  const { slug } = await ana.api.blogs.create.mutate(aBlog());
  const page = await open(ben);
  await visit(page, `/blog/${slug}`);
  const bar = page.getByRole("group", { name: "About this blog" });
  for (const name of [/^Like\b/, /^Save\b/]) {
    const button = bar.getByRole("button", { name });
    for (let clicks = 0; clicks < 20; clicks++) await button.click();
    await expect(button).toHaveAttribute("aria-pressed", "false");
    await button.click();
    await expect(button).toHaveAttribute("aria-pressed", "true");
    await expect(button).toContainText("1");
  }
  await expect
    .poll(async () => {
      const { liked, saved, likesCount, savesCount } = await ben.api.blogs.bySlug.query({ slug });
      return { liked, saved, likesCount, savesCount };
    })
    .toEqual({ liked: true, saved: true, likesCount: 1, savesCount: 1 });
});

test("edits a comment in place, and says how many replies are deleted with it @more", async ({
  site,
  open,
}) => {
  const [ana, ben] = await site.createAccounts("Ana Torres", "Ben Oke");
  const { slug, id } = await ana.api.blogs.create.mutate(aBlog());
  const comment = aComment({ id }, { text: "Wich owls?" });
  await ben.api.comments.create.mutate(comment);
  for (const text of ["Tawny.", "Barn."])
    await ana.api.comments.create.mutate(aComment({ id }, { text, parentId: comment.id }));
  const page = await open(ben);
  await page.goto(`/blog/${slug}`);
  await commentsButton(page).click();
  const bensComment = commentOf(page, "Ben Oke");
  await bensComment.getByRole("button", { name: "Edit" }).click();
  const editBox = bensComment.getByRole("textbox");
  await expect(editBox).toHaveValue("Wich owls?");
  await editBox.fill("Which owls?");
  await bensComment.getByRole("button", { name: "Update" }).click();
  await expect(bensComment.getByText("Which owls?")).toBeVisible();
  await expect(bensComment.getByText("edited")).toBeVisible();

  await bensComment.getByRole("button", { name: "Delete" }).click();
  const dialog = page.getByRole("alertdialog");
  await expect(dialog).toContainText("Delete this comment and 2 replies?");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(bensComment.getByText("Which owls?")).toBeVisible();
  await bensComment.getByRole("button", { name: "Delete" }).click();
  await dialog.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(page.getByText("Which owls?")).toHaveCount(0);
  await expect
    .poll(async () =>
      (await ana.api.comments.list.query({ blogId: id })).comments.some(({ text }) => text === "Which owls?"),
    )
    .toBe(false);
});

test("reaches and comments on the first blog by the keyboard alone", async ({ site, open }) => {
  const [ana, ben] = await site.createAccounts("Ana Torres", "Ben Oke");
  const { slug } = await ana.api.blogs.create.mutate(aBlog());
  const page = await open(ben);
  await page.goto("/home");
  // Before hydration the browser follows links itself and loads a new page.
  await waitForHydration(page.locator("main").getByRole("button").first());
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  await page.keyboard.press("Enter");
  await tabTo(page, `main a[href="/blog/${slug}"]`);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/blog/${slug}`);
  await expect(page.getByRole("heading", { name: "A walk at night", level: 1 })).toBeFocused();
  await tabTo(page, "button[name=comments]");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: /^Comments/ })).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(box(page)).toBeFocused();
  await page.keyboard.type("Without a mouse.");
  await page.keyboard.press("Control+Enter");
  await expect(commentOf(page, "Ben Oke").getByText("Without a mouse.")).toBeVisible();
});

test("handles input and clicks from before the page's script loaded", async ({ site, open }) => {
  const boss = await site.createAccount("Boss");
  const page = await open(boss);
  const release = await openWithoutCode(page, "/admin/sign-up");
  await page.getByRole("textbox", { name: /Block sign-ups from/ }).fill("spam.example");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Create link" }).click();
  await page.getByRole("radio", { name: /By invitation/ }).click();
  release();
  await expect(page.getByText("spam.example", { exact: true })).toBeVisible();
  await expect(page.getByText("Used 0 of 1 time")).toBeVisible();
  await expect(page.getByRole("radio", { name: /By invitation/ })).toBeChecked();
  await expect
    .poll(() => boss.api.administration.signupSettings.query())
    .toMatchObject({ mode: "invitation" });
});

test("keeps a title typed before the page's script loaded @more", async ({ site, open }) => {
  const page = await open(await site.createAccount("Ana Torres"));
  const release = await openWithoutCode(page, "/add-blog");
  await page.getByRole("textbox", { name: "Title" }).fill("Early owls");
  release();
  const counter = page.locator(".blog-form-text .field-counter").first();
  await expect(counter).toHaveText(`${limits.title.max - "Early owls".length} characters left`);
  await expect(page.getByRole("textbox", { name: "Title" })).toHaveValue("Early owls");
});

test("keeps a file and an option chosen before the page's script loaded @more", async ({ site, open }) => {
  const ana = await site.createAccount("Ana Torres");
  const page = await open(ana);
  const release = await openWithoutCode(page, "/edit-profile");
  const picture = { name: "me.png", mimeType: "image/png", buffer: await paint() };
  await page.locator(".picture-row input[type=file]").setInputFiles(picture);
  release();
  await expect(page.getByRole("button", { name: "Remove picture" })).toBeVisible();

  const settings = await open(ana);
  const releaseSettings = await openWithoutCode(settings, "/settings");
  const emailSelect = settings.getByRole("combobox", { name: "Comments on my blogs: email" });
  await emailSelect.selectOption("daily");
  releaseSettings();
  await expect
    .poll(async () => (await ana.api.social.notificationSettings.query()).settings.comments.mail)
    .toBe("daily");
  await expect(emailSelect).toHaveValue("daily");
});

test("handles clicks from before the page's script loaded, each once @more", async ({ site, open }) => {
  const [ana, ben] = await site.createAccounts("Ana Torres", "Ben Oke");
  const { slug } = await ana.api.blogs.create.mutate(aBlog());
  for (const [person, status] of [
    [ben, "following"],
    [undefined, undefined],
  ] as const) {
    const page = await open(person);
    const release = await openWithoutCode(page, `/blog/${slug}`);
    const like = page.getByRole("button", { name: /^Like/ }).first();
    if (person) await like.click();
    for (let clicks = 0; clicks < 2; clicks++)
      await page.getByRole("button", { name: "Follow", exact: true }).first().click();
    release();
    if (!status) {
      await expect(page.getByText("Please sign in to follow Ana Torres")).toBeVisible();
      continue;
    }
    await expect(page.getByRole("button", { name: "Following", exact: true }).first()).toBeVisible();
    await expect(like).toHaveAttribute("aria-pressed", "true");
    await expect
      .poll(() => ben.api.blogs.bySlug.query({ slug }))
      .toMatchObject({ liked: true, likesCount: 1, follow: status });
  }
});

/** Clicks the switch with this label after React hydrated the root and before the page handles clicks. */
function clickInBetween(name: string): void {
  // Makes React's scheduler believe that each task used up its time, so that what follows runs in a task of its own.
  let now = 0;
  performance.now = () => (now += 10);
  const isHydrated = (): boolean => {
    const root = Object.entries(document.getElementById("root") ?? {}).find(([key]) =>
      key.startsWith("__reactContainer"),
    )?.[1] as { stateNode: { current: { memoizedState: { isDehydrated: boolean } } } } | undefined;
    return root?.stateNode.current.memoizedState.isDehydrated === false;
  };
  const { set, ...rest } = Object.getOwnPropertyDescriptor(MessagePort.prototype, "onmessage")!;
  Object.defineProperty(MessagePort.prototype, "onmessage", {
    ...rest,
    set(this: MessagePort, handler: (event: MessageEvent) => void) {
      set!.call(this, (event: MessageEvent) => {
        handler(event);
        const { dataset } = document.documentElement;
        if (dataset.clicked || !isHydrated()) return;
        dataset.clicked = window.early ? "in between" : "too late";
        for (const label of document.querySelectorAll("label")) if (label.textContent === name) label.click();
      });
    },
  });
}

test("saves a setting changed during hydration @more", async ({ site, open }) => {
  const ana = await site.createAccount("Ana Torres");
  const page = await open(ana);
  await page.addInitScript(clickInBetween, "Show liked blogs");
  await page.goto("/settings");
  await expect(page.getByRole("switch", { name: "Show liked blogs" })).not.toBeChecked();
  await expect(page.locator("html")).toHaveAttribute("data-clicked", "in between");
  await expect.poll(async () => (await ana.api.users.me.query())?.showLikedBlogs).toBe(false);
});

test("likes by a letter only with the focus in the article, once while held down, and by none once they are off", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const { slug } = await ana.api.blogs.create.mutate(aBlog());
  const page = await open(ana);
  const release = await openWithoutCode(page, `/blog/${slug}`);
  const keys = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  const like = page.locator(".article-bar").getByRole("button", { name: "Like" });
  const holdLike = async () => {
    for (let downs = 0; downs < 4; downs++) await page.keyboard.down("l");
    await page.keyboard.up("l");
    // Once this key was handled, the ones before it were.
    await page.keyboard.press("?");
    release();
    await expect(keys).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(keys).toHaveCount(0);
  };
  await holdLike();
  await expect(like).toHaveAttribute("aria-pressed", "false");
  await page.keyboard.press("j");
  await expect(page.locator(".article")).toBeFocused();
  await holdLike();
  await expect(like).toHaveAttribute("aria-pressed", "true");

  // What is typed after a comment was posted by a click goes into the next one.
  await page.getByRole("button", { name: /^Comments/ }).click();
  await box(page).fill("Owls, really?");
  await page.getByRole("button", { name: "Add Comment" }).click();
  await expect(box(page)).toHaveValue("");
  await page.keyboard.type("lso and now");
  await expect(box(page)).toHaveValue("lso and now");

  await visit(page, "/settings");
  await page.getByRole("switch", { name: "Single keys" }).click();
  await visit(page, `/blog/${slug}`);
  await like.focus();
  for (const key of ["l", "?", "n"]) await page.keyboard.press(key);
  // Once the same keys act again, these would have: Like would be off, the dialog open, or another page in between.
  await page.evaluate((key) => localStorage.removeItem(key), NO_SINGLE_KEYS);
  await page.keyboard.press("l");
  await expect(like).toHaveAttribute("aria-pressed", "false");
  await page.keyboard.press("?");
  await keys.getByRole("link", { name: "Turn single keys off" }).click();
  await expect(page).toHaveURL("/docs#keys");
  await page.getByRole("switch", { name: "Single keys" }).click();
  await page.goBack();
  await expect(page).toHaveURL(`/blog/${slug}`);
  await visit(page, "/settings");
  await expect(page.getByRole("switch", { name: "Single keys" })).not.toBeChecked();
});

test("prints dark text on white from the dark theme, without buttons and navigation @more", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const blog = aBlog({ document: paragraphs("Owls, mostly.") });
  const { slug } = await ana.api.blogs.create.mutate(blog);
  await ana.api.comments.create.mutate(aComment(blog, { text: "So it is." }));
  const page = await open(ana);
  await page.context().addCookies([{ name: "theme", value: "dark", url: site.url }]);
  await visit(page, `/blog/${slug}?comments=open`);
  await page.emulateMedia({ media: "print" });
  await expect(page.getByText("Owls, mostly.")).toHaveCSS("color", "rgb(28, 26, 23)");
  await expect(page.getByText("So it is.")).toBeVisible();
  for (const name of ["Like", "Reply", "Add Comment", "Edit Blog"])
    await expect(page.getByRole("button", { name })).toHaveCount(0);
  await expect(page.getByRole("navigation", { name: "Main" })).toHaveCount(0);
});
