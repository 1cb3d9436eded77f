import { readFile } from "node:fs/promises";
import { importFrom } from "../../src/server/imports/import-posts.ts";
import { openSource } from "../../src/server/imports/kinds.ts";
import { importedBlog } from "../../src/server/imports/queries.ts";
import { actingAs } from "../../src/server/accounts/acting-as.ts";
import { likeComment, postComment } from "../../src/server/comments/service.ts";
import type { MemberContext, Services } from "../../src/server/context.ts";
import { newId } from "../../src/server/runtime/ids.ts";
import { addBytes } from "../../src/server/media/service.ts";
import { makeModerator } from "../../src/server/moderation/actions.ts";
import { report } from "../../src/server/moderation/reports.ts";
import { readNotifications } from "../../src/server/notifications/service.ts";
import { follow, handleRequest } from "../../src/server/follows/service.ts";
import { likeBlog, saveBlog } from "../../src/server/likes/service.ts";
import { updateSettings } from "../../src/server/accounts/settings.ts";
import { addAccount } from "../../src/server/sign-in/sign-up.ts";
import { setSiteSetting } from "../../src/server/site/queries.ts";
import { updateProfile } from "../../src/server/profiles/edit-profile.ts";
import { reactions } from "./likes.ts";
import { tellFirstHalf } from "./match.ts";
import { matchTitle } from "./match-data.ts";
import { resident, type Residents } from "./residents.ts";
import {
  blogs,
  ageOfData,
  people,
  reports,
  threads,
  type DemoBlog,
  type DemoPerson,
  type DemoReply,
} from "./demo-data.ts";

/** The password of all demo accounts, shown on the demo's sign-in page and used nowhere else. */
export const password = "write inspire repeat";

const day = 24 * 60 * 60 * 1000;

export interface DemoSite {
  residents: Residents;
  /** Blog ids by title. */
  blogIds: Map<string, string>;
  /** The id of the first comment below each blog, by its title. */
  firstCommentIds: Map<string, string>;
}

/** The number of blogs after which people can begin to read, like and comment; the others follow meanwhile. */
const firstBatchSize = 12;

interface Progress {
  /** Called when the accounts exist. */
  onPeople?: () => void;
  /** Called when the newest blogs exist and can be read and commented on. */
  onFirstBlogs?: (site: DemoSite) => void;
}

/**
 * Fills an empty database with the demo, the newest blogs first, through the same services as a request. Resolves when all is
 * there.
 */
export async function buildDemoSite(
  services: Services,
  { onPeople, onFirstBlogs }: Progress = {},
): Promise<DemoSite> {
  const now = Date.now();
  const residents = new Map(
    await Promise.all(
      people.map(async (person) => [person.username, await createDemoAccount(services, person)] as const),
    ),
  );
  // Visitors of the demo have nothing to set up.
  await services.database.write(async (tx) => {
    await setSiteSetting(tx, "setup", "hidden");
    await setSiteSetting(tx, "securityContact", "hello@reprise.example");
  });
  await appointModerators(residents);
  onPeople?.();
  await createFollows(residents);
  const site: DemoSite = { residents, blogIds: new Map(), firstCommentIds: new Map() };
  const reactionsByTitle = new Map(reactions().map((reaction) => [reaction.blogTitle, reaction]));
  const addBlog = async (blog: DemoBlog) => {
    const blogId = await importBlog(resident(residents, blog.author), blog, now);
    if (blog.title === matchTitle) await tellFirstHalf(residents, blogId, now);
    for (const { blogTitle, ...thread } of threads) {
      if (blogTitle !== blog.title) continue;
      const time = { from: now - blog.daysAgo * day, to: now };
      const commentId = await postThread(residents, blogId, thread, null, time);
      if (!site.firstCommentIds.has(blogTitle)) site.firstCommentIds.set(blogTitle, commentId);
    }
    const { likedBy = [], savedBy = [] } = reactionsByTitle.get(blog.title) ?? {};
    await Promise.all(
      likedBy.map((username) => likeBlog(resident(residents, username), { blogId, liked: true })),
    );
    await Promise.all(
      savedBy.map((username) => saveBlog(resident(residents, username), { blogId, saved: true })),
    );
    site.blogIds.set(blog.title, blogId);
  };
  const newestFirst = blogs.toSorted((one, other) => one.daysAgo - other.daysAgo);
  await runConcurrently(newestFirst.slice(0, firstBatchSize), addBlog);
  onFirstBlogs?.(site);
  await runConcurrently(newestFirst.slice(firstBatchSize), addBlog);
  // Visitors find some new notifications only: those from here on.
  for (const { username } of people) await readNotifications(resident(residents, username));
  await askToFollow(residents);
  await sendReports(site);
  return site;
}

