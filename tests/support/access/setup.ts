import { expect } from "vitest";
import { hashPassword } from "../../../src/server/auth/passwords.ts";
import { insertPending } from "../../../src/server/comments/pending-queries.ts";
import { newId } from "../../../src/server/runtime/ids.ts";
import { jpegPath } from "../../../src/shared/cards.ts";
import { feedFiles } from "../../../src/shared/feeds.ts";
import type { LiveEvent, TopicName } from "../../../src/shared/live.ts";
import { ApiClient, type Answer } from "../api-client.ts";
import { readEventsStart } from "../events-start.ts";
import type { Target } from "../../../src/shared/moderation.ts";
import type { Picture } from "../../../src/shared/blogs.ts";
import { anEntry } from "../live-blogs.ts";
import { upload } from "../pictures.ts";
import {
  aBlog,
  aComment,
  followTopics,
  password,
  startTestSite,
  until,
  type Browser,
  type SignedInBrowser,
  type TestSite,
} from "../test-site.ts";

export type Account = "public" | "private";
const kinds = ["public", "private", "draft"] as const;
export const blogKeys = (["public", "private"] as const).flatMap((account) =>
  kinds.map((kind) => `${account} ${kind}` as const),
);
export const roles = ["guest", "stranger", "asker", "follower", "dropped", "author", "admin"] as const;

interface Row {
  action: string;
  cells: string[];
}
/** Parses the rows of a permission table; `width` is the number of letters in a cell. */
export const rowsOf = (table: string, width = 7): Row[] =>
  table
    .trim()
    .split(/\n\s*/)
    .flatMap((line) => {
      const [, action = "", cells = ""] =
        new RegExp(`^(.+?)\\s+((?:[ynufbrcwa-]{${width}}\\s*)+)$`).exec(line) ?? [];
      if (line !== "" && action === "") throw new Error(`This row can't be read: ${line}`);
      return action === "" ? [] : [{ action, cells: cells.trim().split(/\s+/) }];
    });

/** A person with a browser and a client of the REST API. */
export interface Person {
  browser: Browser;
  api: Browser["api"];
  rest: ApiClient;
  /** Undefined for a guest. */
  id: string | undefined;
}
export interface Author extends Person {
  id: string;
  username: string;
}
export interface TestBlog {
  id: string;
  slug: string;
  /** A word that occurs only in its title. */
  word: string;
  flags: { draft: boolean; private: boolean };
  author: Author;
  /** Its cover, a picture in its text and one in its entry. */
  pictures: [Picture, Picture, Picture];
  /** The id of an entry by its author. */
  entry: string;
  /** Comments of each person, by id, from before the restrictions: to edit, to remove, to remove over REST. */
  comments: Map<string, string[]>;
  reader: string[];
}

export let testSite: TestSite;
export let reader: SignedInBrowser;
export let sparePassword: string;
export let people: Record<Account, Person[]>;
export const blogs = new Map<string, TestBlog>();
/** People who followed both authors and commented before a block, by who blocked or muted whom. */
export const peopleWithBlocks = {} as Record<"blocked" | "blocking" | "muting" | "friend", Person>;
/** Co-authors, invited and removed ones of each blog: they follow no one. */
export const peopleByCoAuthorRole = {} as Record<"coAuthor" | "invited" | "removed", Author>;
/** Makes a person a co-author, an invited or a removed one of a blog. */
export async function setCoAuthorRole(
  { id, author }: TestBlog,
  person: Author,
  as: keyof typeof peopleByCoAuthorRole,
): Promise<void> {
  await author.api.blogs.inviteAuthor.mutate({ id, username: person.username });
  if (as !== "invited") await person.api.blogs.answerInvitation.mutate({ id, accept: true });
  if (as === "removed") await author.api.blogs.removeAuthor.mutate({ id, userId: person.id });
}
/** Commented on both authors' blogs and follows neither. */
export let commenterWithoutFollow: Person;
/** Limits both authors, or ends the limit. */
export async function limitAuthors(limited: boolean): Promise<void> {
  for (const account of ["public", "private"] as const) {
    const userId = authorOf(account).id;
    await people.public[6]!.api.moderation.limit.mutate({ userId, limited });
  }
}

export const authorOf = (account: Account): Author => people[account][5] as Author;
const personOf = async (browser: SignedInBrowser): Promise<Author> => ({
  browser,
  api: browser.api,
  rest: await ApiClient.of(testSite, browser),
  id: browser.me.id,
  username: browser.me.username,
});

/** tRPC results without a cursor, by procedure; and paths of REST responses that have one. */
export const resultsWithoutCursor = new Map<string, unknown[]>();
export const pathsWithCursor: string[] = [];
const plainFetch = globalThis.fetch;

