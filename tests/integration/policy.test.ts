import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newId } from "../../src/server/ids.ts";
import type { ProfileTab } from "../../src/shared/routes.ts";
import {
  aBlog,
  aComment,
  paragraphs,
  startTown,
  watch,
  type Browser,
  type Resident,
  type Town,
} from "../support/town.ts";

/*
 * Who may do what. One letter for each of: a guest, a stranger, somebody whose request waits, a follower, a follower who was
 * dropped, the author. `y` it works, `n` it looks absent (404, or not in the list), `f` refused (403), `u` sign in first (401),
 * `-` there is no such case. Public accounts have no requests: there the third is one more stranger.
 *
 *                             public account                  private account
 *                             public   private  draft         public   private  draft
 */
const table = `
  read                         yyyyyy   nnnyny   nnnnny        nnnyny   nnnyny   nnnnny
  find in the feed             yyyyyy   nnnyny   nnnnnn        nnnyny   nnnyny   nnnnnn
  find in the liked feed       yyyyyy   nnnyny   nnnnnn        nnnyny   nnnyny   nnnnnn
  get its card                 yyyyyy   nnnyny   nnnnny        nnnyny   nnnyny   nnnnny
  see among blogs              yyyyyy   nnnnnn   nnnnnn        nnnyny   nnnnnn   nnnnnn
  see among private blogs      fffnfn   fffyfy   fffnfn        fffnfn   fffyfy   fffnfn
  see among drafts             fffffn   fffffn   fffffy        fffffn   fffffn   fffffy
  open for editing             uffffy   unnfny   unnnny        unnfny   unnfny   unnnny
  update                       uffffy   unnfny   unnnny        unnfny   unnfny   unnnny
  remove                       uffffy   unnfny   unnnny        unnfny   unnfny   unnnny
  list comments                yyyyyy   nnnyny   nnnnny        nnnyny   nnnyny   nnnnny
  comment                      uyyyyy   unnyny   unnnnf        unnyny   unnyny   unnnnf
  reply                        uyyyyy   unnyny   unnnnf        unnyny   unnyny   unnnnf
  edit one's own comment       uyyyyy   unnyny   unnnnf        unnyny   unnyny   unnnnf
  edit the author's comment    uffffy   unnfny   unnnnf        unnfny   unnfny   unnnnf
  edit a reader's comment      ufffff   unnfnf   unnnnf        unnfnf   unnfnf   unnnnf
  remove one's own comment     uyyyyy   unnyny   unnnnf        unnyny   unnyny   unnnnf
  remove the author's comment  uffff-   unnfn-   unnnnf        unnfn-   unnfn-   unnnnf
  remove a reader's comment    uffffy   unnfny   unnnnf        unnfny   unnfny   unnnnf
  like a comment               uyyyyy   unnyny   unnnnf        unnyny   unnyny   unnnnf
  like                         uyyyyy   unnyny   unnnnf        unnyny   unnyny   unnnnf
  save                         uyyyyy   unnyny   unnnnf        unnyny   unnyny   unnnnf
  watch live                   yyyyyy   nnnyny   nnnnny        nnnyny   nnnyny   nnnnny
`;

const blogKinds = ["public", "private", "draft"] as const;
const places = ["public", "private"].flatMap((account) =>
  blogKinds.map((kind) => ({ account: account as "public" | "private", kind })),
);
const rows = table
  .trim()
  .split("\n")
  .map((line) => {
    const [, act = "", cells = ""] = /^\s*(.+?)\s{2,}(.+)$/.exec(line) ?? [];
    return { act: act as Act, cells: cells.trim().split(/\s+/) };
  });

interface Blog {
  id: string;
  slug: string;
  author: Resident;
  flags: { draft: boolean; private: boolean };
  /** Comments written while everybody could: two of each person, by their name. */
  comments: Map<Browser, [string, string]>;
  reader: [string, string];
}

