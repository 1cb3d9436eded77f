import { aBlog, aComment } from "../support/writing.ts";
import { expect, forgive, password, sharedTest as test, ready, visit } from "./site.ts";

test("the lists of one's own follow what one does in another tab", async ({ site, open }) => {
  const [ana, ben] = [await site.resident("Ana Torres"), await site.resident("Ben Oke")];
  const { id } = await ben.api.blogs.create.mutate(aBlog({ title: "Bats in the belfry" }));
  const page = await open(ana);
  const profile = `/${ana.me.username}`;
  const others = await Promise.all(["liked-blogs", "saved-blogs"].map(() => page.context().newPage()));
  const following = await page.context().newPage();
  await Promise.all([
    visit(page, profile),
    visit(others[0]!, `${profile}/liked-blogs`),
    visit(others[1]!, `${profile}/saved-blogs`),
    visit(following, `/following${profile}`),
  ]);
  await ana.api.social.follow.mutate({ userId: ben.me.id, follow: true });
  await ana.api.social.likeBlog.mutate({ blogId: id, liked: true });
  await ana.api.social.saveBlog.mutate({ blogId: id, saved: true });
  const counts = page.getByRole("main").getByText(/^1\s*following$/i);
  await expect(counts.first()).toBeVisible();
  for (const list of others) await expect(list.getByText("Bats in the belfry")).toBeVisible();
  const row = following.getByRole("main").getByRole("listitem").filter({ hasText: "Ben Oke" });
  await expect(row).toBeVisible();

  // What is dropped here stays, to be followed again; an account that is gone does not.
  for (const name of ["Following", "Follow"]) {
    // The second is sent once the first is answered.
    const answered = following.waitForResponse(/social\.follow/);
    await row.getByRole("button", { name, exact: true }).click();
    await answered;
  }
  await expect(row.getByRole("button", { name: "Following" })).toBeVisible();
  await ben.api.users.remove.mutate({ password });
  await expect(row).toHaveCount(0);
  await expect(following.getByRole("link", { name: /^Following 0/ })).toBeVisible();
});

test("a follower's home follows what is for followers alone @more", async ({ site, open }) => {
  const [ana, ben] = [await site.resident("Ana Torres"), await site.resident("Ben Oke")];
  await ana.api.users.updateSettings.mutate({ private: true });
  await ana.api.blogs.create.mutate(aBlog({ title: "For friends" }));
  await ben.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  const page = await open(ben);
  await visit(page, "/home");
  const feed = page.getByRole("region", { name: "Blogs", exact: true });
  const picks = page.getByRole("region", { name: /^Recommended/ });
  await ana.api.social.handleRequest.mutate({ requesterId: ben.me.id, action: "accept" });
  await expect(picks.getByText("For friends")).toBeVisible();
  const first = page.getByRole("button", { name: "1 new blog" });
  await first.or(feed.getByText("For friends")).first().waitFor();
  if (await first.isVisible()) await first.click();
  await expect(feed.getByText("For friends")).toBeVisible();

  // Whether a card is gone is asked, and answered with 404.
  forgive(page);
  const second = await ana.api.blogs.create.mutate(aBlog({ title: "For friends again" }));
  await first.click();
  await expect(feed.getByText("For friends again")).toBeVisible();
  await ana.api.blogs.remove.mutate({ id: second.id });
  await expect(feed.getByText("For friends again")).toHaveCount(0);
  await ana.api.social.removeFollower.mutate({ userId: ben.me.id });
  await expect(feed.getByText("For friends")).toHaveCount(0);
  await expect(picks.getByText("For friends")).toHaveCount(0);
});

