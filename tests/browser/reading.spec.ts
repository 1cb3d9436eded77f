import type { Page } from "@playwright/test";
import { limits } from "../../src/shared/limits.ts";
import { paint } from "../support/pictures.ts";
import { aBlog, aComment, paragraphs } from "../support/writing.ts";
import { awake, expect, forgive, test, visit } from "./site.ts";

const commentsButton = (page: Page) => page.getByRole("button", { name: /^Comments\b/ });
const box = (page: Page) => page.getByRole("textbox", { name: "Add your comment" });
const commentOf = (page: Page, name: string) => page.getByRole("article", { name: `Comment by ${name}` });

/** Presses Tab until the focus is on what is looked for, as somebody without a mouse does. */
async function tabTo(page: Page, selector: string, most = 60): Promise<void> {
  for (let presses = 0; presses < most; presses++) {
    await page.keyboard.press("Tab");
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector)) return;
  }
  throw new Error(`Tab never comes to ${selector}.`);
}

/** Opens a page whose code comes when the function that it returns is called. */
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

test("without a script a blog and its comments can be read, and the links work", async ({ site, open }) => {
  const ana = await site.resident("Ana Torres");
  const { slug, id } = await ana.api.blogs.create.mutate(aBlog());
  await ana.api.comments.create.mutate(aComment({ id }, { text: "Said in the dark." }));
  const page = await open(undefined, { javaScriptEnabled: false });
  // Chromium counts the scripts that it does not fetch as failures.
  forgive(page);
  await page.goto(`/blog/${slug}`);
  await expect(page.getByText("Owls, mostly.")).toBeVisible();
  await commentsButton(page).click();
  await expect(page.getByText("Said in the dark.")).toBeVisible();
  await page.getByRole("link", { name: "Home", exact: true }).first().click();
  await expect(page).toHaveURL(/\/home$/);
  await page.getByRole("link", { name: "A walk at night" }).first().click();
  await expect(page.getByText("Owls, mostly.")).toBeVisible();
});

