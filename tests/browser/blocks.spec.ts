import type { Page } from "@playwright/test";
import { aBlog, aComment } from "../support/sample-content.ts";
import { waitForHydration, expect, allowErrors, sharedTest as test, test as testAlone } from "./test-site.ts";

test.describe.configure({ mode: "parallel" });

async function askToBlock(container: Page | ReturnType<Page["locator"]>, name: string, page: Page) {
  const more = container.getByRole("button", { name: `More about ${name}` });
  await waitForHydration(more);
  await more.click();
  await page.getByRole("menuitem", { name: "Block" }).click();
  const dialog = page.getByRole("alertdialog");
  await expect(dialog).toContainText(`Block ${name}?`);
  await dialog.getByRole("button", { name: "Block" }).click();
}

// Alone: texts of other tests contain "block", too.
testAlone(
  "removes each from the other's open pages when one blocks the other, and Undo brings them back",
  async ({ site, open }) => {
    const [ana, ben, cem] = await site.createAccounts("Ana Torres", "Ben Oke", "Cem Aydin");
    const anaBlog = await ana.api.blogs.create.mutate(aBlog({ title: "Of Ana" }));
    await ben.api.blogs.create.mutate(aBlog({ title: "Bats, of Ben" }));
    const cemBlog = await cem.api.blogs.create.mutate(aBlog({ title: "Of Cem" }));
    for (const author of [ana, ben])
      await author.api.comments.create.mutate(aComment(cemBlog, { text: `${author.me.name} was here` }));
    const question = await ben.api.comments.create.mutate(aComment(cemBlog, { text: "A question of Ben’s" }));
    await cem.api.comments.create.mutate(
      aComment(cemBlog, { text: "An answer of Cem’s", parentId: question.id }),
    );

    const path = `/blog/${cemBlog.slug}?comments=open`;
    const openAt = async (account: typeof ana, address: string) => {
      const page = await open(account);
      // The console logs the 404.
      allowErrors(page);
      await page.goto(address);
      return page;
    };
    const anaPages = { talk: await openAt(ana, path), feed: await openAt(ana, "/home") };
    const benPages = { talk: await openAt(ben, path), article: await openAt(ben, `/blog/${anaBlog.slug}`) };
    const main = (page: Page) => page.getByRole("main");
    await expect(main(benPages.article).getByRole("heading", { name: "Of Ana" })).toBeVisible();
    await expect(main(anaPages.feed).getByRole("link", { name: "Bats, of Ben" }).first()).toBeVisible();

    const row = anaPages.talk.getByRole("listitem").filter({ hasText: "Ben Oke was here" });
    await askToBlock(row, "Ben Oke", anaPages.talk);
    await expect(anaPages.talk.getByText("Ben Oke is blocked.")).toBeVisible();

    await expect(main(anaPages.talk).getByText("Ben Oke was here")).toHaveCount(0);
    await expect(main(anaPages.talk).getByText("A question of Ben’s")).toHaveCount(0);
    await expect(main(anaPages.talk).getByText("An answer of Cem’s")).toBeVisible();
    await expect(
      main(anaPages.talk).getByRole("article", { name: "A deleted comment", exact: true }),
    ).toBeVisible();
    await expect(main(anaPages.feed).getByRole("link", { name: "Bats, of Ben" })).toHaveCount(0);
    await expect(main(anaPages.feed).getByRole("link", { name: "Of Cem" }).first()).toBeVisible();

    await expect(main(benPages.talk).getByText("Ana Torres was here")).toHaveCount(0);
    await expect(main(benPages.talk).getByText("Ben Oke was here")).toBeVisible();
    await expect(main(benPages.article).getByText("no longer available")).toBeVisible();
    for (const page of Object.values(benPages)) await expect(page.getByText(/block/i)).toHaveCount(0);

    await anaPages.talk.getByRole("button", { name: "Undo" }).click();
    await expect(anaPages.talk.getByText("Ben Oke is no longer blocked.")).toBeVisible();
    await expect(main(anaPages.talk).getByText("Ben Oke was here")).toBeVisible();
    await expect(main(anaPages.feed).getByRole("link", { name: "Bats, of Ben" }).first()).toBeVisible();
    await expect(main(benPages.article).getByRole("heading", { name: "Of Ana" })).toBeVisible();
    await expect(main(benPages.talk).getByText("Ana Torres was here")).toBeVisible();
  },
);