test("Back shows one's own lists and likes as they are by then @more", async ({ site, open }) => {
  const ana = await site.resident("Ana Torres");
  const blog = await ana.api.blogs.create.mutate(aBlog({ title: "The first title" }));
  const comment = await ana.api.comments.create.mutate(aComment(blog, { text: "Whose owls?" }));
  const [mine, profile, read] = [await open(ana), await open(ana), await open(ana)];
  await visit(mine, "/my-blogs");
  await visit(profile, `/${ana.me.username}`);
  await visit(read, `/blog/${blog.slug}?comments=open`);
  await expect(read.getByText("Whose owls?")).toBeVisible();
  for (const page of [mine, profile, read]) {
    await page.getByRole("link", { name: "Explore", exact: true }).click();
    await expect(page).toHaveURL(/\/search/);
    await ready(page);
  }
  // The event of the last change is heard after those of the others.
  const heard = Promise.all(
    [mine, profile, read].map((page) =>
      expect(page.getByRole("button", { name: "Menu of Anna Torres" })).toBeVisible(),
    ),
  );
  await ana.api.blogs.create.mutate(aBlog({ title: "Another one" }));
  await ana.api.blogs.update.mutate({ id: blog.id, title: "The second title" });
  await ana.api.comments.like.mutate({ id: comment.id, liked: true });
  await ana.api.users.updateProfile.mutate({ name: "Anna Torres" });
  await heard;
  await Promise.all([mine, profile, read].map((page) => page.goBack()));
  for (const page of [mine, profile]) {
    for (const name of ["Another one", "The second title"])
      await expect(page.getByRole("link", { name, exact: true })).toBeVisible();
  }
  await expect(profile.getByRole("heading", { level: 1, name: "Anna Torres" })).toBeVisible();
  const row = read.locator(`#comment-${comment.id}`);
  await expect(row.getByRole("button", { name: /^Like/ }).first()).toHaveAttribute("aria-pressed", "true");
  await expect(row.getByText("Anna Torres").first()).toBeVisible();
});

test("one's own pages go along with one's username @more", async ({ site, open }) => {
  const ana = await site.resident("Ana Torres");
  const page = await open(ana);
  const people = await page.context().newPage();
  await visit(page, `/${ana.me.username}/saved-blogs`);
  await visit(people, `/following/${ana.me.username}`);
  const username = `${ana.me.username}-anew`;
  await ana.api.users.updateProfile.mutate({ username });
  await expect(page).toHaveURL(`/${username}/saved-blogs`);
  await expect(page.getByText(`@${username}`)).toBeVisible();
  await expect(people).toHaveURL(`/following/${username}`);
  await expect(people.getByText(`@${username}`)).toBeVisible();
});

test("a notice that is taken back leaves the open list, also where all are read @more", async ({
  site,
  open,
}) => {
  const [ana, ben] = [await site.resident("Ana Torres"), await site.resident("Ben Oke")];
  const { id } = await ana.api.blogs.create.mutate(aBlog());
  await ben.api.social.likeBlog.mutate({ blogId: id, liked: true });
  const page = await open(ana);
  await visit(page, "/notifications");
  await page.getByRole("button", { name: "Mark all read" }).click();
  const row = page.getByRole("main").getByRole("link", { name: "Ben Oke liked" });
  await expect(page.getByText("Nothing unread")).toBeVisible();
  await expect(row).toBeVisible();
  await ben.api.social.likeBlog.mutate({ blogId: id, liked: false });
  await expect(row).toHaveCount(0);
});

test("another's name, followers and privacy are the same on every open page @more", async ({
  site,
  open,
}) => {
  const [ana, ben] = [await site.resident("Ana Torres"), await site.resident("Ben Oke")];
  await ben.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  const page = await open(ana);
  const [search, people, notices] = await Promise.all([0, 1, 2].map(() => page.context().newPage()));
  await Promise.all([
    visit(page, `/${ben.me.username}`),
    visit(search!, `/search?tab=people&q=${ben.me.username}`),
    visit(people!, `/followers/${ana.me.username}`),
    visit(notices!, "/notifications"),
  ]);
  await expect(notices!.getByText("Ben Oke").first()).toBeVisible();
  const username = `${ben.me.username}-the-owl`;
  await ben.api.users.updateProfile.mutate({ name: "Ben the Owl", username });
  for (const each of [page, search!, people!, notices!])
    await expect(each.getByRole("main").getByText("Ben the Owl").first()).toBeVisible();
  await expect(page).toHaveURL(`/${username}`);
  await expect(page).toHaveTitle(/^Ben the Owl/);
  const eve = await site.resident("Eve Lund");
  await eve.api.social.follow.mutate({ userId: ben.me.id, follow: true });
  await expect(
    page
      .getByRole("main")
      .getByText(/^1\s*follower$/i)
      .first(),
  ).toBeVisible();
  // His followers may be asked for in the moment in which they close: 403 is the answer, and browsers log it.
  forgive(page);
  await ben.api.users.updateSettings.mutate({ private: true });
  await expect(page.getByText(/private account/)).toBeAttached();
  await expect(page.getByRole("main").getByText(/^1\s*follower$/i)).toHaveCount(0);
});
