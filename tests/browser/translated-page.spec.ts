import type { Page } from "@playwright/test";
import { aBlog, aComment } from "../support/sample-content.ts";
import { expect, sharedTest as test, visit } from "./test-site.ts";

/** Replaces each text, also later ones, by two `<font>` elements with a copy, as Chrome does when it translates a page. */
async function translate(page: Page): Promise<void> {
  await page.evaluate(() => {
    const wrap = (root: Node): void => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const texts: Text[] = [];
      while (walker.nextNode()) texts.push(walker.currentNode as Text);
      for (const text of texts) {
        if (!text.data.trim() || text.parentElement?.closest("font, script, style, textarea, svg")) continue;
        const [outer, inner] = [document.createElement("font"), document.createElement("font")];
        text.before(outer);
        outer.append(inner);
        inner.append(text.data);
        text.remove();
      }
    };
    const observer = new MutationObserver((changes) => {
      for (const { addedNodes } of changes) for (const node of addedNodes) if (node.isConnected) wrap(node);
    });
    wrap(document.body);
    observer.observe(document.body, { childList: true, subtree: true });
  });
}

test("likes, saves, posts, edits and deletes on a page that the browser has translated", async ({
  site,
  open,
}) => {
  const [ana, ben] = await site.createAccounts("Ana Torres", "Ben Oke");
  const { id, slug } = await ana.api.blogs.create.mutate(aBlog());
  const page = await open(ben);
  await visit(page, `/blog/${slug}?comments=open`);
  await translate(page);
  const bar = page.getByRole("group", { name: "About this blog" });
  const button = (name: string) => bar.getByRole("button", { name, exact: true });
  for (const [name, named] of [
    ["Like", "Like, 1 like"],
    ["Save", "Save, 1 save"],
  ] as const) {
    await button(name).click();
    await button(named).click();
    await expect(button(name)).toBeVisible();
  }
  for (const liked of [true, false]) {
    await ana.api.social.likeBlog.mutate({ blogId: id, liked });
    await expect(button(liked ? "Like, 1 like" : "Like")).toBeVisible();
  }

  const comments = page.getByRole("region", { name: /^Comments/ });
  const row = (text: string) => comments.getByRole("listitem").filter({ hasText: text }).last();
  await comments.getByRole("textbox", { name: "Add your comment" }).fill("Owls, really?");
  await comments.getByRole("button", { name: "Add Comment" }).click();
  await expect(row("Owls, really?")).toContainText("just now");
  await expect(row("Owls, really?")).not.toContainText("Sending");
  await row("Owls, really?").getByRole("button", { name: "Reply" }).click();
  await page.getByRole("textbox", { name: "Reply" }).fill("And a train.");
  await page.keyboard.press("Control+Enter");
  await expect(row("And a train.")).toContainText("just now");
  await ana.api.comments.create.mutate(aComment({ id }, { text: "Mostly." }));
  await expect(button("Comments, 3 comments")).toBeVisible();
  await row("And a train.").getByRole("button", { name: "Edit" }).click();
  await page.getByRole("textbox", { name: "Edit" }).fill("And two trains.");
  await page.keyboard.press("Control+Enter");
  await expect(row("And two trains.")).toContainText("edited");
  for (const text of ["And two trains.", "Owls, really?"]) {
    await row(text).getByRole("button", { name: "Delete" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
    await expect(comments.getByText(text)).toHaveCount(0);
  }
  await expect(button("Comments, 1 comment")).toBeVisible();
  await expect(comments.getByRole("heading", { name: "Comments 1" })).toBeVisible();
  await page.getByRole("link", { name: "Home" }).first().click();
  await expect(page.getByRole("heading", { name: "Home" })).toBeVisible();
  await expect(page.getByText("Something went wrong")).toHaveCount(0);
});
