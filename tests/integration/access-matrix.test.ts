import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pages } from "../../src/client/app/routes.ts";
import { hashPassword } from "../../src/server/auth/passwords.ts";
import { newId } from "../../src/server/ids.ts";
import { userTopic } from "../../src/server/live/facts.ts";
import type { LiveEvent, TopicName } from "../../src/shared/live.ts";
import { appRouter } from "../../src/server/router.ts";
import { insertUser } from "../../src/server/users/queries.ts";
import { messages } from "../../src/shared/errors.ts";
import { ApiClient, blogForm, type Answer } from "../support/api-client.ts";
import type { Picture } from "../../src/shared/blogs.ts";
import { paint, send, upload } from "../support/pictures.ts";
import {
  aBlog,
  aComment,
  followTopics,
  password,
  startTown,
  until,
  type Browser,
  type Resident,
  type Town,
} from "../support/town.ts";

/*
 * Every procedure, every call of /api/v1, every page and every live topic, for everybody. One letter for each of: a guest, a
 * stranger, somebody whose request waits, a follower, a follower who was dropped, the author, an administrator (who has no
 * rights that others lack). Public accounts have no requests: there the third is one more stranger.
 *
 *   y  it works, or is in the list              u  sign in first (401; a page leads to /signin)
 *   n  looks absent (404, or not in the list)   f  refused (403)
 *   b  makes no sense (400)                     r  the page leads elsewhere
 *   c  a profile without its blogs              w  follows now, a  has asked to
 *   -  there is no such case
 */

/*                                       a public account:               a private account:
                                         public   private  draft         public   private  draft */
const withABlog = `
  GET /media/{id}: its cover             yyyyyyy  nnnynyn  nnnnnyn       nnnynyn  nnnynyn  nnnnnyn
  GET /media/{id}: in its text           yyyyyyy  nnnynyn  nnnnnyn       nnnynyn  nnnynyn  nnnnnyn
  blogs.bySlug                           yyyyyyy  nnnynyn  nnnnnyn       nnnynyn  nnnynyn  nnnnnyn
  blogs.card                             yyyyyyy  nnnynyn  nnnnnyn       nnnynyn  nnnynyn  nnnnnyn
  blogs.list                             yyyyyyy  nnnynyn  nnnnnnn       nnnynyn  nnnynyn  nnnnnnn
  blogs.list: most liked                 yyyyyyy  nnnynyn  nnnnnnn       nnnynyn  nnnynyn  nnnnnnn
  blogs.search                           yyyyyyy  nnnynyn  nnnnnnn       nnnynyn  nnnynyn  nnnnnnn
  blogs.recommended                      uyyyyny  unnynnn  unnnnnn       unnynnn  unnynnn  unnnnnn
  blogs.byAuthor                         yyyyyyy  nnnnnnn  nnnnnnn       nnnynyn  nnnnnnn  nnnnnnn
  blogs.byAuthor: private                fffnfnf  fffyfyf  fffnfnf       fffnfnf  fffyfyf  fffnfnf
  blogs.byAuthor: drafts                 fffffnf  fffffnf  fffffyf       fffffnf  fffffnf  fffffyf
  blogs.byAuthor: liked                  yyyyyyy  nnnynyn  nnnnnnn       fffyfyf  fffyfyf  fffnfnf
  blogs.byAuthor: saved                  fffffyf  fffffyf  fffffnf       fffffyf  fffffyf  fffffnf
  blogs.mine                             unnnnyn  unnnnyn  unnnnyn       unnnnyn  unnnnyn  unnnnyn
  blogs.forEdit                          uffffyf  unnfnyn  unnnnyn       unnfnyn  unnfnyn  unnnnyn
  blogs.update                           uffffyf  unnfnyn  unnnnyn       unnfnyn  unnfnyn  unnnnyn
  blogs.remove                           uffffyf  unnfnyn  unnnnyn       unnfnyn  unnfnyn  unnnnyn
  live.follow: the open blog             yyyyyyy  nnnynyn  nnnnnyn       nnnynyn  nnnynyn  nnnnnyn
  live.follow: its card                  yyyyyyy  nnnynyn  nnnnnyn       nnnynyn  nnnynyn  nnnnnyn
  live.follow: its address               yyyyyyy  nnnynyn  nnnnnyn       nnnynyn  nnnynyn  nnnnnyn
  live.follow: server-sent events        yyyyyyy  nnnynyn  nnnnnyn       nnnynyn  nnnynyn  nnnnnyn
  live.since                             yyyyyyy  nnnynyn  nnnnnyn       nnnynyn  nnnynyn  nnnnnyn
  live.follow: who is at it              yyyyyyy  nnnnnnn  nnnnnnn       nnnnnnn  nnnnnnn  nnnnnnn
  live.follow: being at it               yyyyyyy  nnnnnnn  nnnnnnn       nnnnnnn  nnnnnnn  nnnnnnn
  live.follow: the feed                  yyyyyyy  nnnynyn  nnnnnnn       nnnynyn  nnnynyn  nnnnnnn
  live.follow: what is liked             yyyyyyy  nnnynyn  nnnnnnn       nnnynyn  nnnynyn  nnnnnnn
  comments.list                          yyyyyyy  nnnynyn  nnnnnyn       nnnynyn  nnnynyn  nnnnnyn
  comments.replies                       yyyyyyy  nnnynyn  nnnnnyn       nnnynyn  nnnynyn  nnnnnyn
  comments.countReplies                  uyyyyyy  unnynyn  unnnnfn       unnynyn  unnynyn  unnnnfn
  comments.create                        uyyyyyy  unnynyn  unnnnfn       unnynyn  unnynyn  unnnnfn
  comments.create: a reply               uyyyyyy  unnynyn  unnnnfn       unnynyn  unnynyn  unnnnfn
  comments.replying: it is told          uyyyyyy  unnnnnn  unnnnfn       unnnnnn  unnnnnn  unnnnfn
  comments.edit: one's own               -yyyyyy  -nnynyn  -nnnnfn       -nnynyn  -nnynyn  -nnnnfn
  comments.edit: the author's            uffff-f  unnfn-n  unnnn-n       unnfn-n  unnfn-n  unnnn-n
  comments.edit: a reader's              uffffff  unnfnfn  unnnnfn       unnfnfn  unnfnfn  unnnnfn
  comments.remove: one's own             -yyyyyy  -nnynyn  -nnnnfn       -nnynyn  -nnynyn  -nnnnfn
  comments.remove: the author's          uffff-f  unnfn-n  unnnn-n       unnfn-n  unnfn-n  unnnn-n
  comments.remove: a reader's            uffffyf  unnfnyn  unnnnfn       unnfnyn  unnfnyn  unnnnfn
  comments.like                          uyyyyyy  unnynyn  unnnnfn       unnynyn  unnynyn  unnnnfn
  social.likeBlog                        uyyyyyy  unnynyn  unnnnfn       unnynyn  unnynyn  unnnnfn
  social.saveBlog                        uyyyyyy  unnynyn  unnnnfn       unnynyn  unnynyn  unnnnfn
  social.notices: of a reply there       uyyyyyy  unnynyn  unnnnyn       unnynyn  unnynyn  unnnnyn

  GET /blogs                             yyyyyyy  nnnynyn  nnnnnnn       nnnynyn  nnnynyn  nnnnnnn
  GET /blogs: most liked                 yyyyyyy  nnnynyn  nnnnnnn       nnnynyn  nnnynyn  nnnnnnn
  GET /search-blogs                      yyyyyyy  nnnynyn  nnnnnnn       nnnynyn  nnnynyn  nnnnnnn
  GET /recommended                       uyyyyny  unnynnn  unnnnnn       unnynnn  unnynnn  unnnnnn
  GET /blogs/{blogId}                    yyyyyyy  nnnynyn  nnnnnyn       nnnynyn  nnnynyn  nnnnnyn
  GET /blogs/{blogId}: by its id         yyyyyyy  nnnynyn  nnnnnyn       nnnynyn  nnnynyn  nnnnnyn
  GET /blogs/{blogId}: by cookie         yyyyyyy  nnnynyn  nnnnnyn       nnnynyn  nnnynyn  nnnnnyn
  GET /blogs/{blogId}: signed out        yyyyyyy  nnnnnnn  nnnnnnn       nnnnnnn  nnnnnnn  nnnnnnn
  GET /blogs/user/{userId}               uyyyyyy  unnynyn  unnnnyn       unnynyn  unnynyn  unnnnyn
  GET /users/{username}: blogs           yyyyyyy  nnnynyn  nnnnnyn       nnnynyn  nnnynyn  nnnnnyn
  GET /users/{username}: liked           yyyyyyy  nnnynyn  nnnnnnn       nnnynyn  nnnynyn  nnnnnnn
  GET /users/{username}: saved           nnnnnyn  nnnnnyn  nnnnnnn       nnnnnyn  nnnnnyn  nnnnnnn
  PATCH /blogs/{blogId}                  uffffyf  unnfnyn  unnnnyn       unnfnyn  unnfnyn  unnnnyn
  PATCH /blogs/{blogId}: by cookie       uuuuuuu  uuuuuuu  uuuuuuu       uuuuuuu  uuuuuuu  uuuuuuu
  DELETE /blogs/{blogId}                 uffffyf  unnfnyn  unnnnyn       unnfnyn  unnfnyn  unnnnyn
  POST /blogs/like/{blogId}              uyyyyyy  unnynyn  unnnnfn       unnynyn  unnynyn  unnnnfn
  PATCH /save-blog/{blogId}              uyyyyyy  unnynyn  unnnnfn       unnynyn  unnynyn  unnnnfn
  POST /blogs/comment/{blogId}           uyyyyyy  unnynyn  unnnnfn       unnynyn  unnynyn  unnnnfn
  POST /comment/{commentId}/{blogId}     uyyyyyy  unnynyn  unnnnfn       unnynyn  unnynyn  unnnnfn
  PATCH /blogs/like-comment/{commentId}  uyyyyyy  unnynyn  unnnnfn       unnynyn  unnynyn  unnnnfn
  PATCH /blogs/edit-comment/{commentId}  uffffff  unnfnfn  unnnnfn       unnfnfn  unnfnfn  unnnnfn
  DELETE /blogs/comment/{commentId}      -yyyyyy  -nnynyn  -nnnnfn       -nnynyn  -nnynyn  -nnnnfn

  /                                      yyyyyyy  nnnynyn  nnnnnnn       nnnynyn  nnnynyn  nnnnnnn
  /home                                  yyyyyyy  nnnynyn  nnnnnnn       nnnynyn  nnnynyn  nnnnnnn
  /home: most liked                      yyyyyyy  nnnynyn  nnnnnnn       nnnynyn  nnnynyn  nnnnnnn
  /search                                yyyyyyy  nnnynyn  nnnnnnn       nnnynyn  nnnynyn  nnnnnnn
  /blog/:slug                            yyyyyyy  nnnynyn  nnnnnyn       nnnynyn  nnnynyn  nnnnnyn
  /edit/:slug                            unnnnyn  unnnnyn  unnnnyn       unnnnyn  unnnnyn  unnnnyn
  /my-blogs                              unnnnyn  unnnnyn  unnnnyn       unnnnyn  unnnnyn  unnnnyn
  /notifications: of a reply there       uyyyyyy  unnynyn  unnnnyn       unnynyn  unnynyn  unnnnyn
  /:username                             yyyyyyy  nnnnnnn  nnnnnnn       nnnynyn  nnnnnnn  nnnnnnn
  /:username/:tab: private-blogs         rrrnrnr  rrryryr  rrrnrnr       rrrnrnr  rrryryr  rrrnrnr
  /:username/:tab: draft-blogs           rrrrrnr  rrrrrnr  rrrrryr       rrrrrnr  rrrrrnr  rrrrryr
  /:username/:tab: liked-blogs           yyyyyyy  nnnynyn  nnnnnnn       rrryryr  rrryryr  rrrnrnr
  /:username/:tab: saved-blogs           rrrrryr  rrrrryr  rrrrrnr       rrrrryr  rrrrryr  rrrrrnr
`;

