import path from "node:path";
import Sqlite from "better-sqlite3";
import { mailedToken } from "../support/browser.ts";
import { aBlog, aComment } from "../support/sample-content.ts";
import { failRequests, stopFailing } from "./failing-requests.ts";
import { expect, allowErrors, logIn, password, sharedTest as test, visit } from "./test-site.ts";

test("asks an account without interests for them at sign-in; they can be chosen by keyboard @more", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const page = await open();
  await page.goto("/signin");
  await logIn(page, ana.email);
  await expect(page).toHaveURL(/\/select-interests$/);
  await expect(page.getByRole("button", { name: "Continue" })).toBeDisabled();
  // The page itself welcomes them: no toast is shown.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  expect(await page.locator(".toast").count()).toBe(0);

  // Each group is one Tab stop.
  await expect(page.getByRole("group", { name: "Popular" }).getByRole("checkbox")).toHaveCount(20);
  await page.getByRole("searchbox", { name: "Search topics" }).focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Space");
  await expect(page.getByRole("checkbox", { name: "Writing" })).toBeChecked();
  await page.keyboard.press("Tab");
  await expect(page.getByText("More topics")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("group", { name: /\w/ })).toHaveCount(10);
  for (let stop = 0; stop < 9; stop++) await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("main").getByRole("link", { name: "Skip" })).toBeFocused();

  await page.getByRole("searchbox").fill("CHES");
  await expect(page.getByRole("checkbox")).toHaveCount(1);
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  await expect(page.getByText("2 chosen")).toBeVisible();
  for (const key of ["Tab", "Tab", "Enter"]) await page.keyboard.press(key);
  await expect(page).toHaveURL(/\/home$/);
  expect((await ana.api.users.me.query())?.interests).toEqual(["writing", "chess"]);
  expect(
    await page.evaluate(
      () => (JSON.parse(localStorage.getItem("user") ?? "{}") as { interests?: string[] }).interests,
    ),
  ).toEqual(["writing", "chess"]);
});

test("says again that the address is confirmed when the signed-in person opens the link again @more", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const link = `/verify-email/${await mailedToken(path.join(site.dataDir, "outbox"), ana.email, "verify-email")}`;
  const page = await open(ana);
  allowErrors(page);
  await page.goto(link);
  await expect(page.getByRole("heading", { name: "Your address is confirmed" })).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Email" })).toHaveCount(0);
  await page.getByRole("main").getByRole("link", { name: "Home" }).click();
  await expect(page).toHaveURL("/home");

  await page.goto("/verify-email/nonsense");
  await expect(page.getByRole("heading", { name: "That didn’t work" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Your address is confirmed" })).toHaveCount(0);
});

test("saves settings and shows them in every window; a setting that can't be saved turns back and Retry saves it", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const ben = await site.createAccount("Ben Oke");
  const [firstPage, secondPage] = [await open(ana), await open(ana)];
  await Promise.all([firstPage.goto("/settings"), secondPage.goto("/settings")]);
  await firstPage.getByRole("switch", { name: "Private account" }).click();
  await firstPage.getByRole("switch", { name: "Show saved blogs" }).click();
  for (const page of [firstPage, secondPage]) {
    await expect(page.getByRole("switch", { name: "Private account" })).toBeChecked();
    await expect(page.getByRole("switch", { name: "Show saved blogs" })).toBeChecked();
  }
  await ben.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  await expect(secondPage.getByRole("button", { name: "Notifications, 1 new" })).toBeVisible();
  await secondPage.getByRole("switch", { name: "Private account" }).click();
  await expect(secondPage.getByRole("alertdialog")).toContainText("Your pending request will be accepted");
  await secondPage.getByRole("button", { name: "Cancel" }).click();
  await expect(secondPage.getByRole("switch", { name: "Private account" })).toBeChecked();
  await secondPage.getByRole("switch", { name: "Private account" }).click();
  await secondPage.getByRole("button", { name: "Make public" }).click();
  for (const page of [firstPage, secondPage])
    await expect(page.getByRole("switch", { name: "Private account" })).not.toBeChecked();
  await expect
    .poll(async () => (await ben.api.users.profile.query({ username: ana.me.username })).follow)
    .toBe("following");

  allowErrors(firstPage);
  await firstPage.route("**/trpc/users.updateSettings**", (route) => route.abort());
  const likes = (page: typeof firstPage) => page.getByRole("switch", { name: "Show liked blogs" });
  await likes(firstPage).click();
  await expect(firstPage.getByText("Update failed")).toBeVisible();
  await expect(likes(firstPage)).toBeChecked();
  await firstPage.unroute("**/trpc/users.updateSettings**");
  await firstPage.getByRole("button", { name: "Retry" }).click();
  for (const page of [firstPage, secondPage]) await expect(likes(page)).not.toBeChecked();
});

test("opens one section of the settings on a phone, all on wider screens, and closes none with a text in it", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const page = await open(ana, { viewport: { width: 390, height: 800 } });
  await visit(page, "/settings#settings-interests");
  const interest = page.getByRole("textbox", { name: "Add an interest" });
  await interest.fill("owls");
  await expect(page.getByRole("switch", { name: "Private account" })).toBeHidden();
  const heading = page.getByRole("heading", { name: "Interests" });
  await heading.click();
  await expect(interest).toBeHidden();
  await heading.click();
  await expect(interest).toHaveValue("owls");
  await page.setViewportSize({ width: 820, height: 800 });
  await expect(page.getByRole("switch", { name: "Private account" })).toBeVisible();
  await page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "Account" }).click();
  await expect(page.getByRole("heading", { name: "Account" })).toBeFocused();
  await expect(page.getByRole("heading", { name: "Account" })).toBeInViewport();
  await page.setViewportSize({ width: 390, height: 800 });
  await expect(interest).toBeVisible();
  await expect(interest).toHaveValue("owls");
});

