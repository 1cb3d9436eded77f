import { decodeUri } from "../../shared/decode-uri.ts";
import { feedFiles } from "../../shared/feeds.ts";
import { isReserved } from "../../shared/reserved-names.ts";
import { profileTabs, routes } from "../../shared/routes.ts";
import type { Context } from "../context.ts";
import type { Connection } from "../database/connection.ts";
import { formerOwnerOf, isTaken } from "../profiles/username-queries.ts";
import { readableBlog } from "./access.ts";
import { aliasHolder, countAliases, insertAlias } from "./alias-queries.ts";
import { slugHolder } from "./queries.ts";

/** The most characters of a path, and the most paths of one blog. */
const maxPathLength = 500;
const maxPathsPerBlog = 50;

/**
 * Normalizes a path of another site: root-relative, decoded, NFC, no trailing slash, of the query only `p` (a post id of
 * WordPress and others). Returns null for an invalid path or a front page.
 */
export function plainPath(address: string): string | null {
  const base = "http://elsewhere.invalid";
  if (!URL.canParse(address, base)) return null;
  const { protocol, pathname, searchParams } = new URL(address, base);
  if (!/^https?:$/.test(protocol)) return null;
  const name = searchParams.get("p") ?? "";
  const query = /^[\w-]+$/.test(name) ? `?p=${name}` : "";
  const path = decodeUri(pathname)?.normalize("NFC").replace(/\/+/g, "/").replace(/\/$/, "");
  if (path === undefined || /[\0-\x1f\x7f]/.test(path) || path + query === "") return null;
  const plain = (query ? path || "/" : path) + query;
  return plain.length > maxPathLength ? null : plain;
}

/**
 * Stores a blog's paths on another site. Returns the refused ones: invalid, used by this site or another blog, or above the
 * limit.
 */
export async function storeAliases(tx: Connection, blogId: string, paths: string[]): Promise<string[]> {
  const rejectedPaths: string[] = [];
  let room = maxPathsPerBlog - (await countAliases(tx, blogId));
  for (const requestedPath of paths) {
    const path = plainPath(requestedPath);
    const holder = path === null ? undefined : await aliasHolder(tx, path);
    if (path === null || (holder ?? blogId) !== blogId) rejectedPaths.push(requestedPath);
    else if (holder === undefined) {
      const owner = await ownerOfPath(tx, path);
      if (owner === blogId) continue;
      if (owner !== undefined || room <= 0) {
        rejectedPaths.push(requestedPath);
        continue;
      }
      await insertAlias(tx, path, blogId);
      room -= 1;
    }
  }
  return rejectedPaths;
}

/** Whether a path may be a feed, or a blog as a file, also where there is none: no alias is looked up. */
const isFile = (first: string, second = ""): boolean =>
  feedFiles.some((file) => file === second) || (first === "blog" && /.\.(md|html)$/.test(second));

/** Returns the id of the blog at a path of this site, `page` for other pages, undefined if unused. */
async function ownerOfPath(connection: Connection, path: string): Promise<string | undefined> {
  if (path.startsWith("/?")) return undefined;
  const [, first = "", second, ...more] = path.replace(/\?p=[\w-]+$/, "").split("/");
  const name = first.toLowerCase();
  if (more.length === 0 && isFile(name, second)) return "page";
  if (name === "blog" && second && more.length === 0) return slugHolder(connection, second);
  if (isReserved(name)) return "page";
  const isUsername =
    (await isTaken(connection, name, { now: Date.now() })) ||
    (await formerOwnerOf(connection, name)) !== undefined;
  return isUsername ? "page" : undefined;
}

/**
 * Returns whether another person or blog now uses the path. It must not redirect then, even for viewers who cannot see the new
 * owner.
 */
async function isPathReused(connection: Connection, path: string, blogId: string): Promise<boolean> {
  const [, first, second, ...more] = path.split("/");
  const isDeeper = first !== "blog" && second !== undefined;
  if (isDeeper && (more.length > 0 || !profileTabs.some((tab) => tab === second))) return false;
  return ((await ownerOfPath(connection, path)) ?? blogId) !== blogId;
}

/** Returns the current path of a blog by its path on another site; null if unknown or unreadable for the viewer. */
export async function addressOfAlias(
  ctx: Pick<Context, "database" | "viewer">,
  requestedPath: string,
): Promise<string | null> {
  // Without the prefix, a leading `//` would name another host.
  const path = plainPath(`http://here.invalid${requestedPath}`);
  const id = path === null ? undefined : await aliasHolder(ctx.database.read, path);
  if (path === null || id === undefined) return null;
  if (await isPathReused(ctx.database.read, path, id)) return null;
  const blog = await readableBlog(ctx.database.read, ctx.viewer, { id }).catch(() => null);
  return blog && routes.blog(blog.slug);
}
