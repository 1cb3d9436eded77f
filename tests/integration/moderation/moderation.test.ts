import { expect, test } from "vitest";
import { newId } from "../../../src/server/runtime/ids.ts";
import { expectRefusal } from "../../support/expect-refusal.ts";
import {
  aBlog,
  aComment,
  followTopics,
  followTopic,
  paragraphs,
  password,
  refusal,
  until,
  type SignedInBrowser,
} from "../../support/test-site.ts";
import { startStaffedSite } from "../../support/staffed-site.ts";

const reportBlog = (person: SignedInBrowser, id: string, text = "") =>
  person.api.moderation.report.mutate({ kind: "blog", id, reason: "spam", body: text });
const queueOf = async (person: SignedInBrowser) => (await person.api.moderation.queue.query({})).targets;
const notificationKinds = async (person: SignedInBrowser) =>
  (await person.api.social.notifications.query()).notifications.map(({ kind }) => kind);
const logOf = async (person: SignedInBrowser) =>
  (await person.api.moderation.log.query({})).entries.map(
    ({ actor, act, name }) => `${actor} ${act} ${name}`,
  );

test("puts a reported blog into the queue of every moderator at once, as one entry with all reports", async () => {
  const { boss, mona, ana, ben } = await startStaffedSite();
  const { id, slug } = await ana.api.blogs.create.mutate(aBlog({ title: "Buy owls" }));
  const stream = followTopic(mona, "me");
  await stream.waitForStart();
  await reportBlog(ben, id, "It sells owls.");
  await reportBlog(boss, id);
  await reportBlog(ben, id, "It sells many owls.");
  await until(() => stream.events("viewer.reportsChanged").length >= 3, "the moderator hears of it");
  stream.stop();
  expect(await queueOf(mona)).toMatchObject([
    {
      kind: "blog",
      id,
      text: "Buy owls",
      address: `/blog/${slug}`,
      owner: { id: ana.me.id },
      reportsCount: 2,
      reports: [
        { by: { id: ben.me.id }, reason: "spam", body: "It sells many owls." },
        { by: { id: boss.me.id }, body: "" },
      ],
    },
  ]);
  expect((await boss.api.moderation.queue.query({})).waiting).toBe(1);
});

test("a takedown hides a blog at once and gives its author the reason; a restore publishes it as it was", async () => {
  const { testSite, mona, ana, ben } = await startStaffedSite();
  const { id, slug } = await ana.api.blogs.create.mutate(aBlog());
  const before = await ben.api.blogs.card.query({ id });
  await reportBlog(ben, id);
  const stream = followTopic(ben, `blog:${id}`);
  await stream.waitForStart();
  const decision = { kind: "blog", id, outcome: "take-down", reason: "It advertises." } as const;
  await mona.api.moderation.resolveReport.mutate(decision);
  await until(
    () => stream.kinds().some((kind) => /(?:accessLost|blog\.gone)$/.test(kind)),
    "the open page loses it",
  );
  stream.stop();
  await expectRefusal(ben.api.blogs.bySlug.query({ slug }), "NOT_FOUND");
  expect((await ben.api.blogs.list.query({})).blogs).toEqual([]);
  expect(await queueOf(mona)).toEqual([]);
  expect(await notificationKinds(ben)).toEqual(["report-acted"]);
  expect(await notificationKinds(ana)).toContain("taken-down");

  expect(await ana.api.blogs.bySlug.query({ slug })).toMatchObject({
    draft: true,
    takedownReason: "It advertises.",
  });
  const publish = ana.api.blogs.update.mutate({ id, draft: false });
  await expectRefusal(publish, {
    code: "FORBIDDEN",
    message: expect.stringContaining("Moderators took this blog down: It advertises."),
  });
  await ana.api.blogs.update.mutate({ id, title: "Owls alone" });
  await ana.api.moderation.report.mutate({ kind: "blog", id, reason: "appeal", body: "I changed it." });
  expect(await queueOf(mona)).toMatchObject([{ id, address: null, text: "Owls alone" }]);
  await mona.api.moderation.restore.mutate({ blogId: id });
  expect(await ben.api.blogs.card.query({ id })).toMatchObject({
    title: "Owls alone",
    draft: false,
    publishedAt: before.publishedAt,
  });
  expect(await notificationKinds(ana)).toContain("appeal-restored");
  expect(await queueOf(mona)).toEqual([]);
  expect(await logOf(mona)).toEqual([
    `${mona.me.username} restore Owls alone`,
    `${mona.me.username} take-down ${before.title}`,
    expect.stringContaining(`moderator ${mona.me.username}`),
  ]);
  expect(testSite.rows("select id from blogs where is_public = 1")).toEqual([{ id }]);
});