/** What somebody does. Gives false where it is not there, throws where it is refused. */
const acts = {
  read: async (who, { slug }) => (await who.api.blogs.bySlug.query({ slug })).html.includes("Owls"),
  "find in the feed": (who, { id }) => inFeed(who, id, "latest"),
  "find in the liked feed": (who, { id }) => inFeed(who, id, "likes"),
  "get its card": async (who, { id }) => (await who.api.blogs.card.query({ id })).id === id,
  "see among blogs": (who, blog) => inTab(who, blog, "blogs"),
  "see among private blogs": (who, blog) => inTab(who, blog, "private-blogs"),
  "see among drafts": (who, blog) => inTab(who, blog, "draft-blogs"),
  "open for editing": async (who, { slug }) => (await who.api.blogs.forEdit.query({ slug })).version > 0,
  update: async (who, { id }) => Boolean(await who.api.blogs.update.mutate({ id, description: newId() })),
  remove: async (who, { author, flags, id: its }) => {
    const { id } = who === author ? await author.api.blogs.create.mutate(aBlog(flags)) : { id: its };
    return Boolean(await who.api.blogs.remove.mutate({ id }));
  },
  "list comments": async (who, { id, reader }) =>
    (await who.api.comments.list.query({ blogId: id })).comments.some((comment) => comment.id === reader[0]),
  comment: async (who, blog) => Boolean(await who.api.comments.create.mutate(aComment(blog))),
  reply: async (who, blog) =>
    Boolean(await who.api.comments.create.mutate(aComment(blog, { parentId: blog.reader[0] }))),
  "edit one's own comment": (who, blog) => editComment(who, blog.comments.get(who)?.[0] ?? blog.reader[0]),
  "edit the author's comment": (who, blog) => editComment(who, blog.comments.get(blog.author)?.[0]),
  "edit a reader's comment": (who, blog) => editComment(who, blog.reader[0]),
  "remove one's own comment": (who, blog) =>
    removeComment(who, blog.comments.get(who)?.[1] ?? blog.reader[0]),
  "remove the author's comment": (who, blog) => removeComment(who, blog.comments.get(blog.author)?.[0]),
  "remove a reader's comment": (who, blog) => removeComment(who, blog.reader[1]),
  "like a comment": async (who, blog) =>
    (await who.api.comments.like.mutate({ id: blog.reader[0], liked: true })).liked,
  like: async (who, { id }) => (await who.api.social.likeBlog.mutate({ blogId: id, liked: true })).liked,
  save: async (who, { id }) => (await who.api.social.saveBlog.mutate({ blogId: id, saved: true })).saved,
  "watch live": watchLive,
} satisfies Record<string, (who: Browser, blog: Blog) => Promise<boolean>>;
type Act = keyof typeof acts;

async function inFeed(who: Browser, id: string, sort: "latest" | "likes"): Promise<boolean> {
  for (let page = 1; ; page++) {
    const list = await who.api.blogs.list.query({ page, sort });
    if (list.blogs.some((blog) => blog.id === id)) return true;
    if (!list.hasMore) return false;
  }
}

async function inTab(who: Browser, { id, author }: Blog, tab: ProfileTab): Promise<boolean> {
  for (let page = 1; ; page++) {
    const list = await who.api.blogs.byAuthor.query({ username: author.me.username, tab, page });
    if (list.blogs.some((blog) => blog.id === id)) return true;
    if (!list.hasMore) return false;
  }
}

const editComment = async (who: Browser, id = "") =>
  Boolean(await who.api.comments.edit.mutate({ id, text: `Edited: ${newId()}` }));
const removeComment = async (who: Browser, id = "") => Boolean(await who.api.comments.remove.mutate({ id }));

async function watchLive(who: Browser, { id, author, flags }: Blog): Promise<boolean> {
  // From before everything, so that whoever may listen hears at once, and whoever may not has much to hear.
  const { cursor } = await who.api.blogs.list.query({});
  const heard = watch(who, id, `${cursor.split(".")[0]}.0`);
  await heard.live();
  heard.stop();
  if (heard.kinds().includes("gone")) {
    expect(heard.kinds()).toEqual(["gone"]);
    return false;
  }
  expect(flags.draft ? who === author : true).toBe(true);
  return true;
}

const letters: Record<string, string> = { NOT_FOUND: "n", FORBIDDEN: "f", UNAUTHORIZED: "u" };

async function attempt(act: Act, who: Browser, blog: Blog): Promise<string> {
  try {
    return (await acts[act](who, blog)) ? "y" : "n";
  } catch (error) {
    const code = (error as { data?: { code?: string } }).data?.code;
    return letters[code ?? ""] ?? `(${code ?? String(error)})`;
  }
}

let town: Town;
const people: Record<"public" | "private", Browser[]> = { public: [], private: [] };
const blogs = new Map<string, Blog>();

beforeAll(async () => {
  town = await startTown();
  const [stranger, asker, follower, dropped, reader] = await Promise.all(
    ["Stranger", "Asker", "Follower", "Dropped", "Reader"].map((name) => town.resident(name)),
  );
  if (!stranger || !asker || !follower || !dropped || !reader) throw new Error("Nobody came.");
  for (const account of ["public", "private"] as const) {
    const author = await town.resident(account);
    people[account] = [town.browser(), stranger, asker, follower, dropped, author];
    for (const kind of blogKinds)
      blogs.set(
        `${account} ${kind}`,
        await prepare(author, [stranger, asker, follower, dropped, author], reader, kind),
      );
    for (const fan of [follower, dropped, reader])
      await fan.api.social.follow.mutate({ userId: author.me.id, follow: true });
    if (account === "private") {
      await author.api.users.updateSettings.mutate({ private: true });
      expect(await asker.api.social.follow.mutate({ userId: author.me.id, follow: true })).toMatchObject({
        status: "requested",
      });
    }
    await author.api.social.removeFollower.mutate({ userId: dropped.me.id });
  }
});

