import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Locator, Page } from "@playwright/test";
import { mailedToken } from "../support/browser.ts";
import { openPublishSheet } from "./editor-helpers.ts";
import {
  TestSite,
  waitForHydration,
  expect,
  allowErrors,
  password,
  sharedTest,
  test,
  openPage,
} from "./test-site.ts";

const box = (page: Page, name: string, exact = false) =>
  page.getByRole("main").getByRole("textbox", { name, exact });
const boxes = (page: Page) => page.getByRole("main").getByRole("textbox");

sharedTest(
  "uses one form for sign-in and sign-up, with links to each other that keep the next page @more",
  async ({ open }) => {
    const page = await open();
    await page.goto("/signin?next=%2Fsettings");
    await expect(boxes(page)).toHaveCount(2);
    await expect(box(page, "Email")).toHaveAttribute("type", "email");
    await expect(page.getByRole("button", { name: "Log In" })).toBeEnabled();
    await expect(page.getByText("Sample logins")).toHaveCount(0);

    await page.getByRole("main").getByRole("link", { name: "Sign Up" }).click();
    await expect(page).toHaveURL("/signup?next=%2Fsettings");
    await expect(boxes(page)).toHaveCount(3);
    await expect(box(page, "Email")).toHaveAttribute("type", "email");
    await box(page, "Name").fill("Ana Torres");
    await box(page, "Email").fill("ana at home");
    await box(page, "Password").fill(password);
    await page.getByRole("button", { name: "Sign Up" }).click();
    await expect(box(page, "Email")).toHaveAccessibleDescription("Please enter a valid email address.");

    await page.getByRole("main").getByRole("link", { name: "Sign In" }).click();
    await expect(page).toHaveURL("/signin?next=%2Fsettings");
    await page.getByRole("link", { name: "Forgot your password?" }).click();
    await expect(page).toHaveURL("/forgot-password");
    await expect(box(page, "Email")).toHaveAttribute("type", "email");
  },
);

sharedTest(
  "shows all errors of a form at once, bordered, focuses the first and clears each once corrected @more",
  async ({ site, open }) => {
    const ana = await site.createAccount("Ana Torres");
    const [guest, member] = [await open(), await open(ana)];
    const invalidFields = (page: Page) => page.locator('[aria-invalid="true"]');
    const border = (element: Locator) =>
      element.evaluate((field) => {
        const { borderTopColor, outlineColor, outlineStyle } = getComputedStyle(field);
        return outlineStyle === "none" ? borderTopColor : outlineColor;
      });

    await guest.goto("/signup");
    await guest.getByRole("button", { name: "Sign Up" }).click();
    await expect(invalidFields(guest)).toHaveCount(3);
    await expect(box(guest, "Name")).toBeFocused();
    expect(await border(box(guest, "Name"))).toBe(await border(box(guest, "Email")));
    const danger = await guest.evaluate(() => {
      const [errorStyle, labelStyle] = [".field-error:not([hidden])", ".field-label"].map((selector) =>
        getComputedStyle(document.querySelector(selector)!),
      );
      return errorStyle!.color === labelStyle!.color ? "" : errorStyle!.color;
    });
    expect(await border(box(guest, "Name"))).toBe(danger);
    await box(guest, "Name").fill("Ben Oke");
    await expect(invalidFields(guest)).toHaveCount(2);
    await guest.getByRole("button", { name: "Sign Up" }).click();
    await expect(box(guest, "Email")).toBeFocused();
    allowErrors(guest);
    await box(guest, "Email").fill("ben@example.org");
    await box(guest, "Password").fill("password1");
    await guest.getByRole("button", { name: "Sign Up" }).click();
    await expect(box(guest, "Password")).toHaveAccessibleDescription(/too common/);
    await expect(box(guest, "Password")).toBeFocused();
    await expect(box(guest, "Password")).toHaveValue("password1");
    await guest.goto("/signin");
    await guest.getByRole("button", { name: "Log In" }).click();
    await expect(invalidFields(guest)).toHaveCount(2);

    await member.goto("/edit-profile");
    await box(member, "Name", true).fill("");
    await box(member, "Username").fill("a");
    await member.getByRole("button", { name: "Update Profile" }).click();
    await expect(invalidFields(member)).toHaveCount(2);
    await expect(box(member, "Name", true)).toBeFocused();
    await member.goto("/settings");
    await member.getByRole("button", { name: "Change password" }).click();
    await member.getByRole("dialog").getByRole("button", { name: "Change password" }).click();
    await expect(invalidFields(member)).toHaveCount(2);
    await expect(member.getByRole("textbox", { name: "Current password" })).toBeFocused();
  },
);

