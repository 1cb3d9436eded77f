import type { Page } from "@playwright/test";
import { aBlog, paragraphs } from "../support/sample-content.ts";
import { openBlogForm, moveCaretToEnd } from "./editor-helpers.ts";
import { failRequests } from "./failing-requests.ts";
import { expect, allowErrors, logIn, sharedTest as test, visit } from "./test-site.ts";

/* Signing out deletes unsent work from the device. */

/** Returns all that the browser stores for the site, as text. */
const storedOn = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const stored: unknown[] = [localStorage, sessionStorage].map((storage) => Object.entries(storage));
    for (const { name } of await indexedDB.databases()) {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open(name!);
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
      for (const store of database.objectStoreNames)
        stored.push(
          await new Promise((resolve, reject) => {
            const request = database.transaction(store).objectStore(store).getAll();
            request.onsuccess = () => resolve(request.result);
            request.onerror = () => reject(request.error);
          }),
        );
      database.close();
    }
    return JSON.stringify(stored);
  });

async function askToSignOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Menu of/ }).click();
  await page.getByRole("menuitem", { name: "Log Out" }).click();
}

test("asks before signing out with unsaved work, and deletes that work from the device in all tabs", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Anouk Leaving");
  const blog = await ana.api.blogs.create.mutate(
    aBlog({ title: "Leaving a library", document: paragraphs("Shelves.") }),
  );
  const page = await open(ana);
  const form = await page.context().newPage();
  for (const tab of [page, form]) allowErrors(tab);

  // A refused text, a comment without a response, and a comment that was begun.
  await failRequests(form, "pushCommit");
  await openBlogForm(form, blog.slug);
  await moveCaretToEnd(form);
  await form.keyboard.insertText(" wordofthetext");
  await page.goto(`/blog/${blog.slug}`);
  await page.getByRole("button", { name: /^Comments\b/ }).click();
  await page.route(/comments\.create/, (route) => route.abort());
  const box = page.getByRole("textbox", { name: "Add your comment" });
  await box.fill("wordthatwaits");
  await page.getByRole("button", { name: "Add Comment" }).click();
  await box.fill("wordthatbegan");
  const texts = ["wordofthetext", "wordthatwaits", "wordthatbegan"];
  for (const text of texts) await expect.poll(() => storedOn(page)).toContain(text);

  await askToSignOut(page);
  const dialog = page.getByRole("alertdialog", { name: "Log out and delete unsaved work?" });
  await expect(dialog.getByRole("listitem")).toHaveText([
    "1 blog with changes that aren’t saved",
    "1 comment or like that isn’t sent yet",
    "1 comment that you began",
  ]);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(box).toHaveValue("wordthatbegan");
  for (const text of texts) expect(await storedOn(page)).toContain(text);

  await askToSignOut(page);
  await dialog.getByRole("button", { name: "Log Out and Delete" }).click();
  await expect(page).toHaveURL(/signin/);
  for (const text of texts) await expect.poll(() => storedOn(page)).not.toContain(text);
  // A form that closes stores what is unsent.
  await expect(form).toHaveURL(/signin/);
  await form.close();
  const stored = await storedOn(page);
  for (const text of texts) expect(stored).not.toContain(text);
});

test("keeps unsaved work when a session expires, and shows it to its writer alone", async ({
  site,
  open,
}) => {
  const [ana, ben] = [
    await site.createAccount("Anselm Returning"),
    await site.createAccount("Benno Between"),
  ];
  const blog = await ana.api.blogs.create.mutate(aBlog({ title: "Returning to a library" }));
  const page = await open(ana);
  const box = page.getByRole("textbox", { name: "Add your comment" });
  const openCommentSection = async () => {
    await page.goto(`/blog/${blog.slug}`);
    await page.getByRole("button", { name: /^Comments\b/ }).click();
  };
  await openCommentSection();
  await box.fill("wordtocomeback");
  await expect.poll(() => storedOn(page)).toContain("wordtocomeback");
  allowErrors(page);
  await ana.api.users.signOut.mutate();
  await expect(page.getByText("You’ve been signed out.")).toBeVisible();

  await page.goto("/signin");
  await logIn(page, ben.email);
  await expect(page).not.toHaveURL(/signin/);
  await openCommentSection();
  await expect(box).toHaveValue("");
  // It is not Ben's work, so nothing is asked.
  await askToSignOut(page);
  await expect(page).toHaveURL(/signin/);

  await logIn(page, ana.email);
  await expect(page).not.toHaveURL(/signin/);
  await openCommentSection();
  await box.click();
  await expect(box).toHaveValue("wordtocomeback");
});

test("a page shows that its session has ended where the device's clock was set back", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Anouk Early");
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const page = await open(ana);
  allowErrors(page);
  await visit(page, `/blog/${blog.slug}`);
  await page.evaluate(() => {
    const now = Date.now.bind(Date);
    Date.now = () => now() - 5 * 60_000;
  });
  await ana.api.users.signOut.mutate();
  await expect(page.getByText("You’ve been signed out.")).toBeVisible();
  await expect(page.getByRole("button", { name: /^Menu of/ })).toBeHidden();
});