//                                         public   private
const withAnAccount = `
  GET /media/{id}: its owner's picture   yyyyyyy  yyyyyyy
  GET /media/{id}: in a form of theirs   nnnnnyn  nnnnnyn
  users.profile                          yyyyyyy  cccycyc
  users.search                           yyyyyyy  yyyyyyy
  live.follow: that somebody likes it    unnnnyn  unnnnyn
  users.revokeSession: the account's     unnnnyn  unnnnyn
  social.people: followers               yyyyyyy  fffyfyf
  social.people: following               yyyyyyy  fffyfyf
  social.people: followers not shown     fffffyf  fffffyf
  social.follow                          uwwwwbw  uaawaba
  social.requests: who asked             unnnnnn  unnnnyn
  social.handleRequest                   unnnnnn  unnnnyn
  social.restoreRequest                  unnnnnn  unnnnyn
  social.removeFollower                  unnnnyn  unnnnyn

  GET /users/{username}                  yyyyyyy  cccycyc
  GET /users/{username}: followers       yyyyyyy  nnnynyn
  GET /users/{username}: not shown       nnnynyn  nnnynyn
  GET /users/{username}: who asked       nnnnnnn  nnynnyn
  GET /search-users                      yyyyyyy  yyyyyyy
  PATCH /follow/{userId}                 uwwwwbw  uaaaaba
  PATCH /handle-follow-request           unnnnnn  unnnnyn
  PATCH /users/{userId}                  uffffyf  uffffyf

  /search: people                        yyyyyyy  yyyyyyy
  /:username                             yyyyyyy  cccycyc
  /followers/:person                     yyyyyyy  fffyfyf
  /following/:person                     yyyyyyy  fffyfyf
  /requests: who asked                   unnnnnn  unnnnyn
`;