test("adds, changes and removes interests, with an error for an empty or duplicate one @more", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  await ana.api.users.updateSettings.mutate({ interests: ["owls"] });
  const page = await open(ana);
  await page.goto("/settings");
  const box = page.getByRole("textbox", { name: "Add an interest" });
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await expect(page.getByText("Interest cannot be empty")).toBeVisible();
  await box.fill("Night  Walks");
  await box.press("Enter");
  await expect(page.getByRole("list", { name: "Your interests" })).toContainText("night walks");

  await page.getByRole("button", { name: "Edit owls" }).click();
  await page.getByRole("textbox", { name: "Edit interest" }).fill("Night walks");
  await page.getByRole("button", { name: "Update", exact: true }).click();
  await expect(page.getByText("Interest already exists")).toBeVisible();
  await page.getByRole("textbox", { name: "Edit interest" }).fill("barn owls");
  await page.getByRole("textbox", { name: "Edit interest" }).press("Enter");
  await expect(page.getByRole("button", { name: "Edit barn owls" })).toBeFocused();
  await page.getByRole("button", { name: "Remove night walks" }).click();
  await expect.poll(async () => (await ana.api.users.me.query())?.interests).toEqual(["barn owls"]);
});

test("edits a profile, shows errors at their fields and leads to the page under the new username", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const ben = await site.createAccount("Ben Oke");
  const page = await open(ana);
  await page.goto(`/${ana.me.username}`);
  await page.getByRole("link", { name: "Edit Profile" }).click();
  const username = page.getByRole("textbox", { name: "Username" });
  await expect(username).toHaveAccessibleDescription(
    /the old one redirects to you, and nobody else can take it for 30 days/,
  );
  await username.fill("  ");
  await page.getByRole("button", { name: "Update Profile" }).click();
  await expect(username).toHaveAccessibleDescription(/Username is required\./);
  await username.fill("ab");
  await page.getByRole("button", { name: "Update Profile" }).click();
  await expect(username).toHaveAccessibleDescription(/Username must be at least 3 characters\./);
  await expect(username).toBeFocused();
  allowErrors(page);
  await username.fill(ben.me.username);
  await page.getByRole("button", { name: "Update Profile" }).click();
  await expect(username).toHaveAccessibleDescription(/That username is taken/);
  await expect(username).toHaveValue(ben.me.username);

  await username.fill("Ana.At.Night");
  await page.getByRole("textbox", { name: "Bio" }).fill("Owls,\nmostly.");
  await page.setInputFiles("input[type=file]", {
    name: "owl.png",
    mimeType: "image/png",
    buffer: await page.screenshot(),
  });
  await expect(page.locator(".picture-row img[src^='/media/']")).toBeVisible();
  await page.getByRole("button", { name: "Update Profile" }).click();
  await expect(page).toHaveURL(/\/ana\.at\.night$/);
  await expect(page.getByText("Owls, mostly.")).toBeVisible();
  await expect(page.getByRole("main").locator("img[src^='/media/']").first()).toBeVisible();
});

