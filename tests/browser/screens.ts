import type { Page } from "@playwright/test";
import { details, saved, tools } from "./editor.ts";
import { awake, expect, password } from "./site.ts";
import type { Village } from "./village.ts";

/** A state of the site that somebody sees. */
export interface Screen {
  name: string;
  who?: "ana" | "ben" | "cleo" | "dora" | "ida" | "finn";
  path: string | ((village: Village) => string);
  /** What stands there when the page is ready: its heading, unless it is said otherwise. */
  shows: RegExp;
  /** Brings it into the state that is looked at. */
  bring?: (page: Page, isWide: boolean) => Promise<void>;
  /** Whether `npm test` checks it: one screen of each kind. */
  inGate?: true;
  /** The browser itself complains of a document that was not found. */
  notFound?: boolean;
}

/** Every screen, with the menus, dialogs and messages that open on them, and strained by words that have no end. */
export const screens: Screen[] = [
  { name: "the landing page", inGate: true, path: "/", shows: /Write\.\s*Inspire\.\s*Repeat/ },
  { name: "a member's start", who: "ana", path: "/", shows: /Home/ },
  { name: "a guest's home", path: "/home", shows: /Home/ },
  { name: "a member's home", inGate: true, who: "ben", path: "/home", shows: /Home/ },
  { name: "home, most liked, second page", path: "/home?page=2&sort=likes", shows: /Home/ },
  { name: "sign in", path: "/signin", shows: /Welcome back/ },
  {
    name: "sign in, refused",
    inGate: true,
    path: "/signin",
    shows: /Welcome back/,
    bring: async (page) => {
      await page.getByRole("button", { name: "Log In" }).click();
      await expect(page.getByRole("textbox", { name: "Email" })).toHaveAttribute("aria-invalid", "true");
    },
  },
  { name: "the second step", path: "/signin?step=google", shows: /One more step/ },
  { name: "sign up", inGate: true, path: "/signup", shows: /Join Reprise/ },
  { name: "forgot password", path: "/forgot-password", shows: /Forgot your password/ },
  { name: "reset password", path: "/reset-password/any", shows: /password/i },
  { name: "no more mails", path: "/unsubscribe/any", shows: /Unsubscribe from emails/ },
  { name: "delete account", path: "/delete-account/any", shows: /Delete your account/ },
  {
    name: "choose interests",
    inGate: true,
    who: "ana",
    path: "/select-interests",
    shows: /What do you like to read about/,
  },
  { name: "write", who: "ben", path: "/add-blog", shows: /Write a blog/, bring: editorIsReady },
  {
    name: "edit",
    inGate: true,
    who: "ana",
    path: ({ slug }) => `/edit/${slug}`,
    shows: /Edit your blog/,
    bring: editorIsReady,
  },
  {
    name: "what is said of a blog beside its text",
    inGate: true,
    who: "ana",
    path: ({ slug }) => `/edit/${slug}`,
    shows: /Edit your blog/,
    bring: async (page) => {
      await details(page);
      await expect(page.locator(".card-preview")).toBeVisible();
    },
  },
  {
    name: "the history of a blog",
    who: "ana",
    path: ({ rewritten }) => `/edit/${rewritten}`,
    shows: /Edit your blog/,
    bring: openHistory,
  },
  {
    name: "what a blog said once, in one with what it says",
    inGate: true,
    who: "ana",
    path: ({ rewritten }) => `/edit/${rewritten}`,
    shows: /Edit your blog/,
    bring: async (page, isWide) => {
      await openHistory(page);
      const dialog = page.getByRole("dialog", { name: "History" });
      await dialog.getByRole("button", { name: /Updated/ }).click();
      if (isWide) await dialog.getByRole("button", { name: "Inline" }).click();
      await expect(dialog.locator("del").first()).toBeVisible();
      for (const same of await dialog.locator("summary").all()) await same.click();
    },
  },
  {
    name: "what a blog said once, the whole of it",
    who: "ana",
    path: ({ rewritten }) => `/edit/${rewritten}`,
    shows: /Edit your blog/,
    bring: async (page) => {
      await openHistory(page);
      const dialog = page.getByRole("dialog", { name: "History" });
      await dialog.getByRole("button", { name: /Published/ }).click();
      await expect(dialog.locator(".prose table")).toBeVisible();
    },
  },
  { name: "a blog, by a guest", path: ({ slug }) => `/blog/${slug}`, shows: /Owls, and/ },
  {
    name: "a blog, by a reader",
    inGate: true,
    who: "ben",
    path: ({ slug }) => `/blog/${slug}`,
    shows: /Owls, and/,
  },
  {
    name: "a blog with its comments, by its author",
    inGate: true,
    who: "ana",
    path: ({ slug }) => `/blog/${slug}`,
    shows: /Owls, and/,
    bring: async (page) => {
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
    shows: /Owls, and/,
  },
  { name: "a draft", who: "ana", path: ({ draft }) => `/blog/${draft}`, shows: /Unfinished/ },
  {
    name: "a draft that is published later",
    who: "ana",
    path: ({ planned }) => `/blog/${planned}`,
    shows: /In spring/,
    bring: (page) => expect(page.getByRole("complementary", { name: "Scheduled" })).toBeVisible(),
  },
  {
    name: "edit, published later",
    who: "ana",
    path: ({ planned }) => `/edit/${planned}`,
    shows: /Edit your blog/,
    bring: async (page) => {
      await details(page);
      await expect(page.getByLabel("Day and time")).toHaveValue(/T/);
    },
  },
  ...(["finn", "ida"] as const).map((who): Screen => ({
    name: `edit, with others, ${who === "finn" ? "by whose it is" : "by a co-author"}, strained`,
    who,
    path: ({ shared }) => `/edit/${shared}`,
    shows: /Edit your blog/,
    bring: async (page) => {
      await details(page);
      await expect(page.getByRole("list", { name: "Authors" }).getByRole("listitem")).toHaveCount(4);
    },
  })),
  {
    name: "the question before a co-author is removed",
    who: "finn",
    path: ({ shared }) => `/edit/${shared}`,
    shows: /Edit your blog/,
    bring: async (page) => {
      await details(page);
      await page.getByRole("button", { name: "Remove", exact: true }).first().click();
      await expect(page.getByRole("alertdialog")).toContainText("What they wrote stays in it.");
    },
  },
  {
    name: "a draft of several, strained",
    who: "ida",
    path: ({ shared }) => `/blog/${shared}`,
    shows: /Together/,
  },
  { name: "an invitation", who: "dora", path: "/my-blogs", shows: /My blogs/, bring: isInvited },
  {
    name: "a notification of it",
    who: "dora",
    path: "/notifications",
    shows: /Notifications/,
    bring: isInvited,
  },
  {
    name: "a blog that is not there",
    path: "/blog/nothing-here",
    shows: /Page not found/,
    notFound: true,
  },
  {
    name: "one's own profile",
    inGate: true,
    who: "ana",
    path: ({ ana }) => `/${ana.me.username}`,
    shows: /Ana Torres/,
  },
  { name: "drafts", who: "ana", path: ({ ana }) => `/${ana.me.username}/draft-blogs`, shows: /Ana Torres/ },
  { name: "liked blogs", who: "ben", path: ({ ben }) => `/${ben.me.username}/liked-blogs`, shows: /Ben Oke/ },
  {
    name: "an empty list",
    who: "dora",
    path: ({ dora }) => `/${dora.me.username}/saved-blogs`,
    shows: /Dora Vale/,
  },
  { name: "somebody's profile", who: "ben", path: ({ ana }) => `/${ana.me.username}`, shows: /Ana Torres/ },
  { name: "a private profile", inGate: true, path: ({ dora }) => `/${dora.me.username}`, shows: /Dora Vale/ },
  {
    name: "followers",
    inGate: true,
    who: "ana",
    path: ({ ana }) => `/followers/${ana.me.username}`,
    shows: /Ana Torres/,
  },
  { name: "following", path: ({ ana }) => `/following/${ana.me.username}`, shows: /Ana Torres/ },
  {
    name: "followers that are not shown",
    path: ({ dora }) => `/followers/${dora.me.username}`,
    shows: /Dora Vale/,
  },
  { name: "edit profile", inGate: true, who: "ana", path: "/edit-profile", shows: /Edit Profile/ },
  { name: "settings", inGate: true, who: "ana", path: "/settings", shows: /Settings/ },
  { name: "requests", who: "dora", path: "/requests", shows: /Follow requests/ },
  { name: "the moderators' queue", inGate: true, who: "ana", path: "/admin", shows: /Moderation/ },
  { name: "the moderators' list of people", who: "ana", path: "/admin/people", shows: /Moderation/ },
  { name: "no requests", who: "ben", path: "/requests", shows: /Follow requests/ },
  { name: "notifications", inGate: true, who: "ana", path: "/notifications", shows: /Notifications/ },
  { name: "no notifications", who: "cleo", path: "/notifications", shows: /Notifications/ },
  { name: "own blogs", inGate: true, who: "ana", path: "/my-blogs", shows: /My blogs/ },
  { name: "search, nothing asked", who: "ben", path: "/search", shows: /Explore/ },
  { name: "search, blogs", inGate: true, who: "ben", path: "/search?q=owls", shows: /Explore/ },
  { name: "search, people", who: "ben", path: "/search?q=ana&tab=people", shows: /Explore/ },
  { name: "a tag", inGate: true, path: "/tag/night", shows: /#night/ },
  { name: "a tag that nothing has", who: "ben", path: "/tag/zzzz", shows: /#zzzz/, notFound: true },
  { name: "search, nothing found", path: "/search?q=zzzz", shows: /Explore/ },
  { name: "documentation", path: "/docs", shows: /./ },
  { name: "the API", path: "/docs/api", shows: /./ },
  {
    name: "calls of the API, unfolded",
    path: "/docs/api",
    shows: /./,
    bring: async (page) => {
      for (const call of ["#post-blogs", "#get-blogs-blogId"])
        await page.locator(`${call} > summary`).click();
    },
  },
  {
    name: "the member's menu",
    inGate: true,
    who: "ana",
    path: "/home",
    shows: /Home/,
    bring: async (page, isWide) => {
      await page.getByRole("button", { name: isWide ? /^Menu of/ : "Menu" }).click();
      await expect(page.getByRole(isWide ? "menu" : "dialog")).toBeVisible();
    },
  },
  {
    name: "the guest's menu",
    path: "/home",
    shows: /Home/,
    bring: async (page, isWide) => {
      await page.getByRole("button", { name: isWide ? "Theme" : "Menu" }).click();
      await expect(page.getByRole(isWide ? "menu" : "dialog")).toBeVisible();
    },
  },
  {
    name: "the bell's list",
    who: "ana",
    path: "/settings",
    shows: /Settings/,
    bring: async (page, isWide) => {
      const bell = page.getByRole("button", { name: /^Notifications/ });
      await awake(bell);
      await bell.click();
      if (isWide) await expect(page.getByRole("dialog").getByRole("listitem").first()).toBeVisible();
      else await expect(page).toHaveURL(/\/notifications$/);
    },
  },
  {
    name: "the keys",
    path: "/home",
    shows: /Home/,
    bring: async (page) => {
      await page.locator("body").press("?");
      await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
    },
  },
  {
    name: "the question before an account is deleted",
    inGate: true,
    who: "dora",
    path: "/settings",
    shows: /Settings/,
    bring: async (page) => {
      await page.getByRole("button", { name: "Delete Account" }).click();
      await expect(page.getByRole("alertdialog")).toBeVisible();
    },
  },
  {
    name: "a new password",
    who: "dora",
    path: "/settings",
    shows: /Settings/,
    bring: async (page) => {
      await page.getByRole("button", { name: "Change password" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Change password" }).click();
      await expect(page.getByText("Please enter your password.")).toBeVisible();
    },
  },
  {
    name: "an authenticator app being set up",
    who: "dora",
    path: "/settings",
    shows: /Settings/,
    bring: async (page) => {
      await page.getByRole("button", { name: "Set up an authenticator app" }).click();
      await page.getByRole("textbox", { name: "Your password" }).fill(password);
      await page.keyboard.press("Enter");
      await expect(page.getByRole("img", { name: "QR code for the app" })).toBeVisible();
    },
  },
  {
    name: "the question before a thread is deleted",
    who: "ben",
    path: ({ slug }) => `/blog/${slug}?comments=open`,
    shows: /Owls, and/,
    bring: async (page) => {
      const remove = page.getByRole("button", { name: "Delete" }).first();
      await awake(remove);
      await remove.click();
      await expect(
        page.getByRole("alertdialog", { name: "Delete this comment and 8 replies?" }),
      ).toBeVisible();
    },
  },
  {
    name: "a message with a way back",
    path: ({ slug }) => `/blog/${slug}`,
    shows: /Owls, and/,
    bring: async (page) => {
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
  ).map(([what, button, role]): Screen => ({
    name: `the editor and ${what}`,
    who: "ben",
    path: "/add-blog",
    shows: /Write a blog/,
    bring: async (page) => {
      await editorIsReady(page);
      await page.getByRole("textbox", { name: "Content" }).click();
      await page.keyboard.type("Owls ");
      // Whoever leaves before sends it anew, and the browser writes down the conflict that may answer.
      await saved(page);
      await (await tools(page)).getByRole("button", { name: button }).click();
      await expect(page.getByRole(role)).toBeVisible();
    },
  })),
  {
    name: "the editor and what a slash offers",
    who: "ben",
    path: "/add-blog",
    shows: /Write a blog/,
    bring: async (page) => {
      await editorIsReady(page);
      await page.getByRole("textbox", { name: "Content" }).click();
      await page.keyboard.press("Enter");
      await page.keyboard.type("/");
      await expect(page.getByRole("option", { name: "Table" })).toBeVisible();
    },
  },
  {
    name: "the editor and the tools over what is selected",
    who: "ben",
    path: "/add-blog",
    shows: /Write a blog/,
    bring: async (page) => {
      await editorIsReady(page);
      await page.getByRole("textbox", { name: "Content" }).click();
      await page.keyboard.type("Owls");
      await saved(page);
      await page.keyboard.press("Shift+Home");
      await expect(page.getByRole("toolbar", { name: "Selected text" })).toBeVisible();
    },
  },
  { name: "a newcomer's home", who: "cleo", path: "/home", shows: /Home/ },
  { name: "a newcomer's blogs", who: "cleo", path: "/my-blogs", shows: /My blogs/ },
  { name: "a newcomer's profile", who: "cleo", path: ({ cleo }) => `/${cleo.me.username}`, shows: /Cleo/ },
  { name: "a newcomer's followers", path: ({ cleo }) => `/followers/${cleo.me.username}`, shows: /Cleo/ },
  { name: "a link of a mail that is void", path: "/verify-email/bad", shows: /didn’t work/, notFound: true },
  { name: "home, strained", who: "ida", path: "/home", shows: /Home/ },
  {
    name: "comments, strained",
    inGate: true,
    who: "finn",
    path: ({ strained }) => `/blog/${strained}?comments=open`,
    shows: /Donau/,
  },
  {
    name: "comments, strained, by the author",
    who: "ida",
    path: ({ strained }) => `/blog/${strained}?comments=open`,
    shows: /Donau/,
  },
  { name: "a blog, strained, by a guest", path: ({ endless }) => `/blog/${endless}`, shows: /Donau/ },
  { name: "own blogs, strained", who: "ida", path: "/my-blogs", shows: /My blogs/ },
  ...["", "/saved-blogs", "/liked-blogs", "/draft-blogs", "/private-blogs"].map((tab): Screen => ({
    name: `a profile, strained${tab.replace(/[/-]/g, " ")}`,
    who: "ida",
    path: ({ ida }) => `/${ida.me.username}${tab}`,
    shows: /ינשופים/,
  })),
  { name: "a profile, endless", path: ({ finn }) => `/${finn.me.username}`, shows: /Donau/ },
  {
    name: "followers, strained",
    who: "ida",
    path: ({ ida }) => `/followers/${ida.me.username}`,
    shows: /ינשופים/,
  },
  { name: "edit profile, strained", who: "ida", path: "/edit-profile", shows: /Edit Profile/ },
  { name: "settings, strained", who: "ida", path: "/settings", shows: /Settings/ },
  { name: "a search, strained", who: "ida", path: "/search?q=owls", shows: /Explore/ },
  { name: "a search's second page, strained", who: "ida", path: "/search?q=owls&page=2", shows: /Explore/ },
  { name: "people found, strained", path: "/search?q=donau&tab=people", shows: /Explore/ },
  { name: "requests, strained", who: "ida", path: "/requests", shows: /Follow requests/ },
  { name: "notifications, strained", who: "ida", path: "/notifications", shows: /Notifications/ },
  {
    name: "edit, strained",
    who: "ida",
    path: ({ strained }) => `/edit/${strained}`,
    shows: /Edit your blog/,
    bring: editorIsReady,
  },
  { name: "nothing", inGate: true, path: "/no-such-person", shows: /Page not found/, notFound: true },
];

async function editorIsReady(page: Page): Promise<void> {
  await expect(page.getByRole("textbox", { name: "Content" })).toBeVisible();
}

async function isInvited(page: Page): Promise<void> {
  await expect(page.getByRole("button", { name: "Accept" }).first()).toBeVisible();
}

async function openHistory(page: Page): Promise<void> {
  await editorIsReady(page);
  await page.getByRole("button", { name: "History" }).click();
  await expect(
    page.getByRole("dialog", { name: "History" }).getByRole("button", { name: /Published/ }),
  ).toBeVisible();
}
