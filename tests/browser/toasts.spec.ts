import type { Page } from "@playwright/test";
import { aBlog, aComment, paragraphs } from "../support/sample-content.ts";
import { waitForHydration, expect, allowErrors, sharedTest as test, visit } from "./test-site.ts";

/* Messages at the lower edge of the window: one at a time, at once, above other bars. */

const narrow = { viewport: { width: 390, height: 844 } };
const edgesOf = async (page: Page, selector: string) =>
  page.locator(selector).evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return { top: Math.round(top), bottom: Math.round(bottom) };
  });

test("undoes the last removal alone, and shows a failure in place of an earlier message", async ({
  site,
  open,
}) => {
  const [ana, ben] = await site.createAccounts("Ana Torres", "Ben Oke");
  const titles = ["On owls", "On bats", `On moths ${"and more moths ".repeat(8)}`.trim()];
  for (const title of titles) {
    const { id } = await ana.api.blogs.create.mutate(aBlog({ title }));
    await ben.api.social.saveBlog.mutate({ blogId: id, saved: true });
  }
  const page = await open(ben);
  await visit(page, `/${ana.me.username}`);
  const save = (title: string) =>
    page
      .locator(".card")
      .filter({ has: page.getByRole("link", { name: title, exact: true }) })
      .getByRole("button", { name: "Save" });
  const toast = page.locator(".toast");
  for (const title of titles) {
    await save(title).click();
    await expect(toast).toHaveText(new RegExp(`Removed “${title.slice(0, 20)}.*” from your saved blogs`));
    await expect(toast).toHaveCount(1);
  }
  await expect(toast).toContainText("…” from");
  await toast.getByRole("button", { name: "Undo" }).click();
  await expect(toast).toHaveCount(0);
  await expect(save(titles[2]!)).toHaveAttribute("aria-pressed", "true");
  for (const title of titles.slice(0, 2)) await expect(save(title)).toHaveAttribute("aria-pressed", "false");

  await save(titles[2]!).click();
  await expect(toast).toContainText("On moths");
  allowErrors(page);
  await page.context().setOffline(true);
  await page.getByRole("button", { name: "Follow", exact: true }).click();
  await expect(toast).toContainText("We can’t reach the server.");
  await expect(toast).toHaveCount(1);
});

test("restores a rejected request by Undo, for its asker and in the badge too @more", async ({
  site,
  open,
}) => {
  const [ana, ben] = await site.createAccounts("Ana Torres", "Ben Oke");
  await ana.api.users.updateSettings.mutate({ private: true });
  await ben.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  const [anaPage, benPage] = [await open(ana), await open(ben)];
  await visit(anaPage, "/requests");
  await visit(benPage, `/${ana.me.username}`);
  const toast = anaPage.locator(".toast");
  const row = anaPage.getByRole("listitem").filter({ hasText: "Ben Oke" });
  await row.getByRole("button", { name: "Reject" }).click();
  await expect(toast).toContainText("Rejected Ben Oke’s request.");
  await expect(row).toHaveCount(0);
  await expect(anaPage.getByRole("heading", { name: "Follow requests" })).toBeFocused();
  await expect(benPage.getByRole("button", { name: "Follow", exact: true })).toBeVisible();
  await toast.getByRole("button", { name: "Undo" }).click();
  await expect(row).toHaveCount(1);
  await expect(toast).toHaveCount(0);
  await expect(benPage.getByRole("button", { name: "Requested" })).toBeVisible();
  await anaPage.getByRole("button", { name: /^Menu of/ }).click();
  await expect(anaPage.getByRole("menuitem", { name: "Requests" })).toContainText("1");
  await anaPage.keyboard.press("Escape");
  await row.getByRole("button", { name: "Accept" }).click();
  await expect(toast).toContainText("Request accepted.");
  await expect(benPage.getByRole("button", { name: "Following" })).toBeVisible();
});