afterAll(() => town[Symbol.asyncDispose]());

/** A blog that was public, where everybody commented, and then became what it is. */
async function prepare(
  author: Resident,
  commenters: Resident[],
  reader: Resident,
  kind: (typeof blogKinds)[number],
): Promise<Blog> {
  const { id, slug } = await author.api.blogs.create.mutate(
    aBlog({ title: `${author.me.name} ${kind}`, document: paragraphs("Owls, mostly.") }),
  );
  const say = async (who: Resident) => (await who.api.comments.create.mutate(aComment({ id }))).id;
  const two = async (who: Resident): Promise<[string, string]> => [await say(who), await say(who)];
  const comments = new Map<Browser, [string, string]>();
  for (const who of commenters) comments.set(who, await two(who));
  const flags = { draft: kind === "draft", private: kind === "private" };
  const byReader = await two(reader);
  if (kind !== "public") await author.api.blogs.update.mutate({ id, ...flags });
  return { id, slug, author, flags, comments, reader: byReader };
}

describe.each(rows)("to $act", ({ act, cells }) => {
  test.each(places.map((place, column) => ({ ...place, expected: cells[column] ?? "" })))(
    "a $kind blog of a $account account: $expected",
    async ({ account, kind, expected }) => {
      const blog = blogs.get(`${account} ${kind}`);
      if (!blog) throw new Error("There is no such blog.");
      let found = "";
      for (const [index, who] of people[account].entries())
        found += expected[index] === "-" ? "-" : await attempt(act, who, blog);
      expect(found).toBe(expected);
    },
  );
});

test("a profile shows what it has to each kind of reader", async () => {
  const seen = async (account: "public" | "private") => {
    const author = people[account].at(-1) as Resident;
    const heads = await Promise.all(
      people[account].map((who) => who.api.users.profile.query({ username: author.me.username })),
    );
    return heads.map(
      ({ tabs, closed, follow, followersCount, blogsCount }) =>
        `${tabs.map((tab) => tab.replace("-blogs", "")).join(",")} ${closed ? "closed" : "open"} ${follow} ${followersCount} ${blogsCount}`,
    );
  };
  expect(await seen("public")).toEqual([
    "blogs,liked open follow 2 1",
    "blogs,liked open follow 2 1",
    "blogs,liked open follow 2 1",
    "blogs,liked,private open following 2 1",
    "blogs,liked open follow 2 1",
    "blogs,saved,liked,draft,private open self 2 1",
  ]);
  expect(await seen("private")).toEqual([
    "blogs closed follow null null",
    "blogs closed follow null null",
    "blogs closed requested null null",
    "blogs,liked,private open following 2 1",
    "blogs closed follow null null",
    "blogs,saved,liked,draft,private open self 2 1",
  ]);
});

test("the liked and saved tabs show to each reader only what that reader may read", async () => {
  const [, stranger, , follower] = people.private;
  const fan = await town.resident("Fan");
  await fan.api.users.updateSettings.mutate({ showSavedBlogs: true, showLikedBlogs: true });
  for (const account of ["public", "private"] as const) {
    const author = people[account].at(-1) as Resident;
    await fan.api.social.follow.mutate({ userId: author.me.id, follow: true });
    if (account === "private")
      await author.api.social.handleRequest.mutate({ requesterId: fan.me.id, action: "accept" });
    for (const kind of ["public", "private"]) {
      const id = blogs.get(`${account} ${kind}`)?.id ?? "";
      await fan.api.social.likeBlog.mutate({ blogId: id, liked: true });
      await fan.api.social.saveBlog.mutate({ blogId: id, saved: true });
    }
  }
  const titles = async (who: Browser | undefined, tab: ProfileTab) =>
    (await who?.api.blogs.byAuthor.query({ username: fan.me.username, tab }))?.blogs
      .map(({ title }) => title)
      .toSorted();
  for (const tab of ["liked-blogs", "saved-blogs"] as const) {
    expect(await titles(town.browser(), tab)).toEqual(["public public"]);
    expect(await titles(stranger, tab)).toEqual(["public public"]);
    expect(await titles(follower, tab)).toEqual([
      "private private",
      "private public",
      "public private",
      "public public",
    ]);
    expect(await titles(fan, tab)).toEqual([
      "private private",
      "private public",
      "public private",
      "public public",
    ]);
  }
});
