import { sharedRead } from "../live/shared-reads.ts";
import { anyPhrase } from "../database/full-text.ts";
import type { Connection } from "../database/connection.ts";
import type { Context } from "../context.ts";
import { blogTopic } from "../live/stored-events.ts";
import { fold, searchWords } from "../search/words.ts";
import * as queries from "./further-queries.ts";
import type { Candidate } from "./further-queries.ts";

/** A blog, by what its relations are found. */
interface Seed {
  id: string;
  authorId: string;
  title: string;
  tags: string[];
}

/** So many are kept of a blog: of them each reader is shown the first few that are for them. */
const most = 24;
/** Of each tag, and of each word of the title. */
const each = 20;
const mostTags = 6;
const mostWords = 6;
/** Shorter words tell little. */
const shortest = 4;
/** Words are looked for among so many of the newest blogs. */
const recent = 20_000;
const year = 365 * 24 * 60 * 60 * 1000;
const weights = { word: 0.5, liked: 1.2, fresh: 0.3, likes: 0.1 };

/**
 * The ids of what is related to a blog, the nearest first, of what everybody may read. The same for all who ask, so that it is
 * found once a minute at most; who may see what of it, and who wants to, is asked for each of them.
 */
export const relatedTo = async (ctx: Context, seed: Seed): Promise<string[]> =>
  sharedRead(ctx, `related ${seed.id}`, [blogTopic(seed.id)], () => findRelated(ctx.database.read, seed));

/**
 * What speaks for a blog: a tag or a word of the title that both have, the more the fewer others have it; and that the same people
 * like both. What nothing speaks for comes last, the newest first.
 */
async function findRelated(connection: Connection, seed: Seed, now = Date.now()): Promise<string[]> {
  const last = await queries.lastNumber(connection);
  const told = new Map<number, number>();
  const tell = (numbers: Iterable<number>, weight: number): void => {
    for (const number of numbers) told.set(number, (told.get(number) ?? 0) + weight);
  };
  for (const tag of seed.tags.slice(0, mostTags)) {
    const { newest, liked } = await queries.withTag(connection, tag, each);
    tell(new Set([...newest, ...liked]), rarity(newest, 0, last));
  }
  const from = Math.max(0, last - recent);
  for (const word of tellingWords(seed)) {
    const match = anyPhrase(["title", "description", "tags"], [word]);
    const numbers = await queries.withWord(connection, match, from, each);
    tell(numbers, weights.word * rarity(numbers, from, last));
  }
  const together = new Map<string, number>();
  for (const liked of await queries.likedTogether(connection, seed.id))
    for (const id of liked) together.set(id, (together.get(id) ?? 0) + 1);
  const other = await queries.newest(connection, each);
  const rows = await queries.candidatesAmong(connection, [...told.keys(), ...other], [...together.keys()]);
  const scoreOf = ({ number, id, likesCount, publishedAt }: Candidate): number =>
    (told.get(number) ?? 0) +
    // What everybody likes says little of two blogs.
    (weights.liked * (together.get(id) ?? 0)) / Math.log2(2 + likesCount) +
    weights.fresh * 0.5 ** (Math.max(0, now - publishedAt) / year) +
    weights.likes * Math.log2(1 + likesCount);
  const scored = rows
    .filter(({ id }) => id !== seed.id)
    .map((row) => ({ row, score: scoreOf(row), isRelated: told.has(row.number) || together.has(row.id) }));
  scored.sort(
    (a, b) =>
      Number(b.isRelated) - Number(a.isRelated) ||
      b.score - a.score ||
      b.row.publishedAt - a.row.publishedAt ||
      (b.row.id > a.row.id ? 1 : -1),
  );
  return mixed(scored.map(({ row }) => row));
}

/** Of a tag or word that these newest ones of all have: nothing where every blog has it, the more the fewer do. */
function rarity(newest: number[], from: number, last: number): number {
  if (newest.length === 0 || last === 0) return 0;
  const looked = newest.length < each ? last - from : last - Math.min(...newest) + 1;
  return Math.log(Math.max(1, (looked + 1) / newest.length));
}

/** The longest words of the title, which are seldom the commonest. */
const tellingWords = ({ title, tags }: Seed): string[] => {
  const known = new Set(tags.map(fold));
  return [...new Set(searchWords(title).map(({ text }) => fold(text)))]
    .filter((word) => [...word].length >= shortest && !known.has(word))
    .sort((a, b) => b.length - a.length)
    .slice(0, mostWords);
};

/** The first ones, but one of each author, unless there are not enough others. */
function mixed(rows: Candidate[]): string[] {
  const authors = new Set<string>();
  const first: Candidate[] = [];
  const rest: Candidate[] = [];
  for (const row of rows) {
    (authors.has(row.authorId) ? rest : first).push(row);
    authors.add(row.authorId);
  }
  return [...first, ...rest].slice(0, most).map(({ id }) => id);
}