/** Checks every response. */
async function checkedFetch(...args: Parameters<typeof fetch>): Promise<Response> {
  const response = await plainFetch(...args);
  const { pathname } = new URL(String(args[0] instanceof Request ? args[0].url : args[0]));
  if (pathname.startsWith("/api/v1/") && /"cursor":/.test(await response.clone().text()))
    pathsWithCursor.push(pathname);
  if (!pathname.startsWith("/trpc/") || !/json/.test(response.headers.get("content-type") ?? ""))
    return response;
  const answers = [(await response.clone().json()) as unknown].flat() as { result?: { data?: unknown } }[];
  for (const [index, name] of pathname.slice("/trpc/".length).split(",").entries()) {
    const answer = answers[index]?.result;
    // No one is signed in, which is null.
    if (!answer || (answer.data === null && name === "users.me")) continue;
    const results = resultsWithoutCursor.get(name) ?? [];
    resultsWithoutCursor.set(name, results);
    if (!/^[\w-]+\.\d+$/.test((answer.data as { cursor?: string } | undefined)?.cursor ?? ""))
      results.push(answer.data);
  }
  return response;
}

/** Signs everyone up, and creates the content to be read. */
export async function setUpPeople(): Promise<void> {
  globalThis.fetch = checkedFetch;
  testSite = await startTestSite();
  sparePassword = await hashPassword(password);
  // The first account of a site is its administrator.
  const boss = await testSite.createAccount("Boss");
  expect((await boss.api.users.me.query())?.isAdmin).toBe(true);
  const [stranger, requester, follower, formerFollower, publicAuthor, privateAuthor, someone] =
    (await Promise.all(
      ["Stranger", "Asker", "Follower", "Dropped", "Open", "Closed", "Reader"].map((name) =>
        testSite.createAccount(name),
      ),
    )) as [
      SignedInBrowser,
      SignedInBrowser,
      SignedInBrowser,
      SignedInBrowser,
      SignedInBrowser,
      SignedInBrowser,
      SignedInBrowser,
    ];
  reader = someone;
  const [admin, ...others] = await Promise.all(
    [boss, stranger, requester, follower, formerFollower].map(personOf),
  );
  const guest: Person = {
    browser: testSite.browser(),
    api: testSite.browser().api,
    rest: new ApiClient(testSite),
    id: undefined,
  };
  people = {
    public: [guest, ...others, await personOf(publicAuthor), admin!],
    private: [guest, ...others, await personOf(privateAuthor), admin!],
  };
  peopleWithBlocks.blocked = await personOf(await testSite.createAccount("Blocked"));
  peopleWithBlocks.blocking = await personOf(await testSite.createAccount("Blocking"));
  peopleWithBlocks.muting = await personOf(await testSite.createAccount("Muting"));
  peopleWithBlocks.friend = await personOf(await testSite.createAccount("Friend"));
  commenterWithoutFollow = await personOf(await testSite.createAccount("Passer"));
  for (const [name, as] of [
    ["Companion", "coAuthor"],
    ["Invited", "invited"],
    ["Removed", "removed"],
  ] as const)
    peopleByCoAuthorRole[as] = await personOf(await testSite.createAccount(name));
  const words = ["alder", "birch", "cedar", "damson", "elder", "fir"];
  for (const account of ["public", "private"] as const) {
    const author = authorOf(account);
    for (const kind of kinds)
      blogs.set(
        `${account} ${kind}`,
        await createTestBlog(
          [
            ...people[account].slice(1),
            ...Object.values(peopleWithBlocks),
            ...Object.values(peopleByCoAuthorRole),
            commenterWithoutFollow,
          ],
          author,
          words.shift()!,
          kind,
        ),
      );
    for (const person of [follower, formerFollower, reader, ...(Object.values(peopleWithBlocks) as Author[])])
      await person.api.social.follow.mutate({ userId: author.id, follow: true });
    await author.api.social.follow.mutate({ userId: reader.me.id, follow: true });
    for (const kind of kinds)
      for (const [as, person] of Object.entries(peopleByCoAuthorRole))
        await setCoAuthorRole(
          blogs.get(`${account} ${kind}`)!,
          person,
          as as keyof typeof peopleByCoAuthorRole,
        );
    if (account === "private") {
      await author.api.users.updateSettings.mutate({ private: true });
      expect(await requester.api.social.follow.mutate({ userId: author.id, follow: true })).toMatchObject({
        status: "requested",
      });
    }
    await author.api.social.removeFollower.mutate({ userId: formerFollower.me.id });
    await author.api.social.block.mutate({ userId: peopleWithBlocks.blocked.id!, blocked: true });
    await peopleWithBlocks.muting.api.social.mute.mutate({ userId: author.id, muted: true });
    await peopleWithBlocks.blocking.api.social.block.mutate({ userId: author.id, blocked: true });
  }
}

