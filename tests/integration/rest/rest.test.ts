import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ApiClient, blogForm } from "../../support/api-client.ts";
import { siteWith } from "../../support/site-with.ts";
import {
  aBlog,
  password,
  startTestSite,
  type SignedInBrowser,
  type TestSite,
} from "../../support/test-site.ts";

const card = {
  _id: expect.any(String),
  blogId: expect.any(String),
  title: expect.any(String),
  description: expect.any(String),
  tags: expect.any(Array),
  draft: expect.any(Boolean),
  private: expect.any(Boolean),
  createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
  creator: {
    _id: expect.any(String),
    name: expect.any(String),
    username: expect.any(String),
    profilePic: null,
  },
  likes: expect.any(Array),
  likesCount: expect.any(Number),
  comments: expect.any(Array),
  commentsCount: expect.any(Number),
  totalSaves: expect.any(Array),
  totalSavesCount: expect.any(Number),
};
const picture = async () =>
  new Blob(
    [
      new Uint8Array(
        await sharp({ create: { width: 640, height: 400, channels: 3, background: "#c8401f" } })
          .png()
          .toBuffer(),
      ),
    ],
    { type: "image/png" },
  );

async function twoClients() {
  const [testSite, ana, eve] = await siteWith("Ana", "Eve");
  return {
    testSite,
    ana,
    eve,
    guest: new ApiClient(testSite),
    anas: await ApiClient.of(testSite, ana),
    eves: await ApiClient.of(testSite, eve),
  };
}

describe("accounts", () => {
  test("signs up, verifies, signs in with the fields that clients read, and signs out", async () => {
    await using testSite = await startTestSite();
    const guest = new ApiClient(testSite);
    const up = await guest.call("POST", "/signup", { name: "Ana Ruiz", email: "Ana@Example.org", password });
    expect(up).toMatchObject({
      status: 200,
      body: {
        success: true,
        message: expect.any(String),
        user: { name: "Ana Ruiz", email: "ana@example.org" },
      },
    });
    const early = await guest.call("POST", "/signin", { email: "ana@example.org", password });
    expect(early).toMatchObject({
      status: 403,
      body: { success: false, message: expect.stringContaining("confirm") },
    });
    const token = await testSite.mailedToken("ana@example.org", "verify-email");
    expect(await guest.call("GET", `/verify-email/${token}`)).toMatchObject({
      status: 200,
      body: { message: expect.any(String) },
    });

    const signedIn = await guest.call("POST", "/signin", { name: "", email: "ana@example.org", password });
    expect(signedIn).toMatchObject({
      status: 200,
      body: {
        success: true,
        message: expect.any(String),
        user: {
          token: expect.any(String),
          name: "Ana Ruiz",
          username: "anaruiz",
          email: "ana@example.org",
          profilePic: null,
          bio: "",
          interests: [],
          followers: [],
          following: [],
          private: false,
          showLikedBlogs: true,
          showSavedBlogs: false,
          showFollowers: true,
        },
      },
    });
    expect(signedIn.body.user.id).toBe(signedIn.body.user._id);
    expect(signedIn.headers.getSetCookie()[0]).toMatch(/^session=.*HttpOnly/);
    const refusedSignIn = await guest.call("POST", "/signin", {
      email: "ana@example.org",
      password: "not this one",
    });
    expect(refusedSignIn.status).toBe(401);
    const client = new ApiClient(testSite, signedIn.body.user.token);
    expect((await client.call("GET", "/recommended")).status).toBe(200);
    expect((await client.call("POST", "/signout")).status).toBe(200);
    expect((await client.call("GET", "/recommended")).status).toBe(401);
  });

  test("stores interests and settings in normalized form, and keeps what is missing", async () => {
    const { ana, anas } = await twoClients();
    expect(
      (await anas.call("PUT", "/user/update-interests", { interests: [" Chess ", "#chess", "BAKING"] })).body,
    ).toMatchObject({ success: true, message: expect.any(String) });
    expect(
      (await anas.call("PATCH", "/change-saved-liked-blog-visibility", { showSavedBlogs: true })).status,
    ).toBe(200);
    const { user } = (await anas.call("GET", `/users/${ana.me.username}`)).body;
    expect(user).toMatchObject({ showSavedBlogs: true, showLikedBlogs: true, private: false });
    expect((await ana.api.users.me.query())?.interests).toEqual(["chess", "baking"]);
  });

  test("changes only the given fields of a profile, and stores a data URL as a picture", async () => {
    const { ana, anas } = await twoClients();
    const data = `data:image/png;base64,${Buffer.from(await (await picture()).arrayBuffer()).toString("base64")}`;
    const changed = await anas.call("PATCH", `/users/${ana.me.id}`, {
      name: "Ana R.",
      bio: "Owls.",
      profilePic: data,
    });
    expect(changed).toMatchObject({
      status: 200,
      body: {
        user: {
          name: "Ana R.",
          username: ana.me.username,
          bio: "Owls.",
          profilePic: expect.stringMatching(/^http.*\/media\/.*\.webp$/),
        },
      },
    });
    const unchanged = await anas.call("PATCH", `/users/${ana.me.id}`, {
      profilePic: changed.body.user.profilePic,
    });
    expect(unchanged.body.user.profilePic).toBe(changed.body.user.profilePic);
    expect(
      (await anas.call("PATCH", `/users/${ana.me.id}`, { profilePic: "" })).body.user.profilePic,
    ).toBeNull();
  });
});

