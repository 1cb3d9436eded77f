import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { newId } from "../../src/server/ids.ts";
import { limits } from "../../src/shared/limits.ts";
import { blogForm, type ApiClient } from "../support/api-client.ts";
import { expectWhole, refusedBy, restShapes, startStage, type Stage } from "../support/hostile.ts";
import { aBlog, aComment, password, type Resident, type Town } from "../support/town.ts";

/* The least and the most that a field takes, and one less and one more. */

let town: Town;
let ana: Resident;
let anas: ApiClient;
let blog: Stage["blog"];
let comment: Stage["comment"];

beforeAll(async () => void ({ town, ana, anas, blog, comment } = await startStage()));
afterAll(() => town[Symbol.asyncDispose]());
afterEach(() => expectWhole(town));

describe("limits", () => {
  const letters = (count: number) => "x".repeat(count);
  let turn = 0;
  /** Unlike what anybody else has: the first letter is another each time. */
  const unlike = (count: number) => `${"abcdefghjkpq"[turn++ % 12]}${"zqxkwjvhg".repeat(30)}`.slice(0, count);
  const somebody = async (change: Record<string, string>) =>
    tried((await town.resident("Somebody")).api.users.updateProfile.mutate(change));
  const emoji = (count: number) => "👍".repeat(count);
  const tried = async (call: Promise<unknown>) =>
    call.then(
      () => "taken",
      (error: { data?: { code?: string }; message: string }) => error.data?.code ?? error.message,
    );
  const publish = (change: Record<string, unknown>) => tried(ana.api.blogs.create.mutate(aBlog(change)));
  const save = (change: Record<string, unknown>) =>
    tried(ana.api.blogs.update.mutate({ id: blog.id, ...change }));
  const form = async (fields: Record<string, string>) => {
    const { status } = await anas.call("POST", "/blogs", blogForm(fields));
    return status === 200 ? "taken" : status === 400 ? "BAD_REQUEST" : status;
  };
  const profile = (change: Record<string, string>) => tried(ana.api.users.updateProfile.mutate(change));
  const settings = (interests: string[]) => tried(ana.api.users.updateSettings.mutate({ interests }));
  const several = (count: number) => Array.from({ length: count }, (_, index) => `x${index}`);
  const join = (change: Record<string, string>) =>
    tried(ana.api.users.signUp.mutate({ name: "New", email: `${newId()}@example.org`, password, ...change }));
  const address = (length: number) => `${letters(length - "@example.org".length)}@example.org`;
  const { title, description, tags, comment: say, name, bio, username, interests } = limits;

  const table: [what: string, least: number, most: number, act: (count: number) => Promise<unknown>][] = [
    ["a title in letters", 1, title.max, (count) => publish({ title: letters(count) })],
    ["a title in emoji", 1, title.max, (count) => publish({ title: emoji(count) })],
    ["a title that is changed", 1, title.max, (count) => save({ title: emoji(count) })],
    ["a title over REST", 1, title.max, (count) => form({ title: emoji(count) })],
    ["a description", 0, description.max, (count) => publish({ description: emoji(count) })],
    ["a description that is changed", 0, description.max, (count) => save({ description: letters(count) })],
    ["a description over REST", 0, description.max, (count) => form({ description: emoji(count) })],
    ["a tag", 1, tags.length, (count) => publish({ tags: [emoji(count)] })],
    ["the tags", 0, tags.max, (count) => publish({ tags: several(count) })],
    ["the tags that are changed", 0, tags.max, (count) => save({ tags: several(count) })],
    ["the tags over REST", 0, tags.max, (count) => form({ tags: JSON.stringify(several(count)) })],
    [
      "a comment in letters",
      1,
      say.max,
      (count) => tried(ana.api.comments.create.mutate(aComment(blog, { text: letters(count) }))),
    ],
    [
      "a comment in emoji",
      1,
      say.max,
      (count) => tried(ana.api.comments.create.mutate(aComment(blog, { text: emoji(count) }))),
    ],
    [
      "a comment that is changed",
      1,
      say.max,
      (count) => tried(ana.api.comments.edit.mutate({ id: comment.id, text: emoji(count) })),
    ],
    ["a name", 1, name.max, (count) => profile({ name: emoji(count) })],
    ["a name at sign-up", 1, name.max, (count) => join({ name: emoji(count) })],
    ["a bio", 0, bio.max, (count) => profile({ bio: emoji(count) })],
    ["a username", username.min, username.max, (count) => somebody({ username: unlike(count) })],
    ["a password", limits.password.min, limits.password.max, (count) => join({ password: unlike(count) })],
    ["an interest", 1, interests.length, (count) => settings([emoji(count)])],
    ["the interests", 0, interests.max, (count) => settings(several(count))],
    ["a query", 0, 10_000, (count) => tried(ana.api.blogs.search.query({ query: letters(count) }))],
    [
      "an address",
      20,
      limits.email.max,
      (count) => (count < 20 ? Promise.resolve("BAD_REQUEST") : join({ email: address(count) })),
    ],
  ];

  test.each(table)("%s has at least %d and at most %d", async (_what, least, most, act) => {
    const found = [];
    for (const count of [least - 1, least, most, most + 1])
      found.push(count < 0 ? "BAD_REQUEST" : await act(count));
    expect(found).toEqual(["BAD_REQUEST", "taken", "taken", "BAD_REQUEST"]);
  });

  const shapes = restShapes();
  // What these take is done as for the procedures above.
  test.each<[string, string, number, number, (count: number) => unknown]>([
    ["POST /blogs/comment/{blogId}", "comment", 1, say.max, emoji],
    ["POST /comment/{commentId}/{blogId}", "reply", 1, say.max, emoji],
    ["PATCH /blogs/edit-comment/{commentId}", "updatedCommentContent", 1, say.max, emoji],
    ["PATCH /users/{userId}", "name", 1, name.max, emoji],
    ["PATCH /users/{userId}", "bio", 0, bio.max, emoji],
    ["PATCH /users/{userId}", "username", username.min, username.max, unlike],
    ["POST /signup", "password", limits.password.min, limits.password.max, unlike],
    ["PUT /user/update-interests", "interests", 0, interests.max, several],
  ])("%s has in its %s at least %d and at most %d", (call, field, least, most, make) => {
    const isRefused = (count: number) =>
      count < 0 || refusedBy(shapes.get(call)!.body!, { [field]: make(count) }).includes(field);
    expect([least - 1, least, most, most + 1].map(isRefused)).toEqual([true, false, false, true]);
  });

  test.each(["GET /blogs", "GET /search-blogs", "GET /search-users"])(
    "a limit of %s has at least 1, and more than 50 counts as 50",
    (call) => {
      const read = (limit: string) =>
        (shapes.get(call)!.query!.safeParse({ limit }).data as { limit: number } | undefined)?.limit;
      expect(["0", "1", "50", "51"].map(read)).toEqual([undefined, 1, 50, 50]);
    },
  );

  test("of tags and usernames are told in their own words", async () => {
    const tooMany = "You can only add upto 10 tags.Limit reached";
    await expect(ana.api.blogs.create.mutate(aBlog({ tags: several(11) }))).rejects.toThrow(tooMany);
    expect((await anas.call("POST", "/blogs", blogForm({ tags: JSON.stringify(several(11)) }))).body).toEqual(
      {
        success: false,
        message: tooMany,
        field: "tags",
      },
    );
    await expect(ana.api.users.updateProfile.mutate({ username: "ab" })).rejects.toThrow(
      "Username must be at least 3 characters.",
    );
    // Ten of which are the same twice are ten.
    const twice = await ana.api.blogs.create.mutate(aBlog({ tags: [...several(10), " X0 ", "X9"] }));
    expect((await ana.api.blogs.bySlug.query({ slug: twice.slug })).tags).toEqual(several(10));
  });

  test("a name or title that nobody could see is none", async () => {
    for (const nothing of ["\u200b", "\u2060\u200d", "\u202e\u202c", "\u00ad", "\u3164", "\u2800"]) {
      const seen = [
        await publish({ title: nothing }),
        await profile({ name: nothing }),
        await save({ title: nothing }),
      ];
      expect([JSON.stringify(nothing), ...seen]).toEqual([
        JSON.stringify(nothing),
        "BAD_REQUEST",
        "BAD_REQUEST",
        "BAD_REQUEST",
      ]);
    }
  });
});