sharedTest(
  "says why sign-in is needed, mends a sign-up whose hidden field was filled in, and fills in a confirmed address @more",
  async ({ site, open }) => {
    const page = await open();
    await page.goto("/home");
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Write" }).click();
    await expect(page).toHaveURL("/signin?next=%2Fadd-blog");
    await expect(page.getByText("Sign in or sign up to write.")).toBeVisible();
    await page.goto("/signin?next=%2Fsettings");
    await expect(page.getByText("Please sign in to continue.")).toBeVisible();
    await page.goto("/signin");
    await expect(page.getByText("Please sign in to continue.")).toHaveCount(0);

    await page.goto("/signup");
    await box(page, "Name").fill("Ines Walker");
    await box(page, "Email").fill("ines@example.org");
    await box(page, "Password").fill(password);
    // As some browsers fill in fields that nobody sees.
    await page.locator("[name=contact_url]").evaluate((field: HTMLInputElement) => (field.value = "x"));
    allowErrors(page);
    await page.getByRole("button", { name: "Sign Up" }).click();
    await expect(page.getByText("Please press Sign Up again.")).toBeVisible();
    await expect(box(page, "Email")).toHaveValue("ines@example.org");
    await page.getByRole("button", { name: "Sign Up" }).click();
    await expect(page).toHaveURL("/signin");
    await expect(page.getByText("is the newest file in outbox")).toBeVisible();
    await expect(page.getByText("The terminal"), "the log goes to a file").toHaveCount(0);
    const outbox = path.join(site.dataDir, "outbox");
    await page.goto(`/verify-email/${await mailedToken(outbox, "ines@example.org", "verify-email")}`);
    await expect(page).toHaveURL("/signin");
    await expect(box(page, "Email")).toHaveValue("ines@example.org");
  },
);

sharedTest("hides a password, shows it on request and hides it again", async ({ open }) => {
  const page = await open();
  for (const address of ["/signin", "/signup"]) {
    await page.goto(address);
    const secret = box(page, "Password");
    const showButton = page.getByRole("button", { name: "Show password" });
    await waitForHydration(showButton);
    await secret.fill(password);
    await expect(secret).toHaveAttribute("type", "password");
    await showButton.click();
    await expect(secret).toHaveAttribute("type", "text");
    await expect(secret).toHaveValue(password);
    await expect(showButton).toHaveAttribute("aria-pressed", "true");
    await showButton.click();
    await expect(secret).toHaveAttribute("type", "password");
    await expect(showButton).toHaveAttribute("aria-pressed", "false");
  }
});

sharedTest(
  "says why a sign-in is refused and keeps the typed text; the right password leads home @more",
  async ({ site, open }) => {
    const ana = await site.createAccount("Ana Torres");
    await ana.api.users.updateSettings.mutate({ interests: ["owls"] });
    const page = await open();
    // Chromium logs the 401.
    allowErrors(page);
    await page.goto("/signin");
    await box(page, "Email").fill(ana.email);
    await box(page, "Password").fill("a wrong horse");
    await page.getByRole("button", { name: "Log In" }).click();
    await expect(
      page.getByRole("alert").getByText("That email address and password don’t match."),
    ).toBeVisible();
    await expect(page).toHaveURL("/signin");
    await expect(box(page, "Email")).toHaveValue(ana.email);
    await expect(box(page, "Password")).toHaveValue("a wrong horse");
    expect(await page.evaluate(() => localStorage.getItem("user"))).toBeNull();

    await box(page, "Password").fill(password);
    await expect(page.getByText("don’t match")).toHaveCount(0);
    await page.getByRole("button", { name: "Log In" }).click();
    await expect(page).toHaveURL("/home");
    await expect(page.getByRole("button", { name: "Menu of Ana Torres" })).toBeVisible();
  },
);

test("shows the demo's sample logins, and one of them signs in @more", async ({ browser }) => {
  const demo = new TestSite(
    await mkdtemp(path.join(tmpdir(), "reprise-browser-")),
    {},
    "dist/current/server/demo.js",
  );
  await demo.start();
  const context = await browser.newContext({ baseURL: demo.url });
  try {
    const page = await openPage(context, demo);
    // The demo fills itself after it starts; blogs come last.
    await expect.poll(async () => (await fetch(`${demo.url}/home`)).text()).toContain("<article");
    await page.goto("/signin");
    const samples = page.getByRole("region", { name: "Sample logins" });
    await expect(samples.getByRole("button")).toHaveCount(4);
    await expect(samples.getByRole("button", { name: /, moderator/ })).toBeVisible();
    await expect(samples.getByText(/^The password for each is \S/)).toHaveCount(1);
    await samples.getByRole("button").first().click();
    await expect(page.getByRole("button", { name: "Log In" })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL("/home");
    await expect(page.getByRole("button", { name: /^Menu of/ })).toBeVisible();
  } finally {
    await context.close();
    await demo.close();
  }
});

sharedTest("makes a tag on Enter, without spaces and capitals", async ({ site, open }) => {
  const page = await open(await site.createAccount("Ana Torres"));
  await page.goto("/add-blog");
  await openPublishSheet(page);
  const tags = box(page, "Tags");
  const expectRemaining = (number: number) =>
    expect(page.getByText(`Tags remaining: ${number}`)).toBeVisible();
  const chips = page.getByRole("button", { name: /^Remove / });
  await waitForHydration(tags);
  await expectRemaining(10);
  await tags.pressSequentially(" Night Owls ");
  await expect(tags).toHaveValue("NightOwls");
  await expect(tags).toHaveAccessibleDescription(/Tags have no spaces: this becomes “NightOwls”\./);
  await tags.press("Enter");
  await expect(tags).toHaveValue("");
  await expect(page.getByRole("listitem").filter({ hasText: /^nightowls$/ })).toBeVisible();
  await expectRemaining(9);
  await tags.press("Enter");
  await tags.press("Space");
  await tags.press("Enter");
  await expect(chips).toHaveCount(1);
  await tags.pressSequentially("rain");
  await tags.press("Enter");
  await expect(chips).toHaveCount(2);
  await expectRemaining(8);
  await tags.press("Backspace");
  await chips.click();
  await expect(chips).toHaveCount(0);
  await expectRemaining(10);
});