describe("blogs", () => {
  test("publishes a blog by the form, lists it as a card, and returns it whole", async () => {
    const { testSite, ana, anas, guest } = await twoClients();
    const created = await anas.call(
      "POST",
      "/blogs",
      blogForm({ tags: JSON.stringify(["Night", "night ", "owls"]) }, { image: await picture() }),
    );
    expect(created).toMatchObject({
      status: 200,
      body: {
        message: expect.any(String),
        blog: {
          tags: ["night", "owls"],
          image: expect.stringMatching(/^http/),
          creator: { email: ana.email },
        },
      },
    });
    const list = await guest.call("GET", "/blogs?limit=4&page=1");
    expect(list.body.hasMore).toBe(false);
    expect(list.body.blogs).toHaveLength(1);
    expect(list.body.blogs[0]).toMatchObject({ ...card, image: expect.any(String) });
    expect(list.body.blogs[0]).not.toHaveProperty("content");
    expect(JSON.stringify(list.body)).not.toContain(ana.email);
    const { blog } = (await guest.call("GET", `/blogs/${created.body.blog.blogId}`)).body;
    expect(blog).toMatchObject({
      content: "<p>Owls, mostly.</p>",
      likes: [],
      comments: [],
      creator: { followers: [], image: null },
    });
    expect(
      (await fetch(blog.image.replace(testSite.config.publicUrl, testSite.url))).headers.get(
        "cross-origin-resource-policy",
      ),
    ).toBe("cross-origin");
  });

  test("accepts a form without a cover, with an empty or a ProseMirror document, and as a draft", async () => {
    const { anas } = await twoClients();
    const document = {
      type: "doc",
      content: [{ type: "paragraph", content: [{ type: "text", text: "x" }] }],
    };
    for (const fields of [
      { image: "null" },
      { image: "undefined" },
      { image: "" },
      { content: "{}" },
      { content: JSON.stringify(document) },
      { draft: "true" },
    ])
      expect([fields, (await anas.call("POST", "/blogs", blogForm(fields))).status]).toEqual([fields, 200]);
  });

  test("discards pictures sent beside the form", async () => {
    const { testSite, anas, guest } = await twoClients();
    const form = blogForm({}, { image: await picture() });
    for (const number of [1, 2]) form.append("images", await picture(), `beside-${number}.png`);
    const created = await anas.call("POST", "/blogs", form);
    expect(created).toMatchObject({ status: 200, body: { message: expect.any(String) } });
    const { blog } = (await guest.call("GET", `/blogs/${created.body.blog.blogId}`)).body;
    expect(blog).toMatchObject({ content: "<p>Owls, mostly.</p>", image: expect.stringMatching(/^http/) });
    expect(testSite.rows<{ pictures: number }>("select count(*) as pictures from media")).toEqual([
      { pictures: 1 },
    ]);
  });

  test("keeps missing fields, a cover given by its URL, and the content in an edit", async () => {
    const { anas } = await twoClients();
    const html =
      '<p class="ql-align-center"><span style="color: rgb(230, 0, 0);">Red</span> and <strong>bold</strong></p><ul><li>one</li><li class="ql-indent-1">two</li></ul>';
    const created = (
      await anas.call(
        "POST",
        "/blogs",
        blogForm({ content: JSON.stringify(html) }, { image: await picture() }),
      )
    ).body.blog;
    const first = (await anas.call("GET", `/blogs/${created.blogId}`)).body.blog;
    const edited = await anas.call(
      "PATCH",
      `/blogs/${created.blogId}`,
      blogForm({
        title: "Another title",
        description: undefined,
        tags: undefined,
        image: first.image,
        content: JSON.stringify(first.content),
      }),
    );
    expect(edited.body.blog).toMatchObject({
      title: "Another title",
      description: "What one hears.",
      tags: ["night"],
      image: first.image,
      blogId: created.blogId,
    });
    expect((await anas.call("GET", `/blogs/${created.blogId}`)).body.blog.content).toBe(first.content);
    expect(first.content).toContain("ql-align-center");
  });

  test("moves data URL pictures of a text to the media store, and keeps them in an edit", async () => {
    const { testSite, anas } = await twoClients();
    const data = `data:image/png;base64,${Buffer.from(await (await picture()).arrayBuffer()).toString("base64")}`;
    const created = (
      await anas.call(
        "POST",
        "/blogs",
        blogForm({ content: JSON.stringify(`<p>Look <img src="${data}"></p>`) }),
      )
    ).body.blog;
    const { content } = (await anas.call("GET", `/blogs/${created.blogId}`)).body.blog;
    expect(content).not.toContain("data:");
    expect(content).toContain(`src="${testSite.config.publicUrl}/media/`);
    await anas.call("PATCH", `/blogs/${created.blogId}`, blogForm({ content: JSON.stringify(content) }));
    expect((await anas.call("GET", `/blogs/${created.blogId}`)).body.blog.content).toBe(content);
  });

  test("toggles a like evenly for twenty concurrent requests", async () => {
    const { ana, anas, eves } = await twoClients();
    const { id, slug } = await ana.api.blogs.create.mutate(aBlog());
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => eves.call("POST", `/blogs/like/${at % 2 ? id : slug}`, {})),
    );
    expect(answers.filter(({ body }) => body.isLiked)).toHaveLength(10);
    expect((await eves.call("POST", `/blogs/like/${id}`, {})).body).toMatchObject({
      isLiked: true,
      likesCount: 1,
      message: expect.any(String),
    });
    expect((await eves.call("PATCH", `/save-blog/${slug}`)).body).toMatchObject({
      isSaved: true,
      message: expect.any(String),
    });
    expect((await anas.call("GET", "/blogs")).body.blogs[0]).toMatchObject({
      likesCount: 1,
      totalSavesCount: 1,
    });
  });
});