/** What concerns nobody but who asks. */
const alone = `
  blogs.create                           uyyyyyy
  blogs.stats                            uyyyyyy
  social.readNotices                     uyyyyyy
  social.ties                            uyyyyyy
  users.site                             yyyyyyy
  users.me                               nyyyyyy
  users.sessions                         uyyyyyy
  users.signUp                           yyyyyyy
  users.verifyEmail                      yyyyyyy
  users.resendVerification               yyyyyyy
  users.forgotPassword                   yyyyyyy
  users.resetPassword                    yyyyyyy
  users.signIn                           yyyyyyy
  users.signOut                          yyyyyyy
  users.revokeOtherSessions              uyyyyyy
  users.updateProfile                    uyyyyyy
  users.updateSettings                   uyyyyyy
  users.remove                           uyyyyyy
  users.mailRemoval                      uyyyyyy
  users.removeByMail: another's          yffffff

  POST /blogs                            uyyyyyy
  POST /signup                           yyyyyyy
  GET /verify-email/{token}              yyyyyyy
  POST /resend-verification              yyyyyyy
  POST /forgot-password                  yyyyyyy
  POST /reset-password                   yyyyyyy
  POST /signin                           yyyyyyy
  POST /signout                          uyyyyyy
  POST /google-auth: where it is not on  nnnnnnn
  PUT /user/update-interests             uyyyyyy
  PATCH /change-saved-liked-blog-visibility  uyyyyyy
  DELETE /delete-account                 uyyyyyy
  POST /upload                           uyyyyyy

  /signin                                yrrrrrr
  /signup                                yrrrrrr
  /verify-email/:token                   yyyyyyy
  /forgot-password                       yyyyyyy
  /reset-password/:token                 yyyyyyy
  /delete-account/:token                 yyyyyyy
  /select-interests                      uyyyyyy
  /add-blog                              uyyyyyy
  /edit-profile                          uyyyyyy
  /settings                              uyyyyyy
  /docs                                  yyyyyyy
  /docs/api                              yyyyyyy
  /nobody-of-this-name                   nnnnnnn
`;

type Account = "public" | "private";
const kinds = ["public", "private", "draft"] as const;
const places = (["public", "private"] as const).flatMap((account) =>
  kinds.map((kind) => `${account} ${kind}` as const),
);
const roles = ["guest", "stranger", "asker", "follower", "dropped", "author", "admin"] as const;

interface Row {
  act: string;
  cells: string[];
}
const rowsOf = (table: string): Row[] =>
  table
    .trim()
    .split(/\n\s*/)
    .flatMap((line) => {
      const [, act = "", cells = ""] = /^(.+?)\s+((?:[ynufbrcwa-]{7}\s*)+)$/.exec(line) ?? [];
      if (line !== "" && act === "") throw new Error(`This row can't be read: ${line}`);
      return act === "" ? [] : [{ act, cells: cells.trim().split(/\s+/) }];
    });

/** Somebody with everything they can ask by: a browser, and a client of the API. */
interface Person {
  browser: Browser;
  api: Browser["api"];
  rest: ApiClient;
  /** Undefined for a guest. */
  id: string | undefined;
}
interface Author extends Person {
  id: string;
  username: string;
}
interface Place {
  id: string;
  slug: string;
  /** A word that is in its title and nowhere else. */
  word: string;
  flags: { draft: boolean; private: boolean };
  author: Author;
  /** Its cover, and one in its text. */
  pictures: [Picture, Picture];
  /** Comments of each person while they still could, by their id: to edit, to remove, to remove over REST. */
  comments: Map<string, string[]>;
  reader: string[];
}

let town: Town;
let reader: Resident;
let sparePassword: string;
let people: Record<Account, Person[]>;
const blogs = new Map<string, Place>();

const authorOf = (account: Account): Author => people[account][5] as Author;
const personOf = async (browser: Resident): Promise<Author> => ({
  browser,
  api: browser.api,
  rest: await ApiClient.of(town, browser),
  id: browser.me.id,
  username: browser.me.username,
});

/** By the name of a procedure, the answers that don't say where they were read; by its address, calls of the API that do. */
const unplaced = new Map<string, unknown[]>();
const misplaced: string[] = [];
const plainFetch = globalThis.fetch;

/** Looks at every answer that passes. */
async function overhear(...asked: Parameters<typeof fetch>): Promise<Response> {
  const response = await plainFetch(...asked);
  const { pathname } = new URL(String(asked[0] instanceof Request ? asked[0].url : asked[0]));
  if (pathname.startsWith("/api/v1/") && /"cursor":/.test(await response.clone().text()))
    misplaced.push(pathname);
  if (!pathname.startsWith("/trpc/") || !/json/.test(response.headers.get("content-type") ?? ""))
    return response;
  const answers = [(await response.clone().json()) as unknown].flat() as { result?: { data?: unknown } }[];
  for (const [index, name] of pathname.slice("/trpc/".length).split(",").entries()) {
    const answer = answers[index]?.result;
    // Nobody is signed in: that is told by null.
    if (!answer || (answer.data === null && name === "users.me")) continue;
    const found = unplaced.get(name) ?? [];
    unplaced.set(name, found);
    if (!/^[\w-]+\.\d+$/.test((answer.data as { cursor?: string } | undefined)?.cursor ?? ""))
      found.push(answer.data);
  }
  return response;
}

beforeAll(async () => {
  globalThis.fetch = overhear;
  town = await startTown();
  sparePassword = await hashPassword(password);
  // The first of a site runs it.
  const boss = await town.resident("Boss");
  expect((await boss.api.users.me.query())?.isAdmin).toBe(true);
  const [stranger, asker, follower, dropped, openOne, closedOne, someone] = (await Promise.all(
    ["Stranger", "Asker", "Follower", "Dropped", "Open", "Closed", "Reader"].map((name) =>
      town.resident(name),
    ),
  )) as [Resident, Resident, Resident, Resident, Resident, Resident, Resident];
  reader = someone;
  const [admin, ...others] = await Promise.all([boss, stranger, asker, follower, dropped].map(personOf));
  const guest: Person = {
    browser: town.browser(),
    api: town.browser().api,
    rest: new ApiClient(town),
    id: undefined,
  };
  people = {
    public: [guest, ...others, await personOf(openOne), admin!],
    private: [guest, ...others, await personOf(closedOne), admin!],
  };
  const words = ["alder", "birch", "cedar", "damson", "elder", "fir"];
  for (const account of ["public", "private"] as const) {
    const author = authorOf(account);
    for (const kind of kinds)
      blogs.set(`${account} ${kind}`, await prepare(people[account].slice(1), author, words.shift()!, kind));
    for (const fan of [follower, dropped, reader])
      await fan.api.social.follow.mutate({ userId: author.id, follow: true });
    await author.api.social.follow.mutate({ userId: reader.me.id, follow: true });
    if (account === "private") {
      await author.api.users.updateSettings.mutate({ private: true });
      expect(await asker.api.social.follow.mutate({ userId: author.id, follow: true })).toMatchObject({
        status: "requested",
      });
    }
    await author.api.social.removeFollower.mutate({ userId: dropped.me.id });
  }
});

afterAll(async () => {
  globalThis.fetch = plainFetch;
  await town[Symbol.asyncDispose]();
});

