import type { Locator, Page } from "@playwright/test";
import { aBlog } from "../support/sample-content.ts";
import { openPublishSheet, openToolbar } from "./editor-helpers.ts";
import { internalError, failRequests, stopFailing } from "./failing-requests.ts";
import { expect, sharedTest as test, visit } from "./test-site.ts";

const busy = { code: "TOO_MANY_REQUESTS", httpStatus: 429, message: "Not so fast, please." };

/** Returns the message at the bottom of the page, by its kind. */
const toastOf = (page: Page, kind: "error" | "success", text: string): Locator =>
  page.getByRole("status").locator(`[data-kind=${kind}]`).filter({ hasText: text });

test("says on page and form when a blog can't be fetched, and shows it on Retry", async ({ site, open }) => {
  const ana = await site.createAccount("Ana Torres");
  const { slug } = await ana.api.blogs.create.mutate(aBlog());
  const page = await open(ana);
  for (const [from, link, section, expectedText] of [
    [`/${ana.me.username}`, page.getByRole("link", { name: "A walk at night" }), "blog", "Owls, mostly."],
    [`/blog/${slug}`, page.getByRole("button", { name: "Edit Blog" }), "edit", "Edit your blog"],
  ] as const) {
    await visit(page, from);
    await failRequests(page, "blogs.bySlug");
    await failRequests(page, "blogs.forEdit");
    await link.click();
    await expect(page.getByRole("heading", { name: "Failed to fetch blog" })).toBeVisible();
    await expect(page).toHaveURL(`/${section}/${slug}`);
    await expect(page.getByText(internalError.message)).toHaveCount(0);
    await stopFailing(page);
    await page.getByRole("button", { name: "Retry" }).click();
    await expect(page.getByText(expectedText)).toBeVisible();
    await expect(page.getByText("Failed to fetch blog")).toHaveCount(0);
  }
});

test("says beside the form when a blog can't be published or updated, and loses nothing", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const { slug } = await ana.api.blogs.create.mutate(aBlog());
  const page = await open(ana);
  await failRequests(page, "blogs.publish");
  for (const [address, button, text] of [
    ["/add-blog", "Publish Blog", "Failed to post blog"],
    [`/edit/${slug}`, "Update Blog", "Update failed"],
  ] as const) {
    await page.goto(address);
    await openToolbar(page);
    await openPublishSheet(page);
    for (const name of ["Title", "Description", "Content"])
      await expect(page.getByRole("textbox", { name })).toBeVisible();
    await page.getByRole("textbox", { name: "Title" }).fill("Owls at noon");
    await page.getByRole("textbox", { name: "Content" }).click();
    await page.keyboard.type("Hardly any.");
    await page.getByRole("button", { name: button }).click();
    await expect(page.getByText(text)).toBeVisible();
    await expect(page.getByText(internalError.message)).toHaveCount(0);
    await expect(page).toHaveURL(address);
    await expect(page.getByRole("textbox", { name: "Title" })).toHaveValue("Owls at noon");
    await expect(page.getByRole("textbox", { name: "Content" })).toContainText("Hardly any.");
  }
});

test("keeps a blog that can't be deleted, on its page and in the list of own blogs @more", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const { slug } = await ana.api.blogs.create.mutate(aBlog());
  const page = await open(ana);
  await failRequests(page, "blogs.remove");
  const confirm = page.getByRole("alertdialog").getByRole("button", { name: "Delete", exact: true });
  const failure = toastOf(page, "error", "Failed to delete blog");
  for (const address of [`/blog/${slug}`, "/my-blogs"]) {
    await visit(page, address);
    if (address === "/my-blogs") {
      await page.getByRole("button", { name: "More about “A walk at night”" }).click();
      await page.getByRole("menuitem", { name: "Delete Blog" }).click();
    } else await page.getByRole("button", { name: "Delete Blog" }).click();
    await confirm.click();
    await expect(failure).toBeVisible();
    await expect(page).toHaveURL(address);
    // Blogs recommended below it may have the same title.
    await expect(page.getByRole("heading", { name: "A walk at night" }).first()).toBeVisible();
  }
  await stopFailing(page);
  await failure.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByText("You haven’t written anything yet")).toBeVisible();
  await expect.poll(async () => (await ana.api.blogs.mine.query({})).blogs).toEqual([]);
});

