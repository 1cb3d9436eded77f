import { AppError } from "../../shared/errors.ts";
import { isPictureName } from "../../shared/document/picture-names.ts";
import { safeImageSource } from "../../shared/document/values.ts";
import type { MemberContext } from "../context.ts";
import type { Connection } from "../database/connection.ts";
import { picturePath, pictureIdOf } from "../media/paths.ts";
import { ownersOf, pictureById } from "../media/queries.ts";
import { addPicture, coverTypes, ownPictures } from "../media/service.ts";

/** A picture in a document that was not checked yet. */
interface ImageNode {
  type: string;
  attrs?: { src: string; alt?: unknown } | undefined;
  text?: string;
  marks?: unknown;
}

/**
 * Sees to it that a text shows pictures of its authors' own alone, and changes the document where it does not: of somebody
 * else's that they may see they get a copy, what is elsewhere is brought in, or becomes a link. Answers with how many became
 * one. Throws `bad_request`, and says which, where a picture is not there or not for them.
 */
export async function settlePictures(
  ctx: MemberContext,
  document: unknown,
  authors: string[] = [ctx.viewer.id],
): Promise<number> {
  const images = imagesIn(document);
  const ids = images.map((image) => ownIdIn(ctx, srcOf(image)));
  const own = await ownPictures(ctx, [...new Set(ids.filter((id) => id !== null))], authors);
  const missing: string[] = [];
  for (const [at, image] of images.entries()) {
    const id = ids[at];
    if (!id) continue;
    const kept = own.get(id);
    if (kept) showAt(image, picturePath(kept));
    else missing.push(nameOf(image, at));
  }
  if (missing.length > 0) throw notThere(missing);
  return bringIn(ctx, images);
}

/** The last step of it alone: pictures from elsewhere are brought in, or become links. */
export const settleForeign = (ctx: MemberContext, document: unknown): Promise<number> =>
  bringIn(ctx, imagesIn(document));

async function bringIn(ctx: MemberContext, images: ImageNode[]): Promise<number> {
  const foreign = images.filter((image) => isForeign(ctx, srcOf(image)));
  if (foreign.length === 0) return 0;
  return ctx.temporary.folder((folder) => bringInto(folder, ctx, foreign));
}

async function bringInto(folder: string, ctx: MemberContext, foreign: ImageNode[]): Promise<number> {
  const files = await ctx.foreign.fetch(foreign.map(srcOf), folder, ctx.signal);
  const taken = new Map<string, string>();
  for (const [src, file] of files) {
    const picture = await addPicture(ctx, file).catch((error: unknown) => {
      // What is wrong with the picture leaves a link; what is wrong here is said.
      if (error instanceof AppError && !["too_many", "unavailable"].includes(error.code)) return null;
      throw error;
    });
    if (picture) taken.set(src, picture.src);
  }
  for (const image of foreign) {
    const src = taken.get(srcOf(image));
    if (src) showAt(image, src);
    else becomeLink(image);
  }
  return foreign.filter(({ type }) => !isPictureName(type)).length;
}

const srcOf = ({ attrs }: ImageNode): string => attrs?.src ?? "";

function showAt({ attrs }: ImageNode, src: string): void {
  if (attrs) attrs.src = src;
}

/** An address that a document may have, and that is not ours. */
const isForeign = (ctx: MemberContext, src: string): boolean =>
  /^https?:/i.test(src) && safeImageSource(src) === src && ownIdIn(ctx, src) === null;

/** A text in the picture's place: its description, which leads to where it is, or to where the picture led. */
function becomeLink(image: ImageNode): void {
  const src = srcOf(image);
  const { hostname, pathname } = new URL(src);
  const marks = Array.isArray(image.marks) ? (image.marks as { type?: unknown }[]) : [];
  image.text = descriptionOf(image) || `${hostname}/${pathname.split("/").at(-1) ?? ""}`;
  image.type = "text";
  delete image.attrs;
  if (!marks.some((mark) => mark?.type === "link"))
    image.marks = [...marks, { type: "link", attrs: { href: src } }];
}

/** What a save says of pictures that became links. */
export const saidOfLinks = (links: number): string =>
  links === 0
    ? ""
    : links === 1
      ? " We couldn’t copy a picture from another site, so it became a link."
      : ` We couldn’t copy ${links} pictures from other sites, so they became links.`;

const ownIdIn = ({ config }: MemberContext, src: string): string | null =>
  pictureIdOf(src.startsWith(`${config.publicUrl}/`) ? src.slice(config.publicUrl.length) : src);

const descriptionOf = ({ attrs }: ImageNode): string =>
  typeof attrs?.alt === "string" ? attrs.alt.trim() : "";

const nameOf = (image: ImageNode, at: number): string =>
  descriptionOf(image) ? `“${descriptionOf(image).slice(0, 60)}”` : `number ${at + 1}`;

function notThere(names: string[]): AppError {
  const [which, is, it] = names.length === 1 ? ["picture", "is", "it"] : ["pictures", "are", "them"];
  const shown = names.slice(0, 5).join(", ") + (names.length > 5 ? " and others" : "");
  return new AppError(
    "bad_request",
    `The ${which} ${shown} of this text ${is} not there any more, or not yours to show. Please add ${it} again, or take ${it} out.`,
    { field: "document" },
  );
}

/** Most nodes that are looked at: a document of more is refused (shared/document/limits.ts). */
const mostNodes = 20_000;

/** The pictures of what may be a document, in their order. With a stack of its own: it may be of any depth. */
function imagesIn(document: unknown): ImageNode[] {
  const images: ImageNode[] = [];
  const open: unknown[] = [document];
  for (let seen = 0; open.length > 0 && seen < mostNodes; seen++) {
    const node = open.pop() as { type?: unknown; attrs?: { src?: unknown }; content?: unknown } | null;
    if (typeof node !== "object" || node === null) continue;
    if (isPictureName(node.type) && typeof node.attrs?.src === "string") images.push(node as ImageNode);
    if (Array.isArray(node.content) && node.content.length <= mostNodes)
      open.push(...node.content.toReversed());
  }
  return images;
}

/** Asked once more where the text is stored: what was there a moment ago may be gone. */
export async function requireOwn(tx: Connection, authors: string[], pictureIds: string[]): Promise<void> {
  const owners = await ownersOf(tx, pictureIds);
  const missing = pictureIds.flatMap((id, at) =>
    authors.includes(owners.get(id) ?? "") ? [] : [`number ${at + 1}`],
  );
  if (missing.length > 0) throw notThere(missing);
}

/** Throws `bad_request` where the picture is no cover of these authors'. */
export async function requireCover(
  tx: Connection,
  authors: string[],
  pictureId: string | null,
  accepted = coverTypes,
): Promise<void> {
  if (pictureId === null) return;
  const picture = await pictureById(tx, pictureId);
  if (!picture || !authors.includes(picture.ownerId ?? ""))
    throw new AppError("bad_request", "That cover picture is no longer available. Please choose it again.", {
      field: "coverId",
    });
  if (!accepted.includes(picture.type))
    throw new AppError("bad_request", "A cover has to be a PNG or JPEG picture.", { field: "coverId" });
}
