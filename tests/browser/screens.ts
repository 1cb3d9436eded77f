import type { Page } from "@playwright/test";
import { openPublishSheet, expectSaved, openToolbar } from "./editor-helpers.ts";
import { waitForHydration, expect, password } from "./test-site.ts";
import type { ScreensData } from "./screens-data.ts";

/** A state of the site to check. */
export interface Screen {
  name: string;
  viewer?: "ana" | "ben" | "cleo" | "dora" | "ida" | "finn";
  path: string | ((data: ScreensData) => string);
  /** Matches the page's main heading once it is ready. */
  heading: RegExp;
  /** Brings the page into the state to check. */
  prepare?: (page: Page, isWide: boolean) => Promise<void>;
  /** Whether `npm test` checks it; the others run with `npm run test:more`. */
  inGate?: true;
  /** Whether the address answers 404, which the browser logs. */
  notFound?: boolean;
}

/** Every screen with its menus, dialogs and messages, and "strained" ones with extreme texts. */
export const screens: Screen[] = [
  { name: "the landing page", inGate: true, path: "/", heading: /Write\.\s*Inspire\.\s*Repeat/ },
  { name: "a member's start", viewer: "ana", path: "/", heading: /Home/ },
  { name: "a guest's home", path: "/home", heading: /Home/ },
  { name: "a member's home", inGate: true, viewer: "ben", path: "/home", heading: /Home/ },
  { name: "home, most liked, second page", path: "/home?page=2&sort=likes", heading: /Home/ },
  { name: "sign in", path: "/signin", heading: /Welcome back/ },
  {
    name: "sign in, refused",
    inGate: true,
    path: "/signin",
    heading: /Welcome back/,
    prepare: async (page) => {
      await page.getByRole("button", { name: "Log In" }).click();
      await expect(page.getByRole("textbox", { name: "Email" })).toHaveAttribute("aria-invalid", "true");
    },
  },
  { name: "the second step", path: "/signin?step=google", heading: /One more step/ },
  { name: "sign up", inGate: true, path: "/signup", heading: /Join Reprise/ },
  { name: "forgot password", path: "/forgot-password", heading: /Forgot your password/ },
  { name: "reset password", path: "/reset-password/any", heading: /password/i },
  { name: "no more mails", path: "/unsubscribe/any", heading: /Unsubscribe from emails/ },
  { name: "delete account", path: "/delete-account/any", heading: /Delete your account/ },
  {
    name: "choose interests",
    inGate: true,
    viewer: "ana",
    path: "/select-interests",
    heading: /What do you like to read about/,
  },
  { name: "write", viewer: "ben", path: "/add-blog", heading: /Write a blog/, prepare: waitForEditor },
  {
    name: "edit",
    inGate: true,
    viewer: "ana",
    path: ({ slug }) => `/edit/${slug}`,
    heading: /Edit your blog/,
    prepare: waitForEditor,
  },
  {
    name: "what is said of a blog beside its text",
    inGate: true,
    viewer: "ana",
    path: ({ slug }) => `/edit/${slug}`,
    heading: /Edit your blog/,
    prepare: async (page) => {
      await openPublishSheet(page);
      await expect(page.locator(".card-preview")).toBeVisible();
    },
  },
  {
    name: "the history of a blog",
    viewer: "ana",
    path: ({ rewritten }) => `/edit/${rewritten}`,
    heading: /Edit your blog/,
    prepare: openHistory,
  },
  {
    name: "what a blog said once, in one with what it says",
    inGate: true,
    viewer: "ana",
    path: ({ rewritten }) => `/edit/${rewritten}`,
    heading: /Edit your blog/,
    prepare: async (page, isWide) => {
      await openHistory(page);
      const dialog = page.getByRole("dialog", { name: "History" });
      await dialog
        .getByRole("button", { name: /Published/ })
        .first()
        .click();
      if (isWide) await dialog.getByRole("button", { name: "Inline" }).click();
      await expect(dialog.locator("del").first()).toBeVisible();
      for (const summary of await dialog.locator("summary").all()) await summary.click();
    },
  },
  {
    name: "what a blog said once, the whole of it",
    viewer: "ana",
    path: ({ rewritten }) => `/edit/${rewritten}`,
    heading: /Edit your blog/,
    prepare: async (page) => {
      await openHistory(page);
      const dialog = page.getByRole("dialog", { name: "History" });
      await dialog
        .getByRole("button", { name: /Published/ })
        .last()
        .click();
      await expect(dialog.locator(".prose table")).toBeVisible();
    },
  },
  { name: "a blog, by a guest", path: ({ slug }) => `/blog/${slug}`, heading: /Owls, and/ },
  {
    name: "a blog, by a reader",
    inGate: true,
    viewer: "ben",
    path: ({ slug }) => `/blog/${slug}`,
    heading: /Owls, and/,
  },
  {
    name: "a blog with its comments, by its author",
    inGate: true,
    viewer: "ana",
    path: ({ slug }) => `/blog/${slug}`,
    heading: /Owls, and/,
    prepare: async (page) => {
      await page.getByRole("button", { name: "Comments" }).click();
      await expect(page.getByRole("heading", { name: /^Comments/ })).toBeVisible();
      await page.getByRole("button", { name: "Reply" }).first().click();
      await expect(page.getByRole("textbox", { name: "Reply" })).toBeFocused();
    },
  },
  {
    name: "comments, by a guest",
    inGate: true,
    path: ({ slug }) => `/blog/${slug}?comments=open`,
    heading: /Owls, and/,
  },
  { name: "a draft", viewer: "ana", path: ({ draft }) => `/blog/${draft}`, heading: /Unfinished/ },
  {
    name: "a draft that is published later",
    viewer: "ana",
    path: ({ planned }) => `/blog/${planned}`,
    heading: /In spring/,
    prepare: (page) => expect(page.getByRole("complementary", { name: "Scheduled" })).toBeVisible(),
  },
  {
    name: "edit, published later",
    viewer: "ana",
    path: ({ planned }) => `/edit/${planned}`,
    heading: /Edit your blog/,
    prepare: async (page) => {
      await openPublishSheet(page);
      await expect(page.getByLabel("Day and time")).toHaveValue(/T/);
    },
  },
  ...(["finn", "ida"] as const).map((author): Screen => ({
    name: `edit, with others, ${author === "finn" ? "by whose it is" : "by a co-author"}, strained`,
    viewer: author,
    path: ({ shared }) => `/edit/${shared}`,
    heading: /Edit your blog/,
    prepare: async (page) => {
      await openPublishSheet(page);
      await expect(page.getByRole("list", { name: "Authors" }).getByRole("listitem")).toHaveCount(4);
    },
  })),
  {
    name: "the question before a co-author is removed",
    viewer: "finn",
    path: ({ shared }) => `/edit/${shared}`,
    heading: /Edit your blog/,
    prepare: async (page) => {
      await openPublishSheet(page);
      await page.getByRole("button", { name: "Remove", exact: true }).first().click();
      await expect(page.getByRole("alertdialog")).toContainText("What they wrote stays in it.");
    },
  },
  {
    name: "a draft of several, strained",
    viewer: "ida",
    path: ({ shared }) => `/blog/${shared}`,
    heading: /Together/,
  },
  {
    name: "an invitation",
    viewer: "dora",
    path: "/my-blogs",
    heading: /My blogs/,
    prepare: expectInvitation,
  },
  {
    name: "a notification of it",
    viewer: "dora",
    path: "/notifications",
    heading: /Notifications/,
    prepare: expectInvitation,
  },
  {
    name: "a blog that is not there",
    path: "/blog/nothing-here",
    heading: /Page not found/,
    notFound: true,
  },
  {
    name: "one's own profile",
    inGate: true,
    viewer: "ana",
    path: ({ ana }) => `/${ana.me.username}`,
    heading: /Ana Torres/,
  },
  {
    name: "drafts",
    viewer: "ana",
    path: ({ ana }) => `/${ana.me.username}/draft-blogs`,
    heading: /Ana Torres/,
  },
  {
    name: "liked blogs",
    viewer: "ben",
    path: ({ ben }) => `/${ben.me.username}/liked-blogs`,
    heading: /Ben Oke/,
  },
  {
    name: "an empty list",
    viewer: "dora",
    path: ({ dora }) => `/${dora.me.username}/saved-blogs`,
    heading: /Dora Vale/,
  },
  {
    name: "somebody's profile",
    viewer: "ben",
    path: ({ ana }) => `/${ana.me.username}`,
    heading: /Ana Torres/,
  },
  {
    name: "a private profile",
    inGate: true,
    path: ({ dora }) => `/${dora.me.username}`,
    heading: /Dora Vale/,
  },
  {
    name: "followers",
    inGate: true,
    viewer: "ana",
    path: ({ ana }) => `/followers/${ana.me.username}`,
    heading: /Ana Torres/,
  },
  { name: "following", path: ({ ana }) => `/following/${ana.me.username}`, heading: /Ana Torres/ },
  {
    name: "followers that are not shown",
    path: ({ dora }) => `/followers/${dora.me.username}`,
    heading: /Dora Vale/,
  },
  { name: "edit profile", inGate: true, viewer: "ana", path: "/edit-profile", heading: /Edit Profile/ },
  {
    name: "settings",
    inGate: true,
    viewer: "ana",
    path: "/settings",
    heading: /Settings/,
    prepare: openSections,
  },
  { name: "requests", viewer: "dora", path: "/requests", heading: /Follow requests/ },
  { name: "the moderators' queue", inGate: true, viewer: "ana", path: "/admin", heading: /Moderation/ },
  { name: "the moderators' list of people", viewer: "ana", path: "/admin/people", heading: /Moderation/ },
  { name: "no requests", viewer: "ben", path: "/requests", heading: /Follow requests/ },
  { name: "notifications", inGate: true, viewer: "ana", path: "/notifications", heading: /Notifications/ },
  { name: "no notifications", viewer: "cleo", path: "/notifications", heading: /Notifications/ },
  { name: "own blogs", inGate: true, viewer: "ana", path: "/my-blogs", heading: /My blogs/ },
  { name: "search, nothing asked", viewer: "ben", path: "/search", heading: /Explore/ },
  { name: "search, blogs", inGate: true, viewer: "ben", path: "/search?q=owls", heading: /Explore/ },
  { name: "search, people", viewer: "ben", path: "/search?q=ana&tab=people", heading: /Explore/ },
  { name: "a tag", inGate: true, path: "/tag/night", heading: /#night/ },
  { name: "a tag that nothing has", viewer: "ben", path: "/tag/zzzz", heading: /#zzzz/, notFound: true },
  { name: "search, nothing found", path: "/search?q=zzzz", heading: /Explore/ },
  { name: "documentation", path: "/docs", heading: /./ },
  {
    name: "the member's menu",
    inGate: true,
    viewer: "ana",
    path: "/home",
    heading: /Home/,
    prepare: async (page, isWide) => {
      await page.getByRole("button", { name: isWide ? /^Menu of/ : "Menu" }).click();
      await expect(page.getByRole(isWide ? "menu" : "dialog")).toBeVisible();
    },
  },
  {
    name: "the guest's menu",
    path: "/home",
    heading: /Home/,
    prepare: async (page, isWide) => {
      await page.getByRole("button", { name: isWide ? "Theme" : "Menu" }).click();
      await expect(page.getByRole(isWide ? "menu" : "dialog")).toBeVisible();
    },
  },
  {
    name: "the bell's list",
    viewer: "ana",
    path: "/settings",
    heading: /Settings/,
    prepare: async (page, isWide) => {
      const bell = page.getByRole("button", { name: /^Notifications/ });
      await waitForHydration(bell);
      await bell.click();
      if (isWide) await expect(page.getByRole("dialog").getByRole("listitem").first()).toBeVisible();
      else await expect(page).toHaveURL(/\/notifications$/);
    },
  },
  {
    name: "the keys",
    path: "/home",
    heading: /Home/,
    prepare: async (page) => {
      await page.locator("body").press("?");
      await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
    },
  },
  {
    name: "the question before an account is deleted",
    inGate: true,
    viewer: "dora",
    path: "/settings#settings-account",
    heading: /Settings/,
    prepare: async (page) => {
      await page.getByRole("button", { name: "Delete Account" }).click();
      await expect(page.getByRole("alertdialog")).toBeVisible();
    },
  },
  {
    name: "a new password",
    viewer: "dora",
    path: "/settings#settings-access",
    heading: /Settings/,
    prepare: async (page) => {
      await page.getByRole("button", { name: "Change password" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Change password" }).click();
      await expect(page.getByText("Please enter your password.")).toBeVisible();
    },
  },
  {
    name: "an authenticator app being set up",
    viewer: "dora",
    path: "/settings#settings-steps",
    heading: /Settings/,
    prepare: async (page) => {
      await page.getByRole("button", { name: "Set up an authenticator app" }).click();
      await page.getByRole("textbox", { name: "Your password" }).fill(password);
      await page.keyboard.press("Enter");
      await expect(page.getByRole("img", { name: "QR code for the app" })).toBeVisible();
    },
  },
  {
    name: "the question before a thread is deleted",
    viewer: "ben",
    path: ({ slug }) => `/blog/${slug}?comments=open`,
    heading: /Owls, and/,
    prepare: async (page) => {
      const remove = page.getByRole("button", { name: "Delete" }).first();
      await waitForHydration(remove);
      await remove.click();
      await expect(
        page.getByRole("alertdialog", { name: "Delete this comment and 8 replies?" }),
      ).toBeVisible();
    },
  },
  {
    name: "a message with a way back",
    path: ({ slug }) => `/blog/${slug}`,
    heading: /Owls, and/,
    prepare: async (page) => {
      await page.getByRole("button", { name: "Like" }).click();
      await expect(page.getByText("Please sign in to like this blog")).toBeVisible();
    },
  },
  ...(
    [
      ["its headings", /^Text style/, "menu"],
      ["its inks", /^Text color/, "menu"],
      ["its question for a link", /^Link$/, "dialog"],
    ] as const
  ).map(([item, button, role]): Screen => ({
    name: `the editor and ${item}`,
    viewer: "ben",
    path: "/add-blog",
    heading: /Write a blog/,
    prepare: async (page) => {
      await waitForEditor(page);
      await page.getByRole("textbox", { name: "Content" }).click();
      await page.keyboard.type("Owls ");
      // Leaving before it is saved sends it again, and the browser would log a conflict.
      await expectSaved(page);
      await (await openToolbar(page)).getByRole("button", { name: button }).click();
      await expect(page.getByRole(role)).toBeVisible();
    },
  })),
  {
    name: "the editor and what a slash offers",
    viewer: "ben",
    path: "/add-blog",
    heading: /Write a blog/,
    prepare: async (page) => {
      await waitForEditor(page);
      await page.getByRole("textbox", { name: "Content" }).click();
      await page.keyboard.press("Enter");
      await page.keyboard.type("/");
      await expect(page.getByRole("option", { name: "Table" })).toBeVisible();
    },
  },
  {
    name: "the editor and the tools over what is selected",
    viewer: "ben",
    path: "/add-blog",
    heading: /Write a blog/,
    prepare: async (page) => {
      await waitForEditor(page);
      await page.getByRole("textbox", { name: "Content" }).click();
      await page.keyboard.type("Owls");
      await expectSaved(page);
      await page.keyboard.press("Shift+Home");
      await expect(page.getByRole("toolbar", { name: "Selected text" })).toBeVisible();
    },
  },
  { name: "a newcomer's home", viewer: "cleo", path: "/home", heading: /Home/ },
  { name: "a newcomer's blogs", viewer: "cleo", path: "/my-blogs", heading: /My blogs/ },
  {
    name: "a newcomer's profile",
    viewer: "cleo",
    path: ({ cleo }) => `/${cleo.me.username}`,
    heading: /Cleo/,
  },
  { name: "a newcomer's followers", path: ({ cleo }) => `/followers/${cleo.me.username}`, heading: /Cleo/ },
  {
    name: "a link of a mail that is void",
    path: "/verify-email/bad",
    heading: /didn’t work/,
    notFound: true,
  },
  { name: "home, strained", viewer: "ida", path: "/home", heading: /Home/ },
  {
    name: "comments, strained",
    inGate: true,
    viewer: "finn",
    path: ({ strained }) => `/blog/${strained}?comments=open`,
    heading: /Donau/,
  },
  {
    name: "comments, strained, by the author",
    viewer: "ida",
    path: ({ strained }) => `/blog/${strained}?comments=open`,
    heading: /Donau/,
  },
  { name: "a blog, strained, by a guest", path: ({ endless }) => `/blog/${endless}`, heading: /Donau/ },
  { name: "own blogs, strained", viewer: "ida", path: "/my-blogs", heading: /My blogs/ },
  ...["", "/saved-blogs", "/liked-blogs", "/draft-blogs", "/private-blogs"].map((tab): Screen => ({
    name: `a profile, strained${tab.replace(/[/-]/g, " ")}`,
    viewer: "ida",
    path: ({ ida }) => `/${ida.me.username}${tab}`,
    heading: /ינשופים/,
  })),
  { name: "a profile, endless", path: ({ finn }) => `/${finn.me.username}`, heading: /Donau/ },
  {
    name: "followers, strained",
    viewer: "ida",
    path: ({ ida }) => `/followers/${ida.me.username}`,
    heading: /ינשופים/,
  },
  { name: "edit profile, strained", viewer: "ida", path: "/edit-profile", heading: /Edit Profile/ },
  {
    name: "settings, strained",
    viewer: "ida",
    path: "/settings",
    heading: /Settings/,
    prepare: openSections,
  },
  { name: "a search, strained", viewer: "ida", path: "/search?q=owls", heading: /Explore/ },
  {
    name: "a search's second page, strained",
    viewer: "ida",
    path: "/search?q=owls&page=2",
    heading: /Explore/,
  },
  { name: "people found, strained", path: "/search?q=donau&tab=people", heading: /Explore/ },
  { name: "requests, strained", viewer: "ida", path: "/requests", heading: /Follow requests/ },
  { name: "notifications, strained", viewer: "ida", path: "/notifications", heading: /Notifications/ },
  {
    name: "edit, strained",
    viewer: "ida",
    path: ({ strained }) => `/edit/${strained}`,
    heading: /Edit your blog/,
    prepare: waitForEditor,
  },
  { name: "nothing", inGate: true, path: "/no-such-person", heading: /Page not found/, notFound: true },
];

async function waitForEditor(page: Page): Promise<void> {
  await expect(page.getByRole("textbox", { name: "Content" })).toBeVisible();
}

async function expectInvitation(page: Page): Promise<void> {
  await expect(page.getByRole("button", { name: "Accept" }).first()).toBeVisible();
}

async function openHistory(page: Page): Promise<void> {
  await waitForEditor(page);
  const more = page.getByRole("button", { name: "More", exact: true });
  if (await more.isVisible()) await more.click();
  await page
    .getByRole("button", { name: "History" })
    .or(page.getByRole("menuitem", { name: "History" }))
    .click();
  await expect(
    page
      .getByRole("dialog", { name: "History" })
      .getByRole("button", { name: /Published/ })
      .first(),
  ).toBeVisible();
}

/** Opens what a phone shows closed. */
function openSections(page: Page): Promise<void> {
  return page.evaluate(() => {
    for (const section of document.querySelectorAll("details")) section.open = true;
  });
}
