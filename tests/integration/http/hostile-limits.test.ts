import { afterEach, describe, expect, test } from "vitest";
import { newId } from "../../../src/server/runtime/ids.ts";
import { limits } from "../../../src/shared/limits.ts";
import { blogForm } from "../../support/api-client.ts";
import { expectIntact, refusedBy, restShapes, startHostileSetup } from "../../support/hostile-inputs.ts";
import { aBlog, aComment, password } from "../../support/test-site.ts";

/* The minimum and maximum of each field, one below and one above. */

const { testSite, ana, anas, blog, comment } = await startHostileSetup();
afterEach(() => expectIntact(testSite));

describe("limits", () => {
  const letters = (count: number) => "x".repeat(count);
  let counter = 0;
  /** Returns a text with another first letter each time, so that no other account has it. */
  const uniqueText = (count: number) =>
    `${"abcdefghjkpq"[counter++ % 12]}${"zqxkwjvhg".repeat(30)}`.slice(0, count);
  const updateNewProfile = async (change: Record<string, string>) =>
    outcomeOf((await testSite.createAccount("Somebody")).api.users.updateProfile.mutate(change));
  const emoji = (count: number) => "👍".repeat(count);
  const outcomeOf = async (call: Promise<unknown>) =>
    call.then(
      () => "taken",
      (error: { data?: { code?: string }; message: string }) => error.data?.code ?? error.message,
    );
  const publish = (change: Record<string, unknown>) => outcomeOf(ana.api.blogs.create.mutate(aBlog(change)));
  const save = (change: Record<string, unknown>) =>
    outcomeOf(ana.api.blogs.update.mutate({ id: blog.id, ...change }));
  const form = async (fields: Record<string, string>) => {
    const { status } = await anas.call("POST", "/blogs", blogForm(fields));
    return status === 200 ? "taken" : status === 400 ? "BAD_REQUEST" : status;
  };
  const profile = (change: Record<string, string>) => outcomeOf(ana.api.users.updateProfile.mutate(change));
  const settings = (interests: string[]) => outcomeOf(ana.api.users.updateSettings.mutate({ interests }));
  const listOf = (count: number) => Array.from({ length: count }, (_, index) => `x${index}`);
  const signUpWith = (change: Record<string, string>) =>
    outcomeOf(
      ana.api.users.signUp.mutate({ name: "New", email: `${newId()}@example.org`, password, ...change }),
    );
  const address = (length: number) => `${letters(length - "@example.org".length)}@example.org`;
  const { title, description, tags, comment: commentLimits, name, bio, username, interests } = limits;

  const table: [what: string, least: number, most: number, act: (count: number) => Promise<unknown>][] = [
    ["a title in letters", 1, title.max, (count) => publish({ title: letters(count) })],
    ["a title in emoji", 1, title.max, (count) => publish({ title: emoji(count) })],
    ["a title that is changed", 1, title.max, (count) => save({ title: emoji(count) })],
    ["a title over REST", 1, title.max, (count) => form({ title: emoji(count) })],
    ["a description", 0, description.max, (count) => publish({ description: emoji(count) })],
    ["a description that is changed", 0, description.max, (count) => save({ description: letters(count) })],
    ["a description over REST", 0, description.max, (count) => form({ description: emoji(count) })],
    ["a tag", 1, tags.length, (count) => publish({ tags: [emoji(count)] })],
    ["the tags", 0, tags.max, (count) => publish({ tags: listOf(count) })],
    ["the tags that are changed", 0, tags.max, (count) => save({ tags: listOf(count) })],
    ["the tags over REST", 0, tags.max, (count) => form({ tags: JSON.stringify(listOf(count)) })],
    [
      "a comment in letters",
      1,
      commentLimits.max,
      (count) => outcomeOf(ana.api.comments.create.mutate(aComment(blog, { text: letters(count) }))),
    ],
    [
      "a comment in emoji",
      1,
      commentLimits.max,
      (count) => outcomeOf(ana.api.comments.create.mutate(aComment(blog, { text: emoji(count) }))),
    ],
    [
      "a comment that is changed",
      1,
      commentLimits.max,
      (count) => outcomeOf(ana.api.comments.edit.mutate({ id: comment.id, text: emoji(count) })),
    ],
    ["a name", 1, name.max, (count) => profile({ name: emoji(count) })],
    ["a name at sign-up", 1, name.max, (count) => signUpWith({ name: emoji(count) })],
    ["a bio", 0, bio.max, (count) => profile({ bio: emoji(count) })],
    ["a username", username.min, username.max, (count) => updateNewProfile({ username: uniqueText(count) })],
    [
      "a password",
      limits.password.min,
      limits.password.max,
      (count) => signUpWith({ password: uniqueText(count) }),
    ],
    ["an interest", 1, interests.length, (count) => settings([emoji(count)])],
    ["the interests", 0, interests.max, (count) => settings(listOf(count))],
    ["a query", 0, 10_000, (count) => outcomeOf(ana.api.blogs.search.query({ query: letters(count) }))],
    [
      "an address",
      20,
      limits.email.max,
      (count) => (count < 20 ? Promise.resolve("BAD_REQUEST") : signUpWith({ email: address(count) })),
    ],
  ];

  test.each(table)("limits %s to between %d and %d", async (_what, least, most, action) => {
    const outcomes = [];
    for (const count of [least - 1, least, most, most + 1])
      outcomes.push(count < 0 ? "BAD_REQUEST" : await action(count));
    expect(outcomes).toEqual(["BAD_REQUEST", "taken", "taken", "BAD_REQUEST"]);
  });

  const shapes = restShapes();
  // Only the schemas are tested: the procedures above handle what they accept.
  test.each<[string, string, number, number, (count: number) => unknown]>([
    ["POST /blogs/comment/{blogId}", "comment", 1, commentLimits.max, emoji],
    ["POST /comment/{commentId}/{blogId}", "reply", 1, commentLimits.max, emoji],
    ["PATCH /blogs/edit-comment/{commentId}", "updatedCommentContent", 1, commentLimits.max, emoji],
    ["PATCH /users/{userId}", "name", 1, name.max, emoji],
    ["PATCH /users/{userId}", "bio", 0, bio.max, emoji],
    ["PATCH /users/{userId}", "username", username.min, username.max, uniqueText],
    ["POST /signup", "password", limits.password.min, limits.password.max, uniqueText],
    ["PUT /user/update-interests", "interests", 0, interests.max, listOf],
  ])("%s limits its %s to between %d and %d", (call, field, least, most, makeValue) => {
    const isRefused = (count: number) =>
      count < 0 || refusedBy(shapes.get(call)!.body!, { [field]: makeValue(count) }).includes(field);
    expect([least - 1, least, most, most + 1].map(isRefused)).toEqual([true, false, false, true]);
  });

  test.each(["GET /blogs", "GET /search-blogs", "GET /search-users"])(
    "%s refuses a limit below 1 and reads one above 50 as 50",
    (call) => {
      const parsedLimit = (limit: string) =>
        (shapes.get(call)!.query!.safeParse({ limit }).data as { limit: number } | undefined)?.limit;
      expect(["0", "1", "50", "51"].map(parsedLimit)).toEqual([undefined, 1, 50, 50]);
    },
  );

  test("names the limits of tags and usernames in errors, and counts equal tags once", async () => {
    const tagLimitMessage = "You can only add upto 10 tags.Limit reached";
    await expect(ana.api.blogs.create.mutate(aBlog({ tags: listOf(11) }))).rejects.toThrow(tagLimitMessage);
    expect((await anas.call("POST", "/blogs", blogForm({ tags: JSON.stringify(listOf(11)) }))).body).toEqual({
      success: false,
      message: tagLimitMessage,
      field: "tags",
    });
    await expect(ana.api.users.updateProfile.mutate({ username: "ab" })).rejects.toThrow(
      "Username must be at least 3 characters.",
    );
    // Twelve tags, two of which repeat others.
    const tagged = await ana.api.blogs.create.mutate(aBlog({ tags: [...listOf(10), " X0 ", "X9"] }));
    expect((await ana.api.blogs.bySlug.query({ slug: tagged.slug })).tags).toEqual(listOf(10));
  });

  test("refuses a name or title of invisible characters", async () => {
    for (const invisible of ["\u200b", "\u2060\u200d", "\u202e\u202c", "\u00ad", "\u3164", "\u2800"]) {
      const outcomes = [
        await publish({ title: invisible }),
        await profile({ name: invisible }),
        await save({ title: invisible }),
      ];
      expect([JSON.stringify(invisible), ...outcomes]).toEqual([
        JSON.stringify(invisible),
        "BAD_REQUEST",
        "BAD_REQUEST",
        "BAD_REQUEST",
      ]);
    }
  });
});
