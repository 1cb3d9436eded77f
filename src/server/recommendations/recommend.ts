import { createMuteFilter } from "../../shared/mute-filter.ts";
import type { Recommendations, RecommendationReason } from "../../shared/search.ts";
import { presentCard } from "../blogs/present.ts";
import { publishedCards } from "../blogs/card-queries.ts";
import { sharedRead } from "../live/signal-cache.ts";
import type { MemberContext } from "../context.ts";
import type { Connection } from "../database/connection.ts";
import { feedTopic, rankingTopic, userTopic } from "../live/stored-events.ts";
import { rightsTopic } from "../live/signals.ts";
import { presentPerson, type PersonRow } from "../profiles/present.ts";
import { userById } from "../profiles/queries.ts";
import { interestOf, type Interest } from "./interest.ts";
import * as queries from "./queries.ts";
import type { CandidateRow, FollowedRow } from "./queries.ts";

/** A blog with the reasons to recommend it. */
interface Candidate {
  row: CandidateRow;
  interests: { interest: string; weight: number }[];
  following: boolean;
  likers: PersonRow[];
}

const maxRecommended = 8;
/** From one author, while there are enough others. */
const maxPerAuthor = 2;
/** How many blogs are considered for all interests; for written and for liked by followed people. */
const maxForInterests = 100;
const maxForFollowed = 40;
const halfLife = 21 * 24 * 60 * 60 * 1000;
const followingWeight = 2.5;

/**
 * Returns up to eight blogs, best first, with their main reason. Excludes blogs the viewer wrote, liked, saved or cannot read.
 * Cached until a relevant signal, at most a minute.
 */
export async function recommendBlogs(ctx: MemberContext): Promise<Recommendations> {
  const { id } = ctx.viewer;
  const topics = [feedTopic, rankingTopic("likes"), userTopic(id), rightsTopic(id)];
  const reasons = new Map(await sharedRead(ctx, id, topics, (connection) => chooseBlogs(connection, id)));
  const cards = await publishedCards(ctx.database.read, [...reasons.keys()], id);
  return {
    blogs: cards.map((row) => ({ ...presentCard(row), why: reasons.get(row.id) ?? { kind: "fresh" } })),
  };
}

/** Chooses blogs and reasons; deterministic for the same data and time (`now`, in milliseconds). */
export async function chooseBlogs(
  read: Connection,
  viewerId: string,
  now = Date.now(),
): Promise<[string, RecommendationReason][]> {
  const viewer = await userById(read, viewerId);
  const interests = (viewer?.interests ?? []).map(interestOf).filter((interest) => interest !== null);
  const perInterest = Math.max(4, Math.min(32, Math.floor(maxForInterests / Math.max(1, interests.length))));
  const interestsByBlog = new Map<number, Interest[]>();
  for (const interest of interests)
    for (const number of await queries.blogsWithWords(read, interest.match, perInterest))
      interestsByBlog.set(number, [...(interestsByBlog.get(number) ?? []), interest]);
  // With few followed people there may not be enough other authors.
  const perPerson = (viewer?.followingCount ?? 0) > maxForFollowed ? maxPerAuthor : maxRecommended;
  const followedPeople = await queries.peopleFollowed(read, viewerId, perPerson);
  const writtenNumbers = newestOf(followedPeople.flatMap((person) => person.written));
  const likers = likersOf(followedPeople);
  const numbers = [...new Set([...interestsByBlog.keys(), ...writtenNumbers])];
  const mutes = createMuteFilter(viewer?.mutedWords ?? []);
  const rows = [
    ...(await queries.blogsByKey(read, "numbers", numbers, viewerId)),
    ...(await queries.blogsByKey(read, "ids", [...likers.keys()], viewerId)),
    ...(await queries.newestBlogs(read, viewerId)),
  ].filter(({ title, description, tags }) => !mutes({ texts: [title, description], tags }));
  const found = gather(rows, interestsByBlog, new Set(followedPeople.map(({ id }) => id)), likers);
  const scored = found.map((candidate) => ({ candidate, score: scoreOf(candidate, now) }));
  scored.sort(
    (a, b) =>
      b.score - a.score ||
      b.candidate.row.publishedAt - a.candidate.row.publishedAt ||
      (b.candidate.row.id > a.candidate.row.id ? 1 : -1),
  );
  const chosen = limitPerAuthor(scored.map(({ candidate }) => candidate));
  return chosen.map((candidate) => [candidate.row.id, reasonFor(candidate)]);
}

