import { expect, test } from "vitest";
import { ApiClient } from "../support/api-client.ts";
import { aBlog, aComment, password, refusal, startTown, type Town } from "../support/town.ts";

/* An account's first day: room for what a person needs, and not for what spammers live by. */

const links = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) => `https://owls.example/${from + at}`).join(" ");
const linked = (count: number) => ({
  type: "doc",
  content: [
    {
      type: "paragraph",
      content: Array.from({ length: count }, (_, at) => ({
        type: "text",
        text: `owl ${at} `,
        marks: [{ type: "link", attrs: { href: `https://owls.example/${at}` } }],
      })),
    },
  ],
});
const ageBy = (town: Town, id: string) =>
  town.write(
    async (tx) =>
      void (await tx.drizzle.run(`update users set verified_at = verified_at - 86400000 where id = '${id}'`)),
  );

test("comments of the first day have room for so many links and mentions, and for any number a day later", async () => {
  await using town = await startTown({ RATE_LIMIT: "on" });
  // The first of a site runs it: she has room for all.
  const [ana, ben] = [await town.resident("Ana"), await town.resident("Ben")];
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const say = (text: string) => ben.api.comments.create.mutate(aComment(blog, { text }));
  const first = await say(`${links(14)} @ana-torres @someone`);
  expect(await refusal(say(links(5)))).toMatchObject({
    code: "FORBIDDEN",
    message: expect.stringContaining("20 links and mentions"),
  });
  // What was refused took no room; what stands already takes none again.
  await say(links(2));
  await ben.api.comments.edit.mutate({
    id: first.id,
    text: `${links(14)} @ana-torres @someone, and more words.`,
  });
  expect(await refusal(ben.api.comments.edit.mutate({ id: first.id, text: links(20) }))).toMatchObject({
    code: "FORBIDDEN",
  });
  await say(links(2));
  await say("No links at all.");
  const over = await refusal(say(links(1)));
  expect(over.code).toBe("FORBIDDEN");
  const rest = await ApiClient.of(town, ben);
  expect((await rest.call("POST", `/blogs/comment/${blog.id}`, { comment: links(1) })).status).toBe(403);
  await ageBy(town, ben.me.id);
  await say(links(30));
});

test("an invitation to write together counts as a mention, and one that stands already does not", async () => {
  await using town = await startTown({ RATE_LIMIT: "on" });
  const [ana, ben] = [await town.resident("Ana"), await town.resident("Ben")];
  await ana.api.moderation.setSite.mutate({ firstDayTalk: "1" });
  const blog = await ben.api.blogs.create.mutate(aBlog({ draft: true }));
  const invite = (username: string) => ben.api.blogs.inviteAuthor.mutate({ id: blog.id, username });
  await invite(ana.me.username);
  await invite(ana.me.username);
  await ben.api.blogs.removeAuthor.mutate({ id: blog.id, userId: ana.me.id });
  expect(await refusal(invite(ana.me.username))).toMatchObject({ code: "FORBIDDEN" });
  await ageBy(town, ben.me.id);
  await invite(ana.me.username);
});

test("a comment that is sent again is counted once", async () => {
  await using town = await startTown({ RATE_LIMIT: "on" });
  const [ana, ben] = [await town.resident("Ana"), await town.resident("Ben")];
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const one = aComment(blog, { text: links(15) });
  for (let count = 0; count < 3; count++) await ben.api.comments.create.mutate(one);
  await ben.api.comments.create.mutate(aComment(blog, { text: links(5) }));
});

test("what is published on the first day has room for a hundred links; drafts have room for all", async () => {
  await using town = await startTown({ RATE_LIMIT: "on" });
  await town.resident("Boss");
  const ana = await town.resident("Ana");
  const many = aBlog({ document: linked(101) });
  expect(await refusal(ana.api.blogs.create.mutate(many))).toMatchObject({
    code: "FORBIDDEN",
    message: expect.stringContaining("100 links"),
  });
  const { id } = await ana.api.blogs.create.mutate({ ...many, draft: true });
  expect(await refusal(ana.api.blogs.update.mutate({ id, draft: false }))).toMatchObject({
    code: "FORBIDDEN",
  });
  const fair = await ana.api.blogs.create.mutate(aBlog({ document: linked(90) }));
  await ana.api.blogs.update.mutate({ id: fair.id, title: "Another title" });
  await ageBy(town, ana.me.id);
  await ana.api.blogs.update.mutate({ id, draft: false });
});

