import { expect, test } from "vitest";
import { reprise } from "../../support/command.ts";
import { aBlog, aComment, paragraphs, refusal, startTestSite } from "../../support/test-site.ts";

test(
  "lists, takes down, restores and deletes blogs and comments by command, and records it in the log",
  { tags: ["more"] },
  async () => {
    await using testSite = await startTestSite();
    const boss = await testSite.createAccount("Boss");
    const [ana, ben] = [await testSite.createAccount("Ana"), await testSite.createAccount("Ben")];
    const blog = await ana.api.blogs.create.mutate(
      aBlog({ title: "Cheap owls", document: paragraphs("Buy one.") }),
    );
    const draft = await ana.api.blogs.create.mutate(aBlog({ title: "Owls in a drawer", draft: true }));
    const { id } = await ben.api.comments.create.mutate(aComment(blog, { text: "How much is an owl?" }));
    const run = (...args: string[]) => reprise(testSite.config.dataDir, [...args, "--json"]);

    expect((await run("blog", "list")).json).toMatchObject([{ slug: blog.slug, title: "Cheap owls" }]);
    expect((await run("blog", "list", "--by", `@${ben.me.username}`)).json).toEqual([]);
    expect((await run("comment", "list", "--by", ben.me.username)).json).toMatchObject([
      { id, blog: blog.slug },
    ]);
    expect((await run("comment", "list", "--page", "2")).json).toEqual([]);

    const address = `${testSite.url}/blog/${blog.slug}`;
    await run("blog", "take-down", address, "--reason", "It advertises.");
    expect((await run("blog", "list", "--taken-down")).json).toMatchObject([
      { takedownReason: "It advertises." },
    ]);
    expect(await refusal(ben.api.blogs.bySlug.query({ slug: blog.slug }))).toMatchObject({
      code: "NOT_FOUND",
    });
    expect((await run("blog", "take-down", blog.slug)).code).toBe(1);
    await run("blog", "take-down", blog.slug, "--undo");
    expect(await ben.api.blogs.bySlug.query({ slug: blog.slug })).toMatchObject({ title: "Cheap owls" });

    await run("comment", "delete", id, "--reason", "Rude.");
    expect((await run("comment", "delete", id)).code).toBe(1);
    await run("blog", "delete", blog.id);
    expect(testSite.rows("select id from blogs")).toEqual([{ id: draft.id }]);
    // Drafts are not found by commands.
    expect((await run("blog", "delete", draft.id)).code).toBe(1);
    const { entries } = await boss.api.moderation.log.query({ page: 1 });
    expect(entries.map(({ actor, act }) => `${actor} ${act}`)).toEqual([
      "command-line delete",
      "command-line take-down",
      "command-line restore",
      "command-line take-down",
    ]);
  },
);