/** A blog that was public, where everybody spoke and was answered and which its author likes and has saved, and then became what it is. */
async function prepare(
  speakers: Person[],
  author: Author,
  word: string,
  kind: (typeof kinds)[number],
): Promise<Place> {
  const [cover, picture] = [await upload(author.browser), await upload(author.browser)];
  const image = { type: "image", attrs: { src: picture.src } };
  const { content } = aBlog().document;
  const document = { type: "doc", content: [...content, { type: "paragraph", content: [image] }] };
  const { id, slug } = await author.api.blogs.create.mutate(
    aBlog({ title: `On the ${word}`, coverId: cover.id, document }),
  );
  const say = async (who: Pick<Person, "api">, parentId: string | null = null) =>
    (await who.api.comments.create.mutate(aComment({ id }, { parentId }))).id;
  const some = (who: Pick<Person, "api">) => Promise.all([say(who), say(who), say(who)]);
  const comments = new Map<string, string[]>();
  for (const who of speakers) comments.set(who.id ?? "", await some(who));
  for (const [first] of comments.values()) await say(reader, first);
  const byReader = await some(reader);
  await author.api.social.likeBlog.mutate({ blogId: id, liked: true });
  await author.api.social.saveBlog.mutate({ blogId: id, saved: true });
  const flags = { draft: kind === "draft", private: kind === "private" };
  if (kind !== "public") await author.api.blogs.update.mutate({ id, ...flags });
  return { id, slug, word, flags, author, pictures: [cover, picture], comments, reader: byReader };
}

/** What came of it: a letter, or whether it is there. Refusals are thrown. */
type Outcome = Promise<string | boolean>;

class Refused extends Error {
  readonly status: number;
  constructor(status: number, detail: string) {
    super(`${status} ${detail}`);
    this.status = status;
  }
}

async function rest(
  who: Person,
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
): Promise<Answer["body"]> {
  const answer = await who.rest.call(method, path, body, headers);
  if (answer.status !== 200) throw new Refused(answer.status, JSON.stringify(answer.body));
  expect(answer.body.success, path).toBe(true);
  return answer.body;
}

/** A page as somebody's browser gets it: its HTML without what the script takes over, or where it leads. */
async function open(who: Person, path: string): Promise<{ html: string } | { to: string }> {
  const response = await who.browser.fetch(path);
  const to = response.headers.get("location");
  if (to !== null) return { to };
  const html = await response.text();
  if (response.status !== 200) throw new Refused(response.status, path);
  return { html: html.replace(/<script type="application\/json"[^]*?<\/script>/g, "") };
}

/** Whether a page shows this. What is not shown is nowhere in the document either, its data for the script included. */
async function shows(who: Person, path: string, text: string, never = text): Outcome {
  const page = await open(who, path);
  if ("to" in page) return page.to.startsWith("/signin") ? "u" : "r";
  const shown = page.html.includes(text);
  if (!shown)
    expect(await (await who.browser.fetch(path)).text(), `${path} holds what it does not show`).not.toContain(
      never,
    );
  return shown;
}

/** A page that belongs to nobody: that it is there, or where it leads. */
async function opens(who: Person, path: string): Outcome {
  const page = await open(who, path);
  return "to" in page ? (page.to.startsWith("/signin") ? "u" : "r") : page.html.includes("<h1");
}

const has = (list: { id?: string; _id?: string }[], id: string): boolean =>
  list.some((one) => (one.id ?? one._id) === id);
const link = (slug: string) => `href="/blog/${slug}"`;

const inTab =
  (tab: "blogs" | "private-blogs" | "draft-blogs" | "liked-blogs" | "saved-blogs") =>
  async (who: Person, { id, author }: Place) =>
    has((await who.api.blogs.byAuthor.query({ username: author.username, tab })).blogs, id);
const inProfile =
  (list: "blogs" | "likeBlogs" | "saveBlogs") =>
  async (who: Person, { id, author }: Place) =>
    has((await rest(who, "GET", `/users/${author.username}`)).user[list], id);
const ownComment = (who: Person, place: Place, index: number) =>
  place.comments.get(who.id ?? "")?.[index] ?? "";
const editComment = async (who: Person, id: string) =>
  (await who.api.comments.edit.mutate({ id, text: `Edited: ${newId()}` })).id === id;
const removeComment = async (who: Person, id: string) =>
  (await who.api.comments.remove.mutate({ id })).commentIds.includes(id);

/** The blog itself for who may not remove it; one made for it where its author does. */
const toRemove = async (who: Person, { id, author, flags }: Place): Promise<string> =>
  who === author ? (await author.api.blogs.create.mutate(aBlog(flags))).id : id;

/** From before everything, so that whoever may listen hears at once, and whoever may not has much to hear. */
const beginning = async () => `${(await reader.api.blogs.list.query({})).cursor.split(".")[0]}.0`;

/** Whether this is told of the topic by the time that all there was has been told; otherwise nothing is but that it is gone. */
async function hearsOf(who: Person, topic: TopicName, kind: LiveEvent["kind"]): Outcome {
  const heard = followTopics(who.browser, [topic], await beginning());
  await heard.live();
  heard.stop();
  if (heard.events(kind).length > 0) return true;
  expect(heard.kinds().filter((said) => !said.endsWith(" gone"))).toEqual([]);
  return false;
}

async function followFeed(who: Person, { author, flags }: Place): Outcome {
  const heard = followTopics(who.browser, ["feed"], (await reader.api.blogs.list.query({})).cursor);
  const { id } = await author.api.blogs.create.mutate(aBlog(flags));
  const known = await reader.api.blogs.create.mutate(aBlog());
  await until(
    () => heard.events("blog.published").some(({ blogId }) => blogId === known.id),
    "the public blog",
  );
  await Promise.all([
    author.api.blogs.remove.mutate({ id }),
    reader.api.blogs.remove.mutate({ id: known.id }),
  ]);
  heard.stop();
  return heard.events("blog.published").some(({ blogId }) => blogId === id);
}

async function followBySse(who: Person, { id }: Place): Outcome {
  const end = new AbortController();
  const input = encodeURIComponent(JSON.stringify({ topics: [`blog:${id}`], since: await beginning() }));
  const response = await who.browser.fetch(`/trpc/live.follow?input=${input}`, {
    headers: { accept: "text/event-stream" },
    signal: end.signal,
  });
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    if (text.includes(`"kind":"at"`)) break;
  }
  end.abort();
  if (text.includes(`"kind":"comment.created"`)) return true;
  expect(text.match(/"kind":"[^"]+"/g)).toEqual([`"kind":"gone"`, `"kind":"at"`]);
  return false;
}

async function askSince(who: Person, { id }: Place): Outcome {
  const asked = { topics: [`blog:${id}`], since: await beginning() };
  const { told } = await who.api.live.since.query(asked);
  const said = told.map(({ event }) => event.kind);
  expect(said.at(-1)).toBe("at");
  if (said.includes("comment.created")) return true;
  expect(said).toEqual(["gone", "at"]);
  return false;
}

const noticed = (who: Person, { slug }: Place) =>
  who.api.social.notices
    .query()
    .then(({ notices }) => notices.some(({ kind, blog }) => kind === "reply" && blog?.slug === slug));

