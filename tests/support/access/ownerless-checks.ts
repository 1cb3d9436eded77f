import { insertFailedJob } from "../failed-job.ts";
import { Secret, TOTP } from "otpauth";
import { newId } from "../../../src/server/runtime/ids.ts";
import { insertPending } from "../../../src/server/comments/pending-queries.ts";
import { unsubscribeAddress } from "../../../src/server/notifications/unsubscribe.ts";
import { insertSignupRequest } from "../../../src/server/signup/signup-request-queries.ts";
import { insertUser } from "../../../src/server/profiles/queries.ts";
import { ApiClient, blogForm } from "../api-client.ts";
import { Authenticator } from "../authenticator.ts";
import { PushService } from "../push-service.ts";
import { paint, send } from "../pictures.ts";
import { aBlog, password } from "../test-site.ts";
import {
  Refused,
  type Person,
  testSite,
  reader,
  sparePassword,
  people,
  type Outcome,
  rest,
  opens,
  reports,
} from "./setup.ts";

/** Creates an account of its own with a browser session and a token, for calls that end one; a guest for a guest. */
async function createSpareAccount(who: Person): Promise<Person> {
  const browser = testSite.browser();
  if (!who.id) return { browser, api: browser.api, rest: new ApiClient(testSite), id: undefined };
  const id = newId();
  const now = Date.now();
  await testSite.write((tx) =>
    insertUser(tx, {
      id,
      username: id,
      email: `${id}@example.org`,
      name: "Spare",
      passwordHash: sparePassword,
      createdAt: now,
      verifiedAt: now,
    }),
  );
  const [session, other] = [
    await testSite.app.services.sessions.begin(id, "a browser"),
    await testSite.app.services.sessions.begin(id, "a client"),
  ];
  browser.cookie = session.cookie.split(";")[0]!;
  return { browser, api: browser.api, rest: new ApiClient(testSite, other.token), id };
}

/** Signs up a new person in the reader's browser, and returns the token from the email. */
async function signUpNewPerson(
  kind: "verify-email" | "reset-password",
): Promise<{ email: string; token: string }> {
  const email = `${newId()}@example.org`;
  await reader.api.users.signUp.mutate({ name: "New", email, password });
  if (kind === "reset-password") await reader.api.users.forgotPassword.mutate({ email });
  return { email, token: await testSite.mailedToken(email, kind) };
}

async function withPasskey({ api }: Person): Promise<Authenticator> {
  const device = new Authenticator(testSite.config.publicUrl);
  const { options } = await api.users.beginPasskey.mutate({ password });
  await api.users.addPasskey.mutate({ name: "A phone", response: device.create(options) });
  return device;
}

/** Turns two-factor authentication on, and returns the recovery codes. */
async function withApp({ api }: Person): Promise<string[]> {
  const { secret } = await api.users.beginApp.mutate({ password });
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  return (await api.users.confirmApp.mutate({ code })).codes;
}

/** Returns the client of a person with the same role, whose session a sign-in can end. */
const copyOf = async (who: Person) => (await createSpareAccount(who)).api;
const isGone = (id: string | undefined) =>
  testSite.rows(`select id from users where id = '${id}'`).length === 0;

const failedIndexing = (): Promise<string> =>
  insertFailedJob(testSite, "blogs.index", { blogId: newId() }, "The disk was full.");

