import { afterAll, describe, expect, test } from "vitest";
import type { z } from "zod";
import { newId } from "../../../src/server/runtime/ids.ts";
import { boundNames } from "../../../src/shared/site.ts";
import { appRouter } from "../../../src/server/router.ts";
import {
  brokenTexts,
  expectIntact,
  expectReadableResponse,
  refusedBy,
  startHostileSetup,
  texts,
  invalidValues,
  type Answer,
  type Kind,
} from "../../support/hostile-inputs.ts";
import { paragraphs, password } from "../../support/test-site.ts";

/* Every field of every procedure. bad-input.test.ts covers bodies, batches, documents and uploads. */

const { testSite, ana, eve, blog, comment } = await startHostileSetup();
afterAll(() => expectIntact(testSite));

describe("procedures", () => {
  type Internals = Record<
    string,
    { _def: { type: "query" | "mutation" | "subscription"; inputs: z.ZodObject[] } }
  >;
  const procedures = Object.fromEntries(
    Object.entries(appRouter._def.procedures as unknown as Internals).filter(
      ([, { _def }]) => _def.inputs[0],
    ),
  );
  const schemaOf = (procedure: string) => procedures[procedure]!._def.inputs[0]!;

  /** Kinds of fields by name, in all procedures or (`procedure:name`) in one. */
  const named: Record<Kind, string> = {
    id: `id blogId userId parentId rootId commentId noteId requesterId coverId pictureId client including restores
      blogs.version:version blogs.deleteVersion:version comments.list:before`,
    text: `comments.create:blogId social.likeBlog:blogId social.saveBlog:blogId title description slug has tag username words body query text reason name bio email password current code token handle
      users.removePasskey:id canonicalUrl searchTitle searchDescription language epoch steps schema href since lastEventId
      endpoint by after question value picture accent securityContact writers storageMb dailyUploads dailyBlogs
      dailyComments dailySignUps firstDayLinks firstDayBlogs diskLowGb firstLinks signUpWork source work invitation
      contact_url answer newest recommendedTopics interestGroups secret at`,
    flag: `renew draft private live embeddable withdrawn isKey hidden accept begun liked saved follow blocked push muted limited blocked writer suspended
      moderator on showLikedBlogs showSavedBlogs showFollowers showPresence social.setNotificationChannels:page`,
    number: "page version etag seq number places days",
    place: "anchor head",
    list: "tags slugs without topics usernames interests mutedWords summary",
    choice:
      "sort order tab what show mark action list commentsFrom level topic mail zone kind outcome state mode",
    anything: `document coverFocus schedule fields before place only keys response comments.replies:after blogs.entries:after`,
  };
  const kinds = new Map(
    Object.entries(named).flatMap(([kind, names]) =>
      names.split(/\s+/).map((name) => [name, kind as Kind] as const),
    ),
  );
  const allFields = Object.keys(procedures).flatMap((procedure) =>
    Object.keys(schemaOf(procedure).shape).map((name) => ({
      procedure,
      name,
      kind: kinds.get(`${procedure}:${name}`) ?? kinds.get(name),
    })),
  );
  const fieldsOf = (...wantedKinds: (Kind | undefined)[]) =>
    allFields.filter(({ kind }) => wantedKinds.includes(kind));
  /** Fields that accept null. */
  const nullable = new Set([
    "blogs.create coverId",
    "blogs.update coverId",
    "comments.create parentId",
    "users.updateProfile pictureId",
    "administration.invite days",
    "comments.mark mark",
    "social.setSubscription level",
    "social.keepPosition place",
  ]);

  /** A valid input; ids do not exist, so that nothing is removed. */
  function validInput(procedure: string): Record<string, unknown> {
    const values: Record<string, unknown> = {
      blogId: blog.id,
      slug: blog.slug,
      username: ana.me.username,
      "comments.like id": comment.id,
      "comments.edit id": comment.id,
      "blogs.update id": blog.id,
      "blogs.update restores": undefined,
      "blogs.further without": [],
      "blogs.embed href": "https://youtu.be/aaaaaaaaaaa",
      "blogs.versions id": blog.id,
      "blogs.version id": blog.id,
      "blogs.authors id": blog.id,
      "blogs.inviteAuthor id": blog.id,
      sort: "latest",
      order: "newest",
      what: "comment",
      "blogs.entries after": undefined,
      at: "2026-01-01T00:00:00Z",
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
      interestGroups: "Owls: barn owls",
      // The right one would delete her account or change her sign-in.
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
      level: "follow",
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
      "administration.setText kind": "landing",
      "users.siteText kind": "terms",
      "moderation.deleteBlog blogId": newId(),
      // She is the administrator, and would suspend people.
      "moderation.suspend userId": newId(),
      "moderation.makeModerator userId": newId(),
      ...Object.fromEntries(
        "limit verify sendReset deletePerson makeAdmin approveSignup rejectSignup setWriter"
          .split(" ")
          .map((name) => [`moderation.${name} userId`, newId()]),
      ),
      before: undefined,
      including: comment.id,
      topics: ["feed"],
      // An unknown cursor sends an event at once.
      since: "nowhere",
      lastEventId: undefined,
      only: undefined,
      newest: "2026-01-01T00:00:00.000Z",
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
      allFields
        .filter((field) => field.procedure === procedure)
        .map(({ name, kind = "anything" }) => [
          name,
          `${procedure} ${name}` in values
            ? values[`${procedure} ${name}`]
            : name in values
              ? values[name]
              : kind === "id"
                ? newId()
                : byKind[kind],
        ]),
    );
  }

  /** The site's client would not send most of this. */
  async function call(procedure: string, json: string): Promise<Answer> {
    // A sign-in's cookie would change the session.
    const headers = { cookie: ana.cookie, origin: testSite.url };
    if (procedures[procedure]!._def.type === "mutation")
      return expectReadableResponse(
        `${procedure} ${json.slice(0, 200)}`,
        await fetch(`${testSite.url}/trpc/${procedure}`, {
          method: "POST",
          headers: { ...headers, "content-type": "application/json" },
          body: json,
        }),
      );
    // The HTTP parser refuses longer addresses.
    if (json.length > 10_000) return { status: 414, message: "" };
    const abort = new AbortController();
    const response = await fetch(`${testSite.url}/trpc/${procedure}?input=${encodeURIComponent(json)}`, {
      headers,
      signal: abort.signal,
    });
    if (procedures[procedure]!._def.type !== "subscription" || !response.ok)
      return expectReadableResponse(`${procedure} ${json.slice(0, 200)}`, response);
    // A stream's refusal is its first event.
    const { event, data } = await firstEvent(response);
    abort.abort();
    const error = (JSON.parse(data) as { data: { httpStatus: number } }).data;
    return expectReadableResponse(
      `${procedure} ${json.slice(0, 200)}`,
      event === "serialized-error"
        ? new Response(JSON.stringify({ error: JSON.parse(data) as unknown }), { status: error.httpStatus })
        : new Response(data),
    );
  }

  async function firstEvent(response: Response): Promise<{ event: string; data: string }> {
    const decoder = new TextDecoder();
    let text = "";
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      text += decoder.decode(chunk, { stream: true });
      const message = text
        .split("\n\n")
        .find((one) => one.includes("data:") && !one.includes("event: connected"));
      if (message)
        return {
          event: /^event: (.+)$/m.exec(message)?.[1] ?? "",
          data: /^data: (.+)$/m.exec(message)?.[1] ?? "",
        };
    }
    throw new Error(`The stream ended: ${text}`);
  }

  const withField = (procedure: string, name: string, value: unknown): string => {
    const text = typeof value === "number" && !Number.isFinite(value) ? "1e400" : JSON.stringify(value);
    const { [name]: _replaced, ...rest } = validInput(procedure);
    return JSON.stringify({ ...rest, [name]: "\u0001" }).replace(`"\\u0001"`, () => text);
  };

  test("have only fields of the kinds listed above", () => {
    expect(fieldsOf(undefined)).toEqual([]);
    expect(Object.keys(procedures).length).toBeGreaterThan(100);
  });

  test.each(allFields.filter(({ kind }) => kind !== "anything"))(
    "$procedure refuses a value that is no $kind as $name",
    ({ procedure, name, kind }) => {
      for (const value of invalidValues[kind ?? "anything"]) {
        if (value === null && nullable.has(`${procedure} ${name}`)) continue;
        const json = withField(procedure, name, value);
        expect(refusedBy(schemaOf(procedure), JSON.parse(json)), json.slice(0, 300)).toContain(name);
      }
    },
  );

  test.each(Object.keys(procedures))(
    "%s refuses a wrong field with 400, and an unknown one by its name",
    async (procedure) => {
      const field = allFields.find((one) => one.procedure === procedure && one.kind !== "anything");
      if (field)
        expect(await call(procedure, withField(procedure, field.name, {}))).toMatchObject({ status: 400 });
      const unknown = { ...validInput(procedure), isAdmin: true, authorId: eve.me.id, verifiedAt: 1 };
      expect(await call(procedure, JSON.stringify(unknown))).toEqual({
        status: 400,
        message: "There is no field “isAdmin” here. Please leave it out.",
      });
    },
  );

  /** Slow because of the password hash. One function checks them all, and `users.remove` gives it all texts. */
  const passwordChecked = new Set(
    `exports.begin:password users.changePassword:current users.changePassword:password users.changeEmail:password
     users.beginApp:password users.turnAppOff:password users.setPasskeyStep:password users.renewCodes:password
     users.beginPasskey:password users.removePasskey:password users.signIn:code`.split(/\s+/),
  );
  test.each(fieldsOf("text", "anything"))(
    "$procedure accepts any text as $name, or says what is wrong with it",
    async ({ procedure, name }) => {
      const accepted: string[] = [];
      for (const value of [...Object.values(texts), ...Object.values(brokenTexts)]) {
        const json = withField(procedure, name, value);
        const { error } = schemaOf(procedure).safeParse(JSON.parse(json));
        if (!error) accepted.push(json);
        for (const { message } of error?.issues ?? [])
          expect(message, json.slice(0, 300)).toMatch(/^.{1,200}$/);
      }
      for (const json of accepted.slice(0, passwordChecked.has(`${procedure}:${name}`) ? 1 : undefined))
        expect([200, 400, 401, 403, 404, 409, 413, 414], json.slice(0, 300)).toContain(
          (await call(procedure, json)).status,
        );
    },
  );

  test("change no prototype and make no one an administrator by a field named __proto__", async () => {
    const pollutedInput = (procedure: string) =>
      JSON.stringify(validInput(procedure))
        .replace(/\}$/, ',"__proto__":{"isAdmin":true}}')
        .replace("{,", "{");
    for (const procedure of Object.keys(procedures))
      refusedBy(schemaOf(procedure), JSON.parse(pollutedInput(procedure)));
    // A query, a mutation and a subscription.
    for (const procedure of ["blogs.card", "users.updateProfile", "live.follow"])
      await call(procedure, pollutedInput(procedure));
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
    expect(testSite.rows("select count(*) as total from users where is_admin = 1")).toEqual([{ total: 1 }]);
  });
});