const fetches = async (who: Person, { src }: Picture): Outcome => {
  const { status } = await who.browser.fetch(src);
  if (status !== 200) throw new Refused(status, src);
  return true;
};

const blogActs: Record<string, (who: Person, place: Place) => Outcome> = {
  "GET /media/{id}: its cover": (who, { pictures: [cover] }) => fetches(who, cover),
  "GET /media/{id}: in its text": (who, { pictures: [, picture] }) => fetches(who, picture),
  "blogs.bySlug": async (who, { slug }) => (await who.api.blogs.bySlug.query({ slug })).html.includes("Owls"),
  "blogs.card": async (who, { id }) => (await who.api.blogs.card.query({ id })).id === id,
  "blogs.list": async (who, { id }) => has((await who.api.blogs.list.query({})).blogs, id),
  "blogs.list: most liked": async (who, { id }) =>
    has((await who.api.blogs.list.query({ sort: "likes" })).blogs, id),
  "blogs.search": async (who, { id, word }) =>
    has((await who.api.blogs.search.query({ query: word })).blogs, id),
  "blogs.recommended": async (who, { id }) => has((await who.api.blogs.recommended.query()).blogs, id),
  "blogs.byAuthor": inTab("blogs"),
  "blogs.byAuthor: private": inTab("private-blogs"),
  "blogs.byAuthor: drafts": inTab("draft-blogs"),
  "blogs.byAuthor: liked": inTab("liked-blogs"),
  "blogs.byAuthor: saved": inTab("saved-blogs"),
  "blogs.mine": async (who, { id }) => has((await who.api.blogs.mine.query({})).blogs, id),
  "blogs.forEdit": async (who, { slug }) =>
    (await who.api.blogs.forEdit.query({ slug })).document !== undefined,
  "blogs.update": async (who, { id }) =>
    (await who.api.blogs.update.mutate({ id, description: newId() })).id === id,
  "blogs.remove": async (who, place) =>
    (await who.api.blogs.remove.mutate({ id: await toRemove(who, place) })).message !== "",
  "live.follow: the open blog": (who, { id }) => hearsOf(who, `blog:${id}`, "comment.created"),
  "live.follow: its card": (who, { id }) => hearsOf(who, `card:${id}`, "blog.counted"),
  "live.follow: its address": (who, { slug }) => hearsOf(who, `address:${slug}`, "back"),
  "live.follow: server-sent events": followBySse,
  "live.since": askSince,
  "live.follow: who is at it": (who, { id }) => hearsOf(who, `presence:${id}`, "presence"),
  "live.follow: being at it": async (who, { id }) => {
    const heard = followTopics(who.browser, [`reading:${id}:${newId()}`]);
    await heard.live();
    heard.stop();
    return heard.events("gone").length === 0;
  },
  "live.follow: the feed": followFeed,
  "live.follow: what is liked": async (who, { id }) => {
    const heard = followTopics(who.browser, ["likes"], await beginning());
    await heard.live();
    heard.stop();
    return heard.events("blog.ranked").some(({ blogId }) => blogId === id);
  },
  "comments.list": async (who, { id, reader: said }) =>
    has((await who.api.comments.list.query({ blogId: id, including: said[0]! })).comments, said[0]!),
  "comments.replies": async (who, { id, reader: said }) =>
    (await who.api.comments.replies.query({ blogId: id, rootId: said[0]! })).cursor !== "",
  "comments.countReplies": async (who, { reader: said }) =>
    (await who.api.comments.countReplies.query({ id: said[0]! })).repliesCount >= 0,
  "comments.create": async (who, place) =>
    (await who.api.comments.create.mutate(aComment(place))).blogId === place.id,
  "comments.create: a reply": async (who, place) =>
    (await who.api.comments.create.mutate(aComment(place, { parentId: place.reader[0]! }))).parentId ===
    place.reader[0],
  "comments.replying: it is told": async (who, { id }) =>
    (await who.api.comments.replying.mutate({ blogId: id })).told,
  "comments.edit: one's own": (who, place) => editComment(who, ownComment(who, place, 0)),
  "comments.edit: the author's": (who, place) => editComment(who, ownComment(place.author, place, 0)),
  "comments.edit: a reader's": (who, place) => editComment(who, place.reader[0]!),
  "comments.remove: one's own": (who, place) => removeComment(who, ownComment(who, place, 1)),
  "comments.remove: the author's": (who, place) => removeComment(who, ownComment(place.author, place, 0)),
  "comments.remove: a reader's": async (who, place) => {
    const outcome = await removeComment(who, place.reader[1]!);
    // Whoever may see that there is one, and comes after the one who may remove it, finds one there again.
    const isOpen = place.author === authorOf("public") && !place.flags.private && !place.flags.draft;
    if (who === place.author && isOpen)
      place.reader[1] = (await reader.api.comments.create.mutate(aComment({ id: place.id }))).id;
    return outcome;
  },
  "comments.like": async (who, { reader: said }) =>
    (await who.api.comments.like.mutate({ id: said[0]!, liked: true })).liked,
  "social.likeBlog": async (who, { id, author }) => {
    const { liked } = await who.api.social.likeBlog.mutate({ blogId: id, liked: true });
    // What is liked or saved is recommended no more.
    if (who !== author) await who.api.social.likeBlog.mutate({ blogId: id, liked: false });
    return liked;
  },
  "social.saveBlog": async (who, { id, author }) => {
    const { saved } = await who.api.social.saveBlog.mutate({ blogId: id, saved: true });
    if (who !== author) await who.api.social.saveBlog.mutate({ blogId: id, saved: false });
    return saved;
  },
  "social.notices: of a reply there": noticed,

  "GET /blogs": async (who, { id }) => has((await rest(who, "GET", "/blogs?limit=50")).blogs, id),
  "GET /blogs: most liked": async (who, { id }) =>
    has((await rest(who, "GET", "/blogs?limit=50&sort=likes")).blogs, id),
  "GET /search-blogs": async (who, { id, word }) =>
    has((await rest(who, "GET", `/search-blogs?search=${word}`)).blogs, id),
  "GET /recommended": async (who, { id }) => has((await rest(who, "GET", "/recommended")).blogs, id),
  "GET /blogs/{blogId}": async (who, { slug }) =>
    (await rest(who, "GET", `/blogs/${slug}`)).blog.content.includes("Owls"),
  "GET /blogs/{blogId}: by its id": async (who, { id }) =>
    (await rest(who, "GET", `/blogs/${id}`)).blog._id === id,
  "GET /blogs/{blogId}: by cookie": async (who, { slug, id }) =>
    (
      await rest({ ...who, rest: new ApiClient(town) }, "GET", `/blogs/${slug}`, undefined, {
        cookie: who.browser.cookie,
      })
    ).blog._id === id,
  "GET /blogs/{blogId}: signed out": async (who, { slug, id }) =>
    (
      await rest({ ...who, rest: new ApiClient(town, "null") }, "GET", `/blogs/${slug}`, undefined, {
        cookie: who.browser.cookie,
      })
    ).blog._id === id,
  "GET /blogs/user/{userId}": async (who, { id, author }) =>
    has((await rest(who, "GET", `/blogs/user/${author.id}`)).blogs, id),
  "GET /users/{username}: blogs": inProfile("blogs"),
  "GET /users/{username}: liked": inProfile("likeBlogs"),
  "GET /users/{username}: saved": inProfile("saveBlogs"),
  "PATCH /blogs/{blogId}": async (who, { slug, id }) => {
    const form = new FormData();
    form.append("description", newId());
    return (await rest(who, "PATCH", `/blogs/${slug}`, form)).blog._id === id;
  },
  "PATCH /blogs/{blogId}: by cookie": async (who, { slug }) =>
    Boolean(
      await rest({ ...who, rest: new ApiClient(town) }, "PATCH", `/blogs/${slug}`, new FormData(), {
        cookie: who.browser.cookie,
        origin: town.url,
      }),
    ),
  "DELETE /blogs/{blogId}": async (who, place) =>
    (await rest(who, "DELETE", `/blogs/${await toRemove(who, place)}`)).message !== "",
  "POST /blogs/like/{blogId}": (who, { id }) =>
    twice(() => rest(who, "POST", `/blogs/like/${id}`, {}), "isLiked"),
  "PATCH /save-blog/{blogId}": (who, { id }) =>
    twice(() => rest(who, "PATCH", `/save-blog/${id}`), "isSaved"),
  "POST /blogs/comment/{blogId}": async (who, { id }) =>
    (await rest(who, "POST", `/blogs/comment/${id}`, { comment: "Yes." })).comment.comment === "Yes.",
  "POST /comment/{commentId}/{blogId}": async (who, { id, reader: said }) =>
    (await rest(who, "POST", `/comment/${said[0]}/${id}`, { reply: "Yes." })).reply.parentComment === said[0],
  "PATCH /blogs/like-comment/{commentId}": async (who, { reader: said }) =>
    typeof (await rest(who, "PATCH", `/blogs/like-comment/${said[0]}`, {})).isLiked === "boolean",
  "PATCH /blogs/edit-comment/{commentId}": async (who, { reader: said }) =>
    Boolean(await rest(who, "PATCH", `/blogs/edit-comment/${said[0]}`, { updatedCommentContent: "Mine." })),
  "DELETE /blogs/comment/{commentId}": async (who, place) =>
    (await rest(who, "DELETE", `/blogs/comment/${ownComment(who, place, 2)}`)).message !== "",

  "/": (who, { slug }) => shows(who, "/", link(slug), slug),
  "/home": (who, { slug }) => shows(who, "/home", link(slug), slug),
  "/home: most liked": (who, { slug }) => shows(who, "/home?sort=likes", link(slug), slug),
  "/search": (who, { slug, word }) => shows(who, `/search?q=${word}`, link(slug), slug),
  "/blog/:slug": (who, { slug }) => shows(who, `/blog/${slug}`, "Owls, mostly."),
  "/edit/:slug": (who, { slug, word }) => shows(who, `/edit/${slug}`, "Edit your blog", `On the ${word}`),
  "/my-blogs": (who, { slug }) => shows(who, "/my-blogs", link(slug), slug),
  "/notifications: of a reply there": (who, { slug }) =>
    shows(who, "/notifications", `href="/blog/${slug}#`, slug),
  "/:username": (who, { slug, author }) => shows(who, `/${author.username}`, link(slug), slug),
  "/:username/:tab: private-blogs": (who, { slug, author }) =>
    shows(who, `/${author.username}/private-blogs`, link(slug), slug),
  "/:username/:tab: draft-blogs": (who, { slug, author }) =>
    shows(who, `/${author.username}/draft-blogs`, link(slug), slug),
  "/:username/:tab: liked-blogs": (who, { slug, author }) =>
    shows(who, `/${author.username}/liked-blogs`, link(slug), slug),
  "/:username/:tab: saved-blogs": (who, { slug, author }) =>
    shows(who, `/${author.username}/saved-blogs`, link(slug), slug),
};

