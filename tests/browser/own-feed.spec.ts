import { expect, sharedTest as test } from "./test-site.ts";

test("copies the secret address of one's own feed, and renews it in all windows @more", async ({
  site,
  open,
}) => {
  const eve = await site.createAccount("Eve Park");
  const page = await open(eve);
  const otherPage = await page.context().newPage();
  for (const tab of [page, otherPage]) await tab.goto("/settings");
  const { address } = await eve.api.users.ownFeed.query();
  const feeds = (tab: typeof page) => tab.getByRole("region", { name: "Your feed" });
  for (const tab of [page, otherPage])
    for (const file of ["feed.xml", "atom.xml", "feed.json"])
      await expect(feeds(tab)).toContainText(`${address}/${file}`);
  await feeds(page).getByRole("button", { name: "Copy the address for RSS" }).click();
  await expect(feeds(page).getByText("Copied")).toBeVisible();

  await page.getByRole("button", { name: "Renew address" }).click();
  await page
    .getByRole("alertdialog")
    .or(page.getByRole("dialog"))
    .getByRole("button", { name: "Renew" })
    .click();
  for (const tab of [page, otherPage]) await expect(feeds(tab)).not.toContainText(address);
  const now = await eve.api.users.ownFeed.query();
  for (const tab of [page, otherPage]) await expect(feeds(tab)).toContainText(now.address);
});