test("shows moderators nothing of a reported blog that became a draft, and refuses to take it down", async () => {
  const { mona, ana, ben } = await startStaffedSite();
  const { id } = await ana.api.blogs.create.mutate(aBlog({ title: "Secret owls" }));
  await reportBlog(ben, id);
  await ana.api.blogs.update.mutate({ id, draft: true, title: "More secret owls" });
  expect(await queueOf(mona)).toMatchObject([{ id, text: "", address: null }]);
  const hiding = mona.api.moderation.resolveReport.mutate({
    kind: "blog",
    id,
    outcome: "take-down",
    reason: "Owls.",
  });
  await expectRefusal(hiding, "NOT_FOUND");
  await mona.api.moderation.resolveReport.mutate({ kind: "blog", id, outcome: "keep" });
  expect(await notificationKinds(ben)).toEqual(["report-kept"]);
});

test("shows moderators what was reported as it was then, not what became private after it", async () => {
  const { mona, ana, ben } = await startStaffedSite();
  const { id } = await ana.api.blogs.create.mutate(aBlog({ title: "Owls", document: paragraphs("Hoot.") }));
  const comment = await ana.api.comments.create.mutate(aComment({ id }, { text: "You are an owl." }));
  await ana.api.users.updateProfile.mutate({ bio: "I like owls." });
  await reportBlog(ben, id);
  await ben.api.moderation.report.mutate({ kind: "comment", id: comment.id, reason: "abuse" });
  await ben.api.moderation.report.mutate({ kind: "profile", id: ana.me.id, reason: "abuse" });
  const reported = [
    { text: "Owls", beginning: "Hoot." },
    { text: "You are an owl.", beginning: "" },
    { text: "I like owls.", beginning: "" },
  ];
  expect(await queueOf(mona)).toMatchObject(reported);

  await ana.api.blogs.update.mutate({
    id,
    private: true,
    etag: 1,
    title: "Secret",
    slug: "secret",
    document: paragraphs("Secret."),
  });
  await ana.api.comments.edit.mutate({ id: comment.id, text: "A secret." });
  await ana.api.users.updateProfile.mutate({ bio: "Our secret." });
  expect(await queueOf(mona)).toMatchObject(reported);
  await ana.api.blogs.update.mutate({ id, private: false });
  await ana.api.users.updateSettings.mutate({ private: true });
  const queue = await queueOf(mona);
  expect(queue).toMatchObject(reported);
  expect(queue.map(({ address }) => address)).toEqual([null, null, `/${ana.me.username}`]);
  await mona.api.moderation.resolveReport.mutate({ kind: "blog", id, outcome: "keep" });
  expect(JSON.stringify([queue, await mona.api.moderation.log.query({})])).not.toMatch(/secret/i);
});

test("deletes a reported comment with its replies, and updates the blog's count", async () => {
  const { mona, ana, ben } = await startStaffedSite();
  const { id: blogId } = await ana.api.blogs.create.mutate(aBlog());
  const { id } = await ben.api.comments.create.mutate(aComment({ id: blogId }, { text: "You are an owl." }));
  await ana.api.comments.create.mutate(aComment({ id: blogId }, { parentId: id }));
  await ana.api.moderation.report.mutate({ kind: "comment", id, reason: "abuse" });
  expect(await queueOf(mona)).toMatchObject([
    { kind: "comment", text: "You are an owl.", owner: { id: ben.me.id } },
  ]);
  await mona.api.moderation.resolveReport.mutate({
    kind: "comment",
    id,
    outcome: "take-down",
    reason: "Be kind.",
  });
  expect(await ana.api.comments.list.query({ blogId })).toMatchObject({ total: 0 });
  expect(await logOf(mona)).toContain(`${mona.me.username} take-down `);
  expect(await notificationKinds(ana)).toContain("report-acted");
});

test("refuses reports of hidden or own content, and appeals without a takedown", async () => {
  const { ana, ben } = await startStaffedSite();
  const { id } = await ana.api.blogs.create.mutate(aBlog({ private: true }));
  await expectRefusal(reportBlog(ben, id), "NOT_FOUND");
  await expectRefusal(reportBlog(ana, id), "BAD_REQUEST");
  await expectRefusal(
    ana.api.moderation.report.mutate({ kind: "blog", id, reason: "appeal", body: "?" }),
    "BAD_REQUEST",
  );
  await expectRefusal(
    ben.api.moderation.report.mutate({ kind: "profile", id: newId(), reason: "spam" }),
    "NOT_FOUND",
  );
});

test("moderators cannot suspend staff or appoint moderators, and administrators can dismiss them", async () => {
  const { boss, mona, ana, ben } = await startStaffedSite();
  await boss.api.moderation.makeModerator.mutate({ userId: ben.me.id, moderator: true });
  for (const userId of [boss.me.id, ben.me.id, mona.me.id])
    await expectRefusal(
      mona.api.moderation.suspend.mutate({ userId, suspended: true, reason: "Spam." }),
      "FORBIDDEN",
    );
  await expectRefusal(
    mona.api.moderation.makeModerator.mutate({ userId: ana.me.id, moderator: true }),
    "FORBIDDEN",
  );
  await boss.api.moderation.makeModerator.mutate({ userId: mona.me.id, moderator: false });
  await expectRefusal(mona.api.moderation.queue.query({}), "FORBIDDEN");
});