/** A toggle there and back again. */
async function twice(toggle: () => Promise<Record<string, unknown>>, flag: string): Outcome {
  const [first, second] = [await toggle(), await toggle()];
  return first[flag] === !second[flag];
}

const followed = { following: "w", requested: "a", follow: "n", self: "n" } as const;

/** Follows, says how that went, and puts everything back. */
async function tryToFollow(who: Person, author: Author, act: () => Promise<keyof typeof followed>): Outcome {
  const before = (await who.api.users.profile.query({ username: author.username })).follow;
  const status = await act();
  const isWanted = before === "following" || before === "requested";
  if (!isWanted) await who.api.social.follow.mutate({ userId: author.id, follow: false });
  return followed[status];
}

/** Accepts the asker in somebody's name, who is dropped and asks again where that worked. */
async function answerRequest(author: Author, act: (requesterId: string) => Promise<unknown>): Outcome {
  const asker = people.private[2] as Author;
  await act(asker.id);
  await author.api.social.removeFollower.mutate({ userId: asker.id });
  await asker.api.social.follow.mutate({ userId: author.id, follow: true });
  return true;
}

async function withFollowersHidden<T>(author: Author, act: () => Promise<T>): Promise<T> {
  await author.api.users.updateSettings.mutate({ showFollowers: false });
  try {
    return await act();
  } finally {
    await author.api.users.updateSettings.mutate({ showFollowers: true });
  }
}

const profileOf = async (who: Person, author: Author) =>
  (await rest(who, "GET", `/users/${author.username}`)).user;
const theFollower = () => people.public[3] as Author;
const theAsker = () => people.public[2] as Author;

async function peoplePage(who: Person, path: string, name: string): Outcome {
  const page = await open(who, path);
  if ("to" in page) return "u";
  if (page.html.includes(messages.followersHidden)) {
    expect(page.html).not.toContain(name);
    return "f";
  }
  return page.html.includes(name);
}

