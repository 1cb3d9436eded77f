import { setImmediate as nextTurn } from "node:timers/promises";
import { DocumentError } from "../../shared/document/document-error.ts";
import type { EmbedCard } from "../../shared/document/embeds.ts";
import type { NodeJson } from "../../shared/document/schema.ts";
import type { ResponsiveImage } from "../../shared/document/to-html.ts";
import { AppError } from "../../shared/errors.ts";
import type { Context, MemberContext } from "../context.ts";
import { pictureIdOf, srcsetOf } from "../media/paths.ts";
import { picturesByIds } from "../media/queries.ts";
import type { Checked, Rendered } from "../workers/tasks.ts";

/** A document as JSON with everything derived from it at each write. */
export interface Composed extends Rendered {
  document: string;
  pictureIds: string[];
  /** Pictures that could not be fetched and became links. */
  links: number;
}

/** Replaces pictures of a document in place; returns how many became links. */
type ResolvePictures = (document: { type: string; content: NodeJson[] }) => Promise<number>;

const articleSizes = "(max-width: 720px) 100vw, 680px";
const batchSize = 200;

/**
 * Checks a received document, settles its pictures and derives HTML and text; `withoutIds` is for a text that is shown beside
 * others. Throws `bad_request`.
 */
export async function compose(
  ctx: Pick<MemberContext, "workers" | "database" | "config" | "viewer" | "cards">,
  sent: unknown,
  resolvePictures: ResolvePictures,
  options: { withoutIds?: boolean } = {},
): Promise<Composed> {
  const { id } = ctx.viewer;
  const json = typeof sent === "string" ? sent : (JSON.stringify(sent) ?? "null");
  let checked = await asBadRequest("document", ctx.workers.run("check", { document: json }, id));
  let links = 0;
  if (checked.images.length > 0) {
    // Only the picture nodes: they are few, whatever the text.
    const { pictures } = await ctx.workers.run("pictures", checked, id);
    links = await resolvePictures({ type: "doc", content: pictures });
    const { document } = checked;
    checked = await asBadRequest("document", ctx.workers.run("withPictures", { document, pictures }, id));
  }
  const cards = await cardsOf(ctx, checked.embeds);
  if (Object.keys(cards).length > 0) {
    const { document } = checked;
    checked = await asBadRequest("document", ctx.workers.run("withCards", { document, cards }, id));
  }
  const rendered = await render(ctx, checked, id, options);
  const pictureIds = [...new Set(checked.images.flatMap((src) => pictureIdOf(src) ?? []))];
  return { document: checked.document, ...rendered, pictureIds, links };
}

/** The most cards that one save requests; the rest are links until the next save. */
const mostCards = 10;

async function cardsOf(
  { cards, viewer }: Pick<MemberContext, "viewer" | "cards">,
  addresses: string[],
): Promise<Record<string, EmbedCard>> {
  const fetchedCards = await Promise.all(
    cards
      .choose(addresses, mostCards)
      .map(async (href) => [href, await cards.fetchCard(href, viewer.id)] as const),
  );
  return Object.fromEntries(fetchedCards.flatMap(([href, card]) => (card ? [[href, card]] : [])));
}

type Tools = Pick<Context, "workers" | "database" | "config">;

/** Derives HTML and text of a stored document; `withoutIds` as in `compose`. Throws if this version cannot read it. */
export const derive = async (
  ctx: Tools,
  document: string,
  options: { withoutIds?: boolean } = {},
): Promise<Rendered> =>
  render(ctx, await ctx.workers.run("check", { document }, "rebuild"), "rebuild", options);

/** Renders a draft, naming remote images in their place. `owner` pays for the work. Throws `bad_request`. */
export async function renderUnsaved(ctx: Tools, document: NodeJson, owner: string): Promise<Rendered> {
  const json = JSON.stringify(document);
  const checked = await asBadRequest("document", ctx.workers.run("check", { document: json }, owner));
  return render(ctx, checked, owner, { isUnsaved: true });
}

async function render(
  ctx: Tools,
  { document, images }: Checked,
  owner: string,
  options: { isUnsaved?: boolean; withoutIds?: boolean } = {},
): Promise<Rendered> {
  const input = { document, origin: ctx.config.publicUrl, images: await responsive(ctx, images), ...options };
  return ctx.workers.run("render", input, owner);
}

export async function asBadRequest<T>(field: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    if (!(cause instanceof DocumentError)) throw cause;
    throw new AppError("bad_request", cause.message, { field, cause });
  }
}

async function responsive(
  { database }: Pick<Context, "database">,
  sources: string[],
): Promise<Record<string, ResponsiveImage>> {
  const imagesBySrc: Record<string, ResponsiveImage> = {};
  for (let start = 0; start < sources.length; start += batchSize) {
    const batch = sources.slice(start, start + batchSize);
    const rows = await picturesByIds(
      database.read,
      batch.flatMap((src) => pictureIdOf(src) ?? []),
    );
    const pictures = new Map(rows.map((picture) => [picture.id, picture]));
    for (const src of batch) {
      const picture = pictures.get(pictureIdOf(src) ?? "");
      if (!picture) continue;
      const { width, height } = picture;
      imagesBySrc[src] = { src, srcset: srcsetOf(picture), sizes: articleSizes, width, height };
    }
    await nextTurn();
  }
  return imagesBySrc;
}
