import { expect, test } from "./site.ts";

test("where one is told of what is turned in a table, saved at once, and stands in every window; what is off here is off everywhere", async ({
  site,
  open,
}) => {
  const ana = await site.resident("Ana Torres");
  const [one, two] = [await open(ana), await open(ana)];
  await Promise.all([one, two].map((page) => page.goto("/settings", { waitUntil: "networkidle" })));
  const mail = (page: typeof one) => page.getByRole("combobox", { name: "Comments on my blogs: mail" });
  const push = (page: typeof one) => page.getByRole("switch", { name: "Comments on my blogs: push" });
  await mail(one).selectOption("Daily");
  await expect(mail(two)).toHaveValue("daily");
  const here = one.getByRole("switch", { name: "Comments on my blogs: here" });
  await expect(push(two)).toBeChecked();
  await here.focus();
  await one.keyboard.press("Space");
  await expect(push(one)).toBeDisabled();
  await expect(push(two)).toBeDisabled();
  await expect(mail(two)).toHaveValue("never");
  await one.reload();
  await expect(here).not.toBeChecked();
  await one.getByText("Comments on my blogs").scrollIntoViewIfNeeded();
  await here.click();
  // What had been chosen was only set aside.
  await expect(mail(two)).toHaveValue("daily");
  await expect(push(two)).toBeChecked();
  await expect(one.getByRole("switch", { name: "What moderators decide: here" })).toBeDisabled();
});