test("says in each list of the account when it can't be loaded, and loads it on Retry @more", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const page = await open(ana);
  await failRequests(page, "users.sessions");
  await failRequests(page, "social.notifications");
  // Both lists share a batched request, yet each shows its own error.
  const failures = ["Where you are signed in", "Two-factor authentication and passkeys"].map((name) =>
    page.getByRole("region", { name }).getByRole("alert"),
  );
  await page.goto("/home");
  await page.getByRole("button", { name: /^Menu of/ }).click();
  await page.getByRole("menuitem", { name: "Settings" }).click();
  for (const failure of failures) await expect(failure).toContainText("Error loading data");
  await expect(page.getByRole("switch", { name: "Private account" })).toBeVisible();
  await page.getByRole("button", { name: "Notifications" }).click();
  const bell = page.getByRole("dialog", { name: "Notifications" });
  await expect(bell.getByRole("alert")).toContainText("Error loading data");
  await stopFailing(page);
  await bell.getByRole("button", { name: "Retry" }).click();
  await expect(bell.getByText("Nothing yet")).toBeVisible();
  await page.keyboard.press("Escape");
  for (const failure of failures) await failure.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByText("This device")).toBeVisible();
  await expect(page.getByText("Authenticator app", { exact: true })).toBeVisible();
});

test("shows the server's answer to an accepted request, or “Action successful” when it is empty @more", async ({
  site,
  open,
}) => {
  const [ana, ben, cleo] = await site.createAccounts("Ana Torres", "Ben Oke", "Cleo Marsh");
  await ana.api.users.updateSettings.mutate({ private: true });
  for (const requester of [ben, cleo])
    await requester.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  const page = await open(ana);
  await visit(page, "/requests");
  const accept = (name: string) =>
    page.getByRole("listitem").filter({ hasText: name }).getByRole("button", { name: "Accept" }).click();
  await accept("Ben Oke");
  await expect(toastOf(page, "success", "Request accepted.")).toBeVisible();
  await page.getByRole("button", { name: "Dismiss" }).click();
  await page.route("**/trpc/social.handleRequest*", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replace("Request accepted.", "") });
  });
  await accept("Cleo Marsh");
  await expect(toastOf(page, "success", "Action successful")).toBeVisible();
  await expect(page.getByText("No requests")).toBeVisible();
});

test("reverts a refused follow and shows the reason as an error; Retry follows @more", async ({
  site,
  open,
}) => {
  const [ana, ben] = await site.createAccounts("Ana Torres", "Ben Oke");
  const page = await open(ana);
  await visit(page, `/${ben.me.username}`);
  await failRequests(page, "social.follow", busy);
  await page.getByRole("button", { name: "Follow", exact: true }).click();
  const failure = toastOf(page, "error", busy.message);
  await expect(failure).toBeVisible();
  await expect(page.getByRole("button", { name: "Follow", exact: true })).toBeVisible();
  await stopFailing(page);
  await failure.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByRole("button", { name: "Following", exact: true })).toBeVisible();
  await expect(page.getByRole("link", { name: "1 follower" })).toBeVisible();
});

test("does not refetch a draft while it is written @more", async ({ site, open }) => {
  const ana = await site.createAccount("Ana Torres");
  const { id, slug } = await ana.api.blogs.create.mutate(aBlog({ draft: true }));
  const page = await open(ana);
  await visit(page, `/edit/${slug}`);
  const requestPaths: string[] = [];
  page.on("request", (request) => requestPaths.push(new URL(request.url()).pathname));
  const storedDescription = async () => (await ana.api.blogs.card.query({ id })).description;
  await openPublishSheet(page);
  for (const text of ["One.", "Two."]) {
    await page.getByRole("textbox", { name: "Description" }).fill(text);
    await expect.poll(storedDescription).toBe(text);
  }
  expect(requestPaths.filter((path) => path.includes("forEdit"))).toEqual([]);
  const schedule = { at: new Date(Date.now() + 86_400_000).toISOString(), zone: "UTC" };
  await ana.api.blogs.update.mutate({ id, schedule });
  await expect(page.getByRole("checkbox", { name: "Publish later" })).toBeChecked();
});