test("twenty fast clicks on Like and on Save end as the last one says, here and on the server", async ({
  site,
  open,
}) => {
  const ana = await site.resident("Ana Torres");
  const ben = await site.resident("Ben Oke");
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

test("a comment is edited in its place; deleting one with replies says how many go @more", async ({
  site,
  open,
}) => {
  const ana = await site.resident("Ana Torres");
  const ben = await site.resident("Ben Oke");
  const { slug, id } = await ana.api.blogs.create.mutate(aBlog());
  const comment = aComment({ id }, { text: "Wich owls?" });
  await ben.api.comments.create.mutate(comment);
  for (const text of ["Tawny.", "Barn."])
    await ana.api.comments.create.mutate(aComment({ id }, { text, parentId: comment.id }));
  const page = await open(ben);
  await page.goto(`/blog/${slug}`);
  await commentsButton(page).click();
  const his = commentOf(page, "Ben Oke");
  await his.getByRole("button", { name: "Edit" }).click();
  const edited = his.getByRole("textbox");
  await expect(edited).toHaveValue("Wich owls?");
  await edited.fill("Which owls?");
  await his.getByRole("button", { name: "Update" }).click();
  await expect(his.getByText("Which owls?")).toBeVisible();
  await expect(his.getByText("edited")).toBeVisible();

  await his.getByRole("button", { name: "Delete" }).click();
  const question = page.getByRole("alertdialog");
  await expect(question).toContainText("Delete this comment and 2 replies?");
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect(his.getByText("Which owls?")).toBeVisible();
  await his.getByRole("button", { name: "Delete" }).click();
  await question.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(page.getByText("Which owls?")).toHaveCount(0);
  await expect
    .poll(async () =>
      (await ana.api.comments.list.query({ blogId: id })).comments.some(({ text }) => text === "Which owls?"),
    )
    .toBe(false);
});

test("by the keyboard alone: past the bar, into the first blog, and a comment under it", async ({
  site,
  open,
}) => {
  const ana = await site.resident("Ana Torres");
  const ben = await site.resident("Ben Oke");
  const { slug } = await ana.api.blogs.create.mutate(aBlog());
  const page = await open(ben);
  await page.goto("/home");
  // Before that the browser itself follows a link, and begins a page anew.
  await awake(page.locator("main").getByRole("button").first());
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

test("what is typed and sent before the page's code has come is sent when it is there", async ({
  site,
  open,
}) => {
  const boss = await site.resident("Boss");
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
  await expect.poll(() => boss.api.moderation.signupSettings.query()).toMatchObject({ mode: "invitation" });
});

test("a title that is typed before the page's code has come is the form's @more", async ({ site, open }) => {
  const page = await open(await site.resident("Ana Torres"));
  const release = await openWithoutCode(page, "/add-blog");
  await page.getByRole("textbox", { name: "Title" }).fill("Early owls");
  release();
  const left = page.locator(".blog-form-text .field-counter").first();
  await expect(left).toHaveText(`${limits.title.max - "Early owls".length} characters left`);
  await expect(page.getByRole("textbox", { name: "Title" })).toHaveValue("Early owls");
});

test("a file and a line of a list that are chosen before the page's code has come are taken @more", async ({
  site,
  open,
}) => {
  const ana = await site.resident("Ana Torres");
  const page = await open(ana);
  const release = await openWithoutCode(page, "/edit-profile");
  const picture = { name: "me.png", mimeType: "image/png", buffer: await paint() };
  await page.locator(".picture-field input[type=file]").setInputFiles(picture);
  release();
  await expect(page.getByRole("button", { name: "Remove picture" })).toBeVisible();

  const settings = await open(ana);
  const go = await openWithoutCode(settings, "/settings");
  const mail = settings.getByRole("combobox", { name: "Comments on my blogs: email" });
  await mail.selectOption("daily");
  go();
  await expect
    .poll(async () => (await ana.api.social.notificationSettings.query()).settings.comments.mail)
    .toBe("daily");
  await expect(mail).toHaveValue("daily");
});

test("what is clicked before the page's code has come happens when it is there, once @more", async ({
  site,
  open,
}) => {
  const ana = await site.resident("Ana Torres");
  const ben = await site.resident("Ben Oke");
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

/** Clicks the switch of that name between React's taking the page over and the page's beginning to live. */
function clickInBetween(name: string): void {
  // React's scheduler finds that each piece of work took all its time: what follows comes in a turn of its own.
  let now = 0;
  performance.now = () => (now += 10);
  const isTaken = (): boolean => {
    const root = Object.entries(document.getElementById("root") ?? {}).find(([key]) =>
      key.startsWith("__reactContainer"),
    )?.[1] as { stateNode: { current: { memoizedState: { isDehydrated: boolean } } } } | undefined;
    return root?.stateNode.current.memoizedState.isDehydrated === false;
  };
  const { set, ...rest } = Object.getOwnPropertyDescriptor(MessagePort.prototype, "onmessage")!;
  Object.defineProperty(MessagePort.prototype, "onmessage", {
    ...rest,
    set(this: MessagePort, hear: (event: MessageEvent) => void) {
      set!.call(this, (event: MessageEvent) => {
        hear(event);
        const { dataset } = document.documentElement;
        if (dataset.clicked || !isTaken()) return;
        dataset.clicked = window.early ? "in between" : "too late";
        for (const label of document.querySelectorAll("label")) if (label.textContent === name) label.click();
      });
    },
  });
}

test("a setting that is turned just when React has taken the page over is saved @more", async ({
  site,
  open,
}) => {
  const ana = await site.resident("Ana Torres");
  const page = await open(ana);
  await page.addInitScript(clickInBetween, "Show liked blogs");
  await page.goto("/settings");
  await expect(page.getByRole("switch", { name: "Show liked blogs" })).not.toBeChecked();
  await expect(page.locator("html")).toHaveAttribute("data-clicked", "in between");
  await expect.poll(async () => (await ana.api.users.me.query())?.showLikedBlogs).toBe(false);
});

test("a key that is pressed before the code has come is not lost, and held down, then and later, it counts once @more", async ({
  site,
  open,
}) => {
  const ana = await site.resident("Ana Torres");
  const { slug } = await ana.api.blogs.create.mutate(aBlog());
  const page = await open(ana);
  const release = await openWithoutCode(page, `/blog/${slug}`);
  for (let downs = 0; downs < 4; downs++) await page.keyboard.down("l");
  await page.keyboard.up("l");
  await page.keyboard.press("?");
  release();
  const keys = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(keys).toBeVisible();
  await page.keyboard.press("Escape");
  const like = page.getByRole("button", { name: "Like" });
  await expect(like).toHaveAttribute("aria-pressed", "true");
  // On a page that is awake as well: it is taken back once.
  for (let downs = 0; downs < 4; downs++) await page.keyboard.down("l");
  await page.keyboard.up("l");
  // The keys before it have been dealt with once this one has.
  await page.keyboard.press("?");
  await expect(keys).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(like).toHaveAttribute("aria-pressed", "false");
});

test("printed by night it is ink on paper, without what one presses @more", async ({ site, open }) => {
  const ana = await site.resident("Ana Torres");
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
