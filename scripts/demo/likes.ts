import { seededRandom } from "./random.ts";
import { blogs, people, threads, type DemoBlog, type DemoPerson, type DemoReply } from "./demo-data.ts";

/** Who liked and who saved one blog: usernames, in order. */
export interface DemoReactions {
  blogTitle: string;
  likedBy: string[];
  savedBy: string[];
}

/** Whether this person can read the blog: drafts nobody, private ones the author's followers. False for the author. */
export function canRead(person: DemoPerson, blog: DemoBlog): boolean {
  if (blog.draft || person.username === blog.author) return false;
  const author = people.find(({ username }) => username === blog.author);
  const forFollowers = blog.private || author?.private;
  return !forFollowers || person.follows.includes(blog.author);
}

/**
 * Returns likes and saves of every blog that has any, the same on every run. A few blogs are liked by nearly everybody, most by
 * two or three people: those who follow the author or like the subject.
 */
export function reactions(seed = 16): DemoReactions[] {
  const random = seededRandom(seed);
  return blogs
    .filter((blog) => !blog.draft)
    .map((blog) => ({ blog, heat: commentsUnder(blog) + random() * 9 }))
    .toSorted((one, other) => other.heat - one.heat)
    .map(({ blog }, rank) => {
      const share = 0.95 / Math.sqrt(1 + rank * 0.7);
      const readers = people
        .filter((person) => canRead(person, blog))
        .map((person) => ({ username: person.username, pull: interestIn(person, blog) + random() * 3 }))
        .toSorted((one, other) => other.pull - one.pull)
        .map(({ username }) => username);
      return {
        blogTitle: blog.title,
        likedBy: shuffled(readers.slice(0, roundRandomly(readers.length * share, random)), random),
        savedBy: shuffled(readers, random).slice(0, roundRandomly(readers.length * share * 0.45, random)),
      };
    })
    .filter(({ likedBy, savedBy }) => likedBy.length + savedBy.length > 0);
}

function commentsUnder(blog: DemoBlog): number {
  return threads
    .filter(({ blogTitle }) => blogTitle === blog.title)
    .reduce((sum, thread) => sum + sizeOf(thread), 0);
}

function sizeOf({ replies }: DemoReply): number {
  return replies.reduce((sum, reply) => sum + sizeOf(reply), 1);
}

/** Rounds randomly up or down. */
function roundRandomly(number: number, random: () => number): number {
  return Math.floor(number + random());
}

function interestIn(person: DemoPerson, blog: DemoBlog): number {
  const shared = blog.tags.filter((tag) => person.interests.includes(tag)).length;
  return Math.min(shared, 2) + (person.follows.includes(blog.author) ? 1 : 0);
}

function shuffled<Item>(items: Item[], random: () => number): Item[] {
  return items
    .map((item) => ({ item, place: random() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ item }) => item);
}
