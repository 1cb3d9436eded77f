import { postComment } from "../../src/server/comments/service.ts";
import { newId } from "../../src/server/runtime/ids.ts";
import { likeBlog } from "../../src/server/likes/service.ts";
import type { DemoSite } from "./build-demo-site.ts";
import { canRead } from "./likes.ts";
import { seededRandom } from "./random.ts";
import { resident } from "./residents.ts";
import { blogs, liveLines, people, type DemoLine } from "./demo-data.ts";

/** The average pause between two actions in milliseconds; each is 0.5 to 1.5 times as long. */
const averagePauseMs = 2_500;

/** Lets people comment and like until the returned function is called. */
export function startDemoActivity(site: DemoSite, onError: (error: unknown) => void): () => void {
  const random = seededRandom(Date.now());
  const queues = new Map<string, DemoLine[]>();
  for (const line of liveLines) {
    const title = line.blogTitle ?? "";
    queues.set(title, [...(queues.get(title) ?? []), line]);
  }
  const lastCommentIds = new Map<string, string>();
  const generalLines = queues.get("") ?? [];
  // The newest blogs, which newcomers meet first, are discussed first.
  const titlesWithLines = [...queues.keys()]
    .filter(Boolean)
    .sort((one, other) => daysAgo(one) - daysAgo(other));
  let timer: NodeJS.Timeout;

  const act = async () => {
    const title = titlesWithLines[Math.floor(random() ** 2 * Math.min(4, titlesWithLines.length))];
    const blogId = site.blogIds.get(title ?? "");
    if (title === undefined && generalLines.length > 0) return postGeneralLine(site, generalLines, random);
    if (title === undefined || blogId === undefined || random() < 0.35) return likeSomething(site, random);
    const queue = queues.get(title) ?? [];
    const line = queue.shift();
    if (queue.length === 0) titlesWithLines.splice(titlesWithLines.indexOf(title), 1);
    if (!line) return;
    const id = newId();
    const parentId = line.isReply ? (lastCommentIds.get(title) ?? null) : null;
    await postComment(resident(site.residents, line.author), { id, blogId, parentId, text: line.text });
    lastCommentIds.set(title, id);
  };
  const scheduleNext = () => {
    timer = setTimeout(
      () => void act().catch(onError).finally(scheduleNext),
      averagePauseMs * (0.5 + random()),
    );
    timer.unref();
  };
  scheduleNext();
  return () => clearTimeout(timer);
}

/** Posts a line that fits any blog, when all lines of particular blogs are used up. */
async function postGeneralLine(site: DemoSite, lines: DemoLine[], random: () => number): Promise<void> {
  const line = lines.shift();
  const person = people.find(({ username }) => username === line?.author);
  const readable = blogs.filter((blog) => person && canRead(person, blog)).slice(0, 12);
  const blogId = site.blogIds.get(readable[Math.floor(random() * readable.length)]?.title ?? "");
  if (line && blogId)
    await postComment(resident(site.residents, line.author), {
      id: newId(),
      blogId,
      parentId: null,
      text: line.text,
    });
}

async function likeSomething(site: DemoSite, random: () => number): Promise<void> {
  const recent = blogs.filter((blog) => !blog.draft && blog.daysAgo < 12);
  const blog = recent[Math.floor(random() * recent.length)];
  const readers = blog ? people.filter((person) => !person.sample && canRead(person, blog)) : [];
  const reader = readers[Math.floor(random() * readers.length)];
  const blogId = blog && site.blogIds.get(blog.title);
  if (!blogId || !reader) return;
  await likeBlog(resident(site.residents, reader.username), { blogId, liked: random() < 0.7 });
}

const daysAgo = (title: string) => blogs.find((blog) => blog.title === title)?.daysAgo ?? Infinity;
