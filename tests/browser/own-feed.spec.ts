import { expect, sharedTest as test } from "./test-site.ts";

test("copies the secret address of one's own feed, and renews it in all windows @more", async ({
  site,
  open,
}) => {
  const eve = await site.createAccount("Eve Park");
  const page = await open(eve);
  const other = await page.context().newPage();
  for (const one of [page, other]) await one.goto("/settings");
  const { address } = await eve.api.users.ownFeed.query();
  const feeds = (one: typeof page) => one.getByRole("region", { name: "Your feed" });
  for (const one of [page, other])
    for (const file of ["feed.xml", "atom.xml", "feed.json"])
      await expect(feeds(one)).toContainText(`${address}/${file}`);
  await feeds(page).getByRole("button", { name: "Copy the address for RSS" }).click();
  await expect(feeds(page).getByText("Copied")).toBeVisible();

  await page.getByRole("button", { name: "Renew address" }).click();
  await page
    .getByRole("alertdialog")
    .or(page.getByRole("dialog"))
    .getByRole("button", { name: "Renew" })
    .click();
  for (const one of [page, other]) await expect(feeds(one)).not.toContainText(address);
  const now = await eve.api.users.ownFeed.query();
  for (const one of [page, other]) await expect(feeds(one)).toContainText(now.address);
});
