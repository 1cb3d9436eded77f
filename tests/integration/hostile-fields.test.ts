import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { z } from "zod";
import { newId } from "../../src/server/ids.ts";
import { boundNames } from "../../src/shared/site.ts";
import { appRouter } from "../../src/server/router.ts";
import {
  broken,
  expectWhole,
  judged,
  startStage,
  texts,
  wrong,
  type Answer,
  type Kind,
  type Stage,
} from "../support/hostile.ts";
import { paragraphs, password, type Resident, type Town } from "../support/town.ts";

/*
 * Every field of every procedure, and what a person or a program may put into it. bad-input.test.ts is about bodies, batches,
 * documents and uploads.
 */

let town: Town;
let ana: Resident;
let eve: Resident;
let blog: Stage["blog"];
let comment: Stage["comment"];

beforeAll(async () => void ({ town, ana, eve, blog, comment } = await startStage()));
afterAll(async () => {
  await expectWhole(town);
  await town[Symbol.asyncDispose]();
});

describe("procedures", () => {
  const resumed = { since: "text", lastEventId: "text" } as const;
  const written: Record<string, Kind> = {
    id: "id",
    title: "text",
    description: "text",
    tags: "list",
    document: "anything",
    coverId: "id",
    coverFocus: "anything",
    draft: "flag",
    private: "flag",
    slug: "text",
    canonicalUrl: "text",
    searchTitle: "text",
    searchDescription: "text",
    language: "text",
    schedule: "anything",
  };
  /** The fields of each procedure, and what they are. */
  const fields: Record<string, Record<string, Kind>> = {
    "blogs.list": { page: "number", sort: "choice" },
    "blogs.following": { page: "number" },
    "blogs.byTag": { tag: "text", page: "number", sort: "choice" },
    "blogs.byAuthor": { username: "text", tab: "choice", page: "number" },
    "blogs.mine": { page: "number", show: "choice", sort: "choice", words: "text" },
    "blogs.bySlug": { slug: "text", has: "text" },
    "blogs.card": { id: "id" },
    "blogs.further": { id: "id", without: "list" },
    "blogs.forEdit": { slug: "text" },
    "blogs.create": written,
    "blogs.update": { ...written, version: "number", restores: "id" },
    "blogs.begin": { id: "id" },
    "blogs.openWriting": { id: "id" },
    "blogs.here": { id: "id", client: "id", seq: "number", anchor: "place", head: "place" },
    "blogs.preview": { id: "id" },
    "blogs.commitsSince": { id: "id", epoch: "text", seq: "number" },
    "blogs.pushCommit": {
      id: "id",
      epoch: "text",
      seq: "number",
      client: "id",
      number: "number",
      steps: "text",
      fields: "anything",
      schema: "text",
    },
    "blogs.discardWriting": { id: "id" },
    "blogs.setLive": { id: "id", live: "flag" },
    "blogs.publishWriting": { id: "id", draft: "flag", schedule: "anything" },
    "blogs.authors": { id: "id" },
    "blogs.inviteAuthor": { id: "id", username: "text" },
    "blogs.answerInvitation": { id: "id", accept: "flag" },
    "blogs.removeAuthor": { id: "id", userId: "id" },
    "blogs.revisions": { id: "id", before: "anything" },
    "blogs.revision": { id: "id", revision: "id" },
    "blogs.deleteRevision": { id: "id", revision: "id" },
    "blogs.remove": { id: "id", begun: "flag" },
    "blogs.readable": { slugs: "list" },
    "blogs.linked": { slugs: "list" },
    "blogs.embed": { href: "text" },
    "blogs.search": { query: "text", page: "number" },
    "comments.list": { blogId: "id", before: "id", including: "id" },
    "comments.replies": { blogId: "id", rootId: "id", after: "anything" },
    "comments.countReplies": { id: "id" },
    "comments.replying": { blogId: "id" },
    "comments.create": { id: "id", blogId: "id", parentId: "id", text: "text" },
    "comments.edit": { id: "id", text: "text" },
    "comments.remove": { id: "id" },
    "comments.mark": { id: "id", mark: "choice" },
    "comments.letIn": { id: "id" },
    "comments.like": { id: "id", liked: "flag" },
    "live.follow": { topics: "list", ...resumed },
    "live.since": { topics: "list", ...resumed },
    "social.likeBlog": { blogId: "id", liked: "flag" },
    "social.saveBlog": { blogId: "id", saved: "flag" },
    "social.place": { blogId: "id" },
    "social.keepPlace": { blogId: "id", place: "anything" },
    "social.follow": { userId: "id", follow: "flag" },
    "social.handleRequest": { requesterId: "id", action: "choice" },
    "social.restoreRequest": { userId: "id" },
    "social.readNotices": { only: "anything" },
    "social.people": { username: "text", list: "choice", page: "number" },
    "social.removeFollower": { userId: "id" },
    "social.block": { userId: "id", blocked: "flag" },
    "blogs.setCommenters": { id: "id", commentsFrom: "choice" },
    "social.watchBlog": { blogId: "id", way: "choice" },
    "social.watching": { blogId: "id" },
    "social.setNoticeWays": { topic: "choice", page: "flag", push: "flag", mail: "choice" },
    "social.setZone": { zone: "choice" },
    "social.unsubscribe": { token: "text" },
    "imports.report": { id: "id" },
    "imports.stop": { id: "id" },
    "imports.undo": { id: "id" },
    "exports.begin": { password: "text" },
    "push.subscribe": { endpoint: "text", keys: "anything" },
    "social.mute": { userId: "id", muted: "flag" },
    "users.profile": { username: "text" },
    "users.named": { usernames: "list" },
    "moderation.report": { kind: "choice", id: "id", reason: "text", words: "text" },
    "moderation.queue": { page: "number" },
    "moderation.settle": { kind: "choice", id: "id", outcome: "choice", reason: "text" },
    "moderation.restore": { blogId: "id" },
    "moderation.people": { page: "number", query: "text", sort: "choice", state: "choice" },
    "moderation.blogs": { query: "text", by: "text", after: "text", state: "choice" },
    "moderation.comments": { query: "text", by: "text", after: "text" },
    "moderation.letInHeld": { commentId: "id" },
    "moderation.refuseHeld": { commentId: "id" },
    "moderation.readBlog": { blogId: "id" },
    "moderation.deleteBlog": { blogId: "id", reason: "text" },
    "moderation.silence": { userId: "id", silenced: "flag", reason: "text" },
    "moderation.notes": { userId: "id" },
    "moderation.addNote": { userId: "id", words: "text" },
    "moderation.removeNote": { noteId: "id" },
    "moderation.verify": { userId: "id" },
    "moderation.sendReset": { userId: "id" },
    "moderation.deletePerson": { userId: "id", username: "text" },
    "moderation.makeAdmin": { userId: "id" },
    "moderation.applications": { page: "number" },
    "moderation.admit": { userId: "id" },
    "moderation.refuse": { userId: "id", reason: "text" },
    "moderation.setQuestion": { question: "text" },
    "moderation.refuseSender": { sender: "text", refused: "flag" },
    "moderation.setSite": {
      name: "text",
      description: "text",
      picture: "text",
      accent: "text",
      language: "text",
      securityContact: "text",
      writers: "text",
      storageMb: "text",
      dailyUploads: "text",
      dailyBlogs: "text",
      dailyComments: "text",
      dailySignUps: "text",
      firstDayTalk: "text",
      firstDayBlogs: "text",
      diskLowGb: "text",
      firstLinks: "text",
      signUpWork: "text",
    },
    "moderation.setText": { kind: "choice", source: "text" },
    "moderation.setWriter": { userId: "id", writer: "flag" },
    "moderation.jobs": { page: "number" },
    "moderation.retryJob": { id: "id" },
    "moderation.discardJob": { id: "id" },
    "users.siteText": { kind: "choice", version: "number" },
    "moderation.suspend": { userId: "id", suspended: "flag", reason: "text" },
    "moderation.makeModerator": { userId: "id", moderator: "flag" },
    "moderation.setSignUp": { mode: "choice" },
    "moderation.invite": { places: "number", days: "number" },
    "moderation.withdraw": { code: "text" },
    "moderation.log": { page: "number" },
    "users.changePassword": { current: "text", password: "text" },
    "users.changeEmail": { email: "text", password: "text" },
    "users.followEmailLink": { token: "text" },
    "users.beginApp": { password: "text" },
    "users.confirmApp": { code: "text" },
    "users.turnAppOff": { password: "text" },
    "users.setPasskeyStep": { on: "flag", password: "text" },
    "users.renewCodes": { password: "text" },
    "users.beginPasskey": { password: "text" },
    "users.addPasskey": { name: "text", response: "anything" },
    "users.removePasskey": { id: "text", password: "text" },
    "users.signInWithPasskey": { response: "anything" },
    "users.finishGoogle": { code: "text" },
    "users.signUp": {
      work: "text",
      name: "text",
      email: "text",
      password: "text",
      invitation: "text",
      contact_url: "text",
      answer: "text",
    },
    "users.verifyEmail": { token: "text" },
    "users.resendVerification": { email: "text" },
    "users.forgotPassword": { email: "text" },
    "users.resetPassword": { token: "text", password: "text" },
    "users.revokeSession": { handle: "text" },
    "users.signIn": { email: "text", password: "text", code: "text" },
    "users.updateProfile": { name: "text", username: "text", bio: "text", pictureId: "id" },
    "users.updateSettings": {
      private: "flag",
      showLikedBlogs: "flag",
      showSavedBlogs: "flag",
      showFollowers: "flag",
      showPresence: "flag",
      interests: "list",
      mutedWords: "list",
    },
    "users.search": { query: "text", page: "number" },
    "users.remove": { password: "text" },
    "users.removeByMail": { token: "text" },
  };
  /** Where nothing is a value too. */
  const nullable = new Set([
    "blogs.create coverId",
    "blogs.update coverId",
    "comments.create parentId",
    "users.updateProfile pictureId",
    "moderation.invite days",
    "comments.mark mark",
    "social.watchBlog way",
    "social.keepPlace place",
  ]);

  /** An input that is right in every field; ids are nobody's, so that nothing is removed. */
  function right(procedure: string): Record<string, unknown> {
    const known: Record<string, unknown> = {
      blogId: blog.id,
      slug: blog.slug,
      username: ana.me.username,
      "comments.like id": comment.id,
      "comments.edit id": comment.id,
      "blogs.update id": blog.id,
      "blogs.update restores": undefined,
      "blogs.further without": [],
      "blogs.embed href": "https://youtu.be/aaaaaaaaaaa",
      "blogs.revisions id": blog.id,
      "blogs.revision id": blog.id,
      "blogs.authors id": blog.id,
      "blogs.inviteAuthor id": blog.id,
      sort: "latest",
      show: "drafts",
      tab: "blogs",
      list: "followers",
      action: "accept",
      commentsFrom: "everyone",
      email: "nobody@example.org",
      password,
      document: paragraphs("Owls, mostly."),
      schedule: null,
      coverId: null,
      parentId: null,
      place: { block: 3, words: 7, part: 0 },
      pictureId: null,
      "blogs.create slug": "an-address",
      canonicalUrl: "",
      "users.updateProfile username": ana.me.username,
      "exports.begin password": "not this one",
      // A right one would be the end of her, or change how she signs in.
      ...Object.fromEntries(
        "remove changeEmail beginApp turnAppOff setPasskeyStep renewCodes beginPasskey removePasskey"
          .split(" ")
          .map((name) => [`users.${name} password`, "not this one"]),
      ),
      kind: "blog",
      outcome: "keep",
      mode: "open",
      response: { id: "none", response: {} },
      "moderation.report reason": "spam",
      "moderation.people sort": "newest",
      state: "all",
      mark: "hidden",
      way: "follow",
      zone: "Europe/Lisbon",
      topic: "likes",
      mail: "never",
      endpoint: "https://push.example.org/one",
      keys: { p256dh: "AA", auth: "AA" },
      picture: "",
      accent: "#c8401f",
      language: "en",
      securityContact: "security@example.org",
      writers: "",
      ...Object.fromEntries(boundNames.map((name) => [name, "40"])),
      firstLinks: "",
      signUpWork: "",
      "moderation.setText kind": "landing",
      "users.siteText kind": "terms",
      "moderation.deleteBlog blogId": newId(),
      // She runs the site, and would shut them out.
      "moderation.suspend userId": newId(),
      "moderation.makeModerator userId": newId(),
      ...Object.fromEntries(
        "silence verify sendReset deletePerson makeAdmin admit refuse setWriter"
          .split(" ")
          .map((name) => [`moderation.${name} userId`, newId()]),
      ),
      before: undefined,
      including: comment.id,
      topics: ["feed"],
      // From where nothing was: then there is something to hear at once.
      since: "nowhere",
      lastEventId: undefined,
      only: undefined,
      userId: eve.me.id,
    };
    const byKind = {
      text: "text",
      flag: true,
      number: 1,
      place: 1,
      list: ["x"],
      choice: "",
      anything: undefined,
    };
    return Object.fromEntries(
      Object.entries(fields[procedure]!).map(([name, kind]) => [
        name,
        `${procedure} ${name}` in known
          ? known[`${procedure} ${name}`]
          : name in known
            ? known[name]
            : kind === "id"
              ? newId()
              : byKind[kind],
      ]),
    );
  }

  type Internals = Record<
    string,
    { _def: { type: "query" | "mutation" | "subscription"; inputs: z.ZodObject[] } }
  >;
  const procedures = appRouter._def.procedures as unknown as Internals;

  /** Whether the schema of a procedure takes an input, and where not, which fields it refuses. */
  function refusedFields(procedure: string, json: string): PropertyKey[] {
    const { error } = procedures[procedure]!._def.inputs[0]!.safeParse(JSON.parse(json));
    return error ? error.issues.map(({ path: [field = ""] }) => field) : [];
  }

  /** Over plain HTTP, with JSON as it is written: the client of the site would not send most of this. */
  async function call(procedure: string, json: string): Promise<Answer> {
    // A sign-in's cookie would make somebody else of the browser.
    const headers = { cookie: ana.cookie, origin: town.url };
    if (procedures[procedure]!._def.type === "mutation")
      return judged(
        `${procedure} ${json.slice(0, 200)}`,
        await fetch(`${town.url}/trpc/${procedure}`, {
          method: "POST",
          headers: { ...headers, "content-type": "application/json" },
          body: json,
        }),
      );
    // Longer ones are cut by the parser of HTTP itself.
    if (json.length > 10_000) return { status: 414, message: "" };
    const end = new AbortController();
    const response = await fetch(`${town.url}/trpc/${procedure}?input=${encodeURIComponent(json)}`, {
      headers,
      signal: end.signal,
    });
    if (procedures[procedure]!._def.type !== "subscription" || !response.ok)
      return judged(`${procedure} ${json.slice(0, 200)}`, response);
    // A stream has begun when it is refused: the refusal is what it says first.
    const { event, data } = await firstEvent(response);
    end.abort();
    const refused = (JSON.parse(data) as { data: { httpStatus: number } }).data;
    return judged(
      `${procedure} ${json.slice(0, 200)}`,
      event === "serialized-error"
        ? new Response(JSON.stringify({ error: JSON.parse(data) as unknown }), { status: refused.httpStatus })
        : new Response(data),
    );
  }

  async function firstEvent(response: Response): Promise<{ event: string; data: string }> {
    const decoder = new TextDecoder();
    let text = "";
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      text += decoder.decode(chunk, { stream: true });
      const said = text
        .split("\n\n")
        .find((one) => one.includes("data:") && !one.includes("event: connected"));
      if (said)
        return { event: /^event: (.+)$/m.exec(said)?.[1] ?? "", data: /^data: (.+)$/m.exec(said)?.[1] ?? "" };
    }
    throw new Error(`The stream ended: ${text}`);
  }

  const withField = (procedure: string, name: string, value: unknown): string => {
    const text = typeof value === "number" && !Number.isFinite(value) ? "1e400" : JSON.stringify(value);
    const { [name]: _replaced, ...rest } = right(procedure);
    return JSON.stringify({ ...rest, [name]: "\u0001" }).replace(`"\\u0001"`, () => text);
  };

  test("are all here, with all their fields", () => {
    const inputs = Object.entries(procedures).flatMap(([name, { _def }]) =>
      _def.inputs[0] ? [[name, Object.keys(_def.inputs[0].shape).sort()]] : [],
    );
    expect(Object.fromEntries(inputs)).toEqual(
      Object.fromEntries(Object.entries(fields).map(([name, kinds]) => [name, Object.keys(kinds).sort()])),
    );
  });

  const every = Object.entries(fields).flatMap(([procedure, kinds]) =>
    Object.entries(kinds).map(([name, kind]) => ({ procedure, name, kind })),
  );

  test.each(every.filter(({ kind }) => kind !== "anything"))(
    "$procedure refuses what is no $kind as $name",
    ({ procedure, name, kind }) => {
      for (const value of wrong[kind]) {
        if (value === null && nullable.has(`${procedure} ${name}`)) continue;
        const json = withField(procedure, name, value);
        expect(refusedFields(procedure, json), json.slice(0, 300)).toContain(name);
      }
    },
  );

  const oneEach = Object.keys(fields).flatMap(
    (procedure) => every.find((field) => field.procedure === procedure && field.kind !== "anything") ?? [],
  );
  test.each(oneEach)("$procedure answers a wrong $name with 400", async ({ procedure, name }) => {
    expect(await call(procedure, withField(procedure, name, {}))).toMatchObject({ status: 400 });
  });

  test.each(every.filter(({ kind }) => kind === "text" || kind === "anything"))(
    "$procedure takes any text as $name, or says what is wrong with it",
    async ({ procedure, name }) => {
      const jsons = [...Object.values(texts), ...Object.values(broken)].map((value) =>
        withField(procedure, name, value),
      );
      const [refused, taken] = [true, false].map((is) =>
        jsons.filter((json) => refusedFields(procedure, json).length > 0 === is),
      ) as [string[], string[]];
      // What the schema refuses is answered alike.
      for (const json of [...taken, ...refused.slice(0, 1)])
        expect([200, 400, 401, 403, 404, 409, 413, 414], json.slice(0, 300)).toContain(
          (await call(procedure, json)).status,
        );
    },
  );

  test.each(Object.keys(fields))(
    "%s refuses what it does not know, and says which it is",
    async (procedure) => {
      const extra = `"isAdmin":true,"authorId":"${eve.me.id}","verifiedAt":1`;
      const json = JSON.stringify(right(procedure)).replace(/\}$/, `,${extra}}`).replace("{,", "{");
      expect(await call(procedure, json)).toEqual({
        status: 400,
        message: "There is no field “isAdmin” here. Please leave it out.",
      });
      await call(procedure, json.replace('"isAdmin":true', '"__proto__":{"isAdmin":true}'));
      expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
      expect(town.rows("select count(*) as total from users where is_admin = 1")).toEqual([{ total: 1 }]);
    },
  );
});