async function appointModerators(residents: Residents): Promise<void> {
  const admin = people.find((person) => person.admin);
  for (const { username } of people.filter(({ moderator }) => moderator))
    await makeModerator(resident(residents, admin?.username ?? ""), {
      userId: resident(residents, username).viewer.id,
      moderator: true,
    });
}

/** Reports what waits for the moderator. */
async function sendReports({ residents, blogIds, firstCommentIds }: DemoSite): Promise<void> {
  for (const { by, blog, comment, profile, reason, body } of reports) {
    const [kind, id] = blog
      ? (["blog", blogIds.get(blog)] as const)
      : comment
        ? (["comment", firstCommentIds.get(comment)] as const)
        : (["profile", resident(residents, profile ?? "").viewer.id] as const);
    if (id === undefined) throw new Error(`${by} reports something that is not in the demo site.`);
    await report(resident(residents, by), { kind, id, reason, body });
  }
}

async function createDemoAccount(services: Services, person: DemoPerson): Promise<MemberContext> {
  const { id } = await addAccount(services, {
    name: person.name,
    email: person.email,
    username: person.username,
    password,
    isAdmin: person.admin,
  });
  const ctx: MemberContext = { ...actingAs(services, id), transport: "local" };
  const pictureId = person.pictureFile ? (await addBytes(ctx, await readFile(person.pictureFile))).id : null;
  await updateProfile(ctx, { bio: person.bio, pictureId });
  const { showLikedBlogs, showSavedBlogs, showFollowers, interests } = person;
  await updateSettings(ctx, {
    private: person.private,
    showLikedBlogs,
    showSavedBlogs,
    showFollowers,
    interests,
  });
  return ctx;
}

async function createFollows(residents: Residents): Promise<void> {
  const memberOf = (username: string) => resident(residents, username);
  for (const person of people) {
    for (const username of person.follows) {
      const { status } = await follow(memberOf(person.username), {
        userId: memberOf(username).viewer.id,
        follow: true,
      });
      if (status === "requested")
        await handleRequest(memberOf(username), {
          requesterId: memberOf(person.username).viewer.id,
          action: "accept",
        });
    }
  }
}

async function askToFollow(residents: Residents): Promise<void> {
  for (const { username, requests } of people) {
    for (const requested of requests)
      await follow(resident(residents, username), {
        userId: resident(residents, requested).viewer.id,
        follow: true,
      });
  }
}

async function importProblems(author: MemberContext, { folder }: DemoBlog, now: number) {
  const source = await openSource({ kind: "markdown", file: folder });
  try {
    return (await importFrom(author, source, { dateOffsetMs: ageOfData(now) })).problems;
  } finally {
    await source.close();
  }
}

async function importBlog(author: MemberContext, demoBlog: DemoBlog, now: number): Promise<string> {
  const { file } = demoBlog;
  const problems = await importProblems(author, demoBlog, now);
  const blog = await importedBlog(author.database.read, author.viewer.id, file);
  if (!blog?.blogId || problems.length > 0)
    throw new Error(
      `${file} did not come in as it stands: ${problems.map(({ problem }) => problem).join(" ")}`,
    );
  return blog.blogId;
}

/** Posts a comment and its replies, each some time after the one before, all in the past. Returns the comment's id. */
async function postThread(
  residents: Residents,
  blogId: string,
  comment: DemoReply,
  parentId: string | null,
  time: { from: number; to: number },
): Promise<string> {
  const author = resident(residents, comment.author);
  const id = newId();
  const createdAt = time.from + (time.to - time.from) * (0.04 + 0.2 * fractionOf(comment.text));
  await postComment(
    author,
    { id, blogId, parentId, text: comment.text },
    { createdAt: Math.round(createdAt) },
  );
  for (const username of comment.likedBy)
    await likeComment(resident(residents, username), { id, liked: true });
  for (const reply of comment.replies)
    await postThread(residents, blogId, reply, id, { from: createdAt, to: time.to });
  return id;
}

/** Returns a number from 0 to 1 that depends on the text alone: times vary, but are the same in every run. */
function fractionOf(text: string): number {
  let sum = 7;
  for (let index = 0; index < text.length; index++) sum = (sum * 31 + text.charCodeAt(index)) % 9973;
  return sum / 9973;
}

/** Runs four at a time: pictures keep the cores busy while the database waits for the disk. */
async function runConcurrently<Item>(items: Item[], work: (item: Item) => Promise<unknown>): Promise<void> {
  const remaining = [...items];
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      for (let item = remaining.shift(); item; item = remaining.shift()) await work(item);
    }),
  );
}
