import type { Page } from "@playwright/test";
import { paint } from "../support/pictures.ts";
import { aBlog, aComment } from "../support/sample-content.ts";
import { openToolbar } from "./editor-helpers.ts";
import { expect, logIn, sharedTest as test } from "./test-site.ts";

/** Returns what the browser stores under one of its two keys, or null. */
const stored = (page: Page, key: "user" | "selectedBlog") =>
  page.evaluate(
    (name) => JSON.parse(localStorage.getItem(name) ?? "null") as Record<string, unknown> | null,
    key,
  );
const expectStored = (page: Page, key: "user" | "selectedBlog") =>
  expect.poll(() => stored(page, key), { intervals: [50] });

async function signIn(page: Page, email: string): Promise<void> {
  await page.goto("/signin");
  await logIn(page, email);
  await expect(page.getByRole("button", { name: /^Menu of/ })).toBeVisible();
}

test("stores the account at sign-in, merges changes in every tab, and removes it at sign-out", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  await ana.api.users.updateSettings.mutate({ interests: ["owls"] });
  const page = await open();
  await signIn(page, ana.email);
  const { id, username } = ana.me;
  const user = {
    token: expect.any(String) as unknown,
    name: "Ana Torres",
    username,
    email: ana.email,
    id,
    profilePic: null,
    followers: [],
    following: [],
    interests: ["owls"],
  };
  await expectStored(page, "user").toEqual(user);
  const { token } = (await stored(page, "user"))!;
  expect(
    (await page.context().cookies()).map(({ value }) => value),
    "what is kept signs nobody in",
  ).not.toContain(token);

  const otherPage = await page.context().newPage();
  await otherPage.goto("/home");
  await page.goto("/edit-profile");
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("Ana María Torres");
  await page.getByRole("button", { name: "Update Profile" }).click();
  await expect(page).toHaveURL(`/${username}`);
  await expect(otherPage.getByRole("button", { name: "Menu of Ana María Torres" })).toBeVisible();
  for (const tab of [page, otherPage])
    await expectStored(tab, "user").toEqual({ ...user, token, name: "Ana María Torres" });

  await page.getByRole("button", { name: /^Menu of/ }).click();
  await page.getByRole("menuitem", { name: "Log Out" }).click();
  await expect(page).toHaveURL("/signin");
  await expect(otherPage.getByRole("link", { name: "Sign Up" })).toBeVisible();
  for (const tab of [page, otherPage]) await expectStored(tab, "user").toBeNull();
});

test("stores followed people: from before, by this window, by another device and by accepted requests @more", async ({
  site,
  open,
}) => {
  const [ana, ben, cleo] = await site.createAccounts("Ana Torres", "Ben Oke", "Cleo Marsh");
  await ana.api.users.updateSettings.mutate({ interests: ["owls"] });
  await ana.api.social.follow.mutate({ userId: cleo.me.id, follow: true });
  await ben.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  const [page, otherPage] = [await open(), await open(ana)];
  await signIn(page, ana.email);
  // With a session only, as after Google.
  await otherPage.goto("/home");
  for (const tab of [page, otherPage])
    await expectStored(tab, "user").toMatchObject({ followers: [ben.me.id], following: [cleo.me.id] });

  await page.goto(`/${ben.me.username}`);
  await page.getByRole("button", { name: "Follow", exact: true }).click();
  await expectStored(page, "user").toMatchObject({ following: [cleo.me.id, ben.me.id] });
  await ana.api.social.follow.mutate({ userId: cleo.me.id, follow: false });
  await expectStored(page, "user").toMatchObject({ following: [ben.me.id] });
  await page.getByRole("button", { name: "Following", exact: true }).click();
  await expectStored(page, "user").toMatchObject({ followers: [ben.me.id], following: [] });

  await ben.api.users.updateSettings.mutate({ private: true });
  await page.getByRole("button", { name: "Ask to follow" }).click();
  // The button changes before the server has the request.
  await expect.poll(async () => (await ben.api.social.requests.query()).requests.length).toBe(1);
  expect(await stored(page, "user")).toMatchObject({ following: [] });
  await ben.api.social.handleRequest.mutate({ requesterId: ana.me.id, action: "accept" });
  await expectStored(page, "user").toMatchObject({ following: [ben.me.id] });
});

