import type { Locator, Page } from "@playwright/test";
import { aBlog, aComment, paragraphs } from "../support/sample-content.ts";
import { waitForHydration, expect, sharedTest, test } from "./test-site.ts";

/** Viewports on either side of the breakpoint. */
const wide = { width: 1024, height: 800 };
const narrow = { width: 1023, height: 800 };

const bar = (page: Page) => page.getByRole("banner");
const heading = (page: Page) => page.getByRole("heading", { level: 1 });
const top = async (part: Locator) => (await part.boundingBox())?.y ?? Number.NaN;

sharedTest(
  "shows a guest at / what the site is, with sign-up and sign-in, and a member the feed @more",
  async ({ site, open }) => {
    const guest = await open();
    await guest.goto("/");
    await expect(guest).toHaveTitle(/Write\. Inspire\. Repeat\./);
    await expect(heading(guest)).toHaveText("Write. Inspire. Repeat");
    await expect(guest.getByText("A quiet place to read and write.")).toBeVisible();
    const main = guest.getByRole("main");
    await main.getByRole("link", { name: "Get Started" }).click();
    await expect(guest).toHaveURL("/signup");
    await guest.goBack();
    await main.getByRole("link", { name: "Log In" }).click();
    await expect(guest).toHaveURL("/signin");
    await guest.goBack();
    await main.getByRole("link", { name: "How it works" }).click();
    await expect(guest).toHaveURL("/docs");
    await expect(heading(guest)).toBeVisible();

    const member = await open(await site.createAccount("Ana Torres"));
    await member.goto("/");
    await expect(heading(member)).toHaveText("Home");
    await expect(member.getByRole("region", { name: "Recommended Blogs for you" })).toBeVisible();
    await expect(member.getByRole("region", { name: "What this place is" })).toHaveCount(0);
    await expect(member.getByRole("link", { name: "Get Started" })).toHaveCount(0);
  },
);

sharedTest(
  "has five links for guests and three for members in a wide bar, and fewer one pixel below 1024 @more",
  async ({ site, open }) => {
    const guest = await open(undefined, { viewport: wide });
    await guest.goto("/docs");
    const links = bar(guest).getByRole("link");
    await expect(links).toHaveText(["Reprise", "Home", "Write", "Explore", "Sign In", "Sign Up"]);
    for (const [name, address] of [
      ["Reprise", "/home"],
      ["Sign Up", "/signup"],
      ["Home", "/home"],
      ["Sign In", "/signin"],
      ["Explore", "/search"],
      ["Write", "/signin?next=%2Fadd-blog"],
    ] as const) {
      await links.filter({ hasText: name }).click();
      await expect(guest).toHaveURL(address);
    }
    const menu = bar(guest).getByRole("button", { name: "Menu" });
    await expect(menu).toHaveCount(0);
    await guest.setViewportSize(narrow);
    await guest.goto("/home");
    await expect(links).toHaveText(["Reprise", "Sign Up"]);
    await expect(menu).toBeVisible();
    await links.filter({ hasText: "Sign Up" }).click();
    await expect(guest).toHaveURL("/signup");

    const ana = await site.createAccount("Ana Torres");
    const member = await open(ana, { viewport: wide });
    await member.goto("/home");
    await expect(bar(member).getByRole("link")).toHaveText(["Reprise", "Home", "Write", "Explore"]);
    await expect(bar(member).getByRole("button", { name: "Menu of Ana Torres" })).toHaveText("Ana Torres");
    await bar(member).getByRole("link", { name: "Write" }).click();
    await expect(member).toHaveURL("/add-blog");
    await bar(member).getByRole("link", { name: "Explore" }).click();
    await expect(member).toHaveURL("/search");
    await member.setViewportSize(narrow);
    await member.goto("/home");
    await expect(bar(member).getByRole("link")).toHaveText(["Reprise", ""]);
    await bar(member).getByRole("link", { name: "Your profile, Ana Torres" }).click();
    await expect(member).toHaveURL(`/${ana.me.username}`);
    const panel = member.getByRole("complementary", { name: "Followers and following" });
    await expect(heading(member)).toHaveText("Ana Torres");
    await expect(panel).toBeHidden();
    await member.setViewportSize(wide);
    await expect(panel).toBeVisible();
    await expect(bar(member).getByRole("button", { name: "Menu of Ana Torres" })).toBeVisible();
    await expect(bar(member).getByRole("button", { name: "Menu", exact: true })).toBeHidden();
  },
);