const accountActs: Record<string, (who: Person, author: Author) => Outcome> = {
  "GET /media/{id}: its owner's picture": async (who, { browser, api }) => {
    const picture = await upload(browser);
    await api.users.updateProfile.mutate({ pictureId: picture.id });
    return fetches(who, picture);
  },
  "GET /media/{id}: in a form of theirs": async (who, { browser }) => fetches(who, await upload(browser)),
  "users.profile": async (who, { username }) =>
    (await who.api.users.profile.query({ username })).closed ? "c" : "y",
  "users.search": async (who, { id, username }) =>
    has((await who.api.users.search.query({ query: username })).people, id),
  "live.follow: that somebody likes it": followOwn,
  "users.revokeSession: the account's": async (who, { id }) => {
    const { handle } = await town.app.parts.sessions.begin(id, "a phone");
    return (await who.api.users.revokeSession.mutate({ handle })).message !== "";
  },
  "social.people: followers": async (who, { username }) =>
    has((await who.api.social.people.query({ username, list: "followers" })).people, theFollower().id),
  "social.people: following": async (who, { username }) =>
    has((await who.api.social.people.query({ username, list: "following" })).people, reader.me.id),
  "social.people: followers not shown": (who, author) =>
    withFollowersHidden(author, async () =>
      has(
        (await who.api.social.people.query({ username: author.username, list: "followers" })).people,
        theFollower().id,
      ),
    ),
  "social.follow": (who, author) =>
    tryToFollow(
      who,
      author,
      async () => (await who.api.social.follow.mutate({ userId: author.id, follow: true })).status,
    ),
  "social.requests: who asked": async (who) =>
    has((await who.api.social.requests.query()).requests, theAsker().id),
  "social.handleRequest": (who, author) =>
    answerRequest(author, (requesterId) =>
      who.api.social.handleRequest.mutate({ requesterId, action: "accept" }),
    ),
  "social.restoreRequest": async (who) => {
    const asker = people.private[2] as Author;
    const requesterId = asker.id;
    const holder = authorOf("private");
    await holder.api.social.handleRequest.mutate({ requesterId, action: "reject" });
    try {
      await who.api.social.restoreRequest.mutate({ userId: requesterId });
    } finally {
      await asker.api.social.follow.mutate({ userId: holder.id, follow: true });
    }
    return true;
  },
  "social.removeFollower": async (who, author) => {
    const fan = theFollower();
    await who.api.social.removeFollower.mutate({ userId: fan.id });
    const { follow } = await fan.api.users.profile.query({ username: author.username });
    if (follow === "following") return false;
    await fan.api.social.follow.mutate({ userId: author.id, follow: true });
    if (author === authorOf("private"))
      await author.api.social.handleRequest.mutate({ requesterId: fan.id, action: "accept" });
    return true;
  },

  "GET /users/{username}": async (who, author) =>
    (await profileOf(who, author)).blogs.length > 0 ? "y" : "c",
  "GET /users/{username}: followers": async (who, author) =>
    has((await profileOf(who, author)).followers, theFollower().id),
  // A follower finds themselves alone there (tests/integration/rest.test.ts).
  "GET /users/{username}: not shown": (who, author) =>
    withFollowersHidden(author, async () => has((await profileOf(who, author)).followers, theFollower().id)),
  "GET /users/{username}: who asked": async (who, author) =>
    has((await profileOf(who, author)).followRequests, theAsker().id),
  "GET /search-users": async (who, { id, username }) =>
    has((await rest(who, "GET", `/search-users?search=${username}`)).users, id),
  "PATCH /follow/{userId}": async (who, author) => {
    // A toggle: who stands as they would be put is put back first.
    if (who.id && who !== author) await who.api.social.follow.mutate({ userId: author.id, follow: false });
    const { status } = await rest(who, "PATCH", `/follow/${author.id}`, {});
    if (who !== theFollower() && who !== theAsker())
      await who.api.social.follow.mutate({ userId: author.id, follow: false });
    if (who === theAsker() && status === "following")
      await who.api.social.follow.mutate({ userId: author.id, follow: false });
    if (who === theFollower() && status === "requested")
      await author.api.social.handleRequest.mutate({ requesterId: theFollower().id, action: "accept" });
    return followed[status as keyof typeof followed];
  },
  "PATCH /handle-follow-request": (who, author) =>
    answerRequest(author, (requesterId) =>
      rest(who, "PATCH", "/handle-follow-request", { requesterId, action: "accept" }),
    ),
  "PATCH /users/{userId}": async (who, { id }) =>
    (await rest(who, "PATCH", `/users/${id}`, { bio: newId() })).message !== "",

  "/search: people": (who, { username }) =>
    shows(who, `/search?q=${username}&tab=people`, `href="/${username}"`),
  "/:username": async (who, { username }) => {
    const page = await open(who, `/${username}`);
    if ("to" in page) return "r";
    return page.html.includes("This user&#x27;s blogs are private.")
      ? "c"
      : page.html.includes(`href="/blog/`)
        ? "y"
        : "n";
  },
  "/followers/:person": (who, { username }) => peoplePage(who, `/followers/${username}`, ">Follower<"),
  "/following/:person": (who, { username }) => peoplePage(who, `/following/${username}`, ">Reader<"),
  // Of the name alone a page's own bar has one, its reader's.
  "/requests: who asked": (who) => shows(who, "/requests", ">Accept<"),
};

async function followOwn(who: Person, author: Author): Outcome {
  const blogId = blogs.get(`${author === authorOf("public") ? "public" : "private"} public`)!.id;
  const heard = followTopics(who.browser, ["me"], (await reader.api.blogs.list.query({})).cursor);
  if (!who.id) {
    const error = (await until(() => heard.state.error)) as { data?: { code?: string } };
    expect(heard.frames).toEqual([]);
    if (error.data?.code === "UNAUTHORIZED") throw new Refused(401, "");
  }
  await reader.api.social.likeBlog.mutate({ blogId, liked: true });
  await reader.api.social.likeBlog.mutate({ blogId, liked: false });
  const { cursor } = await reader.api.blogs.list.query({});
  town.app.parts.bus.ring([userTopic(who.id ?? "")]);
  await heard.at(cursor);
  heard.stop();
  return heard.events("notification.created").length > 0;
}

/** An account of its own with a session in a browser and a token, for what ends one; a guest for a guest. */
async function spare(who: Person): Promise<Person> {
  const browser = town.browser();
  if (!who.id) return { browser, api: browser.api, rest: new ApiClient(town), id: undefined };
  const id = newId();
  const now = Date.now();
  await town.write((tx) =>
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
    await town.app.parts.sessions.begin(id, "a browser"),
    await town.app.parts.sessions.begin(id, "a client"),
  ];
  browser.cookie = session.cookie.split(";")[0]!;
  return { browser, api: browser.api, rest: new ApiClient(town, other.token), id };
}

/** Signs up somebody new as this person's browser would, and gives the token of the mail. */
async function newcomer(kind: "verify-email" | "reset-password"): Promise<{ email: string; token: string }> {
  const email = `${newId()}@example.org`;
  await reader.api.users.signUp.mutate({ name: "New", email, password });
  if (kind === "reset-password") await reader.api.users.forgotPassword.mutate({ email });
  return { email, token: await town.mailedToken(email, kind) };
}

/** Somebody of the same standing, whose session a sign-in may end. */
const copyOf = async (who: Person) => (await spare(who)).api;
const isGone = (id: string | undefined) => town.rows(`select id from users where id = '${id}'`).length === 0;