export const ownerlessChecks: Record<string, (who: Person) => Outcome> = {
  "blogs.create": async (who) => {
    const { id } = await who.api.blogs.create.mutate(aBlog());
    return (await who.api.blogs.remove.mutate({ id })).message !== "";
  },
  "blogs.invitations": async ({ api }) => (await api.blogs.invitations.query()).cursor !== "",
  "blogs.unfinished": async (who) => (await who.api.blogs.unfinished.query()).blogs.length >= 0,
  "blogs.stats": async (who) => (await who.api.blogs.stats.query()).blogs >= 0,
  "moderation.queue": async (who) => (await who.api.moderation.queue.query({})).page === 1,
  "moderation.resolveReport": async (who) => {
    const { id } = await reader.api.blogs.create.mutate(aBlog());
    await reports(people.public[1]!, { kind: "blog", id });
    const { message } = await who.api.moderation.resolveReport.mutate({ kind: "blog", id, outcome: "keep" });
    return message !== "";
  },
  "moderation.blogs": async (who) => (await who.api.moderation.blogs.query({})).blogs.length > 0,
  "moderation.comments": async (who) => (await who.api.moderation.comments.query({})).comments.length >= 0,
  "moderation.readBlog": async (who) => {
    const { id } = await reader.api.blogs.create.mutate(aBlog());
    return (await who.api.moderation.readBlog.query({ blogId: id })).text !== "";
  },
  "moderation.deleteBlog": async (who) => {
    const { id } = await reader.api.blogs.create.mutate(aBlog());
    return (await who.api.moderation.deleteBlog.mutate({ blogId: id })).message !== "";
  },
  "moderation.pendingComments": async (who) =>
    (await who.api.moderation.pendingComments.query()).comments.length >= 0,
  ...Object.fromEntries(
    (["approveComment", "rejectComment"] as const).map((act) => [
      `moderation.${act}`,
      async (who: Person) => {
        const blog = await reader.api.blogs.create.mutate(aBlog());
        const { id: blogId } = blog;
        const commentId = newId();
        const held = {
          id: commentId,
          blogId,
          parentId: null,
          authorId: people.public[1]!.id!,
          text: "www.a.example",
        };
        await testSite.write((tx) => insertPending(tx, { ...held, createdAt: Date.now(), forLink: true }));
        return (await who.api.moderation[act].mutate({ commentId })).message !== "";
      },
    ]),
  ),
  "moderation.restore": async (who) => {
    const { id } = await reader.api.blogs.create.mutate(aBlog());
    return (await who.api.moderation.restore.mutate({ blogId: id })).message !== "";
  },
  "moderation.people": async (who) => (await who.api.moderation.people.query({})).people.length > 0,
  "moderation.suspend": async (who) => {
    const { id = "" } = await createSpareAccount(people.public[1]!);
    return (await who.api.moderation.suspend.mutate({ userId: id, suspended: true })).message !== "";
  },
  "moderation.makeModerator": async (who) => {
    const { id = "" } = await createSpareAccount(people.public[1]!);
    return (await who.api.moderation.makeModerator.mutate({ userId: id, moderator: true })).message !== "";
  },
  ...Object.fromEntries(
    (["makeAdmin", "verify", "sendReset"] as const).map((act) => [
      `moderation.${act}`,
      async (who: Person) => {
        const { id = "" } = await createSpareAccount(people.public[1]!);
        return (await who.api.moderation[act].mutate({ userId: id })).message !== "";
      },
    ]),
  ),
  ...Object.fromEntries(
    (["approveSignup", "rejectSignup"] as const).map((act) => [
      `moderation.${act}`,
      async (who: Person) => {
        const { id: userId = "" } = await createSpareAccount(people.public[1]!);
        await testSite.write((tx) => insertSignupRequest(tx, { userId, answer: "Owls.", requestedAt: 1 }));
        return (await who.api.moderation[act].mutate({ userId })).message !== "";
      },
    ]),
  ),
  "moderation.signupRequests": async (who) => (await who.api.moderation.signupRequests.query({})).page === 1,
  "administration.setQuestion": async (who) =>
    (await who.api.administration.setQuestion.mutate({ question: "Why?" })).message !== "",
  "administration.setSignupBlock": async (who) =>
    (await who.api.administration.setSignupBlock.mutate({ value: "spam.example", blocked: true })).message !==
    "",
  "moderation.limit": async (who) => {
    const { id = "" } = await createSpareAccount(people.public[1]!);
    return (await who.api.moderation.limit.mutate({ userId: id, limited: true })).message !== "";
  },
  "moderation.deletePerson": async (who) => {
    const { id: userId = "" } = await createSpareAccount(people.public[1]!);
    const [{ username } = { username: "" }] = testSite.rows<{ username: string }>(
      `select username from users where id = '${userId}'`,
    );
    return (await who.api.moderation.deletePerson.mutate({ userId, username })).message !== "";
  },
  "moderation.notes": async (who) =>
    (await who.api.moderation.notes.query({ userId: reader.me.id })).notes.length >= 0,
  "moderation.addNote": async (who) =>
    (await who.api.moderation.addNote.mutate({ userId: reader.me.id, body: "Kind." })).message !== "",
  "moderation.removeNote": async (who) => {
    const { api } = people.public[6]!;
    await api.moderation.addNote.mutate({ userId: reader.me.id, body: "Kind." });
    const [noted] = (await api.moderation.notes.query({ userId: reader.me.id })).notes;
    return (await who.api.moderation.removeNote.mutate({ noteId: noted!.id })).message !== "";
  },
  "administration.signupSettings": async (who) =>
    (await who.api.administration.signupSettings.query()).mode === "open",
  "administration.setSignUp": async (who) =>
    (await who.api.administration.setSignUp.mutate({ mode: "open" })).message !== "",
  "administration.invite": async (who) =>
    (await who.api.administration.invite.mutate({ places: 1, days: 1 })).address !== "",
  "administration.withdraw": async (who) =>
    (await who.api.administration.withdraw.mutate({ code: "none" })).message !== "",
  "POST /settings/import": async ({ browser }) => {
    const form = new FormData();
    form.append("file", new Blob(["no Markdown"]), "notes.txt");
    const answer = await browser.fetch("/settings/import?kind=markdown&name=notes.txt", {
      method: "POST",
      body: form,
    });
    return answer.status === 401 ? "u" : answer.status === 400;
  },
  "imports.list": async (who) => (await who.api.imports.list.query()).kinds.length > 0,
  "administration.site": async (who) => (await who.api.administration.site.query()).name === "",
  "administration.setSite": async (who) =>
    (await who.api.administration.setSite.mutate({ name: "" })).message !== "",
  "administration.numbers": async (who) => (await who.api.administration.numbers.query()).days.length > 0,
  "administration.disk": async (who) => (await who.api.administration.disk.query()).total > 0,
  "administration.setup": async (who) => (await who.api.administration.setup.query()).done.people,
  "administration.hideSetup": async (who) =>
    (await who.api.administration.hideSetup.mutate({ hidden: false })).message !== "",
  "administration.jobs": async (who) => (await who.api.administration.jobs.query({})).page === 1,
  "administration.retryJob": async (who) =>
    (await who.api.administration.retryJob.mutate({ id: await failedIndexing() })).message !== "",
  "administration.discardJob": async (who) =>
    (await who.api.administration.discardJob.mutate({ id: await failedIndexing() })).message !== "",
  "administration.setText": async (who) =>
    (await who.api.administration.setText.mutate({ kind: "landing", source: "" })).message !== "",
  "moderation.setWriter": async (who) => {
    const { id = "" } = await createSpareAccount(people.public[1]!);
    return (await who.api.moderation.setWriter.mutate({ userId: id, writer: true })).message !== "";
  },
  "users.siteText": async (who) => (await who.api.users.siteText.query({ kind: "terms" })).text === null,
  "blogs.topicsInUse": async (who) => (await who.api.blogs.topicsInUse.query()).tags.length >= 0,
  "users.sawTexts": async (who) => (await who.api.users.sawTexts.mutate()).textsSeenAt !== "",
  "moderation.log": async (who) => (await who.api.moderation.log.query({})).page === 1,
  "push.state": async (who) => (await who.api.push.state.query()).key !== "",
  "push.subscribe": async (who) => {
    const twin = await createSpareAccount(who);
    return (await twin.api.push.subscribe.mutate(new PushService().subscribe("https://push.example.org/1")))
      .on;
  },
  "blogs.embed": async (who) =>
    (await who.api.blogs.embed.mutate({ href: "https://youtu.be/aaaaaaaaaaa" })).card === null,
  "exports.state": async (who) => (await who.api.exports.state.query()).state.length > 0,
  "exports.begin": async (who) => {
    const twin = await createSpareAccount(who);
    return (await twin.api.exports.begin.mutate({ password })).state === "making";
  },
  "exports.remove": async (who) => (await who.api.exports.remove.mutate()).state === "none",
  "push.unsubscribe": async (who) => !(await who.api.push.unsubscribe.mutate()).on,
  "social.readNotifications": async (who) => (await who.api.social.readNotifications.mutate({})).unread === 0,
  "social.seeNotifications": async (who) =>
    (await who.api.social.seeNotifications.mutate({ newest: new Date().toISOString() })).unseen === 0,
  "social.block": async (who) => {
    const twin = await createSpareAccount(who);
    return (await twin.api.social.block.mutate({ userId: reader.me.id, blocked: true })).blocked;
  },
  "social.blocked": async (who) =>
    !(await who.api.social.blocked.query()).people.some(({ id }) => id === reader.me.id),
  "social.mute": async (who) => {
    const twin = await createSpareAccount(who);
    return (await twin.api.social.mute.mutate({ userId: reader.me.id, muted: true })).muted;
  },
  "social.notificationSettings": async (who) =>
    (await who.api.social.notificationSettings.query()).settings.likes.page,
  "social.subscriptions": async (who) => (await who.api.social.subscriptions.query()).blogs.length === 0,
  "social.unsubscribe": async (who) => {
    const address = await unsubscribeAddress(
      testSite.config,
      testSite.app.services.database.read,
      reader.me.id,
    );
    const token = address.slice(address.lastIndexOf("/") + 1);
    return (await who.api.social.unsubscribe.mutate({ token })).message !== "";
  },
  "social.setNotificationChannels": async (who) =>
    (await who.api.social.setNotificationChannels.mutate({ topic: "site", push: true })).settings.site.push,
  "social.setZone": async (who) =>
    (await who.api.social.setZone.mutate({ zone: "Europe/Lisbon" })).zone === "Europe/Lisbon",
  "social.muted": async (who) =>
    !(await who.api.social.muted.query()).people.some(({ id }) => id === reader.me.id),
  "social.ties": async (who) => {
    const { followers, following } = await who.api.social.ties.query();
    return ![...followers, ...following].includes(who.id ?? "");
  },
  "users.site": async (who) => (await who.api.users.site.query()).name === "Reprise",
  "users.me": async (who) => (await who.api.users.me.query())?.id === (who.id ?? ""),
  "users.sessions": async (who) =>
    (await who.api.users.sessions.query()).sessions.some(({ current }) => current),
  "users.beginSignUp": async (who) => (await who.api.users.beginSignUp.mutate()).task === null,
  "users.signUp": async (who) =>
    (await who.api.users.signUp.mutate({ name: "New", email: `${newId()}@example.org`, password }))
      .message !== "",
  "users.verifyEmail": async (who) =>
    (await who.api.users.verifyEmail.mutate({ token: (await signUpNewPerson("verify-email")).token }))
      .message !== "",
  "users.resendVerification": async (who) =>
    (await who.api.users.resendVerification.mutate({ email: reader.email })).message !== "",
  "users.forgotPassword": async (who) =>
    (await who.api.users.forgotPassword.mutate({ email: reader.email })).message !== "",
  "users.resetPassword": async (who) =>
    (
      await who.api.users.resetPassword.mutate({
        token: (await signUpNewPerson("reset-password")).token,
        password: "another password",
      })
    ).message !== "",
  "users.signIn": async (who) =>
    (await (await copyOf(who)).users.signIn.mutate({ email: reader.email, password })).viewer.id ===
    reader.me.id,
  "users.signOut": async (who) => {
    const twin = await createSpareAccount(who);
    await twin.api.users.signOut.mutate();
    return (await twin.api.users.me.query()) === null;
  },
  "users.revokeOtherSessions": async (who) => {
    const twin = await createSpareAccount(who);
    await twin.api.users.revokeOtherSessions.mutate();
    return (
      (await twin.rest.call("GET", "/recommended")).status === 401 &&
      (await twin.api.users.me.query())?.id === twin.id
    );
  },
  "users.changePassword": async (who) => {
    const twin = await createSpareAccount(who);
    const change = { current: password, password: "another password" };
    return (await twin.api.users.changePassword.mutate(change)).message !== "";
  },
  "users.changeEmail": async (who) => {
    const twin = await createSpareAccount(who);
    const email = `${newId()}@example.org`;
    return (await twin.api.users.changeEmail.mutate({ email, password })).message !== "";
  },
  "users.followEmailLink": async (who) => {
    const twin = await createSpareAccount(people.public[1]!);
    const email = `${newId()}@example.org`;
    await twin.api.users.changeEmail.mutate({ email, password });
    const token = await testSite.mailedToken(email, "change-email");
    await who.api.users.followEmailLink.mutate({ token });
    return (await twin.api.users.me.query())?.email === email;
  },
  "users.finishGoogle": async (who) => {
    const [twin, other] = [await createSpareAccount(who), await createSpareAccount(people.public[1]!)];
    const identity = { googleId: newId(), email: `${other.id}@example.org`, name: "Spare" };
    twin.browser.begun = `begun=${testSite.app.services.challenges.begin("google", identity)}`;
    return (await twin.api.users.finishGoogle.mutate({ code: "any" })).viewer.id === other.id;
  },
  "users.finishGoogle: nothing begun": async (who) =>
    (await who.api.users.finishGoogle.mutate({ code: "any" })).message !== "",
  "users.passkeyOptions": async (who) =>
    (await who.api.users.passkeyOptions.mutate()).options.challenge !== "",
  "users.signInWithPasskey": async (who) => {
    const [twin, other] = [await createSpareAccount(who), await createSpareAccount(people.public[1]!)];
    const device = await withPasskey(other);
    const { options } = await twin.api.users.passkeyOptions.mutate();
    const { viewer } = await twin.api.users.signInWithPasskey.mutate({ response: device.get(options) });
    return viewer.id === other.id;
  },
  "users.ownFeed": async (who) => (await who.api.users.ownFeed.query()).address.includes("/following/"),
  "users.renewOwnFeed": async (who) =>
    (await (await createSpareAccount(who)).api.users.renewOwnFeed.mutate()).address.includes("/following/"),
  "users.access": async (who) => (await who.api.users.access.query()).passkeys.length === 0,
  "users.beginApp": async (who) =>
    (await (await createSpareAccount(who)).api.users.beginApp.mutate({ password })).secret !== "",
  "users.confirmApp": async (who) => (await withApp(await createSpareAccount(who))).length > 0,
  "users.turnAppOff": async (who) => {
    const twin = await createSpareAccount(who);
    if (twin.id) await withApp(twin);
    return (await twin.api.users.turnAppOff.mutate({ password })).message !== "";
  },
  "users.renewCodes": async (who) => {
    const twin = await createSpareAccount(who);
    if (twin.id) await withApp(twin);
    return (await twin.api.users.renewCodes.mutate({ password })).codes.length > 0;
  },
  "users.setPasskeyStep": async (who) => {
    const twin = await createSpareAccount(who);
    if (twin.id) await withPasskey(twin);
    return (await twin.api.users.setPasskeyStep.mutate({ on: true, password })).message !== "";
  },
  "users.beginPasskey": async (who) =>
    (await (await createSpareAccount(who)).api.users.beginPasskey.mutate({ password })).options.challenge !==
    "",
  "users.addPasskey": async (who) => {
    const twin = await createSpareAccount(who);
    if (twin.id) return (await withPasskey(twin)).id !== "";
    const response = { id: "any", response: {} };
    return (await twin.api.users.addPasskey.mutate({ name: "A phone", response })).message !== "";
  },
  "users.removePasskey": async (who) => {
    const twin = await createSpareAccount(who);
    const id = twin.id ? (await withPasskey(twin)).id : "any";
    return (await twin.api.users.removePasskey.mutate({ id, password })).message !== "";
  },
  "users.updateProfile": async (who) =>
    (await who.api.users.updateProfile.mutate({ bio: "Trees." })).id === who.id,
  "users.updateSettings": async (who) =>
    (await who.api.users.updateSettings.mutate({ showLikedBlogs: true })).id === who.id,
  "users.remove": async (who) => {
    const twin = await createSpareAccount(who);
    await twin.api.users.remove.mutate({ password });
    return isGone(twin.id);
  },
  "users.sendDeletionLink": async (who) => (await who.api.users.sendDeletionLink.mutate()).message !== "",
  "users.deleteByLink: another's": async (who) => {
    const twin = await createSpareAccount(people.public[1]!);
    await twin.api.users.sendDeletionLink.mutate();
    const token = await testSite.mailedToken(`${twin.id}@example.org`, "delete-account");
    await who.api.users.deleteByLink.mutate({ token });
    return isGone(twin.id);
  },

  "POST /blogs": async (who) => {
    const { blog } = await rest(who, "POST", "/blogs", blogForm());
    return (await rest(who, "DELETE", `/blogs/${blog._id}`)).message !== "";
  },
  "POST /signup": async (who) =>
    (await rest(who, "POST", "/signup", { name: "New", email: `${newId()}@example.org`, password }))
      .message !== "",
  "GET /verify-email/{token}": async (who) =>
    (await rest(who, "GET", `/verify-email/${(await signUpNewPerson("verify-email")).token}`)).message !== "",
  "POST /resend-verification": async (who) =>
    (await rest(who, "POST", "/resend-verification", { email: reader.email })).message !== "",
  "POST /forgot-password": async (who) =>
    (await rest(who, "POST", "/forgot-password", { email: reader.email })).message !== "",
  "POST /reset-password": async (who) =>
    (
      await rest(who, "POST", "/reset-password", {
        token: (await signUpNewPerson("reset-password")).token,
        password: "another password",
      })
    ).message !== "",
  "POST /signin": async (who) =>
    (await rest(who, "POST", "/signin", { email: reader.email, password })).user._id === reader.me.id,
  "POST /signout": async (who) => {
    const twin = await createSpareAccount(who);
    await rest(twin, "POST", "/signout");
    return (await twin.rest.call("GET", "/recommended")).status === 401;
  },
  "POST /google-auth: where it is not on": async (who) =>
    Boolean(await rest(who, "POST", "/google-auth", { accessToken: "x" })),
  "PUT /user/update-interests": async (who) =>
    (await rest(who, "PUT", "/user/update-interests", { interests: [] })).message !== "",
  "PATCH /change-saved-liked-blog-visibility": async (who) =>
    (await rest(who, "PATCH", "/change-saved-liked-blog-visibility", { showLikedBlogs: true })).message !==
    "",
  "DELETE /delete-account": async (who) => {
    const twin = await createSpareAccount(who);
    await rest(twin, "DELETE", "/delete-account");
    return isGone(twin.id) && (await twin.rest.call("GET", "/recommended")).status === 401;
  },
  "POST /upload": async (who) => {
    const response = await send(who.browser, await paint());
    if (response.status !== 200) throw new Refused(response.status, await response.text());
    return (await who.browser.fetch(((await response.json()) as { src: string }).src)).status === 200;
  },

  ...Object.fromEntries(
    [
      "/signin",
      "/signup",
      "/forgot-password",
      "/select-interests",
      "/add-blog",
      "/edit-profile",
      "/settings",
      "/settings/import",
      "/settings/export",
      "/admin",
      "/docs",
      "/docs/api",
      // None is published.
      "/terms",
      "/privacy",
      "/nobody-of-this-name",
    ].map((path) => [path, (who: Person) => opens(who, path)]),
  ),
  "/admin/:part": (who) => opens(who, "/admin/people"),
  "/verify-email/:token": (who) => opens(who, "/verify-email/any"),
  "/reset-password/:token": (who) => opens(who, "/reset-password/any"),
  "/change-email/:token": (who) => opens(who, "/change-email/any"),
  "/undo-access/:token": (who) => opens(who, "/undo-access/any"),
  "/unsubscribe/:token": (who) => opens(who, "/unsubscribe/any"),
  "/delete-account/:token": (who) => opens(who, "/delete-account/any"),
};
