import { AppError } from "../../shared/errors.ts";
import type { Asker, MemberContext } from "../context.ts";
import type { Connection } from "../database/connection.ts";
import { picturePath, pictureIdOf } from "../media/paths.ts";
import { ownersOf, pictureById } from "../media/queries.ts";
import { coverTypes, ownPictures } from "../media/service.ts";

/** A picture in a document that was not checked yet. */
interface ImageNode {
  type: string;
  attrs: { src: string; alt?: unknown };
}

/**
 * Sees to it that a text shows pictures of its author's own alone, and changes the document where it does not: of somebody
 * else's that they may see they get a copy. Throws `bad_request`, and says which, where one is not there or not for them.
 */
export async function settlePictures(ctx: MemberContext, document: unknown): Promise<void> {
  const images = imagesIn(document);
  const ids = images.map(({ attrs }) => ownIdIn(ctx, attrs.src));
  const own = await ownPictures(ctx, [...new Set(ids.filter((id) => id !== null))]);
  const missing: string[] = [];
  for (const [at, image] of images.entries()) {
    const id = ids[at];
    if (!id) continue;
    const kept = own.get(id);
    if (kept) image.attrs.src = picturePath(kept);
    else missing.push(nameOf(image, at));
  }
  if (missing.length > 0) throw notThere(missing);
}

const ownIdIn = ({ config }: MemberContext, src: string): string | null =>
  pictureIdOf(src.startsWith(`${config.publicUrl}/`) ? src.slice(config.publicUrl.length) : src);

const nameOf = ({ attrs }: ImageNode, at: number): string =>
  typeof attrs.alt === "string" && attrs.alt.trim() !== ""
    ? `“${attrs.alt.trim().slice(0, 60)}”`
    : `number ${at + 1}`;

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
    if (node.type === "image" && typeof node.attrs?.src === "string") images.push(node as ImageNode);
    if (Array.isArray(node.content) && node.content.length <= mostNodes)
      open.push(...node.content.toReversed());
  }
  return images;
}

/** Asked once more where the text is stored: what was there a moment ago may be gone. */
export async function requireOwn(tx: Connection, viewer: Asker, pictureIds: string[]): Promise<void> {
  const owners = await ownersOf(tx, pictureIds);
  const missing = pictureIds.flatMap((id, at) => (owners.get(id) === viewer.id ? [] : [`number ${at + 1}`]));
  if (missing.length > 0) throw notThere(missing);
}

/** Throws `bad_request` where the picture is no cover of the viewer's. */
export async function requireCover(tx: Connection, viewer: Asker, pictureId: string | null): Promise<void> {
  if (pictureId === null) return;
  const picture = await pictureById(tx, pictureId);
  if (!picture || picture.ownerId !== viewer.id)
    throw new AppError("bad_request", "That cover picture is not there any more. Please choose it again.", {
      field: "coverId",
    });
  if (!coverTypes.includes(picture.type))
    throw new AppError("bad_request", "A cover is a PNG or JPEG picture.", { field: "coverId" });
}
