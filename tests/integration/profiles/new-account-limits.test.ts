import { expect, test } from "vitest";
import { ApiClient } from "../../support/api-client.ts";
import { expectRefusal } from "../../support/expect-refusal.ts";
import { aBlog, aComment, password, refusal, startTestSite, type TestSite } from "../../support/test-site.ts";

/* The first day of an account: enough for a person, too little for spammers. */

const links = (count: number, firstNumber = 0) =>
  Array.from({ length: count }, (_, index) => `https://owls.example/${firstNumber + index}`).join(" ");
const documentWithLinks = (count: number) => ({
  type: "doc",
  content: [
    {
      type: "paragraph",
      content: Array.from({ length: count }, (_, index) => ({
        type: "text",
        text: `owl ${index} `,
        marks: [{ type: "link", attrs: { href: `https://owls.example/${index}` } }],
      })),
    },
  ],
});
const ageByOneDay = (testSite: TestSite, id: string) =>
  testSite.run(`update users set verified_at = verified_at - 86400000 where id = '${id}'`);

test("limits the links and mentions in comments of the first day, and not those of a day later", async () => {
  await using testSite = await startTestSite({ RATE_LIMIT: "on" });
  // The first account of a site administers it and has no limits.
  const [ana, ben] = [await testSite.createAccount("Ana"), await testSite.createAccount("Ben")];
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const postComment = (text: string) => ben.api.comments.create.mutate(aComment(blog, { text }));
  const first = await postComment(`${links(14)} @ana-torres @someone`);
  await expectRefusal(postComment(links(5)), {
    code: "FORBIDDEN",
    message: expect.stringContaining("20 links and mentions"),
  });
  // A refused comment takes no room, and an edit takes none for what was there before.
  await postComment(links(2));
  await ben.api.comments.edit.mutate({
    id: first.id,
    text: `${links(14)} @ana-torres @someone, and more words.`,
  });
  await expectRefusal(ben.api.comments.edit.mutate({ id: first.id, text: links(20) }), "FORBIDDEN");
  await postComment(links(2));
  await postComment("No links at all.");
  const error = await refusal(postComment(links(1)));
  expect(error.code).toBe("FORBIDDEN");
  const client = await ApiClient.of(testSite, ben);
  expect((await client.call("POST", `/blogs/comment/${blog.id}`, { comment: links(1) })).status).toBe(403);
  await ageByOneDay(testSite, ben.me.id);
  await postComment(links(30));
});

test("counts an invitation to write together as a mention, but not a repeated one", async () => {
  await using testSite = await startTestSite({ RATE_LIMIT: "on" });
  const [ana, ben] = [await testSite.createAccount("Ana"), await testSite.createAccount("Ben")];
  await ana.api.administration.setSite.mutate({ firstDayLinks: "1" });
  const blog = await ben.api.blogs.create.mutate(aBlog({ draft: true }));
  const invite = (username: string) => ben.api.blogs.inviteAuthor.mutate({ id: blog.id, username });
  await invite(ana.me.username);
  await invite(ana.me.username);
  await ben.api.blogs.removeAuthor.mutate({ id: blog.id, userId: ana.me.id });
  await expectRefusal(invite(ana.me.username), "FORBIDDEN");
  await ageByOneDay(testSite, ben.me.id);
  await invite(ana.me.username);
});

test("counts a comment that is sent again once", async () => {
  await using testSite = await startTestSite({ RATE_LIMIT: "on" });
  const [ana, ben] = [await testSite.createAccount("Ana"), await testSite.createAccount("Ben")];
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const one = aComment(blog, { text: links(15) });
  for (let count = 0; count < 3; count++) await ben.api.comments.create.mutate(one);
  await ben.api.comments.create.mutate(aComment(blog, { text: links(5) }));
});

test("limits the links published on the first day to a hundred, but not those in drafts", async () => {
  await using testSite = await startTestSite({ RATE_LIMIT: "on" });
  await testSite.createAccount("Boss");
  const ana = await testSite.createAccount("Ana");
  const blogWithLinks = aBlog({ document: documentWithLinks(101) });
  await expectRefusal(ana.api.blogs.create.mutate(blogWithLinks), {
    code: "FORBIDDEN",
    message: expect.stringContaining("100 links"),
  });
  const { id } = await ana.api.blogs.create.mutate({ ...blogWithLinks, draft: true });
  await expectRefusal(ana.api.blogs.update.mutate({ id, draft: false }), "FORBIDDEN");
  const allowed = await ana.api.blogs.create.mutate(aBlog({ document: documentWithLinks(90) }));
  await ana.api.blogs.update.mutate({ id: allowed.id, title: "Another title" });
  await ageByOneDay(testSite, ana.me.id);
  await ana.api.blogs.update.mutate({ id, draft: false });
});