test("stores the open blog with its comments, and removes it when it is left @more", async ({
  site,
  open,
}) => {
  const [ana, ben] = await site.createAccounts("Ana Torres", "Ben Oke");
  const { id, slug } = await ana.api.blogs.create.mutate(aBlog({ title: "Owls of the valley" }));
  const comment = aComment({ id }, { text: "Which owls?" });
  await ben.api.comments.create.mutate(comment);
  const page = await open();
  await page.goto("/home");
  await expect(page.getByRole("heading", { name: "Blogs" })).toBeVisible();
  expect(await stored(page, "selectedBlog")).toBeNull();
  await page.getByRole("link", { name: "Owls of the valley" }).first().click();
  const person = ({ me: { id: _id, name, username } }: typeof ana) => ({
    _id,
    name,
    username,
    profilePic: null,
  });
  const storedComment = {
    _id: comment.id,
    user: person(ben),
    comment: "Which owls?",
    createdAt: expect.any(String) as unknown,
    likes: [],
    likesCount: 0,
    replies: [] as object[],
    parentComment: null,
  };
  const blog = {
    _id: id,
    blogId: slug,
    title: "Owls of the valley",
    description: "What one hears.",
    image: null,
    content: "<p>Owls, mostly.</p>",
    tags: ["night"],
    draft: false,
    private: false,
    createdAt: expect.any(String) as unknown,
    creator: { ...person(ana), followers: [] },
    likes: [],
    likesCount: 0,
    comments: [storedComment],
    commentsCount: 1,
    totalSaves: [],
    totalSavesCount: 0,
  };
  await expectStored(page, "selectedBlog").toEqual(blog);
  const answer = aComment({ id }, { text: "Tawny ones.", parentId: comment.id });
  await ana.api.comments.create.mutate(answer);
  const reply = {
    ...storedComment,
    _id: answer.id,
    user: person(ana),
    comment: answer.text,
    parentComment: comment.id,
  };
  await expectStored(page, "selectedBlog").toMatchObject({
    comments: [{ ...storedComment, replies: [reply] }],
  });

  await page.getByRole("link", { name: "Home", exact: true }).click();
  await expect(page).toHaveURL("/home");
  await expectStored(page, "selectedBlog").toBeNull();
});

test("reports an upload that a reload interrupted @more", async ({ site, open }) => {
  const ana = await site.createAccount("Ana Torres");
  const page = await open();
  await signIn(page, ana.email);
  // The upload never ends.
  await page.route("**/upload", () => undefined);
  await page.goto("/add-blog");
  await page.getByRole("textbox", { name: "Title" }).fill("Half a picture");
  const chooser = page.waitForEvent("filechooser");
  await (await openToolbar(page)).getByRole("button", { name: "Image", exact: true }).click();
  await (await chooser).setFiles({ name: "owl.png", mimeType: "image/png", buffer: await paint() });
  await expect(page.getByRole("group", { name: "Uploading picture" })).toBeVisible();
  await expect(page.getByText("Saved on this device")).toBeVisible();
  await page.reload();
  await expect(page.getByText("The upload of owl.png was interrupted. Please add it again.")).toBeVisible();

  await page.goto("/edit-profile");
  await page
    .locator(".picture-row input[type=file]")
    .setInputFiles({ name: "me.png", mimeType: "image/png", buffer: await paint() });
  await expect(page.getByRole("button", { name: "Cancel upload" })).toBeVisible();
  await page.reload();
  await expect(page.getByText("The upload of me.png was interrupted. Please add it again.")).toBeVisible();
  await page.reload();
  await expect(page.getByText("The upload of me.png")).toHaveCount(0);
});

/** Pastes a picture that can't be fetched into the text of an open form. */
async function pastePicture(page: Page) {
  await openToolbar(page);
  const text = page.locator(".ProseMirror");
  await text.click();
  await page.keyboard.press("ControlOrMeta+A");
  await text.evaluate((element) => {
    const data = new DataTransfer();
    data.setData("text/html", '<p>Look: <img src="https://pictures.example/a.png" alt="owl"></p>');
    element.dispatchEvent(
      new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }),
    );
  });
  return text;
}

test("replaces an external picture that can't be imported into a draft by a link, and says so @more", async ({
  site,
  open,
}) => {
  const page = await open(await site.createAccount("Ana Torres"));
  await page.goto("/add-blog");
  const text = await pastePicture(page);
  await expect(page.getByText("We couldn’t copy a picture from another site")).toBeVisible();
  await expect(text.getByRole("link", { name: "owl" })).toBeVisible();
});

test("shows a card for an external picture in the editor until it is imported @more", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  // The text of a published blog is only saved when its writer updates it.
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const page = await open(ana);
  await page.goto(`/edit/${blog.slug}`);
  const text = await pastePicture(page);
  const card = text.getByText("Picture from pictures.example: a copy will be made here");
  await expect(card).toBeVisible();
  await expect(text.getByAltText("owl")).toBeHidden();
  for (const width of [1440, 820, 390]) {
    await page.setViewportSize({ width, height: 900 });
    const textBottom = await card.evaluate((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      return range.getBoundingClientRect().bottom;
    });
    const button = await text.getByRole("button", { name: "Alt text: owl" }).boundingBox();
    expect(button?.y, `nothing covers its words at ${width} px`).toBeGreaterThanOrEqual(textBottom);
  }
  const [length, state] = [
    page.getByText(/^\d words? · 1 min read$/),
    page.getByText("Saved", { exact: true }),
  ];
  await expect(state).toBeInViewport({ ratio: 1 });
  const [below, above] = [await length.boundingBox(), await state.boundingBox()];
  // Close is before it.
  expect(above!.x).toBeGreaterThan(below!.x);
  expect(below?.y).toBeGreaterThanOrEqual((above?.y ?? 0) + (above?.height ?? 0));
});
