import { expect } from "vitest";
import { hashPassword } from "../../../src/server/auth/passwords.ts";
import { insertPending } from "../../../src/server/comments/pending-queries.ts";
import { newId } from "../../../src/server/ids.ts";
import { feedFiles } from "../../../src/shared/feeds.ts";
import type { LiveEvent, TopicName } from "../../../src/shared/live.ts";
import { ApiClient, type Answer } from "../api-client.ts";
import type { Target } from "../../../src/shared/moderation.ts";
import type { Picture } from "../../../src/shared/blogs.ts";
import { upload } from "../pictures.ts";
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
} from "../town.ts";

export type Account = "public" | "private";
const kinds = ["public", "private", "draft"] as const;
export const places = (["public", "private"] as const).flatMap((account) =>
  kinds.map((kind) => `${account} ${kind}` as const),
);
export const roles = ["guest", "stranger", "asker", "follower", "dropped", "author", "admin"] as const;

interface Row {
  act: string;
  cells: string[];
}
/** `width`: letters of a cell. */
export const rowsOf = (table: string, width = 7): Row[] =>
  table
    .trim()
    .split(/\n\s*/)
    .flatMap((line) => {
      const [, act = "", cells = ""] =
        new RegExp(`^(.+?)\\s+((?:[ynufbrcwa-]{${width}}\\s*)+)$`).exec(line) ?? [];
      if (line !== "" && act === "") throw new Error(`This row can't be read: ${line}`);
      return act === "" ? [] : [{ act, cells: cells.trim().split(/\s+/) }];
    });

