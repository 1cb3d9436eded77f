import { aBlog, aComment } from "../support/sample-content.ts";
import { expect, sharedTest as test } from "./test-site.ts";

/* Cards in open lists show what a fresh load would, to members and guests. */

test("updates counts, titles and names on cards of open lists, and adds and removes cards", async ({
  site,
  open,
}) => {
  const [ana, ben, cleo] = await site.createAccounts("Ana Torres", "Ben Oke", "Cleo Lind");
  const owls = await ana.api.blogs.create.mutate(aBlog({ title: "On owls" }));
  const bats = await ana.api.blogs.create.mutate(aBlog({ title: "On bats" }));
  const [home, profile, guest, search] = await Promise.all([open(ben), open(ben), open(), open(cleo)]);
  await home.goto("/home");
  await profile.goto(`/${ana.me.username}`);
  await guest.goto("/home");
  await search.goto("/search?q=owls");
  const pages = [home, profile, guest, search];
  const cardOf = (page: typeof home, title: string) =>
    page.locator(".card").filter({ has: page.getByRole("link", { name: title, exact: true }) });
  for (const page of pages) await expect(cardOf(page, "On owls")).toHaveCount(1);

  await cleo.api.social.likeBlog.mutate({ blogId: owls.id, liked: true });
  await cleo.api.comments.create.mutate(aComment(owls));
  for (const page of [home, profile, guest])
    await expect(cardOf(page, "On owls").locator(".card-meta")).toContainText("1 like1 comment");
  await ana.api.blogs.update.mutate({ id: owls.id, title: "On barn owls" });
  for (const page of pages) await expect(cardOf(page, "On barn owls")).toHaveCount(1);
  await ana.api.users.updateProfile.mutate({ name: "Ana of the owls" });
  for (const page of [home, guest])
    await expect(page.locator(".card").first()).toContainText("Ana of the owls");
  await expect(profile.getByRole("heading", { level: 1 })).toHaveText(/Ana of the owls/);

  const fresh = await ana.api.blogs.create.mutate(aBlog({ title: "On moths" }));
  await expect(cardOf(profile, "On moths")).toHaveCount(1);
  for (const page of [home, guest]) await expect(cardOf(page, "On moths")).toHaveCount(1);
  await ana.api.blogs.update.mutate({ id: bats.id, private: true });
  for (const page of [home, profile, guest]) await expect(cardOf(page, "On bats")).toHaveCount(0);
  await ana.api.blogs.update.mutate({ id: bats.id, private: false });
  for (const page of [home, guest]) await expect(cardOf(page, "On bats")).toHaveCount(1);
  await ana.api.blogs.remove.mutate({ id: fresh.id });
  for (const page of [home, profile, guest]) await expect(cardOf(page, "On moths")).toHaveCount(0);
});