test("what goes and comes back is counted once, and what goes makes room for others", async () => {
  await using town = await startTown({ RATE_LIMIT: "on" });
  const [boss, ana] = [await town.resident("Boss"), await town.resident("Ana")];
  await boss.api.moderation.setSite.mutate({ firstDayTalk: "3", firstDayBlogs: "3" });
  const made = await ana.api.blogs.create.mutate(aBlog({ document: linked(2) }));
  const save = async (input: object) =>
    Object.assign(made, await ana.api.blogs.update.mutate({ id: made.id, version: made.version, ...input }));
  for (const draft of [true, false, true]) await save({ draft });
  await save({ draft: true, title: "Kept as a draft again" });
  await save({ draft: false });
  await save({ document: linked(1) });
  expect((await refusal(save({ document: linked(4) }))).code).toBe("FORBIDDEN");
  await save({ document: linked(3) });
  expect((await refusal(ana.api.blogs.create.mutate(aBlog({ document: linked(1) })))).code).toBe("FORBIDDEN");
  const blog = await boss.api.blogs.create.mutate(aBlog());
  const comment = await ana.api.comments.create.mutate(aComment(blog, { text: links(2) }));
  const edit = (text: string) => ana.api.comments.edit.mutate({ id: comment.id, text });
  for (const text of ["A slip", links(2), links(1), links(3)]) await edit(text);
  expect((await refusal(edit(links(4)))).code).toBe("FORBIDDEN");
});

test("mentions that go give nothing back: those people were told", async () => {
  await using town = await startTown({ RATE_LIMIT: "on" });
  const [boss, ana] = [await town.resident("Boss"), await town.resident("Ana")];
  await boss.api.moderation.setSite.mutate({ firstDayTalk: "2" });
  const blog = await boss.api.blogs.create.mutate(aBlog());
  const { id } = await ana.api.comments.create.mutate(aComment(blog, { text: "@one-person @someone" }));
  await ana.api.comments.edit.mutate({ id, text: "Nobody" });
  const again = ana.api.comments.create.mutate(aComment(blog, { text: "@another" }));
  expect((await refusal(again)).code).toBe("FORBIDDEN");
});

test("administrators say how many links that are, and none where they say so", async () => {
  await using town = await startTown({ RATE_LIMIT: "on" });
  const [boss, ana] = [await town.resident("Boss"), await town.resident("Ana")];
  const blog = await boss.api.blogs.create.mutate(aBlog());
  await boss.api.moderation.setSite.mutate({ firstDayTalk: "25", firstDayBlogs: "0" });
  await ana.api.comments.create.mutate(aComment(blog, { text: links(25) }));
  expect(await refusal(ana.api.comments.create.mutate(aComment(blog, { text: links(1) })))).toMatchObject({
    message: expect.stringContaining("25 links and mentions"),
  });
  expect(await refusal(ana.api.blogs.create.mutate(aBlog({ document: linked(1) })))).toMatchObject({
    message: expect.stringContaining("can post no links in blogs"),
  });
  await ana.api.blogs.create.mutate(aBlog());
  await boss.api.moderation.setSite.mutate({ firstDayTalk: "", firstDayBlogs: "" });
  await ana.api.blogs.create.mutate(aBlog({ document: linked(1) }));
});

test("a program that fills in what nobody sees is told what everybody is told, and has no account", async () => {
  await using town = await startTown();
  const given = { name: "Bot", email: "bot@example.org", password };
  const person = await town.browser().api.users.signUp.mutate({ ...given, email: "ana@example.org" });
  expect(
    await town.browser().api.users.signUp.mutate({ ...given, contact_url: "https://spam.example" }),
  ).toMatchObject({
    message: person.message,
  });
  expect(town.rows("select email from users")).toEqual([{ email: "ana@example.org" }]);
  expect(await town.mailsTo("bot@example.org")).toEqual([]);
});