test("creates, likes, edits and nests comments, oldest first, and deletes them with their replies", async () => {
  const { ana, anas, eves, guest } = await twoClients();
  const { id, slug } = await ana.api.blogs.create.mutate(aBlog());
  const first = (await eves.call("POST", `/blogs/comment/${id}`, { comment: "First" })).body.comment;
  expect(first).toMatchObject({
    comment: "First",
    likes: [],
    replies: [],
    parentComment: null,
    user: { name: "Eve", profilePic: null },
  });
  await eves.call("POST", `/blogs/comment/${slug}`, { comment: "Second" });
  const { reply } = (await anas.call("POST", `/comment/${first._id}/${slug}`, { reply: "Answer" })).body;
  expect(reply).toMatchObject({ comment: "Answer", parentComment: first._id });
  expect((await anas.call("PATCH", `/blogs/like-comment/${first._id}`, {})).body).toMatchObject({
    isLiked: true,
  });
  expect(
    (await eves.call("PATCH", `/blogs/edit-comment/${first._id}`, { updatedCommentContent: "First!" })).body
      .updatedComment,
  ).toMatchObject({ comment: "First!", likes: [ana.me.id] });
  const { comments } = (await guest.call("GET", `/blogs/${slug}`)).body.blog;
  expect(comments).toMatchObject([
    { comment: "First!", replies: [{ comment: "Answer", replies: [] }] },
    { comment: "Second" },
  ]);
  expect((await anas.call("DELETE", `/blogs/comment/${first._id}`)).status).toBe(200);
  expect((await guest.call("GET", `/blogs/${slug}`)).body.blog.comments).toMatchObject([
    { comment: "Second" },
  ]);
});