test("counts links that are removed and added again once, and removed ones make room for others", async () => {
  await using testSite = await startTestSite({ RATE_LIMIT: "on" });
  const [boss, ana] = [await testSite.createAccount("Boss"), await testSite.createAccount("Ana")];
  await boss.api.administration.setSite.mutate({ firstDayLinks: "3", firstDayBlogs: "3" });
  const edited = await ana.api.blogs.create.mutate(aBlog({ document: documentWithLinks(2) }));
  const save = async (input: object) =>
    Object.assign(edited, await ana.api.blogs.update.mutate({ id: edited.id, etag: edited.etag, ...input }));
  for (const draft of [true, false, true]) await save({ draft });
  await save({ draft: true, title: "Kept as a draft again" });
  await save({ draft: false });
  await save({ document: documentWithLinks(1) });
  await expectRefusal(save({ document: documentWithLinks(4) }), "FORBIDDEN");
  await save({ document: documentWithLinks(3) });
  await expectRefusal(ana.api.blogs.create.mutate(aBlog({ document: documentWithLinks(1) })), "FORBIDDEN");
  const blog = await boss.api.blogs.create.mutate(aBlog());
  const comment = await ana.api.comments.create.mutate(aComment(blog, { text: links(2) }));
  const edit = (text: string) => ana.api.comments.edit.mutate({ id: comment.id, text });
  for (const text of ["A slip", links(2), links(1), links(3)]) await edit(text);
  await expectRefusal(edit(links(4)), "FORBIDDEN");
});

test("removed mentions make no room, because those people were notified", async () => {
  await using testSite = await startTestSite({ RATE_LIMIT: "on" });
  const [boss, ana] = [await testSite.createAccount("Boss"), await testSite.createAccount("Ana")];
  await boss.api.administration.setSite.mutate({ firstDayLinks: "2" });
  const blog = await boss.api.blogs.create.mutate(aBlog());
  const { id } = await ana.api.comments.create.mutate(aComment(blog, { text: "@one-person @someone" }));
  await ana.api.comments.edit.mutate({ id, text: "Nobody" });
  const secondMention = ana.api.comments.create.mutate(aComment(blog, { text: "@another" }));
  await expectRefusal(secondMention, "FORBIDDEN");
});

test("administrators set the number of links, down to none", async () => {
  await using testSite = await startTestSite({ RATE_LIMIT: "on" });
  const [boss, ana] = [await testSite.createAccount("Boss"), await testSite.createAccount("Ana")];
  const blog = await boss.api.blogs.create.mutate(aBlog());
  await boss.api.administration.setSite.mutate({ firstDayLinks: "25", firstDayBlogs: "0" });
  await ana.api.comments.create.mutate(aComment(blog, { text: links(25) }));
  await expectRefusal(ana.api.comments.create.mutate(aComment(blog, { text: links(1) })), {
    message: expect.stringContaining("25 links and mentions"),
  });
  await expectRefusal(ana.api.blogs.create.mutate(aBlog({ document: documentWithLinks(1) })), {
    message: expect.stringContaining("can post no links in blogs"),
  });
  await ana.api.blogs.create.mutate(aBlog());
  await boss.api.administration.setSite.mutate({ firstDayLinks: "", firstDayBlogs: "" });
  await ana.api.blogs.create.mutate(aBlog({ document: documentWithLinks(1) }));
});

test("refuses a sign-up with the hidden field filled in, and says so", async () => {
  await using testSite = await startTestSite();
  const credentials = { name: "Bot", email: "bot@example.org", password };
  const signUp = testSite.browser().api.users.signUp;
  await expectRefusal(signUp.mutate({ ...credentials, contact_url: "https://spam.example" }), {
    code: "BAD_REQUEST",
    field: "contact_url",
    message: expect.stringContaining("leave it empty"),
  });
  expect(testSite.rows("select email from users")).toEqual([]);
  expect(await testSite.mailsTo("bot@example.org")).toEqual([]);
});
