import { RateLimits } from "../auth/limits.ts";
import type { MemberContext, Parts } from "../context.ts";
import { blogTopic } from "../live/stored-events.ts";
import { noteUse, ownersOf } from "../media/queries.ts";
import { compose } from "./compose.ts";
import { forgetDrawnText } from "./drawn-texts.ts";
import { forgetFlatHtml } from "./flat-html.ts";
import { searchableAtOnce } from "./index-job.ts";
import { settleForeign } from "./pictures.ts";
import * as queries from "./queries.ts";

const atOnce = 50;

/**
 * Brings in the pictures from elsewhere that blogs of before show, which no page may load any more; what can't be had
 * becomes a link. In small steps; it goes on where it stood, and once it is done it does nothing.
 */
export async function adoptForeignPictures(parts: Parts, signal?: AbortSignal): Promise<void> {
  const { read } = parts.database;
  let at = await queries.adoptedUntil(read);
  while (at !== "done" && !signal?.aborted) {
    const rows = await queries.blogsAfter(read, at, atOnce);
    for (const { id, authorId, showsForeign } of rows) {
      if (showsForeign && !signal?.aborted) await adopt(parts, id, authorId, signal);
    }
    if (signal?.aborted) return;
    const until = (at = rows.at(-1)?.number ?? "done");
    await parts.database.write((tx) => queries.setAdoptedUntil(tx, until));
  }
}

async function adopt(parts: Parts, id: string, authorId: string, signal?: AbortSignal): Promise<void> {
  const { read } = parts.database;
  const [before, body] = [
    await queries.blogFactsById(read, id, authorId),
    await queries.blogDocument(read, id),
  ];
  if (!before || !body) return;
  const author = asAuthor(parts, authorId, signal);
  const {
    pictureIds,
    links: _links,
    ...stored
  } = await compose(author, body.document, (document) => settleForeign(author, document));
  // What was cut short is no answer.
  if (signal?.aborted) return;
  await parts.database.write(async (tx) => {
    // What was saved since has its pictures already.
    const text = await searchableAtOnce(tx, id, stored.text);
    if (!(await queries.replaceText(tx, id, before.version, { ...stored, text }))) return;
    forgetFlatHtml(before);
    forgetDrawnText(before);
    const there = [...(await ownersOf(tx, pictureIds)).keys()];
    await queries.setBlogPictures(tx, id, there);
    await noteUse(tx, there, Date.now());
    await tx.emit(blogTopic(id), { kind: "blog.edited" });
  });
}

const asAuthor = (parts: Parts, id: string, signal: AbortSignal | undefined): MemberContext => ({
  ...parts,
  limits: new RateLimits(false),
  viewer: { id, isAdmin: false },
  session: null,
  browser: null,
  address: "local",
  userAgent: "",
  transport: "local",
  costly: null,
  signal,
  setCookie: () => undefined,
});
