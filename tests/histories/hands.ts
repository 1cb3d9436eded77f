import type { Locator, Page } from "@playwright/test";
import { password } from "../support/browser.ts";
import { blogId, commentId, type Deed } from "./deeds.ts";
import { marked, type OpenPage, type Scene } from "./scene.ts";

/* What people do with their hands, in a window that they have open. */

/** For how long somebody looks for a button: what is there is there. */
const glance = { timeout: 1_500 };

/** A click that moves no pointer and nothing else, so that the page is as before it but for what the click does. */
const press = (button: Locator): Promise<void> => button.first().dispatchEvent("click", {}, glance);

async function say(form: Locator, text: string): Promise<void> {
  await form.locator("textarea").fill(text, glance);
  await press(form.locator("button[type=submit]"));
}

const agree = (page: Page): Promise<void> =>
  page.locator("[role=alertdialog] .button-danger").click({ timeout: 3_000 });
const named = (part: Locator, name: string): Locator =>
  part.locator("button").filter({ hasText: new RegExp(`^${name}`) });

async function rowOf(
  page: Page,
  scene: Scene,
  act: Deed & { blog: number; comment: number },
  number: number,
) {
  return page.locator(`#comment-${await commentId(scene, act, number)} > article`);
}

/** Those pages that show the blog's comments, the blog, or a card of it. */
const showsBlog = ({ opened }: OpenPage, blog: number): boolean =>
  opened.page === "blog" && opened.blog === blog;
const isOf = (scene: Scene, act: Deed) => (one: OpenPage) =>
  one.opened.who === act.by && !one.isFrozen && scene.lines.has(act.by);

/** Where it can be done in a window that is open, how; undefined where it can't. */
function wayOf(act: Deed, scene: Scene): (() => Promise<void>) | undefined {
  const own = scene.windows.filter(isOf(scene, act));
  const on = (name: OpenPage["opened"]["page"]) => own.find(({ opened }) => opened.page === name)?.page;
  const withBlog = (blog: number) => own.find((one) => showsBlog(one, blog))?.page;
  switch (act.kind) {
    case "like": {
      const page = withBlog(act.blog);
      return page && (() => press(page.locator(".article-bar .switch-like")));
    }
    case "save": {
      const page = withBlog(act.blog);
      if (page) return () => press(page.locator(".article-bar .switch-save"));
      const list = own.find(({ opened }) => /^(home|profile|search for blogs|tag)/.test(opened.page))?.page;
      return (
        list &&
        (async () =>
          press(
            list
              .locator(".card", { has: list.locator(`a[href="${await scene.pathOfBlog(act.blog)}"]`) })
              .locator(".switch-save"),
          ))
      );
    }
    case "comment": {
      const page = withBlog(act.blog);
      return page && (() => say(page.locator(".comments > .comment-form"), marked(act.comment, act.value)));
    }
    case "reply": {
      const page = withBlog(act.blog);
      return (
        page &&
        (async () => {
          const row = await rowOf(page, scene, act, act.to);
          await press(named(row, "Reply"));
          await say(row.locator("form"), marked(act.comment, act.value));
        })
      );
    }
    case "edit comment": {
      const page = withBlog(act.blog);
      return (
        page &&
        (async () => {
          const row = await rowOf(page, scene, act, act.comment);
          await press(named(row, "Edit"));
          await say(row.locator("form"), marked(act.comment, act.value));
        })
      );
    }
    case "delete comment": {
      const page = withBlog(act.blog);
      return (
        page &&
        (async () => {
          await press(named(await rowOf(page, scene, act, act.comment), "Delete"));
          await agree(page);
        })
      );
    }
    case "approve": {
      const page = withBlog(act.blog);
      return page && (() => press(named(page.locator(".pending-comments"), "Approve")));
    }
    case "like comment": {
      const page = withBlog(act.blog);
      return (
        page && (async () => press((await rowOf(page, scene, act, act.comment)).locator(".switch-like")))
      );
    }
    case "follow": {
      const page = own.find(({ opened }) => opened.page === "profile" && opened.of === act.person)?.page;
      return page && (() => press(page.locator(".profile-acts .follow-button")));
    }
    case "follow tag": {
      const page = own.find(({ opened }) => "tag" in opened && opened.tag === act.tag)?.page;
      return page && (() => press(page.locator(".page-actions .follow-button")));
    }
    case "accept":
    case "reject": {
      const page = on("requests");
      const name = act.kind === "accept" ? "Accept" : "Reject";
      return page && (() => press(named(page.locator(".people"), name)));
    }
    case "put back": {
      const page = on("requests");
      return page && (() => press(page.locator(".toast-action")));
    }
    case "remove follower": {
      const page = own.find(({ opened }) => opened.page === "followers" && opened.of === act.by)?.page;
      return (
        page &&
        (async () => {
          await press(named(page.locator(".people"), "Remove"));
          await agree(page);
        })
      );
    }
    case "read notifications": {
      const page = on("notifications");
      return page && (() => press(named(page.locator(".notifications-page"), "Mark all read")));
    }
    case "delete blog": {
      const page = on("my blogs");
      return (
        page &&
        (async () => {
          const link = page.locator(`a[href="${await scene.pathOfBlog(act.blog)}"]`);
          await press(page.locator(".own-blog", { has: link }).locator(".own-blog-acts"));
          await page.locator("[role=menuitem]", { hasText: "Delete Blog" }).click({ timeout: 3_000 });
          await agree(page);
        })
      );
    }
    case "sign out": {
      const page = own[0]?.page;
      return (
        page &&
        (async () => {
          await page.locator(".user-menu").first().click(glance);
          await page.getByRole("menuitem", { name: "Log Out" }).click({ timeout: 3_000 });
        })
      );
    }
    default:
      return undefined;
  }
}

