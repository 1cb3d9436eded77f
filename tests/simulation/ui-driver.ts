import type { Locator, Page } from "@playwright/test";
import { password } from "../support/browser.ts";
import { commentId, type Action } from "./actions.ts";
import { entryId } from "./entry-actions.ts";
import { blogId } from "./objects.ts";
import { markedText, type OpenPage, type World } from "./world.ts";

/* Actions by clicks and keys in open windows. */

/** The timeout for finding a button: it is there already or not at all. */
const shortTimeout = { timeout: 1_500 };

/** Clicks without moving the pointer, so that nothing else on the page changes. */
const press = (button: Locator): Promise<void> => button.first().dispatchEvent("click", {}, shortTimeout);

async function submitComment(form: Locator, text: string): Promise<void> {
  await form.locator("textarea").fill(text, shortTimeout);
  await press(form.locator("button[type=submit]"));
}

const confirmDialog = (page: Page): Promise<void> =>
  page.locator("[role=alertdialog] .button-danger").click({ timeout: 3_000 });
const buttonNamed = (part: Locator, name: string): Locator =>
  part.locator("button").filter({ hasText: new RegExp(`^${name}`) });

async function rowOf(
  page: Page,
  world: World,
  act: Action & { blog: number; comment: number },
  number: number,
) {
  return page.locator(`#comment-${await commentId(world, act, number)} > article`);
}

/** Fills in the title of an entry's form, and sends it. */
async function submitEntry(form: Locator, title: string): Promise<void> {
  await form.locator("input.entry-form-title").fill(title, shortTimeout);
  await press(form.locator("button[type=submit]"));
}

async function rowOfEntry(page: Page, world: World, act: Action & { blog: number; entry: number }) {
  return page.locator(`#entry-${await entryId(world, act)}`);
}

/** Whether the page shows this blog and its comments. */
const showsBlog = ({ opened }: OpenPage, blog: number): boolean =>
  opened.page === "blog" && opened.blog === blog;
const canBeUsedBy = (world: World, act: Action) => (openPage: OpenPage) =>
  openPage.opened.who === act.by && !openPage.isFrozen && world.connections.has(act.by);

/** Returns how an open window can perform the action, or undefined. */
function uiActionFor(act: Action, world: World): (() => Promise<void>) | undefined {
  const ownWindows = world.windows.filter(canBeUsedBy(world, act));
  const ownPage = (name: OpenPage["opened"]["page"]) =>
    ownWindows.find(({ opened }) => opened.page === name)?.page;
  const pageOfBlog = (blog: number) => ownWindows.find((openPage) => showsBlog(openPage, blog))?.page;
  switch (act.kind) {
    case "like": {
      const page = pageOfBlog(act.blog);
      return page && (() => press(page.locator(".article-bar .switch-like")));
    }
    case "save": {
      const page = pageOfBlog(act.blog);
      if (page) return () => press(page.locator(".article-bar .switch-save"));
      const list = ownWindows.find(({ opened }) =>
        /^(home|profile|search for blogs|tag)/.test(opened.page),
      )?.page;
      return (
        list &&
        (async () =>
          press(
            list
              .locator(".card", { has: list.locator(`a[href="${await world.pathOfBlog(act.blog)}"]`) })
              .locator(".switch-save"),
          ))
      );
    }
    case "comment": {
      const page = pageOfBlog(act.blog);
      return (
        page &&
        (() => submitComment(page.locator(".comments > .comment-form"), markedText(act.comment, act.value)))
      );
    }
    case "reply": {
      const page = pageOfBlog(act.blog);
      return (
        page &&
        (async () => {
          const row = await rowOf(page, world, act, act.to);
          await press(buttonNamed(row, "Reply"));
          await submitComment(row.locator("form"), markedText(act.comment, act.value));
        })
      );
    }
    case "edit comment": {
      const page = pageOfBlog(act.blog);
      return (
        page &&
        (async () => {
          const row = await rowOf(page, world, act, act.comment);
          await press(buttonNamed(row, "Edit"));
          await submitComment(row.locator("form"), markedText(act.comment, act.value));
        })
      );
    }
    case "delete comment": {
      const page = pageOfBlog(act.blog);
      return (
        page &&
        (async () => {
          await press(buttonNamed(await rowOf(page, world, act, act.comment), "Delete"));
          await confirmDialog(page);
        })
      );
    }
    case "approve": {
      const page = pageOfBlog(act.blog);
      return page && (() => press(buttonNamed(page.locator(".pending-comments"), "Approve")));
    }
    case "like comment": {
      const page = pageOfBlog(act.blog);
      return (
        page && (async () => press((await rowOf(page, world, act, act.comment)).locator(".switch-like")))
      );
    }
    case "post entry": {
      const page = pageOfBlog(act.blog);
      const title = markedText(act.entry, act.value);
      return page && (() => submitEntry(page.locator(".entries-head .entry-form"), title));
    }
    case "edit entry": {
      const page = pageOfBlog(act.blog);
      return (
        page &&
        (async () => {
          const row = await rowOfEntry(page, world, act);
          await press(buttonNamed(row, "Edit"));
          await row.locator(".entry-form .ProseMirror").waitFor(shortTimeout);
          await submitEntry(row.locator(".entry-form"), markedText(act.entry, act.value));
        })
      );
    }
    case "withdraw entry": {
      const page = pageOfBlog(act.blog);
      return (
        page &&
        (async () =>
          press(
            act.on
              ? buttonNamed(await rowOfEntry(page, world, act), "Withdraw")
              : page.locator(".toast-action", { hasText: "Undo" }),
          ))
      );
    }
    case "like entry": {
      const page = pageOfBlog(act.blog);
      return page && (async () => press((await rowOfEntry(page, world, act)).locator(".switch-like")));
    }
    case "on air": {
      const page = act.on ? pageOfBlog(act.blog) : ownWindows[0]?.page;
      const path = () => world.pathOfBlog(act.blog);
      return (
        page &&
        (async () => {
          if (act.on) return press(buttonNamed(page.locator(".entries-writer"), "Reopen"));
          const line = page.locator(".on-air-blog", { has: page.locator(`a[href="${await path()}"]`) });
          await press(buttonNamed(line, "End"));
          await page.locator("[role=alertdialog] button", { hasText: /^End$/ }).click({ timeout: 3_000 });
        })
      );
    }
    case "summary": {
      const page = pageOfBlog(act.blog);
      return (
        page &&
        (async () => {
          await press(page.locator(".entries-writer button", { hasText: "Summary" }));
          const dialog = page.locator("[role=dialog]");
          await dialog.locator("textarea").fill(`First ${act.value}\n- And more.`, shortTimeout);
          await press(buttonNamed(dialog, "Save"));
        })
      );
    }
    case "follow": {
      const page = ownWindows.find(
        ({ opened }) => opened.page === "profile" && opened.of === act.person,
      )?.page;
      return page && (() => press(page.locator(".profile-acts .follow-button")));
    }
    case "follow tag": {
      const page = ownWindows.find(({ opened }) => "tag" in opened && opened.tag === act.tag)?.page;
      return page && (() => press(page.locator(".page-actions .follow-button")));
    }
    case "accept":
    case "reject": {
      const page = ownPage("requests");
      const name = act.kind === "accept" ? "Accept" : "Reject";
      return page && (() => press(buttonNamed(page.locator(".people"), name)));
    }
    case "put back": {
      const page = ownPage("requests");
      return page && (() => press(page.locator(".toast-action")));
    }
    case "remove follower": {
      const page = ownWindows.find(({ opened }) => opened.page === "followers" && opened.of === act.by)?.page;
      return (
        page &&
        (async () => {
          await press(buttonNamed(page.locator(".people"), "Remove"));
          await confirmDialog(page);
        })
      );
    }
    case "read notifications": {
      const page = ownPage("notifications");
      return page && (() => press(buttonNamed(page.locator(".notifications-page"), "Mark all read")));
    }
    case "delete blog": {
      const page = ownPage("my blogs");
      return (
        page &&
        (async () => {
          const link = page.locator(`a[href="${await world.pathOfBlog(act.blog)}"]`);
          await press(page.locator(".own-blog", { has: link }).locator(".own-blog-acts"));
          await page.locator("[role=menuitem]", { hasText: "Delete Blog" }).click({ timeout: 3_000 });
          await confirmDialog(page);
        })
      );
    }
    case "sign out": {
      const page = ownWindows[0]?.page;
      return (
        page &&
        (async () => {
          await page.locator(".user-menu").first().click(shortTimeout);
          await page.getByRole("menuitem", { name: "Log Out" }).click({ timeout: 3_000 });
        })
      );
    }
    default:
      return undefined;
  }
}