test("lists own blogs with their totals, drafts and private ones included; they can be searched and deleted @more", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const ben = await site.createAccount("Ben Oke");
  const { id } = await ana.api.blogs.create.mutate(aBlog());
  await ana.api.blogs.create.mutate(aBlog({ title: "Unfinished", draft: true }));
  await ana.api.blogs.create.mutate(aBlog({ title: "For friends", private: true }));
  await ben.api.social.likeBlog.mutate({ blogId: id, liked: true });
  await ben.api.comments.create.mutate(aComment({ id }));
  const page = await open(ana);
  await page.goto("/my-blogs");
  await expect(page.getByRole("main")).toContainText(
    /Total blogs\s*3\s*Likes\s*1\s*Comments\s*1\s*Average likes\s*0\.3/,
  );
  const box = page.getByRole("searchbox", { name: "Search in your titles" });
  const entries = await page.evaluate(() => history.length);
  await box.pressSequentially("friends");
  await expect(page).toHaveURL("/my-blogs?words=friends");
  await expect(
    page.getByRole("status").filter({ hasText: "1 blog with “friends” in the title" }),
  ).toHaveCount(1);
  await expect(page.getByText("Unfinished")).toHaveCount(0);
  await expect(box).toBeFocused();
  await box.fill("");
  await expect(page.getByText("Unfinished")).toBeVisible();
  await expect(page).toHaveURL("/my-blogs");
  await expect(box).toBeFocused();
  expect(await page.evaluate(() => history.length)).toBe(entries);
  await page.getByRole("button", { name: "More about “A walk at night”" }).click();
  await page.getByRole("menuitem", { name: "Delete Blog" }).click();
  await expect(page.getByRole("alertdialog")).toContainText("Its comment goes with it.");
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(page.getByRole("main")).toContainText(/Total blogs\s*2/);
  await expect(page.getByText("A walk at night")).toHaveCount(0);
  await page.getByRole("button", { name: "More about “Unfinished”" }).click();
  await page.getByRole("menuitem", { name: "Edit Blog" }).click();
  await expect(page).toHaveURL(/\/edit\/unfinished/);
});