/** Acts for which somebody opens a tab of its own, and closes it again. */
async function inNewTab(act: Deed, scene: Scene): Promise<boolean> {
  if (!scene.lines.has(act.by)) return false;
  const { url } = scene.lines.get(act.by)!.wire;
  if (act.kind !== "sign in" && act.kind !== "title in the form") return false;
  const path = act.kind === "sign in" ? "/signin" : undefined;
  const page = await scene.tab(act.by);
  const long = { timeout: 8_000 };
  try {
    if (path) {
      await page.goto(url + path, long);
      // Whoever is signed in is led on.
      if (new URL(page.url()).pathname !== path) return true;
      await page.getByRole("textbox", { name: "Email" }).fill(scene.people[act.by]!.email, glance);
      await page.getByRole("textbox", { name: "Password" }).fill(password, glance);
      await page.getByRole("button", { name: "Log In" }).click(glance);
      await page.waitForURL((address) => !address.pathname.startsWith("/signin"), long);
    } else if (act.kind === "title in the form") {
      const { id } = { id: blogId(scene, act.blog) };
      const { slug } = await scene.people[act.by]!.client.api.blogs.card.query({ id });
      await page.goto(`${url}/edit/${slug}`, long);
      await page.getByRole("textbox", { name: "Title" }).fill(act.value, long);
      await page.getByRole("button", { name: "Update…" }).click(glance);
      await page.getByRole("button", { name: "Update Blog" }).click(glance);
      await page.waitForURL((address) => address.pathname.startsWith("/blog/"), long);
    }
    return true;
  } finally {
    await page.close();
  }
}

/** Does it in a window, if that can be done in one that is open; where something is in the way nobody insists. */
export async function doByHand(act: Deed, scene: Scene): Promise<string | undefined> {
  try {
    const way = wayOf(act, scene);
    if (way) {
      await way();
      return "by hand";
    }
    return (await inNewTab(act, scene)) ? "in a tab of its own" : undefined;
  } catch (error) {
    return `not by hand: ${String(error).split("\n")[0]}`;
  }
}
