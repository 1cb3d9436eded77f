import { expect, test } from "vitest";
import { blogs, people, threads, type DemoReply } from "../../../scripts/demo/demo-data.ts";
import { buildDemoSite } from "../../../scripts/demo/build-demo-site.ts";
import { tellSecondHalf } from "../../../scripts/demo/match.ts";
import { firstHalf, matchTitle, secondHalf } from "../../../scripts/demo/match-data.ts";
import { jsonFieldSql } from "../../support/json-field.ts";
import { pagesOfEntries } from "../../support/live-blogs.ts";
import { followBlog, startTestSite } from "../../support/test-site.ts";

const sizeOf = ({ replies }: DemoReply): number => replies.reduce((sum, reply) => sum + sizeOf(reply), 1);

test(
  "stores the demo site's people, blogs and comments as written, with dates relative to today",
  { tags: ["more"] },
  async () => {
    await using testSite = await startTestSite();
    const progress: string[] = [];
    const { blogIds } = await buildDemoSite(testSite.app.services, {
      onPeople: () => progress.push(`${people.length} people`),
      onFirstBlogs: (early) => progress.push(`${early.blogIds.size} blogs`),
    });
    expect(progress).toEqual([`${people.length} people`, "12 blogs"]);
    const stored = testSite.rows<{
      id: string;
      title: string;
      author: string;
      draft: number;
      private: number;
      published_at: number;
    }>(
      `select b.id, case when b.draft = 1 then ${jsonFieldSql("d.fields", "title")} else b.title end as title, u.username as author, b.draft, b.private,
        b.published_at
      from blogs b join users u on u.id = b.author_id left join drafts d on d.blog_id = b.id`,
    );
    const byTitle = (one: { title: string }, other: { title: string }) => (one.title < other.title ? -1 : 1);
    expect(
      stored
        .map(({ title, author, draft, private: closed }) => ({ title, author, draft, closed }))
        .toSorted(byTitle),
    ).toEqual(
      blogs
        .map(({ title, author, draft, private: closed }) => ({
          // As the import sets it.
          title: title.replaceAll("'", "’"),
          author,
          draft: Number(draft),
          closed: Number(closed),
        }))
        .toSorted(byTitle),
    );
    for (const { title, daysAgo } of blogs) {
      const blog = stored.find(({ id }) => id === blogIds.get(title));
      if (blog?.draft === 0)
        expect((Date.now() - blog.published_at) / 86_400_000, title).toBeCloseTo(daysAgo, 1);
    }
    const count = (fromClause: string) =>
      testSite.rows<{ total: number }>(`select count(*) as total from ${fromClause}`)[0]?.total;
    expect(count("comments")).toBe(threads.reduce((sum, thread) => sum + sizeOf(thread), 0));
    expect(count("users where is_admin = 1")).toBe(1);
    expect(count("users where is_moderator = 1")).toBe(1);
    expect(count("reports where closed_at is null")).toBe(3);
    expect(count("blogs where cover_id is not null")).toBe(46);
    expect(count("users where picture_id is not null")).toBe(
      people.filter(({ pictureFile }) => pictureFile).length,
    );
    expect(count("blog_likes")).toBeGreaterThan(200);
  },
);

test(
  "posts the demo's match from half-time until it ends, with comments and likes, while a page is open",
  { tags: ["more"] },
  async () => {
    await using testSite = await startTestSite();
    const site = await buildDemoSite(testSite.app.services);
    const id = site.blogIds.get(matchTitle)!;
    const guest = testSite.browser();
    const { blogs: onAir } = await guest.api.blogs.liveNow.query();
    expect(onAir).toMatchObject([{ id, title: matchTitle, onAir: true }]);
    const { slug } = onAir[0]!;
    const stateOf = async () => (await guest.api.blogs.bySlug.query({ slug })).live;
    const entriesOf = async () =>
      (await pagesOfEntries(guest, { id }, "oldest")).flatMap(({ entries }) => entries);
    const before = await entriesOf();
    expect(before.map(({ title }) => title)).toEqual(firstHalf.map(({ title }) => title));
    const kickOff = before.find(({ title }) => title.endsWith("Kick-off"));
    expect((Date.now() - Date.parse(kickOff!.at)) / 60_000).toBeGreaterThan(60);
    const page = followBlog(guest, id);
    await page.waitForStart();
    const errors: unknown[] = [];
    const told = tellSecondHalf(site, (error) => errors.push(error), 50);
    await page.waitFor("entry.posted");
    expect((await stateOf())?.ended).toBeNull();
    await told;
    await page.waitFor("entry.posted", secondHalf.length);
    expect(errors).toEqual([]);
    const moments = [...firstHalf, ...secondHalf];
    const after = await entriesOf();
    expect(after.map(({ title, isKey, author }) => ({ title, isKey, author: author?.username }))).toEqual(
      moments.map(({ title, isKey, author }) => ({ title, isKey, author })),
    );
    expect(after.filter(({ html }) => html.includes("<img")).length).toBe(1);
    expect(await stateOf()).toMatchObject({
      ended: expect.any(String),
      summary: moments.findLast(({ summary }) => summary)?.summary,
    });
    const said = testSite.rows<{ text: string }>(
      `select text from comments where blog_id = '${id}' and created_at >= ${Date.parse(before.at(-1)!.at)}`,
    );
    for (const { text } of secondHalf.flatMap((moment) => moment.said)) expect(said).toContainEqual({ text });
    expect(after.some(({ likesCount }) => likesCount > 3)).toBe(true);
  },
);