export async function tearDownPeople(): Promise<void> {
  globalThis.fetch = plainFetch;
  await testSite[Symbol.asyncDispose]();
}

/** Creates a public blog with comments and replies by all, liked and saved by its author, and then sets its visibility. */
async function createTestBlog(
  commenters: Person[],
  author: Author,
  word: string,
  kind: (typeof kinds)[number],
): Promise<TestBlog> {
  const [cover, picture, pictureOfEntry] = [
    await upload(author.browser),
    await upload(author.browser),
    await upload(author.browser),
  ];
  const { content } = aBlog().document;
  const withPicture = ({ src }: Picture) => ({
    type: "doc",
    content: [...content, { type: "paragraph", content: [{ type: "image", attrs: { src } }] }],
  });
  const document = withPicture(picture);
  const { id, slug } = await author.api.blogs.create.mutate(
    aBlog({ title: `On the ${word}`, coverId: cover.id, document }),
  );
  const postComment = async (person: Pick<Person, "api">, parentId: string | null = null) =>
    (await person.api.comments.create.mutate(aComment({ id }, { parentId }))).id;
  const postThree = (person: Pick<Person, "api">) =>
    Promise.all([postComment(person), postComment(person), postComment(person)]);
  const comments = new Map<string, string[]>();
  for (const person of commenters) comments.set(person.id ?? "", await postThree(person));
  for (const [first] of comments.values()) await postComment(reader, first);
  const byReader = await postThree(reader);
  await author.api.social.likeBlog.mutate({ blogId: id, liked: true });
  await author.api.social.saveBlog.mutate({ blogId: id, saved: true });
  await author.api.blogs.setLive.mutate({ id, live: true });
  const entry = anEntry({ id }, { document: withPicture(pictureOfEntry) });
  await author.api.blogs.postEntry.mutate(entry);
  const flags = { draft: kind === "draft", private: kind === "private" };
  if (kind !== "public") await author.api.blogs.update.mutate({ id, ...flags });
  const pictures: TestBlog["pictures"] = [cover, picture, pictureOfEntry];
  return { id, slug, word, flags, author, pictures, entry: entry.id, comments, reader: byReader };
}

/** Inserts a pending comment by the reader. */
export async function insertPendingComment(blog: TestBlog): Promise<string> {
  const id = newId();
  const { id: authorId } = reader.me;
  await testSite.write((tx) =>
    insertPending(tx, {
      id,
      blogId: blog.id,
      parentId: null,
      authorId,
      text: "May I?",
      createdAt: Date.now(),
    }),
  );
  return id;
}

/** The result: a letter, or whether the content is there. Refusals are thrown. */
export type Outcome = Promise<string | boolean>;

export class Refused extends Error {
  readonly status: number;
  constructor(status: number, detail: string) {
    super(`${status} ${detail}`);
    this.status = status;
  }
}

export async function rest(
  person: Person,
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
): Promise<Answer["body"]> {
  const answer = await person.rest.call(method, path, body, headers);
  if (answer.status !== 200) throw new Refused(answer.status, JSON.stringify(answer.body));
  expect(answer.body.success, path).toBe(true);
  return answer.body;
}

/** Fetches a page: its HTML, whole and without the data for the script, or the address it redirects to. */
export async function fetchPage(
  person: Person,
  path: string,
): Promise<{ html: string; whole: string } | { to: string }> {
  const response = await person.browser.fetch(path);
  const to = response.headers.get("location");
  if (to !== null) return { to };
  const whole = await response.text();
  if (response.status !== 200) throw new Refused(response.status, path);
  return { whole, html: whole.replace(/<script type="application\/json"[^]*?<\/script>/g, "") };
}

/** Returns the text at an address that is public or absent for everyone. */
export async function textAt(person: Person, path: string): Promise<string> {
  const answer = await person.browser.fetch(path);
  if (answer.status !== 200) throw new Refused(answer.status, path);
  return answer.text();
}

/** Returns whether a page shows this text. Otherwise expects it nowhere in the document, the script's data included. */
export async function isTextShown(person: Person, path: string, text: string, absentText = text): Outcome {
  const page = await fetchPage(person, path);
  if ("to" in page) return page.to.startsWith("/signin") ? "u" : "r";
  const isShown = page.html.includes(text);
  if (!isShown) expect(page.whole, `${path} holds what it does not show`).not.toContain(absentText);
  return isShown;
}

/** Opens a page without an owner: whether it is there, or where it redirects. */
export async function isPageShown(person: Person, path: string): Outcome {
  const page = await fetchPage(person, path);
  return "to" in page ? (page.to.startsWith("/signin") ? "u" : "r") : page.html.includes("<h1");
}

