import { postComment } from "../../src/server/comments/service.ts";
import { newId } from "../../src/server/ids.ts";
import { likeBlog } from "../../src/server/social/service.ts";
import { resident, type BuiltTown } from "./build-town.ts";
import { couldRead } from "./likes.ts";
import { seededRandom } from "./random.ts";
import { blogs, liveLines, people, type DemoLine } from "./town.ts";

/** Milliseconds between two things that happen; about half as long at most. */
const pace = 2_500;

/** Lets people of the town comment and like until it is told to stop. Where a line's blog is being talked about, the talk goes on there. */
export function liveOn(town: BuiltTown, onError: (error: unknown) => void): () => void {
  const random = seededRandom(Date.now());
  const queues = new Map<string, DemoLine[]>();
  for (const line of liveLines) {
    const title = line.blogTitle ?? "";
    queues.set(title, [...(queues.get(title) ?? []), line]);
  }
  const lastSaid = new Map<string, string>();
  const forAny = queues.get("") ?? [];
  // The blogs a newcomer meets first are the ones that are talked about first.
  const talkedAbout = [...queues.keys()].filter(Boolean).sort((one, other) => daysAgo(one) - daysAgo(other));
  let timer: NodeJS.Timeout;

  const act = async () => {
    const title = talkedAbout[Math.floor(random() ** 2 * Math.min(4, talkedAbout.length))];
    const blogId = town.blogIds.get(title ?? "");
    if (title === undefined && forAny.length > 0) return sayAnywhere(town, forAny, random);
    if (title === undefined || blogId === undefined || random() < 0.35) return likeSomething(town, random);
    const queue = queues.get(title) ?? [];
    const line = queue.shift();
    if (queue.length === 0) talkedAbout.splice(talkedAbout.indexOf(title), 1);
    if (!line) return;
    const id = newId();
    const parentId = line.isAnswer ? (lastSaid.get(title) ?? null) : null;
    await postComment(resident(town.residents, line.author), { id, blogId, parentId, text: line.text });
    lastSaid.set(title, id);
  };
  const next = () => {
    timer = setTimeout(() => void act().catch(onError).finally(next), pace * (0.5 + random()));
    timer.unref();
  };
  next();
  return () => clearTimeout(timer);
}

/** When all that belongs to one blog is said, what fits any is. */
async function sayAnywhere(town: BuiltTown, lines: DemoLine[], random: () => number): Promise<void> {
  const line = lines.shift();
  const person = people.find(({ username }) => username === line?.author);
  const readable = blogs.filter((blog) => person && couldRead(person, blog)).slice(0, 12);
  const blogId = town.blogIds.get(readable[Math.floor(random() * readable.length)]?.title ?? "");
  if (line && blogId)
    await postComment(resident(town.residents, line.author), {
      id: newId(),
      blogId,
      parentId: null,
      text: line.text,
    });
}

async function likeSomething(town: BuiltTown, random: () => number): Promise<void> {
  const recent = blogs.filter((blog) => !blog.draft && blog.daysAgo < 12);
  const blog = recent[Math.floor(random() * recent.length)];
  const readers = blog ? people.filter((person) => !person.sample && couldRead(person, blog)) : [];
  const reader = readers[Math.floor(random() * readers.length)];
  const blogId = blog && town.blogIds.get(blog.title);
  if (!blogId || !reader) return;
  await likeBlog(resident(town.residents, reader.username), { blogId, liked: random() < 0.7 });
}

const daysAgo = (title: string) => blogs.find((blog) => blog.title === title)?.daysAgo ?? Infinity;
