import { AppError } from "../../shared/errors.ts";
import { isPictureName } from "../../shared/document/picture-names.ts";
import { safeImageSource } from "../../shared/document/values.ts";
import type { MemberContext } from "../context.ts";
import type { Connection } from "../database/connection.ts";
import { picturePath, pictureIdOf } from "../media/paths.ts";
import { ownersOf, pictureById } from "../media/queries.ts";
import { addPicture, coverTypes, ensureOwnPictures } from "../media/service.ts";

/** A picture in an unchecked document. */
interface ImageNode {
  type: string;
  attrs?: { src: string; alt?: unknown } | undefined;
  text?: string;
  marks?: unknown;
}

/**
 * Makes a document show only its authors' pictures: copies others that they can see, imports remote images or turns them into
 * links. Returns how many became links. Throws `bad_request` naming missing or invisible pictures.
 */
export async function resolvePictures(
  ctx: MemberContext,
  document: unknown,
  authors: string[] = [ctx.viewer.id],
): Promise<number> {
  const images = imagesIn(document);
  const ids = images.map((image) => ownIdIn(ctx, srcOf(image)));
  const ownPictures = await ensureOwnPictures(ctx, [...new Set(ids.filter((id) => id !== null))], authors);
  const missing: string[] = [];
  for (const [at, image] of images.entries()) {
    const id = ids[at];
    if (!id) continue;
    const picture = ownPictures.get(id);
    if (picture) showAt(image, picturePath(picture));
    else missing.push(nameOf(image, at));
  }
  if (missing.length > 0) throw picturesNotFound(missing);
  return (await importRemote(ctx, images)).links;
}

/** Imports remote images as far as there is room and time, and turns those that cannot be imported into links. */
export const importSomeRemotePictures = (ctx: MemberContext, document: unknown): Promise<RemoteImport> =>
  importRemote(ctx, imagesIn(document), { keepsUntried: true });

/** How many images became links, and how many are still remote. */
interface RemoteImport {
  links: number;
  left: number;
}

async function importRemote(
  ctx: MemberContext,
  images: ImageNode[],
  { keepsUntried = false }: { keepsUntried?: boolean } = {},
): Promise<RemoteImport> {
  const foreign = images.filter((image) => isForeign(ctx, srcOf(image)));
  if (foreign.length === 0) return { links: 0, left: 0 };
  return ctx.temporary.folder((folder) => importRemoteInto(folder, ctx, foreign, keepsUntried));
}

async function importRemoteInto(
  folder: string,
  ctx: MemberContext,
  foreign: ImageNode[],
  keepsUntried: boolean,
): Promise<RemoteImport> {
  const { files, untried } = await ctx.remoteImages.fetch(foreign.map(srcOf), folder, ctx.signal);
  const importedSrcs = new Map<string, string>();
  for (const [src, file] of files) {
    const picture = await addPicture(ctx, file).catch((error: unknown) => {
      // A bad picture becomes a link; errors of the site are thrown.
      if (error instanceof AppError && !["too_many", "unavailable"].includes(error.code)) return null;
      throw error;
    });
    if (picture) importedSrcs.set(src, picture.src);
  }
  let left = 0;
  for (const image of foreign) {
    const src = importedSrcs.get(srcOf(image));
    if (src) showAt(image, src);
    else if (keepsUntried && untried.has(srcOf(image))) left++;
    else becomeLink(image);
  }
  return { links: foreign.filter(({ type }) => !isPictureName(type)).length, left };
}

const srcOf = ({ attrs }: ImageNode): string => attrs?.src ?? "";

function showAt({ attrs }: ImageNode, src: string): void {
  if (attrs) attrs.src = src;
}

/** Whether an address is valid in a document and not ours. */
const isForeign = (ctx: MemberContext, src: string): boolean =>
  /^https?:/i.test(src) && safeImageSource(src) === src && ownIdIn(ctx, src) === null;

/** Replaces a picture with its linked description, keeping a link that it had. */
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

export const linksNotice = (links: number): string =>
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

function picturesNotFound(names: string[]): AppError {
  const [noun, verb, pronoun] = names.length === 1 ? ["picture", "is", "it"] : ["pictures", "are", "them"];
  const listedNames = names.slice(0, 5).join(", ") + (names.length > 5 ? " and others" : "");
  return new AppError(
    "bad_request",
    `The ${noun} ${listedNames} of this text ${verb} not there any more, or not yours to show. Please add ${pronoun} again, or take ${pronoun} out.`,
    { field: "document" },
  );
}

/** A document of more nodes is refused (shared/document/limits.ts). */
const mostNodes = 20_000;

/** Returns the pictures of a possible document in order, without recursion: it may have any depth. */
function imagesIn(document: unknown): ImageNode[] {
  const images: ImageNode[] = [];
  const open: unknown[] = [document];
  for (let visited = 0; open.length > 0 && visited < mostNodes; visited++) {
    const node = open.pop() as { type?: unknown; attrs?: { src?: unknown }; content?: unknown } | null;
    if (typeof node !== "object" || node === null) continue;
    if (isPictureName(node.type) && typeof node.attrs?.src === "string") images.push(node as ImageNode);
    if (Array.isArray(node.content) && node.content.length <= mostNodes)
      open.push(...node.content.toReversed());
  }
  return images;
}

/** Checks ownership again: pictures may have been deleted. */
export async function requireOwnPictures(
  tx: Connection,
  authors: string[],
  pictureIds: string[],
): Promise<void> {
  const owners = await ownersOf(tx, pictureIds);
  const missing = pictureIds.flatMap((id, at) =>
    authors.includes(owners.get(id) ?? "") ? [] : [`number ${at + 1}`],
  );
  if (missing.length > 0) throw picturesNotFound(missing);
}

/** Throws `bad_request` unless the picture is these authors' and an accepted cover. */
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
