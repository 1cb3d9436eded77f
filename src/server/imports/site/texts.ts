import type { Node } from "prosemirror-model";
import { commenters, CoverFocus, Language } from "../../../shared/blogs.ts";
import { DocumentError } from "../../../shared/document/document-error.ts";
import { documentLimits } from "../../../shared/document/limits.ts";
import { readDocument } from "../../../shared/document/read.ts";
import { newDraftFields } from "../../../shared/drafts.ts";
import { AppError } from "../../../shared/errors.ts";
import { withoutHash } from "../../../shared/tags.ts";
import { compose, type Composed } from "../../blogs/compose.ts";
import { EmbedCards } from "../../blogs/embed-cards.ts";
import { indexFirstPart } from "../../blogs/index-job.ts";
import { insertDraft } from "../../blogs/drafts.ts";
import { blogFactsById, insertBlog, noText, setBlogPictures } from "../../blogs/queries.ts";
import type { Services } from "../../context.ts";
import { ownPathOf } from "../../../shared/document/own-links.ts";
import { isDiskFull } from "../../database/errors.ts";
import { existingValues, insertMissingRows } from "../../database/insert-missing-rows.ts";
import { aliases, blogs, oldSlugs } from "../../database/schema/blogs.ts";
import { imports } from "../../database/schema/imports.ts";
import { media } from "../../database/schema/media.ts";
import { users } from "../../database/schema/profiles.ts";
import type { Transaction } from "../../database/writer.ts";
import { picturePath } from "../../media/paths.ts";
import { textOf } from "../reading/decode.ts";
import { isRow, parsedJson } from "../reading/values.ts";
import { FileProblem } from "../source.ts";
import type { RestoreStep, RestoreContext } from "./steps.ts";
import * as is from "./values.ts";
import type { Row } from "./values.ts";

/** Of an unpublished blog its draft, which may hold what cannot be published yet. */
type PreparedRow = Row & ({ composed: Composed; draft?: undefined } | { composed?: undefined; draft: Node });

const isDraftRow = ({ visibility, hiddenFor }: Row): boolean =>
  visibility !== "public" && visibility !== "private" && is.textOrNull(hiddenFor) === null;

/** Blogs with their texts; derived data is computed again. */
export const texts: RestoreStep = {
  file: "blogs.json",
  batchSize: 20,
  prepare: async (row, context) => {
    const file = `blogs/${is.text(row.name)}.json`;
    try {
      const document = await restoredDocument(file, context);
      if (!isDraftRow(row)) return { ...row, composed: await composeRestored(document, context) };
      const draft = readDocument(JSON.parse(document));
      draft.check();
      return { ...row, draft };
    } catch (error) {
      const isExpected = [FileProblem, DocumentError, AppError, RangeError].some(
        (kind) => error instanceof kind,
      );
      if (!isExpected || isDiskFull(error)) throw error;
      context.reportProblem(file, `The blog couldn’t be imported: ${(error as Error).message}`);
      return null;
    }
  },
  put: async (tx, rows, { services }) => {
    const authors = await existingValues(
      tx,
      users.id,
      rows.map(({ author }) => is.idOf(author)),
    );
    const existingBlogs = await existingValues(
      tx,
      blogs.id,
      rows.map(({ id }) => is.text(id)),
    );
    const usedPictures = (rows as PreparedRow[]).flatMap((row) => [
      ...(row.composed?.pictureIds ?? []),
      is.pictureOf(row.cover),
    ]);
    const pictures = await existingValues(tx, media.id, usedPictures);
    let stored = 0;
    for (const row of rows as PreparedRow[]) {
      const authorId = is.idOf(row.author);
      const id = is.text(row.id);
      if (authorId === null || !authors.has(authorId) || existingBlogs.has(id)) continue;
      const cover = is.pictureOf(row.cover);
      const coverId = cover !== null && pictures.has(cover) ? cover : null;
      await insertRestored(tx, { ...blogColumns(row), authorId, coverId }, row, {
        pictures,
        services,
      });
      await insertMissingRows(
        tx,
        oldSlugs,
        is.texts(row.oldSlugs).map((slug) => ({ slug, blogId: id })),
      );
      await insertMissingRows(
        tx,
        aliases,
        is.texts(row.aliases).map((path) => ({ path, blogId: id })),
      );
      const source = is.text(row.imported);
      const importedAt = is.time(row.createdAt) ?? 0;
      if (source) await insertMissingRows(tx, imports, [{ authorId, source, blogId: id, importedAt }]);
      stored++;
    }
    return stored;
  },
};

