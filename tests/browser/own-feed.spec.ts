import { password } from "../support/test-site.ts";
import { expect, sharedTest as test } from "./test-site.ts";

test("copies the secret address of one's own feed after the password, and renews it in all windows @more", async ({
  site,
  open,
}) => {
  const eve = await site.createAccount("Eve Park");
  const page = await open(eve);
  const otherPage = await page.context().newPage();
  const feeds = (tab: typeof page) => tab.getByRole("region", { name: "Your feed" });
  const answer = async (tab: typeof page, action: string) => {
    const dialog = tab.getByRole("alertdialog").or(tab.getByRole("dialog"));
    await dialog.getByLabel("Your password").fill(password);
    await dialog.getByRole("button", { name: action, exact: true }).click();
  };
  const { address } = await eve.api.users.ownFeed.mutate({ password });
  for (const tab of [page, otherPage]) {
    await tab.goto("/settings");
    await feeds(tab).getByRole("button", { name: "Show address" }).click();
    await answer(tab, "Show");
    for (const file of ["feed.xml", "atom.xml", "feed.json"])
      await expect(feeds(tab)).toContainText(`${address}/${file}`);
  }
  await feeds(page).getByRole("button", { name: "Copy the address for RSS" }).click();
  await expect(feeds(page).getByText("Copied")).toBeVisible();

  await page.getByRole("button", { name: "Renew address" }).click();
  await answer(page, "Renew");
  await expect(feeds(page)).not.toContainText(address);
  const now = await eve.api.users.ownFeed.mutate({ password });
  await expect(feeds(page)).toContainText(now.address);
  await expect(feeds(otherPage)).not.toContainText(/following\//);
  await expect(feeds(otherPage).getByRole("button", { name: "Show address" })).toBeVisible();
});
