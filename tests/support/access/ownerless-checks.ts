import { insertFailedJob } from "../failed-job.ts";
import { Secret, TOTP } from "otpauth";
import { newId } from "../../../src/server/runtime/ids.ts";
import { insertPending } from "../../../src/server/comments/pending-queries.ts";
import { unsubscribeAddress } from "../../../src/server/notifications/unsubscribe.ts";
import { insertSignupRequest } from "../../../src/server/sign-in/sign-up-request-queries.ts";
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
  isPageShown,
  reports,
} from "./setup.ts";

/** Creates an account of its own with a browser session and a token, for calls that end one; a guest for a guest. */
async function createSpareAccount(person: Person): Promise<Person> {
  const browser = testSite.browser();
  if (!person.id) return { browser, api: browser.api, rest: new ApiClient(testSite), id: undefined };
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
  const [session, otherSession] = [
    await testSite.app.services.sessions.begin(id, "a browser"),
    await testSite.app.services.sessions.begin(id, "a client"),
  ];
  browser.cookie = session.cookie.split(";")[0]!;
  return { browser, api: browser.api, rest: new ApiClient(testSite, otherSession.token), id };
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
const copyOf = async (person: Person) => (await createSpareAccount(person)).api;
const isDeleted = (id: string | undefined) =>
  testSite.rows(`select id from users where id = '${id}'`).length === 0;

const failedIndexing = (): Promise<string> =>
  insertFailedJob(testSite, "index-blog", { blogId: newId() }, "The disk was full.");

export const ownerlessChecks: Record<string, (person: Person) => Outcome> = {
  "blogs.create": async (person) => {
    const { id } = await person.api.blogs.create.mutate(aBlog());
    return (await person.api.blogs.remove.mutate({ id })).message !== "";
  },
  "blogs.invitations": async ({ api }) => (await api.blogs.invitations.query()).cursor !== "",
  "blogs.unfinished": async (person) => (await person.api.blogs.unfinished.query()).blogs.length >= 0,
  "blogs.stats": async (person) => (await person.api.blogs.stats.query()).blogs >= 0,
  "moderation.waiting": async (person) => (await person.api.moderation.waiting.query()).reports >= 0,
  "moderation.queue": async (person) => (await person.api.moderation.queue.query({})).page === 1,
  "moderation.resolveReport": async (person) => {
    const { id } = await reader.api.blogs.create.mutate(aBlog());
    await reports(people.public[1]!, { kind: "blog", id });
    const { message } = await person.api.moderation.resolveReport.mutate({
      kind: "blog",
      id,
      outcome: "keep",
    });
    return message !== "";
  },
  "moderation.blogs": async (person) => (await person.api.moderation.blogs.query({})).blogs.length > 0,
  "moderation.comments": async (person) =>
    (await person.api.moderation.comments.query({})).comments.length >= 0,
  "moderation.readBlog": async (person) => {
    const { id } = await reader.api.blogs.create.mutate(aBlog());
    return (await person.api.moderation.readBlog.query({ blogId: id })).text !== "";
  },
  "moderation.deleteBlog": async (person) => {
    const { id } = await reader.api.blogs.create.mutate(aBlog());
    return (await person.api.moderation.deleteBlog.mutate({ blogId: id })).message !== "";
  },
  "moderation.pendingComments": async (person) =>
    (await person.api.moderation.pendingComments.query()).comments.length >= 0,
  ...Object.fromEntries(
    (["approveComment", "rejectComment"] as const).map((procedure) => [
      `moderation.${procedure}`,
      async (person: Person) => {
        const blog = await reader.api.blogs.create.mutate(aBlog());
        const { id: blogId } = blog;
        const commentId = newId();
        const comment = {
          id: commentId,
          blogId,
          parentId: null,
          authorId: people.public[1]!.id!,
          text: "www.a.example",
        };
        await testSite.write((tx) => insertPending(tx, { ...comment, createdAt: Date.now(), forLink: true }));
        return (await person.api.moderation[procedure].mutate({ commentId })).message !== "";
      },
    ]),
  ),
  "moderation.restore": async (person) => {
    const { id } = await reader.api.blogs.create.mutate(aBlog());
    return (await person.api.moderation.restore.mutate({ blogId: id })).message !== "";
  },
  "moderation.answerAppeal": async (person) => {
    const { id } = await reader.api.blogs.create.mutate(aBlog());
    const takedown = { kind: "blog", id, outcome: "take-down", reason: "Owls." } as const;
    await people.public.at(-1)!.api.moderation.resolveReport.mutate(takedown);
    await reader.api.moderation.report.mutate({ kind: "blog", id, reason: "appeal", body: "Why?" });
    const answer = { blogId: id, outcome: "keep", reason: "Owls." } as const;
    return (await person.api.moderation.answerAppeal.mutate(answer)).message !== "";
  },
  "moderation.reopenReports": async (person) => {
    const { id } = await reader.api.blogs.create.mutate(aBlog());
    await reports(people.public[1]!, { kind: "blog", id });
    await people.public.at(-1)!.api.moderation.resolveReport.mutate({ kind: "blog", id, outcome: "keep" });
    return (await person.api.moderation.reopenReports.mutate({ kind: "blog", id })).message !== "";
  },
  "moderation.people": async (person) => (await person.api.moderation.people.query({})).people.length > 0,
  "moderation.suspend": async (person) => {
    const { id = "" } = await createSpareAccount(people.public[1]!);
    return (
      (await person.api.moderation.suspend.mutate({ userId: id, suspended: true, reason: "Spam." }))
        .message !== ""
    );
  },
  "moderation.makeModerator": async (person) => {
    const { id = "" } = await createSpareAccount(people.public[1]!);
    return (await person.api.moderation.makeModerator.mutate({ userId: id, moderator: true })).message !== "";
  },
  ...Object.fromEntries(
    (["makeAdmin", "verify", "sendReset"] as const).map((procedure) => [
      `moderation.${procedure}`,
      async (person: Person) => {
        const { id = "" } = await createSpareAccount(people.public[1]!);
        return (await person.api.moderation[procedure].mutate({ userId: id })).message !== "";
      },
    ]),
  ),
  ...Object.fromEntries(
    (["approveSignup", "rejectSignup"] as const).map((procedure) => [
      `moderation.${procedure}`,
      async (person: Person) => {
        const { id: userId = "" } = await createSpareAccount(people.public[1]!);
        await testSite.write((tx) => insertSignupRequest(tx, { userId, answer: "Owls.", requestedAt: 1 }));
        return (await person.api.moderation[procedure].mutate({ userId })).message !== "";
      },
    ]),
  ),
  "moderation.signupRequests": async (person) =>
    (await person.api.moderation.signupRequests.query({})).page === 1,
  "administration.setQuestion": async (person) =>
    (await person.api.administration.setQuestion.mutate({ question: "Why?" })).message !== "",
  "administration.setSignupBlock": async (person) =>
    (await person.api.administration.setSignupBlock.mutate({ value: "spam.example", blocked: true }))
      .message !== "",
  "moderation.limit": async (person) => {
    const { id = "" } = await createSpareAccount(people.public[1]!);
    return (await person.api.moderation.limit.mutate({ userId: id, limited: true })).message !== "";
  },
  "moderation.deletePerson": async (person) => {
    const { id: userId = "" } = await createSpareAccount(people.public[1]!);
    const [{ username } = { username: "" }] = testSite.rows<{ username: string }>(
      `select username from users where id = '${userId}'`,
    );
    return (await person.api.moderation.deletePerson.mutate({ userId, username })).message !== "";
  },
  "moderation.notes": async (person) =>
    (await person.api.moderation.notes.query({ userId: reader.me.id })).notes.length >= 0,
  "moderation.addNote": async (person) =>
    (await person.api.moderation.addNote.mutate({ userId: reader.me.id, body: "Kind." })).message !== "",
  "moderation.removeNote": async (person) => {
    const { api } = people.public[6]!;
    await api.moderation.addNote.mutate({ userId: reader.me.id, body: "Kind." });
    const [note] = (await api.moderation.notes.query({ userId: reader.me.id })).notes;
    return (await person.api.moderation.removeNote.mutate({ noteId: note!.id })).message !== "";
  },
  "administration.signupSettings": async (person) =>
    (await person.api.administration.signupSettings.query()).mode === "open",
  "administration.setSignUp": async (person) =>
    (await person.api.administration.setSignUp.mutate({ mode: "open" })).message !== "",
  "administration.invite": async (person) =>
    (await person.api.administration.invite.mutate({ places: 1, days: 1 })).address !== "",
  "administration.withdraw": async (person) =>
    (await person.api.administration.withdraw.mutate({ code: "none" })).message !== "",
  "POST /settings/import": async ({ browser }) => {
    const form = new FormData();
    form.append("file", new Blob(["no Markdown"]), "notes.txt");
    const answer = await browser.fetch("/settings/import?kind=markdown&name=notes.txt", {
      method: "POST",
      body: form,
    });
    return answer.status === 401 ? "u" : answer.status === 400;
  },
  "imports.list": async (person) => Array.isArray((await person.api.imports.list.query()).runs),
  "administration.site": async (person) => (await person.api.administration.site.query()).name === "",
  "administration.setSite": async (person) =>
    (await person.api.administration.setSite.mutate({ name: "" })).message !== "",
  "administration.numbers": async (person) =>
    (await person.api.administration.numbers.query()).people.ever > 0,
  "administration.disk": async (person) => (await person.api.administration.disk.query()).total > 0,
  "administration.setup": async (person) => (await person.api.administration.setup.query()).done.people,
  "administration.hideSetup": async (person) =>
    (await person.api.administration.hideSetup.mutate({ hidden: false })).message !== "",
  "administration.sendTestMail": async (person) =>
    (await person.api.administration.sendTestMail.mutate()).message !== "",
  "administration.jobs": async (person) => (await person.api.administration.jobs.query({})).page === 1,
  "administration.retryJob": async (person) =>
    (await person.api.administration.retryJob.mutate({ id: await failedIndexing() })).message !== "",
  "administration.discardJob": async (person) =>
    (await person.api.administration.discardJob.mutate({ id: await failedIndexing() })).message !== "",
  "administration.setText": async (person) =>
    (await person.api.administration.setText.mutate({ kind: "landing", source: "" })).message !== "",
  "moderation.setWriter": async (person) => {
    const { id = "" } = await createSpareAccount(people.public[1]!);
    return (await person.api.moderation.setWriter.mutate({ userId: id, writer: true })).message !== "";
  },
  "users.siteText": async (person) =>
    (await person.api.users.siteText.query({ kind: "terms" })).text === null,
  "users.interestGroups": async (person) => (await person.api.users.interestGroups.query()).groups.length > 0,
  "blogs.popularInterests": async (person) =>
    (await person.api.blogs.popularInterests.query()).topics.length > 0,
  "blogs.topicsInUse": async (person) => (await person.api.blogs.topicsInUse.query()).tags.length >= 0,
  "users.sawTexts": async (person) => (await person.api.users.sawTexts.mutate()).textsSeenAt !== "",
  "moderation.log": async (person) => (await person.api.moderation.log.query({})).page === 1,
  "push.state": async (person) => (await person.api.push.state.query()).key !== "",
  "push.subscribe": async (person) => {
    const spare = await createSpareAccount(person);
    return (await spare.api.push.subscribe.mutate(new PushService().subscribe("https://push.example.org/1")))
      .on;
  },
  "blogs.embed": async (person) =>
    (await person.api.blogs.embed.mutate({ href: "https://youtu.be/aaaaaaaaaaa" })).card === null,
  "exports.state": async (person) => (await person.api.exports.state.query()).state.length > 0,
  "exports.begin": async (person) => {
    const spare = await createSpareAccount(person);
    return (await spare.api.exports.begin.mutate({ password })).state === "making";
  },
  "exports.remove": async (person) => (await person.api.exports.remove.mutate()).state === "none",
  "push.unsubscribe": async (person) => !(await person.api.push.unsubscribe.mutate()).on,
  "social.readNotifications": async (person) =>
    (await person.api.social.readNotifications.mutate({})).unread === 0,
  "social.seeNotifications": async (person) =>
    (await person.api.social.seeNotifications.mutate({ newest: new Date().toISOString() })).unseen === 0,
  "social.block": async (person) => {
    const spare = await createSpareAccount(person);
    return (await spare.api.social.block.mutate({ userId: reader.me.id, blocked: true })).blocked;
  },
  "social.blocked": async (person) =>
    !(await person.api.social.blocked.query()).people.some(({ id }) => id === reader.me.id),
  "social.mute": async (person) => {
    const spare = await createSpareAccount(person);
    return (await spare.api.social.mute.mutate({ userId: reader.me.id, muted: true })).muted;
  },
  "social.notificationSettings": async (person) =>
    (await person.api.social.notificationSettings.query()).settings.likes.page,
  "social.subscriptions": async (person) =>
    (await person.api.social.subscriptions.query()).blogs.length === 0,
  "social.unsubscribe": async (person) => {
    const address = await unsubscribeAddress(
      testSite.config,
      testSite.app.services.database.read,
      reader.me.id,
    );
    const token = address.slice(address.lastIndexOf("/") + 1);
    return (await person.api.social.unsubscribe.mutate({ token })).message !== "";
  },
  "social.setNotificationChannels": async (person) =>
    (await person.api.social.setNotificationChannels.mutate({ topic: "site", push: true })).settings.site
      .push,
  "social.setZone": async (person) =>
    (await person.api.social.setZone.mutate({ zone: "Europe/Lisbon" })).zone === "Europe/Lisbon",
  "social.muted": async (person) =>
    !(await person.api.social.muted.query()).people.some(({ id }) => id === reader.me.id),
  "social.ties": async (person) => {
    const { followers, following } = await person.api.social.ties.query();
    return ![...followers, ...following].includes(person.id ?? "");
  },
  "users.site": async (person) => (await person.api.users.site.query()).name === "Reprise",
  "users.me": async (person) => (await person.api.users.me.query())?.id === (person.id ?? ""),
  "users.sessions": async (person) =>
    (await person.api.users.sessions.query()).sessions.some(({ current }) => current),
  "users.invitation": async (person) =>
    (await person.api.users.invitation.query({ code: "none" })).state === "unknown",
  "users.beginSignUp": async (person) => (await person.api.users.beginSignUp.mutate()).task === null,
  "users.signUp": async (person) =>
    (await person.api.users.signUp.mutate({ name: "New", email: `${newId()}@example.org`, password }))
      .message !== "",
  "users.verifyEmail": async (person) =>
    (await person.api.users.verifyEmail.mutate({ token: (await signUpNewPerson("verify-email")).token }))
      .message !== "",
  "users.resendVerification": async (person) =>
    (await person.api.users.resendVerification.mutate({ email: reader.email })).message !== "",
  "users.forgotPassword": async (person) =>
    (await person.api.users.forgotPassword.mutate({ email: reader.email })).message !== "",
  "users.setUpState": async (person) => !(await person.api.users.setUpState.query()).needed,
  "users.setUp": async (person) => {
    await person.api.users.setUp.mutate({ secret: "", name: "Eve", email: "eve@eve.example", password });
    return true;
  },
  "users.resetPassword": async (person) =>
    (
      await person.api.users.resetPassword.mutate({
        token: (await signUpNewPerson("reset-password")).token,
        password: "another password",
      })
    ).message !== "",
  "users.signIn": async (person) =>
    (await (await copyOf(person)).users.signIn.mutate({ email: reader.email, password })).viewer.id ===
    reader.me.id,
  "users.signOut": async (person) => {
    const spare = await createSpareAccount(person);
    await spare.api.users.signOut.mutate();
    return (await spare.api.users.me.query()) === null;
  },
  "users.revokeOtherSessions": async (person) => {
    const spare = await createSpareAccount(person);
    await spare.api.users.revokeOtherSessions.mutate();
    return (
      (await spare.rest.call("GET", "/recommended")).status === 401 &&
      (await spare.api.users.me.query())?.id === spare.id
    );
  },
  "users.changePassword": async (person) => {
    const spare = await createSpareAccount(person);
    const change = { current: password, password: "another password" };
    return (await spare.api.users.changePassword.mutate(change)).message !== "";
  },
  "users.changeEmail": async (person) => {
    const spare = await createSpareAccount(person);
    const email = `${newId()}@example.org`;
    return (await spare.api.users.changeEmail.mutate({ email, password })).message !== "";
  },
  "users.followEmailLink": async (person) => {
    const spare = await createSpareAccount(people.public[1]!);
    const email = `${newId()}@example.org`;
    await spare.api.users.changeEmail.mutate({ email, password });
    const token = await testSite.mailedToken(email, "change-email");
    await person.api.users.followEmailLink.mutate({ token });
    return (await spare.api.users.me.query())?.email === email;
  },
  "users.finishGoogle": async (person) => {
    const [spare, otherAccount] = [
      await createSpareAccount(person),
      await createSpareAccount(people.public[1]!),
    ];
    const identity = { googleId: newId(), email: `${otherAccount.id}@example.org`, name: "Spare" };
    spare.browser.begun = `begun=${await testSite.app.services.challenges.begin("google", identity)}`;
    return (await spare.api.users.finishGoogle.mutate({ code: "any" })).viewer.id === otherAccount.id;
  },
  "users.finishGoogle: nothing begun": async (person) =>
    (await person.api.users.finishGoogle.mutate({ code: "any" })).message !== "",
  "users.passkeyOptions": async (person) =>
    (await person.api.users.passkeyOptions.mutate()).options.challenge !== "",
  "users.signInWithPasskey": async (person) => {
    const [spare, otherAccount] = [
      await createSpareAccount(person),
      await createSpareAccount(people.public[1]!),
    ];
    const device = await withPasskey(otherAccount);
    const { options } = await spare.api.users.passkeyOptions.mutate();
    const { viewer } = await spare.api.users.signInWithPasskey.mutate({ response: device.get(options) });
    return viewer.id === otherAccount.id;
  },
  "users.ownFeed": async (person) =>
    (await person.api.users.ownFeed.mutate({ password })).address.includes("/following/"),
  "users.access": async (person) => (await person.api.users.access.query()).passkeys.length === 0,
  "users.beginApp": async (person) =>
    (await (await createSpareAccount(person)).api.users.beginApp.mutate({ password })).secret !== "",
  "users.confirmApp": async (person) => (await withApp(await createSpareAccount(person))).length > 0,
  "users.turnAppOff": async (person) => {
    const spare = await createSpareAccount(person);
    if (spare.id) await withApp(spare);
    return (await spare.api.users.turnAppOff.mutate({ password })).message !== "";
  },
  "users.renewCodes": async (person) => {
    const spare = await createSpareAccount(person);
    if (spare.id) await withApp(spare);
    return (await spare.api.users.renewCodes.mutate({ password })).codes.length > 0;
  },
  "users.setPasskeyStep": async (person) => {
    const spare = await createSpareAccount(person);
    if (spare.id) await withPasskey(spare);
    return (await spare.api.users.setPasskeyStep.mutate({ on: true, password })).message !== "";
  },
  "users.beginPasskey": async (person) =>
    (await (await createSpareAccount(person)).api.users.beginPasskey.mutate({ password })).options
      .challenge !== "",
  "users.addPasskey": async (person) => {
    const spare = await createSpareAccount(person);
    if (spare.id) return (await withPasskey(spare)).id !== "";
    const response = { id: "any", response: {} };
    return (await spare.api.users.addPasskey.mutate({ name: "A phone", response })).message !== "";
  },
  "users.removePasskey": async (person) => {
    const spare = await createSpareAccount(person);
    const id = spare.id ? (await withPasskey(spare)).id : "any";
    return (await spare.api.users.removePasskey.mutate({ id, password })).message !== "";
  },
  "users.updateProfile": async (person) =>
    (await person.api.users.updateProfile.mutate({ bio: "Trees." })).id === person.id,
  "users.updateSettings": async (person) =>
    (await person.api.users.updateSettings.mutate({ showLikedBlogs: true })).id === person.id,
  "users.remove": async (person) => {
    const spare = await createSpareAccount(person);
    await spare.api.users.remove.mutate({ password });
    return isDeleted(spare.id);
  },
  "users.sendDeletionLink": async (person) =>
    (await person.api.users.sendDeletionLink.mutate()).message !== "",
  "users.deleteByLink: another's": async (person) => {
    const spare = await createSpareAccount(people.public[1]!);
    await spare.api.users.sendDeletionLink.mutate();
    const token = await testSite.mailedToken(`${spare.id}@example.org`, "delete-account");
    await person.api.users.deleteByLink.mutate({ token });
    return isDeleted(spare.id);
  },

  "POST /blogs": async (person) => {
    const { blog } = await rest(person, "POST", "/blogs", blogForm());
    return (await rest(person, "DELETE", `/blogs/${blog._id}`)).message !== "";
  },
  "POST /signup": async (person) =>
    (await rest(person, "POST", "/signup", { name: "New", email: `${newId()}@example.org`, password }))
      .message !== "",
  "GET /verify-email/{token}": async (person) =>
    (await rest(person, "GET", `/verify-email/${(await signUpNewPerson("verify-email")).token}`)).message !==
    "",
  "POST /resend-verification": async (person) =>
    (await rest(person, "POST", "/resend-verification", { email: reader.email })).message !== "",
  "POST /forgot-password": async (person) =>
    (await rest(person, "POST", "/forgot-password", { email: reader.email })).message !== "",
  "POST /reset-password": async (person) =>
    (
      await rest(person, "POST", "/reset-password", {
        token: (await signUpNewPerson("reset-password")).token,
        password: "another password",
      })
    ).message !== "",
  "POST /signin": async (person) =>
    (await rest(person, "POST", "/signin", { email: reader.email, password })).user._id === reader.me.id,
  "POST /signout": async (person) => {
    const spare = await createSpareAccount(person);
    await rest(spare, "POST", "/signout");
    return (await spare.rest.call("GET", "/recommended")).status === 401;
  },
  "POST /google-auth: where it is not on": async (person) =>
    Boolean(await rest(person, "POST", "/google-auth", { accessToken: "x" })),
  "PUT /user/update-interests": async (person) =>
    (await rest(person, "PUT", "/user/update-interests", { interests: [] })).message !== "",
  "PATCH /change-saved-liked-blog-visibility": async (person) =>
    (await rest(person, "PATCH", "/change-saved-liked-blog-visibility", { showLikedBlogs: true })).message !==
    "",
  "DELETE /delete-account": async (person) => {
    const spare = await createSpareAccount(person);
    await rest(spare, "DELETE", "/delete-account");
    return isDeleted(spare.id) && (await spare.rest.call("GET", "/recommended")).status === 401;
  },
  "POST /upload": async (person) => {
    const response = await send(person.browser, await paint());
    if (response.status !== 200) throw new Refused(response.status, await response.text());
    return (await person.browser.fetch(((await response.json()) as { src: string }).src)).status === 200;
  },

  ...Object.fromEntries(
    [
      "/signin",
      "/signup",
      "/forgot-password",
      "/setup",
      "/select-interests",
      "/add-blog",
      "/edit-profile",
      "/settings",
      "/settings/import",
      "/settings/export",
      "/admin",
      "/docs",
      // None is published.
      "/terms",
      "/privacy",
      "/nobody-of-this-name",
    ].map((path) => [path, (person: Person) => isPageShown(person, path)]),
  ),
  "/admin/:part": (person) => isPageShown(person, "/admin/people"),
  "/verify-email/:token": (person) => isPageShown(person, "/verify-email/any"),
  "/reset-password/:token": (person) => isPageShown(person, "/reset-password/any"),
  "/change-email/:token": (person) => isPageShown(person, "/change-email/any"),
  "/undo-access/:token": (person) => isPageShown(person, "/undo-access/any"),
  "/unsubscribe/:token": (person) => isPageShown(person, "/unsubscribe/any"),
  "/delete-account/:token": (person) => isPageShown(person, "/delete-account/any"),
};