/** Stores a restored blog. The text of an unpublished one goes into its draft. */
async function insertRestored(
  tx: Transaction,
  columns: ReturnType<typeof blogColumns> & { authorId: string; coverId: string | null },
  { composed, draft }: PreparedRow,
  { pictures, services }: { pictures: ReadonlySet<string>; services: Services },
): Promise<void> {
  const { id } = columns;
  if (draft) {
    const { title, description, tags, coverId, coverFocus } = columns;
    const { canonicalUrl, searchTitle, searchDescription, language } = columns;
    const seen = { title, description, tags, coverId, coverFocus, private: columns.private };
    const fields = { ...newDraftFields(), ...seen, canonicalUrl, searchTitle, searchDescription, language };
    await insertBlog(tx, { ...columns, ...noText });
    const blog = await blogFactsById(tx, id, null);
    if (blog) await insertDraft(services, tx, blog, { fields, document: draft });
    return;
  }
  const { pictureIds, links: _links, ...derived } = composed;
  await insertBlog(tx, { ...derived, ...columns, text: await indexFirstPart(tx, id, derived.text) });
  const shown = pictureIds.filter((one) => pictures.has(one));
  await setBlogPictures(tx, id, shown);
}

const blogColumns = (row: Row) => ({
  id: is.text(row.id),
  slug: is.text(row.slug),
  title: is.text(row.title),
  description: is.text(row.description),
  tags: [...new Set(is.texts(row.tags).map(withoutHash))],
  coverFocus: CoverFocus.safeParse(row.coverFocus ?? null).data ?? null,
  canonicalUrl: is.text(row.canonicalUrl),
  searchTitle: is.text(row.searchTitle),
  searchDescription: is.text(row.searchDescription),
  language: Language.safeParse(row.language ?? "").data ?? "",
  // Anything else is a draft.
  draft: row.visibility !== "public" && row.visibility !== "private",
  // Missing in older exports.
  private: row.private === undefined ? row.visibility === "private" : is.isTrue(row.private),
  commentsFrom: is.oneOf(commenters, row.commentsFrom),
  etag: Number(row.version) || 1,
  createdAt: is.time(row.createdAt) ?? 0,
  publishedAt: is.time(row.publishedAt) ?? is.time(row.createdAt) ?? 0,
  editedAt: is.time(row.editedAt),
  takedownReason: is.textOrNull(row.hiddenFor),
});

/** Returns a blog's document as JSON, with the addresses of this site. */
async function restoredDocument(
  file: string,
  { services, files, root, url }: RestoreContext,
): Promise<string> {
  const parsed = parsedJson(textOf(await files.read(root + file, documentLimits.jsonBytes * 4)));
  if (!isRow(parsed)) throw new FileProblem("not valid JSON");
  const siteUrl = services.config.publicUrl;
  return JSON.stringify(parsed.document, (name, value: unknown) => {
    if (typeof value !== "string") return value;
    if (name === "src") {
      const id = /^\.\.\/media\/([0-9a-f-]{36})\.webp$/.exec(value)?.[1];
      return id === undefined ? value : picturePath(id);
    }
    const isSiteLink = name === "href" && url !== null && (value === url || value.startsWith(`${url}/`));
    return isSiteLink ? ownPathOf(siteUrl + value.slice(url.length), siteUrl) : value;
  });
}

async function composeRestored(document: string, { services }: RestoreContext): Promise<Composed> {
  const viewer = { id: "restore", isAdmin: false };
  // Off: restoring must not fetch from other sites.
  const cards = new EmbedCards(false);
  return compose({ ...services, viewer, cards }, document, () => Promise.resolve(0));
}
