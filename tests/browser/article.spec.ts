import type { Page } from "@playwright/test";
import { aBlog, aComment, paragraphs } from "../support/sample-content.ts";
import { waitForHydration, expect, allowErrors, sharedTest as test, visit } from "./test-site.ts";

const head = (page: Page) => page.getByRole("main").getByRole("article").first();
const commentOf = (page: Page, name: string) => page.getByRole("article", { name: `Comment by ${name}` });
const followButton = (page: Page) =>
  page.getByRole("main").getByRole("button", { name: /^(Follow|Requested|Following)$/ });

test("keeps a saved blog and a followed author after a reload", async ({ site, open }) => {
  const [ana, ben] = await site.createAccounts("Ana Torres", "Ben Oke");
  const { slug } = await ana.api.blogs.create.mutate(aBlog());
  const page = await open(ben);
  await page.goto(`/blog/${slug}`);
  const save = page.getByRole("button", { name: /^Save\b/ });
  await waitForHydration(save);
  await save.click();
  await followButton(page).click();
  await expect(followButton(page)).toHaveText("Following");
  await expect
    .poll(async () => ben.api.blogs.bySlug.query({ slug }))
    .toMatchObject({ saved: true, savesCount: 1, follow: "following" });
  await page.reload();
  await expect(save).toHaveAttribute("aria-pressed", "true");
  await expect(followButton(page)).toHaveText("Following");
  await page.goto(`/${ben.me.username}/saved-blogs`);
  await expect(page.getByRole("link", { name: "A walk at night" })).toBeVisible();
});

test("keeps the server-rendered text through hydration and an update, and renders it the same after going back @more", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const code = {
    type: "code_block",
    content: [{ type: "text", text: "\n\n  if (a < b && c > d) return;\n" }],
  };
  const { content } = paragraphs("Owls & “crows” <b>, 'both'\u00a0\".");
  const { slug, id } = await ana.api.blogs.create.mutate(
    aBlog({ document: { type: "doc", content: [...content, code] } }),
  );
  const page = await open();
  const problems: string[] = [];
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  await page.goto(`/blog/${slug}`);
  const text = page.locator(".prose");
  const html = await text.innerHTML();
  await waitForHydration(page.getByRole("button", { name: /^Save\b/ }));
  await text.evaluate((element) => Object.assign(element.firstElementChild!, { isFirst: true }));
  await ana.api.blogs.update.mutate({ id, title: "Owls and crows" });
  await expect(page.getByRole("heading", { name: "Owls and crows" })).toBeVisible();
  expect(await text.evaluate((element) => "isFirst" in element.firstElementChild!)).toBe(true);
  await page.getByRole("link", { name: "Home", exact: true }).first().click();
  await expect(page.getByRole("heading", { name: "Blogs" })).toBeVisible();
  await page.goBack();
  await expect(text).toBeVisible();
  expect(await text.innerHTML()).toBe(html);
  expect(problems).toEqual([]);
});

test("shows Follow to others and guests, and the edit buttons to the author alone @more", async ({
  site,
  open,
}) => {
  const [ana, ben] = await site.createAccounts("Ana Torres", "Ben Oke");
  const { slug } = await ana.api.blogs.create.mutate(aBlog());
  const [anaPage, benPage, guestPage] = [await open(ana), await open(ben), await open()];
  for (const [page, isAuthor] of [
    [anaPage, true],
    [benPage, false],
    [guestPage, false],
  ] as const) {
    await page.goto(`/blog/${slug}`);
    await expect(head(page).getByRole("link", { name: "Ana Torres" })).toBeVisible();
    await expect(followButton(page)).toHaveCount(isAuthor ? 0 : 1);
    for (const name of ["Edit Blog", "Delete Blog"])
      await expect(page.getByRole("button", { name })).toHaveCount(isAuthor ? 1 : 0);
    await page.goto(`/${ana.me.username}`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Ana Torres");
    await expect(followButton(page)).toHaveCount(isAuthor ? 0 : 1);
    await expect(page.getByRole("link", { name: "Edit Profile" })).toHaveCount(isAuthor ? 1 : 0);
  }
  await followButton(guestPage).click();
  await expect(guestPage.getByText("Please sign in to follow Ana Torres")).toBeVisible();
});

test("asks a guest who likes a blog to sign in, keeps the way back, and counts no like", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const { slug } = await ana.api.blogs.create.mutate(aBlog());
  const page = await open();
  await page.goto(`/blog/${slug}`);
  const like = page.getByRole("button", { name: /^Like\b/ });
  await waitForHydration(like);
  await like.click();
  const toast = page.getByRole("status").filter({ hasText: "Please sign in to like this blog" });
  await expect(toast).toBeVisible();
  await expect(like).toHaveAttribute("aria-pressed", "false");
  expect((await ana.api.blogs.bySlug.query({ slug })).likesCount).toBe(0);
  await toast.getByRole("button", { name: "Sign In" }).click();
  await expect(page).toHaveURL(`/signin?next=${encodeURIComponent(`/blog/${slug}`)}`);
});

test("scrolls the comments to the top of the window with their button, however long the blog is @more", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const { slug, id } = await ana.api.blogs.create.mutate(
    aBlog({ document: paragraphs(...Array<string>(60).fill("Owls, mostly.")) }),
  );
  for (let number = 1; number <= 12; number++)
    await ana.api.comments.create.mutate(aComment({ id }, { text: `Heard ${number}.` }));
  const page = await open(undefined, { reducedMotion: "reduce" });
  await page.goto(`/blog/${slug}`);
  const title = page.getByRole("heading", { name: /^Comments/ });
  const button = page.getByRole("button", { name: /^Comments\b/ });
  await waitForHydration(button);
  await expect(title).toHaveCount(0);
  await button.click();
  await expect(page.getByText("Heard 12.")).toBeInViewport();
  await expect(title).toBeInViewport();
  expect((await title.boundingBox())?.y).toBeLessThan(200);
});