test("follows a public account, requests a private one, and shows all requests to its owner alone", async () => {
  const { ana, eve, anas, eves, guest } = await twoClients();
  expect((await eves.call("PATCH", `/follow/${ana.me.id}`, {})).body).toMatchObject({
    status: "following",
    message: expect.any(String),
    followers: [{ _id: eve.me.id }],
  });
  expect((await eves.call("PATCH", `/follow/${ana.me.id}`, {})).body).toMatchObject({
    status: "follow",
    followers: [],
  });
  await anas.call("PATCH", "/change-saved-liked-blog-visibility", { private: true });
  expect((await eves.call("PATCH", `/follow/${ana.me.id}`, {})).body).toMatchObject({
    status: "requested",
    followers: [],
  });
  const requests = async (client: ApiClient) =>
    (await client.call("GET", `/users/${ana.me.username}`)).body.user.followRequests;
  expect(await requests(anas)).toMatchObject([{ _id: eve.me.id, name: "Eve", bio: "" }]);
  expect(await requests(eves)).toMatchObject([{ _id: eve.me.id }]);
  expect(await requests(guest)).toEqual([]);
  expect(
    (await anas.call("PATCH", "/handle-follow-request", { requesterId: eve.me.id, action: "accept" })).body,
  ).toMatchObject({ success: true, message: expect.any(String) });
  expect((await eves.call("GET", `/users/${ana.me.username}`)).body).toMatchObject({
    success: true,
    user: { followers: [{ _id: eve.me.id }], followersCount: 1 },
  });
  expect((await guest.call("GET", `/users/${ana.me.username}`)).body.user).toMatchObject({
    followers: [],
    followersCount: 0,
    blogs: [],
  });
});

test("hides followers beside a blog as in the profile, but shows a follower their own entry", async () => {
  const { testSite, ana, eve, anas, eves, guest } = await twoClients();
  const bob = await testSite.createAccount("Bob");
  const bobs = await ApiClient.of(testSite, bob);
  for (const client of [eves, bobs]) await client.call("PATCH", `/follow/${ana.me.id}`, {});
  const { blogId } = (await anas.call("POST", "/blogs", blogForm())).body.blog;
  const followersFor = async (client: ApiClient) =>
    (await client.call("GET", `/blogs/${blogId}`)).body.blog.creator.followers;
  expect(await followersFor(guest)).toEqual([{ _id: bob.me.id }, { _id: eve.me.id }]);
  await anas.call("PATCH", "/change-saved-liked-blog-visibility", { showFollowers: false });
  expect(await followersFor(guest)).toEqual([]);
  expect(await followersFor(eves)).toEqual([{ _id: eve.me.id }]);
  expect(await followersFor(anas)).toHaveLength(2);
  const profile = async (client: ApiClient) =>
    (await client.call("GET", `/users/${ana.me.username}`)).body.user;
  expect((await profile(guest)).followers).toEqual([]);
  expect(await profile(eves)).toMatchObject({
    followers: [{ _id: eve.me.id, username: eve.me.username, name: "Eve" }],
    followersCount: 0,
  });
});