test("deletes the account after its password, shows why it can't, and signs out with a confirmation @more", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  await ana.api.blogs.create.mutate(aBlog());
  const [page, otherPage] = [await open(ana), await open(ana)];
  await Promise.all([page.goto("/home"), otherPage.goto("/home")]);
  await page.getByRole("button", { name: /^Menu of/ }).click();
  await page.getByRole("menuitem", { name: "Delete Account" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Delete your account?" });
  await expect(dialog).toContainText("1 blog, with 0 likes and 0 comments on it");
  const box = dialog.getByRole("textbox", { name: "Your password" });
  await expect(box).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(box).toHaveAccessibleDescription("Please enter your password.");
  allowErrors(page);
  await page.keyboard.type("not this one");
  await page.keyboard.press("Enter");
  await expect(box).toHaveAccessibleDescription("Wrong password. Please try again.");
  await expect(box).toBeFocused();
  await expect(box).toHaveValue("not this one");
  await box.fill(password);
  await expect(box).toHaveAccessibleDescription("");
  const busy = { code: "TOO_MANY_REQUESTS", httpStatus: 429, message: "Not so fast, please." };
  await failRequests(page, "users.remove", busy);
  await dialog.getByRole("button", { name: "Delete Account" }).click();
  await expect(dialog.getByRole("alert").filter({ hasText: busy.message })).toBeVisible();
  await stopFailing(page);
  await dialog.getByRole("button", { name: "Delete Account" }).click();
  await expect(page).toHaveURL(/\/signin$/);
  await expect(page.getByText("Account deleted.")).toBeVisible();
  await expect(otherPage.getByRole("link", { name: "Sign In" })).toBeVisible();
});

test("changes the email address of an account without a password, and deletes it by a mailed link @more", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const store = new Sqlite(path.join(site.dataDir, "reprise.db"));
  store.prepare("update users set password_hash = null where id = ?").run(ana.me.id);
  store.close();
  const page = await open(ana);
  await visit(page, "/settings");
  await page.getByRole("button", { name: "Change email address" }).click();
  const change = page.getByRole("dialog", { name: "Change your email address" });
  await expect(change.getByRole("textbox", { name: "Your password" })).toHaveCount(0);
  await change.getByRole("textbox", { name: "New email address" }).fill("ana@dusk.example");
  await page.keyboard.press("Enter");
  await expect(change.getByRole("status")).toContainText(`We sent a link to ${ana.email}`);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Set a password" }).click();
  await expect(page.getByText(`We sent a link to ${ana.email}. Open it to set a password.`)).toBeVisible();
  await page.getByRole("button", { name: "Delete Account" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Delete your account?" });
  await expect(dialog.getByRole("button", { name: "Cancel" })).toBeFocused();
  await dialog.getByRole("button", { name: "Send the link" }).click();
  await expect(dialog.getByRole("status")).toHaveText(
    `We sent a link to ${ana.email}. Open it to delete your account.`,
  );
  await dialog.getByRole("button", { name: "Close" }).click();
  allowErrors(page);

  const linkPage = await open();
  await linkPage.goto("/delete-account/another");
  allowErrors(linkPage);
  await linkPage.getByRole("button", { name: "Delete Account" }).click();
  await expect(linkPage.getByRole("alert")).toContainText("already used, has expired or is incomplete");
  await expect(linkPage.getByRole("main").getByRole("link", { name: "Sign In" })).toBeVisible();
  const token = await mailedToken(path.join(site.dataDir, "outbox"), ana.email, "delete-account");
  await linkPage.goto(`/delete-account/${token}`);
  await linkPage.getByRole("button", { name: "Delete Account" }).focus();
  await linkPage.keyboard.press("Enter");
  await expect(linkPage.getByRole("status").filter({ hasText: "Account deleted." })).toBeVisible();
  await expect(linkPage.getByRole("heading", { name: "Goodbye" })).toBeFocused();
  await expect(page.getByRole("link", { name: "Sign In" })).toBeVisible();
  await linkPage.getByRole("main").getByRole("link", { name: "Home" }).click();
  await expect(linkPage).toHaveURL(/\/home$/);
});

test("resets a forgotten password by the mailed link and ends every session", async ({ site, open }) => {
  const ana = await site.createAccount("Ana Torres");
  const signedIn = await open(ana);
  await signedIn.goto("/home");
  const page = await open();
  await page.goto("/signin");
  await page.getByRole("link", { name: "Forgot your password?" }).click();
  // Both pages have a box named Email.
  await expect(page.getByRole("heading", { name: "Forgot your password?" })).toBeVisible();
  await page.getByRole("textbox", { name: "Email" }).fill(ana.email);
  await page.getByRole("button", { name: "Send the link" }).click();
  await expect(page.getByText("If there’s an account with that address")).toBeVisible();
  await page.goto(
    `/reset-password/${await mailedToken(path.join(site.dataDir, "outbox"), ana.email, "reset-password")}`,
  );
  await page.getByRole("textbox", { name: "New password" }).fill("short");
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByRole("textbox", { name: "New password" })).toHaveAccessibleDescription(
    /at least 8 characters/,
  );
  await page.getByRole("textbox", { name: "New password" }).fill("a longer horse");
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page).toHaveURL(/\/signin$/);
  await expect(page.getByText("Password changed. You can sign in now.")).toBeVisible();
  await expect(signedIn.getByRole("link", { name: "Sign In" })).toBeVisible();
});

test("shows the entries of the wide, narrow and guest menus in order @more", async ({ site, open }) => {
  await site.createAccount("Boss");
  const ana = await site.createAccount("Ana Torres");
  const narrow = { viewport: { width: 390, height: 800 } };
  const [wide, phone, guest] = [await open(ana), await open(ana, narrow), await open(undefined, narrow)];
  await Promise.all([wide.goto("/home"), phone.goto("/home"), guest.goto("/home")]);
  await wide.getByRole("button", { name: /^Menu of/ }).click();
  await expect(wide.getByRole("menuitem")).toHaveText([
    "Profile",
    "My blogs",
    "Requests",
    "Settings",
    "Log Out",
    "Delete Account",
  ]);
  await phone.getByRole("button", { name: "Menu", exact: true }).click();
  await expect(phone.getByRole("dialog").getByRole("navigation").locator("a, button")).toHaveText([
    "Home",
    "My blogs",
    "Requests",
    "Write",
    "Explore",
    "Settings",
    "Log Out",
  ]);
  // Delete Account comes last, after the theme, which follows Log Out.
  const inSheet = phone.getByRole("dialog").locator("a, button");
  await expect(inSheet.last()).toHaveText("Delete Account");
  await expect(inSheet.nth(-2)).toHaveAttribute("aria-pressed", /./);
  await guest.getByRole("button", { name: "Menu", exact: true }).click();
  await expect(guest.getByRole("dialog").getByRole("navigation").locator("a, button")).toHaveText([
    "Home",
    "Requests",
    "Explore",
    "Sign In",
  ]);
  await wide.getByRole("menuitem", { name: "Log Out" }).click();
  await expect(wide).toHaveURL(/\/signin$/);
});