sharedTest("shows the bar above every page and keeps it while scrolling @more", async ({ site, open }) => {
  const ana = await site.createAccount("Ana Torres");
  const { slug } = await ana.api.blogs.create.mutate(
    aBlog({ document: paragraphs(...Array<string>(60).fill("Owls, mostly.")) }),
  );
  const readers = [
    [await open(), ["/", "/home", "/signin", "/signup", "/forgot-password", "/search", "/docs"]],
    [await open(ana), ["/add-blog", "/settings", "/requests", `/${ana.me.username}`, `/blog/${slug}`]],
  ] as const;
  for (const [page, addresses] of readers) {
    for (const address of addresses) {
      await page.goto(address);
      const box = await bar(page).boundingBox();
      expect(box, address).toMatchObject({ x: 0, y: 0 });
      expect(await top(page.getByRole("main")), address).toBeGreaterThanOrEqual(box!.height);
    }
  }
  const [, [blog]] = readers;
  await blog.mouse.wheel(0, 900);
  await expect.poll(() => top(heading(blog))).toBeLessThan(0);
  expect(await top(bar(blog))).toBe(0);
});

sharedTest(
  "shows guests at /home three slides that lead to sign-up, and nine topics that lead to searches @more",
  async ({ open }) => {
    const page = await open(undefined, { reducedMotion: "reduce" });
    await page.goto("/home");
    const carousel = page.getByRole("region", { name: "What this place is" });
    await expect(carousel.getByRole("group")).toHaveCount(3);
    const [back, on] = ["Previous slide", "Next slide"].map((name) => carousel.getByRole("button", { name }));
    await waitForHydration(on!);
    await expect(back!).toBeDisabled();
    for (const [slide, action] of ["Get Started", "Write Now", "Join Us"].entries()) {
      if (slide > 0) await on!.click();
      await expect(carousel.getByRole("group", { name: `${slide + 1} of 3` })).toBeInViewport({
        ratio: 0.95,
      });
      await expect(carousel.getByRole("link", { name: action })).toHaveAttribute("href", "/signup");
    }
    await expect(on!).toBeDisabled();
    await expect(on!, "the keys stay where they were").toBeFocused();
    await on!.press("Enter");
    await back!.press("Enter");
    await expect(carousel.getByRole("group", { name: "2 of 3" })).toBeInViewport({ ratio: 0.95 });
    await expect(on!).toBeEnabled();
    await back!.press("Enter");
    await expect(back!).toBeDisabled();
    await expect(back!).toBeFocused();
    await on!.press("Enter");
    await carousel.getByRole("link", { name: "Write Now" }).click();
    await expect(page).toHaveURL("/signup");

    await page.goBack();
    const topics = page.getByRole("region", { name: "Recommended Topics" }).getByRole("link");
    const nine = "React, Node Js, Express, MongoDb, HTML, CSS, JavaScript, Java, Python";
    await expect(topics).toHaveText(nine.split(", "));
    await topics.filter({ hasText: "Node Js" }).click();
    await expect(page).toHaveURL("/search?q=Node+Js");
  },
);