test("a suspension signs the account out at once and refuses its sign-in until it ends", async () => {
  const { testSite, boss, mona, ana, ben } = await startStaffedSite();
  const stream = followTopic(ana, "me");
  await stream.waitForStart();
  await mona.api.moderation.suspend.mutate({ userId: ana.me.id, suspended: true, reason: "Spam." });
  await until(() => stream.state.error !== undefined, "the stream of the account ends");
  stream.stop();
  expect(await ana.api.users.me.query()).toBeNull();
  const signIn = () => testSite.browser().api.users.signIn.mutate({ email: ana.email, password });
  await expectRefusal(signIn(), {
    code: "FORBIDDEN",
    message: expect.stringContaining(
      "This account is suspended: Spam. If you think this is a mistake, write to the people",
    ),
  });
  await boss.api.administration.setSite.mutate({ securityContact: "hello@owls.example" });
  expect((await refusal(signIn())).message).toContain("write to hello@owls.example.");
  expect((await mona.api.moderation.people.query({ query: "ana" })).people).toMatchObject([
    { id: ana.me.id, email: null, suspended: { reason: "Spam." } },
  ]);
  await mona.api.moderation.suspend.mutate({ userId: ana.me.id, suspended: false });
  expect((await signIn()).viewer.id).toBe(ana.me.id);
  expect((await ben.api.users.profile.query({ username: ana.me.username })).id).toBe(ana.me.id);
});

test("hides everything of a suspended account from everyone until the suspension ends", async () => {
  const { testSite, mona, ana, ben } = await startStaffedSite();
  const { id, slug } = await ana.api.blogs.create.mutate(aBlog({ title: "Owls by Ana" }));
  const other = await ben.api.blogs.create.mutate(aBlog({ title: "Owls by Ben" }));
  const comment = await ana.api.comments.create.mutate(aComment(other, { text: "Mine, too." }));
  await ben.api.comments.create.mutate(aComment(other, { parentId: comment.id, text: "Thank you." }));
  await ben.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  await ana.api.social.follow.mutate({ userId: ben.me.id, follow: true });
  const guest = testSite.browser();
  const shownContent = async (api: typeof guest.api) => ({
    feed: (await api.blogs.list.query({})).blogs.map(({ title }) => title),
    found: (await api.blogs.search.query({ query: "owls" })).blogs.map(({ title }) => title),
    people: (await api.users.search.query({ query: ana.me.username })).people.map(({ name }) => name),
    followers: (await api.social.people.query({ username: ben.me.username, list: "followers" })).people.map(
      ({ name }) => name,
    ),
    comments: (await api.comments.list.query({ blogId: other.id })).comments
      .map(({ text }) => text)
      .toSorted(),
  });
  const before = await Promise.all([shownContent(guest.api), shownContent(ben.api)]);
  expect(before[0]).toEqual({
    feed: ["Owls by Ben", "Owls by Ana"],
    found: ["Owls by Ben", "Owls by Ana"],
    people: ["Ana"],
    followers: ["Ana"],
    comments: ["Mine, too.", "Thank you."],
  });
  const stream = followTopic(guest, `blog:${id}`);
  await stream.waitForStart();
  await mona.api.moderation.suspend.mutate({ userId: ana.me.id, suspended: true, reason: "Spam." });
  await until(() => stream.kinds().includes("accessLost"), "the open article goes");
  stream.stop();
  for (const api of [guest.api, ben.api]) {
    expect(await shownContent(api)).toEqual({
      feed: ["Owls by Ben"],
      found: ["Owls by Ben"],
      people: [],
      followers: [],
      comments: ["", "Thank you."],
    });
    await expectRefusal(api.blogs.bySlug.query({ slug }), "NOT_FOUND");
    await expectRefusal(api.users.profile.query({ username: ana.me.username }), "NOT_FOUND");
  }
  await mona.api.moderation.suspend.mutate({ userId: ana.me.id, suspended: false });
  expect(await Promise.all([shownContent(guest.api), shownContent(ben.api)])).toEqual(before);
});

test("a suspension resets pages that show the account, and those of people whom it asked to follow", async () => {
  const { testSite, mona, ana, ben } = await startStaffedSite();
  const blog = await ben.api.blogs.create.mutate(aBlog());
  await ana.api.comments.create.mutate(aComment(blog));
  await ben.api.users.updateSettings.mutate({ private: true });
  await ana.api.social.follow.mutate({ userId: ben.me.id, follow: true });
  const { cursor } = await ben.api.social.requests.query();
  const guests = followTopics(testSite.browser(), ["feed"], cursor);
  const bensStream = followTopics(ben, ["me"], cursor);
  for (const suspended of [true, false]) {
    await mona.api.moderation.suspend.mutate({ userId: ana.me.id, suspended, reason: "Spam." });
    for (const stream of [guests, bensStream]) await stream.waitFor("reset", suspended ? 1 : 2);
    expect((await ben.api.social.requests.query()).requests).toHaveLength(suspended ? 0 : 1);
  }
});

test("no program can change or delete the moderation log", async () => {
  const { testSite } = await startStaffedSite();
  for (const statement of ["update audit_log set act = 'keep'", "delete from audit_log"])
    await expect(testSite.run(statement)).rejects.toMatchObject({
      cause: { message: expect.stringMatching(/What moderators did/) },
    });
});