/** Performs actions that need a tab of their own, and closes the tab. Returns whether it did. */
async function performInNewTab(act: Action, world: World): Promise<boolean> {
  if (!world.connections.has(act.by)) return false;
  const { url } = world.connections.get(act.by)!.tcpLink;
  if (act.kind !== "sign in" && act.kind !== "title in the form") return false;
  const path = act.kind === "sign in" ? "/signin" : undefined;
  const page = await world.newTab(act.by);
  const longTimeout = { timeout: 8_000 };
  try {
    if (path) {
      await page.goto(url + path, longTimeout);
      // A signed-in person was redirected.
      if (new URL(page.url()).pathname !== path) return true;
      await page.getByRole("textbox", { name: "Email" }).fill(world.people[act.by]!.email, shortTimeout);
      await page.getByRole("textbox", { name: "Password" }).fill(password, shortTimeout);
      await page.getByRole("button", { name: "Log In" }).click(shortTimeout);
      await page.waitForURL((address) => !address.pathname.startsWith("/signin"), longTimeout);
    } else if (act.kind === "title in the form") {
      const { id } = { id: blogId(world, act.blog) };
      const { slug } = await world.people[act.by]!.client.api.blogs.card.query({ id });
      await page.goto(`${url}/edit/${slug}`, longTimeout);
      await page.getByRole("textbox", { name: "Title" }).fill(act.value, longTimeout);
      await page.getByRole("button", { name: "Update…" }).click(shortTimeout);
      await page.getByRole("button", { name: "Update Blog" }).click(shortTimeout);
      await page.waitForURL((address) => address.pathname.startsWith("/blog/"), longTimeout);
    }
    return true;
  } finally {
    await page.close();
  }
}

/** Performs an action in an open window or a new tab if possible. Gives up when something is in the way. */
export async function performInWindow(act: Action, world: World): Promise<string | undefined> {
  try {
    const perform = uiActionFor(act, world);
    if (perform) {
      await perform();
      return "by hand";
    }
    return (await performInNewTab(act, world)) ? "in a tab of its own" : undefined;
  } catch (error) {
    return `not by hand: ${String(error).split("\n")[0]}`;
  }
}
