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