describe("edge cases", () => {
  let testSite: TestSite;
  let ana: SignedInBrowser;
  let anas: ApiClient;
  beforeAll(async () => {
    testSite = await startTestSite();
    ana = await testSite.createAccount("Ana");
    anas = await ApiClient.of(testSite, ana);
  });
  afterAll(() => testSite[Symbol.asyncDispose]());

  test.each([
    ["POST", "/blogs"],
    ["PATCH", "/blogs/some-blog"],
    ["DELETE", "/blogs/some-blog"],
    ["GET", "/recommended"],
    ["POST", "/blogs/like/x"],
    ["PATCH", "/save-blog/x"],
    ["PATCH", "/follow/x"],
    ["PATCH", "/handle-follow-request"],
    ["POST", "/blogs/comment/x"],
    ["POST", "/comment/x/y"],
    ["PATCH", "/blogs/like-comment/x"],
    ["PATCH", "/blogs/edit-comment/x"],
    ["DELETE", "/blogs/comment/x"],
    ["PATCH", "/blogs/some-blog/live"],
    ["POST", "/blogs/some-blog/entries"],
    ["PATCH", "/entries/x"],
    ["DELETE", "/entries/x"],
    ["GET", "/blogs/user/x"],
    ["PATCH", "/users/x"],
    ["PATCH", "/change-saved-liked-blog-visibility"],
    ["PUT", "/user/update-interests"],
    ["DELETE", "/delete-account"],
  ])("%s %s requires a valid token; a session cookie alone allows no write", async (method, path) => {
    const body = method === "GET" || method === "DELETE" ? undefined : {};
    const { cookie } = ana;
    const withCookie: Record<string, string>[] = [{}, { cookie }];
    for (const token of [undefined, "null", "undefined", "made-up"])
      for (const headers of token === undefined ? withCookie.slice(0, 1) : withCookie)
        expect(await new ApiClient(testSite, token).call(method, path, body, headers)).toMatchObject({
          status: 401,
          body: { success: false, message: expect.stringMatching(/./) },
        });
    const { status } = await new ApiClient(testSite).call(method, path, body, { cookie });
    if (method === "GET") expect(status).not.toBe(401);
    else expect(status).toBe(401);
  });

  test.each([
    ["an unknown path", "GET", "/nothing/here", undefined, 404],
    ["no path at all", "GET", "", undefined, 404],
    ["broken JSON", "POST", "/signin", '{"email":', 400],
    ["an endless body", "POST", "/signin", { email: "x".repeat(3_000_000), password }, 413],
    ["an address that cannot be decoded", "GET", "/blogs/%zz", undefined, 400],
    ["a write to an address that cannot be decoded", "PATCH", "/blogs/%zz", {}, 400],
    ["an address that ends before its id", "GET", "/blogs/", undefined, 404],
    ["a write to an address that ends before its id", "PATCH", "/blogs/", {}, 404],
    ["an address with an empty id in it", "POST", "/comment//x", {}, 404],
    ["a method that there is not here", "PROPFIND", "/blogs", undefined, 404],
    ["a method that there is not here, at no call", "PROPFIND", "/nothing/here", undefined, 404],
  ])("answers %s with a clear error", async (_what, method, path, body, status) => {
    const answer = await new ApiClient(testSite).call(method, path, body);
    expect(answer).toMatchObject({ status, body: { success: false, message: expect.stringMatching(/\w/) } });
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect(answer.headers.get("cache-control")).toContain("no-store");
  });

  test("refuses TRACE like any unknown call", async () => {
    // fetch does not send TRACE.
    const { statusCode, headers, body } = await testSite.app.server.inject({
      method: "TRACE" as "GET",
      url: "/api/v1/blogs",
    });
    expect([statusCode, headers["access-control-allow-origin"]]).toEqual([404, "*"]);
    expect(JSON.parse(body)).toEqual({ success: false, message: "Unknown endpoint." });
  });

  test.each([
    ["GET", "/blogs?sort=bogus", undefined, 'sort has to be "latest" or "likes".', "sort"],
    ["GET", "/blogs?limit=many", undefined, "limit has to be a number.", "limit"],
    ["GET", `/users/${"x".repeat(101)}`, undefined, "username has at most 100 characters.", "username"],
    ["GET", `/verify-email/${"x".repeat(201)}`, undefined, "token has at most 200 characters.", "token"],
    ["POST", "/google-auth", { accessToken: "" }, "accessToken is empty.", "accessToken"],
    ["POST", "/signup", { email: "a@example.org", password }, "name is missing.", "name"],
    ["POST", "/signup", { name: 3, email: "a@example.org", password }, "name has to be a text.", "name"],
    ["POST", "/signin", [1, 2], "The input has to be an object.", undefined],
    ["POST", "/signin", { email: "x", password }, "Please enter a valid email address.", "email"],
    ["GET", "/blogs?limit=0", undefined, "limit is at least 1.", "limit"],
  ])("refuses %s %s with %j in plain words: %s", async (method, path, body, message, field) => {
    expect(await new ApiClient(testSite).call(method, path, body)).toMatchObject({
      status: 400,
      body: { success: false, message, ...(field === undefined ? {} : { field }) },
    });
  });

  test("refuses a request without an account before reading its body", async () => {
    const guest = new ApiClient(testSite);
    for (const body of ["{", `{"title":"${"x".repeat(30_000_000)}"}`, "x".repeat(50_000_000)])
      expect(await guest.call("POST", "/blogs", body)).toMatchObject({
        status: 401,
        body: { success: false, message: "Please sign in first." },
      });
    expect((await guest.call("POST", "/blogs", "{")).headers.get("access-control-allow-origin")).toBe("*");
  });

  const preflightHeaders = {
    origin: "https://elsewhere.example",
    "access-control-request-method": "PATCH",
    "access-control-request-headers": "authorization,content-type",
  };
  test.each([
    ["any origin may call", "/blogs", preflightHeaders],
    ["any origin may call what there is not", "/nothing/here", preflightHeaders],
    ["any origin may call an address that cannot be decoded", "/blogs/%zz", preflightHeaders],
    ["who does not say what they would call is answered too", "/blogs", {}],
  ])("%s, never with credentials", async (_what, path, headers: Record<string, string>) => {
    const preflight = await new ApiClient(testSite).call("OPTIONS", path, undefined, headers);
    expect(preflight.status).toBeLessThan(300);
    expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
    expect(preflight.headers.get("access-control-allow-credentials")).toBeNull();
    expect(preflight.headers.get("access-control-allow-methods")).toContain("PATCH");
    expect(preflight.headers.get("access-control-allow-headers")?.toLowerCase()).toContain("authorization");
  });

  test.each([
    [
      "an eleventh tag",
      { tags: JSON.stringify(Array.from({ length: 11 }, (_, index) => `tag${index}`)) },
      "You can only add upto 10 tags.Limit reached",
    ],
    ["a title of 151 characters", { title: "x".repeat(151) }, /title/i],
    ["no title", { title: "  " }, /title/i],
    ["tags that are no JSON", { tags: "[" }, /tags/],
    ["content that is no JSON", { content: "{" }, /content/],
    [
      "a document outside the schema",
      { content: JSON.stringify({ type: "doc", content: [{ type: "script" }] }) },
      /./,
    ],
    ["a flag that is none", { draft: "perhaps" }, /draft/],
  ])("refuses a form with %s and says what is wrong", async (_what, fields, message) => {
    const answer = await anas.call("POST", "/blogs", blogForm(fields));
    expect(answer).toMatchObject({
      status: 400,
      body: { success: false, message: expect.stringMatching(message) },
    });
    expect((await anas.call("GET", "/blogs")).body.blogs).toEqual([]);
  });

  test("refuses an SVG cover declared as PNG, and a cover that is too large", async () => {
    const svg = new Blob(
      ['<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'],
      { type: "image/png" },
    );
    expect((await anas.call("POST", "/blogs", blogForm({}, { image: svg }))).status).toBe(415);
    expect(
      (await anas.call("POST", "/blogs", blogForm({}, { image: new Blob([new Uint8Array(9_000_000)]) })))
        .status,
    ).toBe(413);
  });
});
