import { RateLimits } from "../auth/rate-limits.ts";
import { forgetDerivedTexts } from "../runtime/derived-texts.ts";
import type { MemberContext, Services } from "../context.ts";
import { blogTopic } from "../live/stored-events.ts";
import { updateUnusedSince, ownersOf } from "../media/queries.ts";
import { compose } from "./compose.ts";
import { indexFirstPart } from "../search/index-job.ts";
import { importRemotePictures } from "./pictures.ts";
import * as queries from "../blogs/queries.ts";

const batchSize = 50;

/** Imports the remote images of old blogs, which pages no longer load; failures become links. Resumes after an interruption. */
export async function importRemoteImages(services: Services, signal?: AbortSignal): Promise<void> {
  const { read } = services.database;
  let at = await queries.remoteImagesImportedUntil(read);
  while (at !== "done" && !signal?.aborted) {
    const rows = await queries.blogsAfter(read, at, batchSize);
    for (const { id, authorId, showsForeign } of rows) {
      if (showsForeign && !signal?.aborted) await importImagesOfBlog(services, id, authorId, signal);
    }
    if (signal?.aborted) return;
    const until = (at = rows.at(-1)?.seq ?? "done");
    await services.database.write((tx) => queries.setRemoteImagesImportedUntil(tx, until));
  }
}

async function importImagesOfBlog(
  services: Services,
  id: string,
  authorId: string,
  signal?: AbortSignal,
): Promise<void> {
  const { read } = services.database;
  const [before, body] = [
    await queries.blogFactsById(read, id, authorId),
    await queries.blogDocument(read, id),
  ];
  if (!before || !body) return;
  const author = authorContext(services, authorId, signal);
  const {
    pictureIds,
    links: _links,
    ...stored
  } = await compose(author, body.document, (document) => importRemotePictures(author, document));
  // An aborted fetch looks like a failed one.
  if (signal?.aborted) return;
  const isReplaced = await services.database.write(async (tx) => {
    // A blog saved since then has its pictures.
    const text = await indexFirstPart(tx, id, stored.text);
    if (!(await queries.replaceText(tx, id, before.etag, { ...stored, text }))) return false;
    const existingIds = [...(await ownersOf(tx, pictureIds)).keys()];
    await queries.setBlogPictures(tx, id, existingIds);
    await updateUnusedSince(tx, existingIds, Date.now());
    await tx.emit(blogTopic(id), { kind: "blog.edited" });
    return true;
  });
  if (isReplaced) forgetDerivedTexts(before.id);
}

const authorContext = (services: Services, id: string, signal: AbortSignal | undefined): MemberContext => ({
  ...services,
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