test("stacks a message, a blog's bar and the offline bar on a phone @more", async ({ site, open }) => {
  const [ana, ben] = await site.createAccounts("Ana Torres", "Ben Oke");
  const document = paragraphs(...Array.from({ length: 60 }, () => "Owls, mostly."));
  const { slug } = await ana.api.blogs.create.mutate(aBlog({ document }));
  const page = await open(ben, narrow);
  await visit(page, `/blog/${slug}`);
  expect((await edgesOf(page, ".article-bar")).bottom).toBeLessThanOrEqual(844);
  allowErrors(page);
  await page.context().setOffline(true);
  await expect(page.getByText("You’re offline.")).toBeVisible();
  // A click only reaches a button that nothing covers.
  const like = page.getByRole("button", { name: /^Like\b/ });
  await like.click();
  await expect(like).toHaveAttribute("aria-pressed", "true");
  await page.getByRole("button", { name: "Follow", exact: true }).click();
  await expect(page.locator(".toast")).toContainText("We can’t reach the server.");
  const [offline, bar, toast] = [
    await edgesOf(page, ".offline"),
    await edgesOf(page, ".article-bar"),
    await edgesOf(page, ".toast"),
  ];
  expect(offline.bottom).toBe(844);
  expect(bar.bottom).toBeLessThanOrEqual(offline.top);
  expect(toast.bottom).toBeLessThanOrEqual(bar.top);
  await page.context().setOffline(false);
  await expect(page.getByText("You’re offline.")).toHaveCount(0);
  await expect.poll(async () => (await edgesOf(page, ".article-bar")).bottom).toBe(844);
  await expect(like).toHaveAttribute("aria-pressed", "true");
  await expect.poll(async () => (await ben.api.blogs.bySlug.query({ slug })).likesCount).toBe(1);
});

test("shows a message above Skip and Continue, and the offline bar below them, on a phone @more", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const page = await open(ana, narrow);
  await visit(page, "/select-interests");
  await page.getByRole("checkbox", { name: "Chess" }).focus();
  await page.keyboard.press("Space");
  allowErrors(page);
  await page.context().setOffline(true);
  await expect(page.getByText("You’re offline.")).toBeVisible();
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.locator(".toast")).toBeVisible();
  const foot = await edgesOf(page, ".select-interests-foot");
  expect((await edgesOf(page, ".toast")).bottom).toBeLessThanOrEqual(foot.top);
  expect(foot.bottom).toBeLessThanOrEqual((await edgesOf(page, ".offline")).top);
});

/** Holds matching files back until the returned function is called. */
async function delayFiles(page: Page, files: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(files, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

test("shows the progress bar while a menu's code loads @more", async ({ site, open }) => {
  const ana = await site.createAccount("Ana Torres");
  const page = await open(ana);
  for (const [button, files, popup] of [
    [/^Menu of/, "**/assets/menu-popup-*.js", page.getByRole("menu")],
    [
      "Notifications",
      "**/assets/notifications-popover-*.js",
      page.getByRole("dialog", { name: "Notifications" }),
    ],
  ] as const) {
    const release = await delayFiles(page, files);
    await page.goto("/home");
    const opener = page.getByRole("button", { name: button });
    await waitForHydration(opener);
    await opener.click();
    await expect(page.locator(".progress[data-pending]")).toHaveCount(1);
    release();
    await expect(popup).toBeVisible();
    await expect(page.locator(".progress[data-pending]")).toHaveCount(0);
  }
});

test("preloads a member's menus and notifications @more", async ({ site, open }) => {
  const ana = await site.createAccount("Ana Torres");
  for (const [options, files] of [
    [undefined, [/notifications-popover-.*\.js/, /menu-popup-.*\.js/]],
    [narrow, [/menu-sheet-.*\.js/]],
  ] as const) {
    const page = await open(ana, options);
    const fetched = files.map((file) => page.waitForResponse(file));
    await page.goto("/home");
    await Promise.all(fetched);
  }
});

test("shows the comments' heading at once, and the comments when their code has loaded @more", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const document = paragraphs(...Array.from({ length: 60 }, () => "Owls, mostly."));
  const blog = await ana.api.blogs.create.mutate(aBlog({ document }));
  await ana.api.comments.create.mutate(aComment(blog));
  const page = await open(ana, narrow);
  await visit(page, `/blog/${blog.slug}`);
  const release = await delayFiles(page, "**/assets/comments-section-*.js");
  await page.getByRole("button", { name: "Comments" }).click();
  const heading = page.getByRole("heading", { name: "Comments 1" });
  await expect(heading).toBeInViewport();
  await expect(page.getByText("Lovely.")).toHaveCount(0);
  release();
  await expect(page.getByText("Lovely.")).toBeVisible();
  await expect(heading).toBeFocused();
  await expect(heading).toBeInViewport();
});

test("removes the comments' place and says so when their code can't be loaded @more", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const { slug } = await ana.api.blogs.create.mutate(aBlog());
  const page = await open(ana);
  await visit(page, `/blog/${slug}`);
  allowErrors(page);
  await page.route("**/assets/comments-section-*.js", (route) => route.abort());
  await page.getByRole("button", { name: "Comments" }).click();
  await expect(page.locator(".toast")).toContainText("We couldn’t load the comments.");
  await expect(page.getByRole("heading", { name: /^Comments/ })).toHaveCount(0);
});
