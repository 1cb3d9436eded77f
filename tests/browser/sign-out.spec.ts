import type { Page } from "@playwright/test";
import { aBlog, paragraphs } from "../support/writing.ts";
import { edit, toEnd } from "./editor.ts";
import { refuse } from "./refusing.ts";
import { expect, forgive, logIn, sharedTest as test } from "./site.ts";

/* What somebody wrote on a device and did not send is gone from it when they sign out. */

/** All that the browser keeps for the site, as text. */
const keptOn = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const kept: unknown[] = [localStorage, sessionStorage].map((storage) => Object.entries(storage));
    for (const { name } of await indexedDB.databases()) {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open(name!);
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
      for (const store of database.objectStoreNames)
        kept.push(
          await new Promise((resolve, reject) => {
            const request = database.transaction(store).objectStore(store).getAll();
            request.onsuccess = () => resolve(request.result);
            request.onerror = () => reject(request.error);
          }),
        );
      database.close();
    }
    return JSON.stringify(kept);
  });

async function askToSignOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Menu of/ }).click();
  await page.getByRole("menuitem", { name: "Log Out" }).click();
}

test("asks before signing out where work is not saved, and leaves none of it on the device, in no tab", async ({
  site,
  open,
}) => {
  const ana = await site.resident("Anouk Leaving");
  const blog = await ana.api.blogs.create.mutate(
    aBlog({ title: "Leaving a library", document: paragraphs("Shelves.") }),
  );
  const page = await open(ana);
  const form = await page.context().newPage();
  for (const one of [page, form]) forgive(one);

  // A text that the server refuses to take, a comment that it does not answer, and one that was begun.
  await refuse(form, "pushCommit");
  await edit(form, blog.slug);
  await toEnd(form);
  await form.keyboard.insertText(" wordofthetext");
  await page.goto(`/blog/${blog.slug}`);
  await page.getByRole("button", { name: /^Comments\b/ }).click();
  await page.route(/comments\.create/, (route) => route.abort());
  const box = page.getByRole("textbox", { name: "Add your comment" });
  await box.fill("wordthatwaits");
  await page.getByRole("button", { name: "Add Comment" }).click();
  await box.fill("wordthatbegan");
  const words = ["wordofthetext", "wordthatwaits", "wordthatbegan"];
  for (const word of words) await expect.poll(() => keptOn(page)).toContain(word);

  await askToSignOut(page);
  const dialog = page.getByRole("alertdialog", { name: "Log out and delete unsaved work?" });
  await expect(dialog.getByRole("listitem")).toHaveText([
    "1 blog with changes that aren’t saved",
    "1 comment or like that isn’t sent yet",
    "1 comment that you began",
  ]);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(box).toHaveValue("wordthatbegan");
  for (const word of words) expect(await keptOn(page)).toContain(word);

  await askToSignOut(page);
  await dialog.getByRole("button", { name: "Log Out and Delete" }).click();
  await expect(page).toHaveURL(/signin/);
  for (const word of words) await expect.poll(() => keptOn(page)).not.toContain(word);
  // A form that goes away writes down what is not sent.
  await expect(form).toHaveURL(/signin/);
  await form.close();
  const kept = await keptOn(page);
  for (const word of words) expect(kept).not.toContain(word);
});

test("keeps what was written where a session ends by itself, and shows it to its person alone", async ({
  site,
  open,
}) => {
  const [ana, ben] = [await site.resident("Anselm Returning"), await site.resident("Benno Between")];
  const blog = await ana.api.blogs.create.mutate(aBlog({ title: "Returning to a library" }));
  const page = await open(ana);
  const box = page.getByRole("textbox", { name: "Add your comment" });
  const openTalk = async () => {
    await page.goto(`/blog/${blog.slug}`);
    await page.getByRole("button", { name: /^Comments\b/ }).click();
  };
  await openTalk();
  await box.fill("wordtocomeback");
  await expect.poll(() => keptOn(page)).toContain("wordtocomeback");
  forgive(page);
  await ana.api.users.signOut.mutate();
  await expect(page.getByText("You’ve been signed out.")).toBeVisible();

  await page.goto("/signin");
  await logIn(page, ben.email);
  await expect(page).not.toHaveURL(/signin/);
  await openTalk();
  await expect(box).toHaveValue("");
  // It is not Ben's, so nothing is asked.
  await askToSignOut(page);
  await expect(page).toHaveURL(/signin/);

  await logIn(page, ana.email);
  await expect(page).not.toHaveURL(/signin/);
  await openTalk();
  await box.click();
  await expect(box).toHaveValue("wordtocomeback");
});