const aloneActs: Record<string, (who: Person) => Outcome> = {
  "blogs.create": async (who) => {
    const { id } = await who.api.blogs.create.mutate(aBlog());
    return (await who.api.blogs.remove.mutate({ id })).message !== "";
  },
  "blogs.stats": async (who) => (await who.api.blogs.stats.query()).blogs >= 0,
  "social.readNotices": async (who) => (await who.api.social.readNotices.mutate({})).unread === 0,
  "social.ties": async (who) => {
    const { followers, following } = await who.api.social.ties.query();
    return ![...followers, ...following].includes(who.id ?? "");
  },
  "users.site": async (who) => (await who.api.users.site.query()).name === "Reprise",
  "users.me": async (who) => (await who.api.users.me.query())?.id === (who.id ?? ""),
  "users.sessions": async (who) =>
    (await who.api.users.sessions.query()).sessions.some(({ current }) => current),
  "users.signUp": async (who) =>
    (await who.api.users.signUp.mutate({ name: "New", email: `${newId()}@example.org`, password }))
      .message !== "",
  "users.verifyEmail": async (who) =>
    (await who.api.users.verifyEmail.mutate({ token: (await newcomer("verify-email")).token })).message !==
    "",
  "users.resendVerification": async (who) =>
    (await who.api.users.resendVerification.mutate({ email: reader.email })).message !== "",
  "users.forgotPassword": async (who) =>
    (await who.api.users.forgotPassword.mutate({ email: reader.email })).message !== "",
  "users.resetPassword": async (who) =>
    (
      await who.api.users.resetPassword.mutate({
        token: (await newcomer("reset-password")).token,
        password: "another password",
      })
    ).message !== "",
  "users.signIn": async (who) =>
    (await (await copyOf(who)).users.signIn.mutate({ email: reader.email, password })).viewer.id ===
    reader.me.id,
  "users.signOut": async (who) => {
    const twin = await spare(who);
    await twin.api.users.signOut.mutate();
    return (await twin.api.users.me.query()) === null;
  },
  "users.revokeOtherSessions": async (who) => {
    const twin = await spare(who);
    await twin.api.users.revokeOtherSessions.mutate();
    return (
      (await twin.rest.call("GET", "/recommended")).status === 401 &&
      (await twin.api.users.me.query())?.id === twin.id
    );
  },
  "users.updateProfile": async (who) =>
    (await who.api.users.updateProfile.mutate({ bio: "Trees." })).id === who.id,
  "users.updateSettings": async (who) =>
    (await who.api.users.updateSettings.mutate({ showLikedBlogs: true })).id === who.id,
  "users.remove": async (who) => {
    const twin = await spare(who);
    await twin.api.users.remove.mutate({ password });
    return isGone(twin.id);
  },
  "users.mailRemoval": async (who) => (await who.api.users.mailRemoval.mutate()).message !== "",
  "users.removeByMail: another's": async (who) => {
    const twin = await spare(people.public[1]!);
    await twin.api.users.mailRemoval.mutate();
    const token = await town.mailedToken(`${twin.id}@example.org`, "delete-account");
    await who.api.users.removeByMail.mutate({ token });
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
    (await rest(who, "GET", `/verify-email/${(await newcomer("verify-email")).token}`)).message !== "",
  "POST /resend-verification": async (who) =>
    (await rest(who, "POST", "/resend-verification", { email: reader.email })).message !== "",
  "POST /forgot-password": async (who) =>
    (await rest(who, "POST", "/forgot-password", { email: reader.email })).message !== "",
  "POST /reset-password": async (who) =>
    (
      await rest(who, "POST", "/reset-password", {
        token: (await newcomer("reset-password")).token,
        password: "another password",
      })
    ).message !== "",
  "POST /signin": async (who) =>
    (await rest(who, "POST", "/signin", { email: reader.email, password })).user._id === reader.me.id,
  "POST /signout": async (who) => {
    const twin = await spare(who);
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
    const twin = await spare(who);
    await rest(twin, "DELETE", "/delete-account");
    return isGone(twin.id);
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
      "/docs",
      "/docs/api",
      "/nobody-of-this-name",
    ].map((path) => [path, (who: Person) => opens(who, path)]),
  ),
  "/verify-email/:token": (who) => opens(who, "/verify-email/any"),
  "/reset-password/:token": (who) => opens(who, "/reset-password/any"),
  "/delete-account/:token": (who) => opens(who, "/delete-account/any"),
};

const letters: Record<string, string> = {
  NOT_FOUND: "n",
  FORBIDDEN: "f",
  UNAUTHORIZED: "u",
  BAD_REQUEST: "b",
  404: "n",
  403: "f",
  401: "u",
  400: "b",
};

/** The letter of an attempt; anything unforeseen stands there in full. */
async function letter(attempt: () => Outcome): Promise<string> {
  try {
    const outcome = await attempt();
    return typeof outcome === "string" ? outcome : outcome ? "y" : "n";
  } catch (error) {
    const code = error instanceof Refused ? error.status : (error as { data?: { code?: string } }).data?.code;
    return letters[code ?? ""] ?? `(${code ?? ""} ${String(error)})`;
  }
}

async function rowFor(expected: string, attempts: (() => Outcome)[]): Promise<string> {
  let found = "";
  for (const [index, attempt] of attempts.entries())
    found += expected[index] === "-" ? "-" : await letter(attempt);
  return found;
}

describe("with a blog:", () => {
  test.each(rowsOf(withABlog))("$act", async ({ act, cells }) => {
    const found: string[] = [];
    for (const [column, place] of places.entries()) {
      const blog = blogs.get(place)!;
      found.push(
        await rowFor(
          cells[column]!,
          people[place.split(" ")[0] as Account].map((who) => () => blogActs[act]!(who, blog)),
        ),
      );
    }
    expect(found.join(" ")).toBe(cells.join(" "));
  });
});

describe("with an account:", () => {
  test.each(rowsOf(withAnAccount))("$act", async ({ act, cells }) => {
    const found: string[] = [];
    for (const [column, account] of (["public", "private"] as const).entries())
      found.push(
        await rowFor(
          cells[column]!,
          people[account].map((who) => () => accountActs[act]!(who, authorOf(account))),
        ),
      );
    expect(found.join(" ")).toBe(cells.join(" "));
  });
});

describe("alone:", () => {
  test.each(rowsOf(alone))("$act", async ({ act, cells }) => {
    expect(
      await rowFor(
        cells[0]!,
        people.public.map((who) => () => aloneActs[act]!(who)),
      ),
    ).toBe(cells[0]);
  });
});

describe("the table", () => {
  const all = [...rowsOf(withABlog), ...rowsOf(withAnAccount), ...rowsOf(alone)];
  const named = new Set(all.map(({ act }) => (act.split(":")[0] === "" ? act : act.replace(/: .*/, ""))));

  test("has a cell for everybody", () => {
    for (const { act, cells } of all) {
      expect([6, 2, 1], act).toContain(cells.length);
      for (const cell of cells) expect(cell, act).toHaveLength(roles.length);
    }
  });

  test("has every procedure", () => {
    expect(Object.keys(appRouter._def.procedures).filter((name) => !named.has(name))).toEqual([]);
  });

  test("says in every answer of a procedure where it was read, and in none of the API", () => {
    const asked = Object.entries(
      appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>,
    )
      .filter(([, { _def }]) => _def.type !== "subscription")
      .map(([name]) => [name, []]);
    expect(Object.fromEntries(unplaced)).toEqual(Object.fromEntries(asked));
    expect(misplaced).toEqual([]);
  });

  test("has every call of the API", async () => {
    const { paths } = (await (await fetch(`${town.url}/api/v1/openapi.json`)).json()) as {
      paths: Record<string, Record<string, unknown>>;
    };
    const calls = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace("/api/v1", "")}`),
    );
    expect(calls.length).toBeGreaterThan(30);
    expect(calls.filter((call) => !named.has(call))).toEqual([]);
  });

  test("has every page", () => {
    expect(pages.map(({ path }) => path).filter((path) => !named.has(path))).toEqual([]);
  });
});
