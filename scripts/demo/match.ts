import { readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { answerInvitation, inviteAuthor } from "../../src/server/authors/service.ts";
import { postComment } from "../../src/server/comments/service.ts";
import type { MemberContext } from "../../src/server/context.ts";
import { setLive, setSummary } from "../../src/server/entries/on-air.ts";
import { restoreEntry } from "../../src/server/entries/restore.ts";
import { likeEntry, postEntry } from "../../src/server/entries/service.ts";
import { addBytes } from "../../src/server/media/service.ts";
import { newId } from "../../src/server/runtime/ids.ts";
import type { DemoSite } from "./build-demo-site.ts";
import { people } from "./demo-data.ts";
import {
  firstHalf,
  matchCoAuthor,
  matchFolder,
  matchOwner,
  matchTitle,
  secondHalf,
  type MatchMoment,
} from "./match-data.ts";
import { seededRandom } from "./random.ts";
import { resident, type Residents } from "./residents.ts";

const minute = 60_000;
/** Minutes from kick-off until a visitor comes; half-time is nearly over. */
const played = 64;

/** The average time between two entries in milliseconds; each is two to four thirds as long. */
const averageGapMs = 30_000;

/** Tells the match up to half-time, in the past, and leaves it on air. */
export async function tellFirstHalf(residents: Residents, blogId: string, now: number): Promise<void> {
  const owner = resident(residents, matchOwner);
  await inviteAuthor(owner, { id: blogId, username: matchCoAuthor });
  await answerInvitation(resident(residents, matchCoAuthor), { id: blogId, accept: true });
  const random = seededRandom(11);
  const timeOf = ({ minutes }: MatchMoment) => new Date(now - (played - minutes) * minute);
  const live = { since: timeOf(firstHalf[0]!), ended: new Date(now), summary: [] };
  for (const moment of firstHalf) {
    const [id, at] = [newId(), timeOf(moment)];
    const author = resident(residents, moment.author);
    const { title, isKey, summary } = moment;
    const document = await documentOf(author, moment);
    const entry = { id, blogId, title, isKey, document, at, createdAt: at, editedAt: null };
    await restoreEntry(author, entry, { live, also: async () => undefined });
    if (summary) await setSummary(author, { id: blogId, summary });
    for (const fan of fansOf(moment, random)) await likeEntry(resident(residents, fan), { id, liked: true });
  }
  await setLive(owner, { id: blogId, live: true });
}

/** Tells the rest while people comment on it and like it, and ends the live blog. */
export async function tellSecondHalf(
  { residents, blogIds }: DemoSite,
  onError: (error: unknown) => void,
  gapMs = averageGapMs,
): Promise<void> {
  const blogId = blogIds.get(matchTitle) ?? "";
  const random = seededRandom(Date.now());
  let lastCommentId: string | null = null;
  for (const moment of secondHalf) {
    const entryId = newId();
    const acts = [
      () => tell(residents, { blogId, entryId }, moment),
      ...moment.said.map(({ author, text, isReply }) => async () => {
        const [id, parentId] = [newId(), isReply ? lastCommentId : null];
        await postComment(resident(residents, author), { id, blogId, parentId, text });
        lastCommentId = id;
      }),
      ...fansOf(moment, random).map(
        (fan) => () => likeEntry(resident(residents, fan), { id: entryId, liked: true }),
      ),
    ];
    const pauseMs = (gapMs * (2 + 2 * random())) / 3 / acts.length;
    for (const act of acts) {
      await wait(pauseMs, undefined, { ref: false });
      await act().catch(onError);
    }
  }
  await setLive(resident(residents, matchOwner), { id: blogId, live: false }).catch(onError);
}

async function tell(
  residents: Residents,
  { blogId, entryId }: { blogId: string; entryId: string },
  moment: MatchMoment,
): Promise<void> {
  const author = resident(residents, moment.author);
  const { title, isKey, summary } = moment;
  const document = await documentOf(author, moment);
  await postEntry(author, { id: entryId, blogId, title, isKey, document });
  if (summary) await setSummary(author, { id: blogId, summary });
}

/** Returns the document of a moment as JSON, with its pictures stored. */
async function documentOf(author: MemberContext, { text }: MatchMoment): Promise<string> {
  const input = { kind: "markdown", text, origins: [], typographyOf: "en" } as const;
  const { document, pictures } = await author.workers.run("foreignText", input, author.viewer.id);
  let withPictures = document;
  for (const { src, path: file } of pictures) {
    const stored = await addBytes(author, await readFile(path.join(matchFolder, file)));
    withPictures = withPictures.replaceAll(src, stored.src);
  }
  return withPictures;
}

/** Returns who likes a moment: a few people, more for a key moment. */
function fansOf({ author, isKey }: MatchMoment, random: () => number): string[] {
  const readers = people.filter(({ sample, username }) => !sample && username !== author);
  const most = isKey ? 7 : 3;
  return readers.filter(() => random() < most / readers.length).map(({ username }) => username);
}
