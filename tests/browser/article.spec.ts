import type { Page } from "@playwright/test";
import { aBlog, aComment, paragraphs } from "../support/writing.ts";
import { awake, expect, forgive, sharedTest as test, visit } from "./site.ts";

const head = (page: Page) => page.getByRole("main").getByRole("article").first();
const commentOf = (page: Page, name: string) => page.getByRole("article", { name: `Comment by ${name}` });
const followButton = (page: Page) =>
  page.getByRole("main").getByRole("button", { name: /^(Follow|Requested|Following)$/ });

test("a blog is saved and its author followed where it is read, and both stand after a reload", async ({
  site,
  open,
}) => {
  const [ana, ben] = [await site.resident("Ana Torres"), await site.resident("Ben Oke")];
  const { slug } = await ana.api.blogs.create.mutate(aBlog());
  const page = await open(ben);
  await page.goto(`/blog/${slug}`);
  const save = page.getByRole("button", { name: /^Save\b/ });
  await awake(save);
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

test("a text is the same where the page has brought it along, when one comes back, and as its author's page tells it @more", async ({
  site,
  open,
}) => {
  const ana = await site.resident("Ana Torres");
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
  const drawn = await text.innerHTML();
  await awake(page.getByRole("button", { name: /^Save\b/ }));
  await text.evaluate((element) => Object.assign(element.firstElementChild!, { isFirst: true }));
  await ana.api.blogs.update.mutate({ id, title: "Owls and crows" });
  await expect(page.getByRole("heading", { name: "Owls and crows" })).toBeVisible();
  expect(await text.evaluate((element) => "isFirst" in element.firstElementChild!)).toBe(true);
  await page.getByRole("link", { name: "Home", exact: true }).first().click();
  await expect(page.getByRole("heading", { name: "Blogs" })).toBeVisible();
  await page.goBack();
  await expect(text).toBeVisible();
  expect(await text.innerHTML()).toBe(drawn);
  expect(problems).toEqual([]);
});

test("others are offered to follow whom they read, an author what belongs to an author @more", async ({
  site,
  open,
}) => {
  const [ana, ben] = [await site.resident("Ana Torres"), await site.resident("Ben Oke")];
  const { slug } = await ana.api.blogs.create.mutate(aBlog());
  const [hers, his, guests] = [await open(ana), await open(ben), await open()];
  for (const [page, isAuthor] of [
    [hers, true],
    [his, false],
    [guests, false],
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
  await followButton(guests).click();
  await expect(guests.getByText("Please sign in to follow Ana Torres")).toBeVisible();
});

test("a guest who likes a blog is asked to sign in, is led there and back, and is not counted", async ({
  site,
  open,
}) => {
  const ana = await site.resident("Ana Torres");
  const { slug } = await ana.api.blogs.create.mutate(aBlog());
  const page = await open();
  await page.goto(`/blog/${slug}`);
  const like = page.getByRole("button", { name: /^Like\b/ });
  await awake(like);
  await like.click();
  const told = page.getByRole("status").filter({ hasText: "Please sign in to like this blog" });
  await expect(told).toBeVisible();
  await expect(like).toHaveAttribute("aria-pressed", "false");
  expect((await ana.api.blogs.bySlug.query({ slug })).likesCount).toBe(0);
  await told.getByRole("button", { name: "Sign In" }).click();
  await expect(page).toHaveURL(`/signin?next=${encodeURIComponent(`/blog/${slug}`)}`);
});

test("the comments' button brings them to the top of the window, however long the blog is @more", async ({
  site,
  open,
}) => {
  const ana = await site.resident("Ana Torres");
  const { slug, id } = await ana.api.blogs.create.mutate(
    aBlog({ document: paragraphs(...Array<string>(60).fill("Owls, mostly.")) }),
  );
  for (let number = 1; number <= 12; number++)
    await ana.api.comments.create.mutate(aComment({ id }, { text: `Heard ${number}.` }));
  const page = await open(undefined, { reducedMotion: "reduce" });
  await page.goto(`/blog/${slug}`);
  const title = page.getByRole("heading", { name: /^Comments/ });
  const button = page.getByRole("button", { name: /^Comments\b/ });
  await awake(button);
  await expect(title).toHaveCount(0);
  await button.click();
  await expect(page.getByText("Heard 12.")).toBeInViewport();
  await expect(title).toBeInViewport();
  expect((await title.boundingBox())?.y).toBeLessThan(200);
});

test("a comment is edited by its author alone, and deleted by the blog's author too", async ({
  site,
  open,
}) => {
  const [ana, ben, cleo] = [
    await site.resident("Ana Torres"),
    await site.resident("Ben Oke"),
    await site.resident("Cleo Marsh"),
  ];
  const { slug, id } = await ana.api.blogs.create.mutate(aBlog());
  await ben.api.comments.create.mutate(aComment({ id }));
  const offered: [Page, string[]][] = [
    [await open(ben), ["Reply", "Edit", "Delete"]],
    [await open(ana), ["Reply", "Delete"]],
    [await open(cleo), ["Reply"]],
    [await open(), []],
  ];
  for (const [page, names] of offered) {
    await page.goto(`/blog/${slug}?comments=open`);
    const his = commentOf(page, "Ben Oke");
    await expect(his.getByText("Lovely.")).toBeVisible();
    await expect(his.getByRole("button", { name: /^(Reply|Edit|Delete)$/ })).toHaveText(names);
  }
});

test("one comment is answered or edited at a time @more", async ({ site, open }) => {
  const [ana, ben] = [await site.resident("Ana Torres"), await site.resident("Ben Oke")];
  const { slug, id } = await ana.api.blogs.create.mutate(aBlog());
  await ana.api.comments.create.mutate(aComment({ id }, { text: "Tawny." }));
  await ben.api.comments.create.mutate(aComment({ id }, { text: "Barn." }));
  const page = await open(ben);
  await page.goto(`/blog/${slug}?comments=open`);
  const [hers, his] = [commentOf(page, "Ana Torres"), commentOf(page, "Ben Oke")];
  const boxes = page.getByRole("textbox", { name: /^(Reply|Edit your comment)$/ });
  const begin = hers.getByRole("button", { name: "Reply" });
  await awake(begin);
  await begin.click();
  await expect(hers.getByRole("textbox", { name: "Reply" })).toBeFocused();
  await his.getByRole("button", { name: "Reply" }).click();
  await expect(his.getByRole("textbox", { name: "Reply" })).toBeFocused();
  await expect(boxes).toHaveCount(1);
  await his.getByRole("button", { name: "Edit" }).click();
  await expect(his.getByRole("textbox", { name: "Edit your comment" })).toHaveValue("Barn.");
  await expect(boxes).toHaveCount(1);
  await hers.getByRole("button", { name: "Reply" }).click();
  await expect(hers.getByRole("textbox", { name: "Reply" })).toBeFocused();
  await expect(boxes).toHaveCount(1);
  await expect(his.getByText("Barn.")).toBeVisible();
});

test("a blog's date stands in the reader's own form and zone @more", async ({ site, open }) => {
  const ana = await site.resident("Ana Torres");
  const { slug } = await ana.api.blogs.create.mutate(aBlog());
  const { publishedAt } = await ana.api.blogs.bySlug.query({ slug });
  for (const [locale, timezoneId, form] of [
    ["en-US", "Pacific/Kiritimati", /^[A-Z][a-z]{2} \d{1,2}, \d{4}$/],
    ["de-DE", "Pacific/Pago_Pago", /^\d{2}\.\d{2}\.\d{4}$/],
  ] as const) {
    const page = await open(undefined, { locale, timezoneId });
    // Before the page's code has come, as after it: nothing changes under a reader's eyes.
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
    await page.route("**/assets/entry-browser-*.js", async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(`/blog/${slug}`, { waitUntil: "commit" });
    const date = head(page).getByRole("time").first();
    await expect(date).toHaveText(form);
    const early = await date.textContent();
    letGo();
    await awake(page.getByRole("button", { name: "Like" }).first());
    await expect(date).toHaveText(early ?? "");
    // A day apart, whatever the hour is.
    const day = new Intl.DateTimeFormat("en", { day: "numeric", timeZone: timezoneId }).format(
      Date.parse(publishedAt),
    );
    await expect(date).toHaveText(new RegExp(`\\b0?${day}\\b`));
  }
});

test("writes the time of an edit of today in at most two lines on a phone, the same before and after React takes over", async ({
  site,
  open,
}) => {
  const [ana, ben] = [await site.resident("Ana Torres"), await site.resident("Ben Oke")];
  const { id, slug } = await ana.api.blogs.create.mutate(aBlog({ title: "Edited on its day" }));
  await ana.api.blogs.update.mutate({ id, description: "By ear." });
  const options = { viewport: { width: 390, height: 844 }, locale: "de-DE", timezoneId: "Asia/Kolkata" };
  const page = await open(ben, options);
  await visit(page, `/blog/${slug}`);
  const edited = page.locator(".dt-updated");
  await expect(edited).toHaveText(/^\d\d:\d\d$/);
  await expect(edited).toHaveAttribute("title", /\d{4}/);
  const lines = await page.locator(".article-when").evaluate((element) => {
    const lineHeight = Number.parseFloat(getComputedStyle(element).lineHeight);
    return Math.round(element.getBoundingClientRect().height / lineHeight);
  });
  expect(lines).toBeLessThanOrEqual(2);
  const written = await page.locator(".article-when").innerText();

  const early = await open(ben, options);
  forgive(early);
  await early.route(/entry-browser/, (route) => route.abort());
  await early.goto(`/blog/${slug}`);
  await expect(early.locator(".article-when")).toHaveText(written);
});