test("pages the feed by four blogs and sorts it by date or likes, in the address too", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const blogs = [];
  for (const title of ["One", "Two", "Three", "Four", "Five", "Six"])
    blogs.push(await ana.api.blogs.create.mutate(aBlog({ title })));
  await ana.api.social.likeBlog.mutate({ blogId: blogs[1]!.id, liked: true });
  const page = await open();
  await page.goto("/home");
  const feed = page.getByRole("region", { name: "Blogs" });
  const expectTitles = (...titles: string[]) =>
    expect(feed.getByRole("article").getByRole("heading")).toHaveText(titles);
  const back = feed.getByRole("button", { name: "Previous page" });
  const on = feed.getByRole("button", { name: "Next page" });
  const activeSort = feed.locator("[aria-current=true]");

  await expectTitles("Six", "Five", "Four", "Three");
  await expect(activeSort).toHaveText("Latest");
  await expect(back).toBeDisabled();
  await expect(feed.getByText("Page 1 of 2")).toBeVisible();
  await on.click();
  await expect(page).toHaveURL("/home?page=2");
  await expectTitles("Two", "One");
  await expect(feed.getByText("Page 2 of 2")).toBeVisible();
  await expect(on).toBeDisabled();
  await back.click();
  await expect(page).toHaveURL("/home");
  await expectTitles("Six", "Five", "Four", "Three");

  await feed.getByRole("link", { name: "Most Liked" }).click();
  await expect(page).toHaveURL("/home?sort=likes");
  await expectTitles("Two", "Six", "Five", "Four");
  await expect(activeSort).toHaveText("Most Liked");
  await feed.getByRole("link", { name: "Latest" }).click();
  await expect(page).toHaveURL("/home");
  await expectTitles("Six", "Five", "Four", "Three");
});

test("lists blogs by followed people; shows guests new comments live", async ({ site, open }) => {
  const [ana, ben, cleo] = await site.createAccounts("Ana Torres", "Ben Oke", "Cleo Marsh");
  const guest = await open();
  await guest.goto("/");
  await expect(guest.getByRole("heading", { name: "Always up to date" })).toBeVisible();
  const showcase = guest.getByRole("region", { name: "What people read here" });
  await expect(showcase).toHaveCount(0);

  const commentedBlog = await ana.api.blogs.create.mutate(aBlog({ title: "Talked about" }));
  await ana.api.comments.create.mutate(aComment(commentedBlog, { text: "Who saw it?" }));
  await ben.api.blogs.create.mutate(aBlog({ title: "Of Ben" }));
  await guest.reload();
  await expect(showcase.getByRole("heading", { name: "Talked about" })).toBeVisible();
  await expect(showcase.getByRole("listitem")).toContainText(["Who saw it?", "Of Ben"]);
  await expect(guest.locator(".landing-live[data-live]")).toBeVisible();
  await ben.api.comments.create.mutate(aComment(commentedBlog, { text: "I did, at dusk." }));
  await expect(showcase.getByRole("listitem").first()).toContainText("I did, at dusk.");

  const page = await open(cleo);
  await page.goto("/home");
  const feed = page.getByRole("region", { name: "Blogs", exact: true });
  await feed.getByRole("link", { name: "Following" }).click();
  await expect(page).toHaveURL("/home?sort=following");
  await expect(feed.getByText("Follow people and tags to read them here")).toBeVisible();
  await cleo.api.social.follow.mutate({ userId: ben.me.id, follow: true });
  await expect(feed.getByRole("article").getByRole("heading")).toHaveText(["Of Ben"]);
  await ben.api.blogs.create.mutate(aBlog({ title: "Of Ben again" }));
  await ana.api.blogs.create.mutate(aBlog({ title: "Of somebody else" }));
  await expect(feed.getByRole("article").getByRole("heading")).toHaveText(["Of Ben again", "Of Ben"]);
  await guest.goto("/home?sort=following");
  await expect(guest.getByRole("link", { name: "Latest" })).toHaveAttribute("aria-current", "true");
  await expect(guest.getByRole("link", { name: "Following" })).toHaveCount(0);
});