const newestOf = (datedNumbers: [number, number][]): number[] =>
  datedNumbers
    .sort(([a, dateA], [b, dateB]) => dateB - dateA || b - a)
    .slice(0, maxForFollowed)
    .map(([number]) => number);

/** Returns the likers of the most liked blogs, then the latest. */
function likersOf(people: FollowedRow[]): Map<string, PersonRow[]> {
  const liked = new Map<string, { likers: PersonRow[]; last: number }>();
  for (const person of people)
    for (const [id, at] of person.liked) {
      const entry = liked.get(id) ?? { likers: [], last: 0 };
      entry.likers.push(person);
      entry.last = Math.max(entry.last, at);
      liked.set(id, entry);
    }
  const first = [...liked].sort(
    ([idA, a], [idB, b]) => b.likers.length - a.likers.length || b.last - a.last || (idB > idA ? 1 : -1),
  );
  return new Map(first.slice(0, maxForFollowed).map(([id, { likers }]) => [id, likers]));
}

function gather(
  rows: CandidateRow[],
  interestsByBlog: Map<number, Interest[]>,
  followedIds: Set<string>,
  likers: Map<string, PersonRow[]>,
): Candidate[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()].map((row) => ({
    row,
    interests: (interestsByBlog.get(row.seq) ?? [])
      .map((interest) => ({ interest: interest.name, weight: interest.weightIn(row) }))
      .filter(({ weight }) => weight > 0)
      .sort((a, b) => b.weight - a.weight || (a.interest < b.interest ? -1 : 1)),
    following: followedIds.has(row.authorId),
    likers: (likers.get(row.id) ?? []).filter(({ id }) => id !== row.authorId),
  }));
}

/** The best in full, half of the next two. */
const combinedWeight = (weights: number[]): number =>
  (weights[0] ?? 0) + weights.slice(1, 3).reduce((sum, weight) => sum + weight / 2, 0);

const interestWeight = ({ interests }: Candidate): number =>
  combinedWeight(interests.map(({ weight }) => weight));
const likersWeight = ({ likers }: Candidate): number => combinedWeight(likers.map(() => 1.2));

function scoreOf(candidate: Candidate, now: number): number {
  const fresh = 0.5 ** (Math.max(0, now - candidate.row.publishedAt) / halfLife);
  const personal =
    interestWeight(candidate) + (candidate.following ? followingWeight : 0) + likersWeight(candidate);
  // Old matches keep some value, and new blogs have some without a match.
  return personal * (0.4 + 0.6 * fresh) + 0.6 * fresh + 0.1 * Math.log2(1 + candidate.row.likesCount);
}

function reasonFor(candidate: Candidate): RecommendationReason {
  const [interest] = candidate.interests;
  const [liker] = candidate.likers;
  const following = candidate.following ? followingWeight : 0;
  if (interest && interestWeight(candidate) >= Math.max(following, likersWeight(candidate)))
    return { kind: "interest", interest: interest.interest };
  if (candidate.following && following >= likersWeight(candidate))
    return { kind: "following", person: presentPerson(candidate.row.author) };
  return liker ? { kind: "liked-by", person: presentPerson(liker) } : { kind: "fresh" };
}

/** Returns the first eight, at most two of one author if there are enough others. */
function limitPerAuthor(candidates: Candidate[]): Candidate[] {
  const byAuthor = new Map<string, number>();
  const first: Candidate[] = [];
  const others: Candidate[] = [];
  for (const candidate of candidates) {
    const count = byAuthor.get(candidate.row.authorId) ?? 0;
    byAuthor.set(candidate.row.authorId, count + 1);
    (count < maxPerAuthor ? first : others).push(candidate);
  }
  return [...first, ...others].slice(0, maxRecommended);
}