test("offers Edit to a comment's author alone, and Delete to the blog's author too", async ({
  site,
  open,
}) => {
  const [ana, ben, cleo] = await site.createAccounts("Ana Torres", "Ben Oke", "Cleo Marsh");
  const { slug, id } = await ana.api.blogs.create.mutate(aBlog());
  await ben.api.comments.create.mutate(aComment({ id }));
  const expectedButtons: [Page, string[]][] = [
    [await open(ben), ["Reply", "Edit", "Delete"]],
    [await open(ana), ["Reply", "Delete"]],
    [await open(cleo), ["Reply"]],
    [await open(), []],
  ];
  for (const [page, names] of expectedButtons) {
    await page.goto(`/blog/${slug}?comments=open`);
    const comment = commentOf(page, "Ben Oke");
    await expect(comment.getByText("Lovely.")).toBeVisible();
    await expect(comment.getByRole("button", { name: /^(Reply|Edit|Delete)$/ })).toHaveText(names);
  }
});

test("opens one reply or edit box at a time @more", async ({ site, open }) => {
  const [ana, ben] = await site.createAccounts("Ana Torres", "Ben Oke");
  const { slug, id } = await ana.api.blogs.create.mutate(aBlog());
  await ana.api.comments.create.mutate(aComment({ id }, { text: "Tawny." }));
  await ben.api.comments.create.mutate(aComment({ id }, { text: "Barn." }));
  const page = await open(ben);
  await page.goto(`/blog/${slug}?comments=open`);
  const [anaComment, benComment] = [commentOf(page, "Ana Torres"), commentOf(page, "Ben Oke")];
  const boxes = page.getByRole("textbox", { name: /^(Reply|Edit your comment)$/ });
  const begin = anaComment.getByRole("button", { name: "Reply" });
  await waitForHydration(begin);
  await begin.click();
  await expect(anaComment.getByRole("textbox", { name: "Reply" })).toBeFocused();
  await benComment.getByRole("button", { name: "Reply" }).click();
  await expect(benComment.getByRole("textbox", { name: "Reply" })).toBeFocused();
  await expect(boxes).toHaveCount(1);
  await benComment.getByRole("button", { name: "Edit" }).click();
  await expect(benComment.getByRole("textbox", { name: "Edit your comment" })).toHaveValue("Barn.");
  await expect(boxes).toHaveCount(1);
  await anaComment.getByRole("button", { name: "Reply" }).click();
  await expect(anaComment.getByRole("textbox", { name: "Reply" })).toBeFocused();
  await expect(boxes).toHaveCount(1);
  await expect(benComment.getByText("Barn.")).toBeVisible();
});

test("shows a blog's date in the reader's locale and time zone, before and after hydration @more", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const { slug } = await ana.api.blogs.create.mutate(aBlog());
  const { publishedAt } = await ana.api.blogs.bySlug.query({ slug });
  for (const [locale, timezoneId, form] of [
    ["en-US", "Pacific/Kiritimati", /^[A-Z][a-z]{2} \d{1,2}, \d{4}$/],
    ["de-DE", "Pacific/Pago_Pago", /^\d{2}\.\d{2}\.\d{4}$/],
  ] as const) {
    const page = await open(undefined, { locale, timezoneId });
    // Delays the client's script: the date must not change when it arrives.
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route("**/assets/entry-browser-*.js", async (route) => {
      await promise;
      await route.continue();
    });
    await page.goto(`/blog/${slug}`, { waitUntil: "commit" });
    const date = head(page).getByRole("time").first();
    await expect(date).toHaveText(form);
    const early = await date.textContent();
    resolve();
    await waitForHydration(page.getByRole("button", { name: "Like" }).first());
    await expect(date).toHaveText(early ?? "");
    // The two zones are always a day apart.
    const day = new Intl.DateTimeFormat("en", { day: "numeric", timeZone: timezoneId }).format(
      Date.parse(publishedAt),
    );
    await expect(date).toHaveText(new RegExp(`\\b0?${day}\\b`));
  }
});

test("shows the time of today's edit in at most two lines on a phone, the same before and after hydration", async ({
  site,
  open,
}) => {
  const [ana, ben] = await site.createAccounts("Ana Torres", "Ben Oke");
  const { id, slug } = await ana.api.blogs.create.mutate(aBlog({ title: "Edited on its day" }));
  await ana.api.blogs.update.mutate({ id, description: "By ear." });
  const options = { viewport: { width: 390, height: 844 }, locale: "de-DE", timezoneId: "Asia/Kolkata" };
  const page = await open(ben, options);
  await visit(page, `/blog/${slug}`);
  const editedTime = page.locator(".dt-updated");
  await expect(editedTime).toHaveText(/^\d\d:\d\d$/);
  await expect(editedTime).toHaveAttribute("title", /\d{4}/);
  const lines = await page.locator(".article-when").evaluate((element) => {
    const lineHeight = Number.parseFloat(getComputedStyle(element).lineHeight);
    return Math.round(element.getBoundingClientRect().height / lineHeight);
  });
  expect(lines).toBeLessThanOrEqual(2);
  const dateText = await page.locator(".article-when").innerText();

  const early = await open(ben, options);
  allowErrors(early);
  await early.route(/entry-browser/, (route) => route.abort());
  await early.goto(`/blog/${slug}`);
  await expect(early.locator(".article-when")).toHaveText(dateText);
});