test("lists blocked people in the settings of every open window, where they can be unblocked @more", async ({
  site,
  open,
}) => {
  const [ana, ben] = await site.createAccounts("Ana Torres", "Ben Oke");
  const blog = await ben.api.blogs.create.mutate(aBlog({ title: "Written by Ben" }));
  const [settings, article, profile] = [await open(ana), await open(ana), await open(ana)];
  for (const page of [article, profile]) allowErrors(page);
  await settings.goto("/settings");
  const part = settings.getByRole("region", { name: "Blocked people" });
  await expect(part).toContainText("You haven’t blocked anyone.");
  await article.goto(`/blog/${blog.slug}`);
  await askToBlock(article, "Ben Oke", article);
  await expect(article.getByText("no longer available")).toBeVisible();
  await expect(part.getByRole("listitem")).toContainText("Ben Oke");
  await part.getByRole("button", { name: "Unblock" }).press("Enter");
  await expect(part).toContainText("You haven’t blocked anyone.");
  await expect(settings.getByRole("heading", { name: "Blocked people" })).toBeFocused();
  await expect(article.getByRole("heading", { name: "Written by Ben" })).toBeVisible();
  await profile.goto(`/${ben.me.username}`);
  await askToBlock(profile, "Ben Oke", profile);
  await expect(profile.getByRole("main").getByText(`@${ben.me.username}`)).toHaveCount(0);
  await expect(part.getByRole("listitem")).toContainText("Ben Oke");
});

test("hides a muted person's cards and folds their comments; muted words fold comments too @more", async ({
  site,
  open,
}) => {
  const [ana, ben, cem] = await site.createAccounts("Ana Torres", "Ben Oke", "Cem Aydin");
  const cemBlog = await cem.api.blogs.create.mutate(aBlog({ title: "Of Cem" }));
  await ben.api.blogs.create.mutate(aBlog({ title: "Newts, of Ben" }));
  await ben.api.comments.create.mutate(aComment(cemBlog, { text: "So said Ben" }));
  await cem.api.comments.create.mutate(aComment(cemBlog, { text: "The finale was good" }));
  const [commentsPage, feed, settings] = [await open(ana), await open(ana), await open(ana)];
  await commentsPage.goto(`/blog/${cemBlog.slug}?comments=open`);
  await feed.goto("/home");
  await settings.goto("/settings");
  await expect(feed.getByRole("link", { name: "Newts, of Ben" }).first()).toBeVisible();
  const row = commentsPage.getByRole("listitem").filter({ hasText: "So said Ben" });
  const more = row.getByRole("button", { name: "More about Ben Oke" });
  await waitForHydration(more);
  await more.click();
  await commentsPage.getByRole("menuitem", { name: "Mute" }).click();
  await expect(commentsPage.getByText("Ben Oke is muted.")).toBeVisible();
  const mutedComments = commentsPage.getByRole("article", { name: "A muted comment" });
  await expect(mutedComments).toHaveCount(1);
  await expect(commentsPage.getByText("So said Ben")).toHaveCount(0);
  await expect(feed.getByRole("link", { name: "Newts, of Ben" })).toHaveCount(0);
  const part = settings.getByRole("region", { name: "Muted" });
  await expect(part.getByRole("listitem")).toContainText("Ben Oke");
  await ben.api.comments.create.mutate(aComment(cemBlog, { text: "Ben again" }));
  await expect(mutedComments).toHaveCount(2);
  await mutedComments.last().getByRole("button", { name: "Show" }).click();
  await expect(commentsPage.getByText("So said Ben")).toBeVisible();
  await expect(commentsPage.getByText("Ben again")).toHaveCount(0);

  await part.getByRole("textbox").fill("Finale");
  await part.getByRole("textbox").press("Enter");
  await expect(part.getByRole("button", { name: "Unmute finale" })).toBeVisible();
  await expect(commentsPage.getByText("The finale was good")).toHaveCount(0);
  await part.getByRole("textbox").fill("finale");
  await part.getByRole("textbox").press("Enter");
  await expect(part.getByText("You’ve already muted that.")).toBeVisible();
  await commentsPage.reload();
  await expect(commentsPage.getByRole("article", { name: "A muted comment" })).toHaveCount(3);
  await part.getByRole("button", { name: "Unmute", exact: true }).click();
  await part.getByRole("button", { name: "Unmute finale" }).click();
  await expect(commentsPage.getByText("Ben again")).toBeVisible();
  await expect(commentsPage.getByText("The finale was good")).toBeVisible();
});
