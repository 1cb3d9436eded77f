import { expect, test } from "vitest";
import { blogs, people, threads, type DemoReply } from "../../../scripts/demo/demo-data.ts";
import { buildDemoSite } from "../../../scripts/demo/build-demo-site.ts";
import { startTestSite } from "../../support/test-site.ts";

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
      `select b.id, case when b.draft then d.fields ->> 'title' else b.title end as title, u.username as author, b.draft, b.private,
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
    expect(count("users where is_admin")).toBe(1);
    expect(count("users where is_moderator")).toBe(1);
    expect(count("reports where closed_at is null")).toBe(3);
    expect(count("blogs where cover_id is not null")).toBe(45);
    expect(count("users where picture_id is not null")).toBe(
      people.filter(({ pictureFile }) => pictureFile).length,
    );
    expect(count("blog_likes")).toBeGreaterThan(200);
  },
);
