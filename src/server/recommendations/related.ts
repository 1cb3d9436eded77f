import { oneOfEachAuthorFirst } from "../blogs/one-of-each-author.ts";
import { sharedRead } from "../live/signal-cache.ts";
import { anyPhrase } from "../database/search/full-text.ts";
import type { Connection } from "../database/connection.ts";
import type { Context } from "../context.ts";
import { blogTopic } from "../live/stored-events.ts";
import { fold } from "../../shared/fold.ts";
import { searchWords } from "../database/search/words.ts";
import * as queries from "./further-queries.ts";
import type { Candidate } from "./further-queries.ts";

/** What related blogs are searched by. */
interface Seed {
  id: string;
  authorId: string;
  title: string;
  tags: string[];
}

/** Related blogs stored per blog; each viewer sees the first few that they can read. */
const maxRelated = 24;
/** Candidates per tag and per word of the title. */
const maxCandidates = 20;
const mostTags = 6;
const mostWords = 6;
/** Shorter words are not specific. */
const shortest = 4;
/** Words are searched in this many of the newest blogs. */
const recent = 20_000;
const year = 365 * 24 * 60 * 60 * 1000;
const weights = { word: 0.5, liked: 1.2, fresh: 0.3, likes: 0.1 };

/** Returns ids of related public blogs, nearest first. Shared by all viewers for a minute; callers check access and mutes. */
export const relatedTo = async (ctx: Context, seed: Seed): Promise<string[]> =>
  sharedRead(ctx, `related ${seed.id}`, [blogTopic(seed.id)], (connection) => findRelated(connection, seed));

/** Scores common tags, title words (rare ones higher) and likers. Unrelated blogs come last, newest first. */
async function findRelated(connection: Connection, seed: Seed, now = Date.now()): Promise<string[]> {
  const last = await queries.lastNumber(connection);
  const scores = new Map<number, number>();
  const addScore = (numbers: Iterable<number>, weight: number): void => {
    for (const number of numbers) scores.set(number, (scores.get(number) ?? 0) + weight);
  };
  for (const tag of seed.tags.slice(0, mostTags)) {
    const { newest, liked } = await queries.withTag(connection, tag, maxCandidates);
    addScore(new Set([...newest, ...liked]), rarity(newest, 0, last));
  }
  const from = Math.max(0, last - recent);
  for (const word of specificWords(seed)) {
    const match = anyPhrase(["title", "description", "tags"], [word]);
    const numbers = await queries.withWord(connection, match, from, maxCandidates);
    addScore(numbers, weights.word * rarity(numbers, from, last));
  }
  const likedTogetherCounts = new Map<string, number>();
  for (const liked of await queries.likedTogether(connection, seed.id))
    for (const id of liked) likedTogetherCounts.set(id, (likedTogetherCounts.get(id) ?? 0) + 1);
  const other = await queries.newest(connection, maxCandidates);
  const rows = await queries.candidatesAmong(
    connection,
    [...scores.keys(), ...other],
    [...likedTogetherCounts.keys()],
  );
  const scoreOf = ({ seq, id, likesCount, publishedAt }: Candidate): number =>
    (scores.get(seq) ?? 0) +
    // A like of a popular blog is less specific.
    (weights.liked * (likedTogetherCounts.get(id) ?? 0)) / Math.log2(2 + likesCount) +
    weights.fresh * 0.5 ** (Math.max(0, now - publishedAt) / year) +
    weights.likes * Math.log2(1 + likesCount);
  const scored = rows
    .filter(({ id }) => id !== seed.id)
    .map((row) => ({
      row,
      score: scoreOf(row),
      isRelated: scores.has(row.seq) || likedTogetherCounts.has(row.id),
    }));
  scored.sort(
    (a, b) =>
      Number(b.isRelated) - Number(a.isRelated) ||
      b.score - a.score ||
      b.row.publishedAt - a.row.publishedAt ||
      (b.row.id > a.row.id ? 1 : -1),
  );
  return oneOfEachAuthorFirst(scored.map(({ row }) => row))
    .slice(0, maxRelated)
    .map(({ id }) => id);
}

/** Returns how rare a tag or word is among the newest blogs: 0 if each has it. */
function rarity(newest: number[], from: number, last: number): number {
  if (newest.length === 0 || last === 0) return 0;
  const examined = newest.length < maxCandidates ? last - from : last - Math.min(...newest) + 1;
  return Math.log(Math.max(1, (examined + 1) / newest.length));
}

/** The longest words of the title, which are seldom common. */
const specificWords = ({ title, tags }: Seed): string[] => {
  const tagNames = new Set(tags.map(fold));
  return [...new Set(searchWords(title).map(({ text }) => text))]
    .filter((word) => [...word].length >= shortest && !tagNames.has(word))
    .sort((a, b) => b.length - a.length)
    .slice(0, mostWords);
};
