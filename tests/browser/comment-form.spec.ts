import { aBlog, aComment } from "../support/sample-content.ts";
import { expect, sharedTest as test, visit } from "./test-site.ts";

test("suggests the author and commenters for an @ before others, and mentions the chosen one", async ({
  site,
  open,
}) => {
  const [mia, ben, max, rea] = await Promise.all(
    ["Mia Torres", "Ben Mill", "Max Oke", "Rea Lind"].map((name) => site.createAccount(name)),
  );
  const { id, slug } = await mia!.api.blogs.create.mutate(aBlog());
  await ben!.api.comments.create.mutate(aComment({ id }, { text: "Who else is awake?" }));
  const page = await open(rea);
  await visit(page, `/blog/${slug}?comments=open`);
  const box = page.getByRole("textbox", { name: "Add your comment" });
  const suggestions = page.getByRole("listbox", { name: "People" }).getByRole("option");
  await box.pressSequentially("mia@example @");
  await expect(suggestions).toHaveText([/Mia Torres/, /Ben Mill/]);
  await box.pressSequentially("m");
  await expect(suggestions).toHaveText([/Mia Torres/, /Ben Mill/]);
  await page.keyboard.press("Escape");
  await expect(suggestions).toHaveCount(0);
  await box.fill(`@${max!.me.username.slice(0, 3)}`);
  await expect(suggestions.first()).toContainText("Max Oke");
  await box.fill("@");
  await expect(suggestions).toHaveCount(2);
  const active = page.getByRole("option", { selected: true });
  await page.keyboard.press("ArrowDown");
  await expect(active).toContainText("Ben Mill");
  // Another query begins at its first person again.
  await page.keyboard.type("m");
  await expect(active).toContainText("Mia Torres");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(box).toHaveValue(`@${ben!.me.username} `);
  await page.keyboard.type("I am.");
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(
    page.locator(".comment", { hasText: "I am." }).getByRole("link", { name: "@ben" }),
  ).toBeVisible();
});

test("shows the button with the focus, and scrolls to that of a reply at a phone's lower edge", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const { id, slug } = await ana.api.blogs.create.mutate(aBlog());
  await ana.api.comments.create.mutate(aComment({ id }, { text: "Who else is awake?" }));
  const page = await open(ana, { viewport: { width: 390, height: 700 }, hasTouch: true });
  await visit(page, `/blog/${slug}?comments=open`);
  const add = page.getByRole("button", { name: "Add Comment" });
  await expect(add).toBeHidden();
  await page.getByRole("textbox", { name: "Add your comment" }).focus();
  await expect(add).toBeInViewport({ ratio: 1 });
  // It stays, so that a tap below does not miss what moves up.
  const reply = page.getByRole("button", { name: "Reply", exact: true });
  await reply.evaluate((button) => scrollBy(0, button.getBoundingClientRect().bottom - innerHeight + 60));
  await reply.click();
  await expect(add).toBeVisible();
  await expect(page.getByRole("button", { name: "Cancel" })).toBeInViewport({ ratio: 1 });
});
