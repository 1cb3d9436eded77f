import type { Recommendations, Why } from "../../shared/search.ts";
import { presentCard } from "../blogs/present.ts";
import { publishedCards } from "../blogs/card-queries.ts";
import type { MemberContext } from "../context.ts";
import { presentPerson, type PersonRow } from "../users/present.ts";
import { userById } from "../users/queries.ts";
import { interestOf, type Interest } from "./interest.ts";
import * as queries from "./recommend-queries.ts";
import type { CandidateRow } from "./recommend-queries.ts";

/** What speaks for a blog. */
interface Candidate {
  row: CandidateRow;
  interests: { interest: string; weight: number }[];
  following: boolean;
  likers: PersonRow[];
}

const most = 8;
/** Of one author, as long as there are others. */
const ofOneAuthor = 2;
/** Blogs looked at for all interests together. */
const forInterests = 800;
const halfLife = 21 * 24 * 60 * 60 * 1000;
const followingWeight = 2.5;

/**
 * Up to eight blogs for the viewer, the best first, each with what speaks for it most: an interest, somebody they follow who
 * wrote or liked it, or that it is new. Never their own, never what they liked or saved, never what they may not read. The
 * same store at the same time (`now`, in milliseconds) gives the same list.
 */
export async function recommendBlogs(ctx: MemberContext, now = Date.now()): Promise<Recommendations> {
  const { read } = ctx.database;
  const viewer = await userById(read, ctx.viewer.id);
  const interests = (viewer?.interests ?? []).map(interestOf).filter((interest) => interest !== null);
  const each = Math.max(16, Math.min(100, Math.floor(forInterests / Math.max(1, interests.length))));
  const [wanted, written, liked, newest] = await Promise.all([
    queries.blogsWithWords(
      read,
      ctx.viewer.id,
      interests.map(({ match }) => match),
      each,
    ),
    queries.blogsOfFollowed(read, ctx.viewer.id),
    queries.blogsLikedByFollowed(read, ctx.viewer.id),
    queries.newestBlogs(read, ctx.viewer.id),
  ]);
  const gathered = gather(interests, wanted, written, liked, newest);
  const scored = gathered.map((candidate) => ({ candidate, score: scoreOf(candidate, now) }));
  scored.sort(
    (a, b) =>
      b.score - a.score ||
      b.candidate.row.publishedAt - a.candidate.row.publishedAt ||
      (b.candidate.row.id > a.candidate.row.id ? 1 : -1),
  );
  const chosen = mixed(scored.map(({ candidate }) => candidate));
  const why = new Map(chosen.map((candidate) => [candidate.row.id, whyOf(candidate)]));
  const cards = await publishedCards(read, [...why.keys()], ctx.viewer.id);
  return { blogs: cards.map((row) => ({ ...presentCard(row), why: why.get(row.id) ?? { kind: "fresh" } })) };
}

function gather(
  interests: Interest[],
  wanted: queries.WantedRow[],
  written: CandidateRow[],
  liked: queries.LikedRow[],
  newest: CandidateRow[],
): Candidate[] {
  const candidates = new Map<string, Candidate>();
  const candidate = (row: CandidateRow): Candidate => {
    const known = candidates.get(row.id) ?? { row, interests: [], following: false, likers: [] };
    candidates.set(row.id, known);
    return known;
  };
  for (const row of wanted) {
    const interest = interests[row.wanted];
    const weight = interest?.weightIn(row) ?? 0;
    if (interest && weight > 0) candidate(row).interests.push({ interest: interest.name, weight });
  }
  for (const row of written) candidate(row).following = true;
  for (const row of liked) candidate(row).likers.push(row.liker);
  for (const row of newest) candidate(row);
  for (const { interests: found } of candidates.values())
    found.sort((a, b) => b.weight - a.weight || (a.interest < b.interest ? -1 : 1));
  return [...candidates.values()];
}

/** The best counts in full, others half, and of them two at most. */
const together = (weights: number[]): number =>
  (weights[0] ?? 0) + weights.slice(1, 3).reduce((sum, weight) => sum + weight / 2, 0);

const interestWeight = ({ interests }: Candidate): number => together(interests.map(({ weight }) => weight));
const likersWeight = ({ likers }: Candidate): number => together(likers.map(() => 1.2));

function scoreOf(candidate: Candidate, now: number): number {
  const fresh = 0.5 ** (Math.max(0, now - candidate.row.publishedAt) / halfLife);
  const personal =
    interestWeight(candidate) + (candidate.following ? followingWeight : 0) + likersWeight(candidate);
  // What fits stays worth something when it is old; what is new is worth something when nothing fits.
  return personal * (0.4 + 0.6 * fresh) + 0.6 * fresh + 0.1 * Math.log2(1 + candidate.row.likesCount);
}

function whyOf(candidate: Candidate): Why {
  const [interest] = candidate.interests;
  const [liker] = candidate.likers;
  const following = candidate.following ? followingWeight : 0;
  if (interest && interestWeight(candidate) >= Math.max(following, likersWeight(candidate)))
    return { kind: "interest", interest: interest.interest };
  if (candidate.following && following >= likersWeight(candidate))
    return { kind: "following", person: presentPerson(candidate.row.author) };
  return liker ? { kind: "liked-by", person: presentPerson(liker) } : { kind: "fresh" };
}

/** The first eight, but of one author two at most, unless there are not enough others. */
function mixed(candidates: Candidate[]): Candidate[] {
  const byAuthor = new Map<string, number>();
  const first: Candidate[] = [];
  const rest: Candidate[] = [];
  for (const candidate of candidates) {
    const count = byAuthor.get(candidate.row.authorId) ?? 0;
    byAuthor.set(candidate.row.authorId, count + 1);
    (count < ofOneAuthor ? first : rest).push(candidate);
  }
  return [...first, ...rest].slice(0, most);
}