/** Somebody with everything they can ask by: a browser, and a client of the API. */
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
export interface Place {
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

export let town: Town;
export let reader: Resident;
export let sparePassword: string;
export let people: Record<Account, Person[]>;
export const blogs = new Map<string, Place>();
/** Who followed both authors and spoke at theirs before there was a block: by whom, is their name. */
export const walled = {} as Record<"blocked" | "blocking" | "muting" | "friend", Person>;
/** Who writes each blog with its author, is invited to, or was taken out: they follow nobody. */
export const beside = {} as Record<"coAuthor" | "invited" | "removed", Author>;
/** Has somebody stand so to a blog. */
export async function bringBeside(
  { id, author }: Place,
  who: Author,
  as: keyof typeof beside,
): Promise<void> {
  await author.api.blogs.inviteAuthor.mutate({ id, username: who.username });
  if (as !== "invited") await who.api.blogs.answerInvitation.mutate({ id, accept: true });
  if (as === "removed") await author.api.blogs.removeAuthor.mutate({ id, userId: who.id });
}
/** Who spoke at both authors' and follows neither. */
export let passer: Person;
/** Leaves both authors to their followers, or lets everybody see them again. */
export async function limitAuthors(limited: boolean): Promise<void> {
  for (const account of ["public", "private"] as const) {
    const userId = authorOf(account).id;
    await people.public[6]!.api.moderation.limit.mutate({ userId, limited });
  }
}

export const authorOf = (account: Account): Author => people[account][5] as Author;
const personOf = async (browser: Resident): Promise<Author> => ({
  browser,
  api: browser.api,
  rest: await ApiClient.of(town, browser),
  id: browser.me.id,
  username: browser.me.username,
});

/** By the name of a procedure, the answers that don't say where they were read; by its address, calls of the API that do. */
export const unplaced = new Map<string, unknown[]>();
export const misplaced: string[] = [];
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

/** Everybody moves in, and writes what is there to be read. */
export async function moveEverybodyIn(): Promise<void> {
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
  walled.blocked = await personOf(await town.resident("Blocked"));
  walled.blocking = await personOf(await town.resident("Blocking"));
  walled.muting = await personOf(await town.resident("Muting"));
  walled.friend = await personOf(await town.resident("Friend"));
  passer = await personOf(await town.resident("Passer"));
  for (const [name, as] of [
    ["Companion", "coAuthor"],
    ["Invited", "invited"],
    ["Removed", "removed"],
  ] as const)
    beside[as] = await personOf(await town.resident(name));
  const words = ["alder", "birch", "cedar", "damson", "elder", "fir"];
  for (const account of ["public", "private"] as const) {
    const author = authorOf(account);
    for (const kind of kinds)
      blogs.set(
        `${account} ${kind}`,
        await prepare(
          [...people[account].slice(1), ...Object.values(walled), ...Object.values(beside), passer],
          author,
          words.shift()!,
          kind,
        ),
      );
    for (const fan of [follower, dropped, reader, ...(Object.values(walled) as Author[])])
      await fan.api.social.follow.mutate({ userId: author.id, follow: true });
    await author.api.social.follow.mutate({ userId: reader.me.id, follow: true });
    for (const kind of kinds)
      for (const [as, who] of Object.entries(beside))
        await bringBeside(blogs.get(`${account} ${kind}`)!, who, as as keyof typeof beside);
    if (account === "private") {
      await author.api.users.updateSettings.mutate({ private: true });
      expect(await asker.api.social.follow.mutate({ userId: author.id, follow: true })).toMatchObject({
        status: "requested",
      });
    }
    await author.api.social.removeFollower.mutate({ userId: dropped.me.id });
    await author.api.social.block.mutate({ userId: walled.blocked.id!, blocked: true });
    await walled.muting.api.social.mute.mutate({ userId: author.id, muted: true });
    await walled.blocking.api.social.block.mutate({ userId: author.id, blocked: true });
  }
}

export async function moveEverybodyOut(): Promise<void> {
  globalThis.fetch = plainFetch;
  await town[Symbol.asyncDispose]();
}

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

/** A comment of the reader's that waits to be let in. */
export async function heldBelow(place: Place): Promise<string> {
  const id = newId();
  const { id: authorId } = reader.me;
  await town.write((tx) =>
    insertPending(tx, {
      id,
      blogId: place.id,
      parentId: null,
      authorId,
      text: "May I?",
      createdAt: Date.now(),
    }),
  );
  return id;
}

/** What came of it: a letter, or whether it is there. Refusals are thrown. */
export type Outcome = Promise<string | boolean>;

export class Refused extends Error {
  readonly status: number;
  constructor(status: number, detail: string) {
    super(`${status} ${detail}`);
    this.status = status;
  }
}

export async function rest(
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

/** A page as somebody's browser gets it: its HTML, whole and without what the script takes over, or where it leads. */
export async function open(
  who: Person,
  path: string,
): Promise<{ html: string; whole: string } | { to: string }> {
  const response = await who.browser.fetch(path);
  const to = response.headers.get("location");
  if (to !== null) return { to };
  const whole = await response.text();
  if (response.status !== 200) throw new Refused(response.status, path);
  return { whole, html: whole.replace(/<script type="application\/json"[^]*?<\/script>/g, "") };
}

/** Whether a page shows this. What is not shown is nowhere in the document either, its data for the script included. */
export async function shows(who: Person, path: string, text: string, never = text): Outcome {
  const page = await open(who, path);
  if ("to" in page) return page.to.startsWith("/signin") ? "u" : "r";
  const shown = page.html.includes(text);
  if (!shown) expect(page.whole, `${path} holds what it does not show`).not.toContain(never);
  return shown;
}

/** A page that belongs to nobody: that it is there, or where it leads. */
export async function opens(who: Person, path: string): Outcome {
  const page = await open(who, path);
  return "to" in page ? (page.to.startsWith("/signin") ? "u" : "r") : page.html.includes("<h1");
}

export const has = (list: { id?: string; _id?: string }[], id: string): boolean =>
  list.some((one) => (one.id ?? one._id) === id);
export const link = (slug: string) => `href="/blog/${slug}"`;

/** Whether a blog is in a feed, in all formats or in none; `{file}` stands for the format's. */
export const fedBy = (address: (place: Place) => string) => async (who: Person, place: Place) => {
  const found = await Promise.all(
    feedFiles.map(async (file) => {
      const answer = await who.browser.fetch(address(place).replace("{file}", file));
      return (await answer.text()).includes(`/blog/${place.slug}`);
    }),
  );
  expect(new Set(found).size).toBe(1);
  return found[0] === true;
};

export const inTab =
  (tab: "blogs" | "private-blogs" | "draft-blogs" | "liked-blogs" | "saved-blogs") =>
  async (who: Person, { id, author }: Place) =>
    has((await who.api.blogs.byAuthor.query({ username: author.username, tab })).blogs, id);
export const inProfile =
  (list: "blogs" | "likeBlogs" | "saveBlogs") =>
  async (who: Person, { id, author }: Place) =>
    has((await rest(who, "GET", `/users/${author.username}`)).user[list], id);
export const ownComment = (who: Person, place: Place, index: number) =>
  place.comments.get(who.id ?? "")?.[index] ?? "";
export const editComment = async (who: Person, id: string) =>
  (await who.api.comments.edit.mutate({ id, text: `Edited: ${newId()}` })).id === id;
export const removeComment = async (who: Person, id: string) =>
  (await who.api.comments.remove.mutate({ id })).commentIds.includes(id);

export const reports = async (who: Person, target: Target): Outcome =>
  (await who.api.moderation.report.mutate({ ...target, reason: "other" })).message !== "";

/** The blog itself for who may not remove it; one made for it where its author does. */
export const toRemove = async (who: Person, { id, author, flags }: Place): Promise<string> =>
  who === author ? (await author.api.blogs.create.mutate(aBlog(flags))).id : id;

/** From before everything, so that whoever may listen hears at once, and whoever may not has much to hear. */
export const beginning = async () => `${(await reader.api.blogs.list.query({})).cursor.split(".")[0]}.0`;

/** Whether this is told of the topic by the time that all there was has been told; otherwise nothing is but that it is gone. */
export async function hearsOf(who: Person, topic: TopicName, kind: LiveEvent["kind"]): Outcome {
  const heard = followTopics(who.browser, [topic], await beginning());
  await heard.live();
  heard.stop();
  if (heard.events(kind).length > 0) return true;
  expect(heard.kinds().filter((said) => !said.endsWith(" accessLost"))).toEqual([]);
  return false;
}

export async function followFeed(who: Person, { author, flags }: Place): Outcome {
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

export async function followBySse(who: Person, { id }: Place): Outcome {
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
    if (text.includes(`"kind":"checkpoint"`)) break;
  }
  end.abort();
  if (text.includes(`"kind":"comment.created"`)) return true;
  expect(text.match(/"kind":"[^"]+"/g)).toEqual([`"kind":"accessLost"`, `"kind":"checkpoint"`]);
  return false;
}

export async function askSince(who: Person, { id }: Place): Outcome {
  const asked = { topics: [`blog:${id}`], since: await beginning() };
  const { messages } = await who.api.live.since.query(asked);
  const said = messages.map(({ event }) => event.kind);
  expect(said.at(-1)).toBe("checkpoint");
  if (said.includes("comment.created")) return true;
  expect(said).toEqual(["accessLost", "checkpoint"]);
  return false;
}

export const noticed = (who: Person, { slug }: Place) =>
  who.api.social.notifications
    .query()
    .then(({ notifications }) =>
      notifications.some(({ kind, blog }) => kind === "reply" && blog?.slug === slug),
    );

export const fetches = async (who: Person, { src }: Picture): Outcome => {
  const { status } = await who.browser.fetch(src);
  if (status !== 200) throw new Refused(status, src);
  return true;
};