export const includesId = (list: { id?: string; _id?: string }[], id: string): boolean =>
  list.some((item) => (item.id ?? item._id) === id);
export const link = (slug: string) => `href="/blog/${slug}"`;

/** Returns whether a blog is in a feed, in all formats or in none; `{file}` is replaced by the format's file name. */
export const inFeed = (address: (blog: TestBlog) => string) => async (person: Person, blog: TestBlog) => {
  const inclusions = await Promise.all(
    feedFiles.map(async (file) => {
      const answer = await person.browser.fetch(address(blog).replace("{file}", file));
      return (await answer.text()).includes(`/blog/${blog.slug}`);
    }),
  );
  expect(new Set(inclusions).size).toBe(1);
  return inclusions[0] === true;
};

export const inTab =
  (tab: "blogs" | "private-blogs" | "draft-blogs" | "liked-blogs" | "saved-blogs") =>
  async (person: Person, { id, author }: TestBlog) =>
    includesId((await person.api.blogs.byAuthor.query({ username: author.username, tab })).blogs, id);
export const inProfile =
  (list: "blogs" | "likeBlogs" | "saveBlogs") =>
  async (person: Person, { id, author }: TestBlog) =>
    includesId((await rest(person, "GET", `/users/${author.username}`)).user[list], id);
export const ownComment = (person: Person, blog: TestBlog, index: number) =>
  blog.comments.get(person.id ?? "")?.[index] ?? "";
export const editComment = async (person: Person, id: string) =>
  (await person.api.comments.edit.mutate({ id, text: `Edited: ${newId()}` })).id === id;
export const removeComment = async (person: Person, id: string) =>
  (await person.api.comments.remove.mutate({ id })).commentIds.includes(id);

export const reports = async (person: Person, target: Target): Outcome =>
  (await person.api.moderation.report.mutate({ ...target, reason: "other" })).message !== "";

/** Returns the blog's id for people who cannot remove it, and that of a new one for its author. */
export const removableBlogId = async (person: Person, { id, author, flags }: TestBlog): Promise<string> =>
  person === author ? (await author.api.blogs.create.mutate(aBlog(flags))).id : id;

/** The cursor of the stream's beginning: with access events arrive at once, without access there are many to leak. */
export const firstCursor = async () => `${(await reader.api.blogs.list.query({})).cursor.split(".")[0]}.0`;

/** Returns whether the topic has this event before the first checkpoint; otherwise expects nothing but `accessLost`. */
export async function receivesEvent(person: Person, topic: TopicName, kind: LiveEvent["kind"]): Outcome {
  const subscription = followTopics(person.browser, [topic], await firstCursor());
  await subscription.waitForStart();
  subscription.stop();
  if (subscription.events(kind).length > 0) return true;
  expect(subscription.kinds().filter((eventKind) => !eventKind.endsWith(" accessLost"))).toEqual([]);
  return false;
}

export async function followFeed(person: Person, { author, flags }: TestBlog): Outcome {
  const subscription = followTopics(person.browser, ["feed"], (await reader.api.blogs.list.query({})).cursor);
  const { id } = await author.api.blogs.create.mutate(aBlog(flags));
  const laterBlog = await reader.api.blogs.create.mutate(aBlog());
  await until(
    () => subscription.events("blog.published").some(({ blogId }) => blogId === laterBlog.id),
    "the public blog",
  );
  await Promise.all([
    author.api.blogs.remove.mutate({ id }),
    reader.api.blogs.remove.mutate({ id: laterBlog.id }),
  ]);
  subscription.stop();
  return subscription.events("blog.published").some(({ blogId }) => blogId === id);
}

export async function followBySse(person: Person, { id }: TestBlog): Outcome {
  const input = encodeURIComponent(JSON.stringify({ topics: [`blog:${id}`], since: await firstCursor() }));
  const fetch = person.browser.fetch.bind(person.browser);
  const text = await readEventsStart(`/trpc/live.follow?input=${input}`, { fetch });
  if (text.includes(`"kind":"comment.created"`)) return true;
  expect(text.match(/"kind":"[^"]+"/g)).toEqual([`"kind":"accessLost"`, `"kind":"checkpoint"`]);
  return false;
}

export const hasReplyNotification = (person: Person, { slug }: TestBlog) =>
  person.api.social.notifications
    .query()
    .then(({ notifications }) =>
      notifications.some(({ kind, blog }) => kind === "reply" && blog?.slug === slug),
    );

export const canFetchPicture = async (person: Person, { id, src }: Picture): Outcome => {
  const { status } = await person.browser.fetch(src);
  expect((await person.browser.fetch(jpegPath(id))).status).toBe(status);
  if (status !== 200) throw new Refused(status, src);
  return true;
};
