import { Secret, TOTP } from "otpauth";
import { expect, allowErrors, logIn, password, sharedTest as test, visit } from "./test-site.ts";

const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });

test("sets up an authenticator app by keyboard, asks for its code at sign-in, and turns it off", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  await ana.api.users.updateSettings.mutate({ interests: ["owls"] });
  const page = await open(ana);
  await visit(page, "/settings");
  const setUp = page.getByRole("button", { name: "Set up an authenticator app" });
  await setUp.focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Set up an authenticator app" });
  await expect(dialog.getByRole("textbox", { name: "Your password" })).toBeFocused();
  await page.keyboard.type(password);
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("img", { name: "QR code for the app" })).toBeVisible();
  const box = dialog.getByRole("textbox", { name: "Code from the app" });
  await expect(box).toBeFocused();
  const secret = (await dialog.locator(".app-key").innerText()).replace(/^The key:|\s/g, "");
  const wrongCode = codeOf(secret) === "123456" ? "654321" : "123456";
  allowErrors(page);
  await page.keyboard.type(wrongCode);
  await page.keyboard.press("Enter");
  await expect(box).toHaveAccessibleDescription(/^That code is wrong/);
  await expect(box).toHaveValue(wrongCode);
  await expect(box).toBeFocused();
  await box.fill(codeOf(secret));
  await page.keyboard.press("Enter");
  const codes = page.getByRole("dialog", { name: "Your recovery codes" });
  await expect(codes.getByRole("listitem")).toHaveCount(10);
  const saved = page.waitForEvent("download");
  await codes.getByRole("button", { name: "Download" }).click();
  expect((await saved).suggestedFilename()).toBe("recovery-codes.txt");
  await codes.getByRole("button", { name: "I’ve stored them" }).press("Enter");
  await expect(page.getByText("On. You enter its code after your password.")).toBeVisible();
  await expect(page.getByText("10 of 10 left")).toBeVisible();

  const phone = await open();
  await phone.goto("/signin?next=%2Fmy-blogs");
  allowErrors(phone);
  await logIn(phone, ana.email);
  const code = phone.getByRole("textbox", { name: "Code" });
  await expect(code).toBeFocused();
  await phone.keyboard.press("Enter");
  await expect(code).toHaveAccessibleDescription(/Enter the code from your app\.$/);
  await phone.keyboard.type("a wrong one");
  await phone.keyboard.press("Enter");
  await expect(code).toHaveAccessibleDescription(/That code is wrong/);
  await phone.getByRole("button", { name: "Back" }).click();
  await expect(phone.getByRole("textbox", { name: "Email" })).toHaveValue(ana.email);
  await logIn(phone, ana.email);
  await code.fill(codeOf(secret, 1));
  await phone.keyboard.press("Enter");
  await expect(phone).toHaveURL(/\/my-blogs$/);

  await page.getByRole("button", { name: "Turn off" }).click();
  await page.getByRole("textbox", { name: "Your password" }).fill(password);
  await page.keyboard.press("Enter");
  await expect(page.getByText("Authenticator app turned off.")).toBeVisible();
  await expect(setUp).toBeVisible();
  await expect(page.getByText(/of 10 left/)).toHaveCount(0);
});
