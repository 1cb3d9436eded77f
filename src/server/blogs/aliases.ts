import { reservedNames } from "../../shared/reserved-names.ts";
import { profileTabs, routes } from "../../shared/routes.ts";
import type { Context } from "../context.ts";
import type { Connection } from "../database/connection.ts";
import { formerOwnerOf, isTaken } from "../users/username-queries.ts";
import { readableBlog } from "./access.ts";
import { aliasHolder, countAliases, insertAlias } from "./alias-queries.ts";
import { slugHolder } from "./queries.ts";

/** A path is no longer than this, and a blog has no more of them. */
const longest = 500;
const mostOfOne = 50;

/**
 * A path of another site in the one way that it is written down: root-relative, decoded, composed (NFC), without slash at its
 * end. Of a query `p` alone stays, by which WordPress and others name a text. Null where it is none, or leads to a front page.
 */
export function plainPath(address: string): string | null {
  const base = "http://elsewhere.invalid";
  if (!URL.canParse(address, base)) return null;
  const { protocol, pathname, searchParams } = new URL(address, base);
  if (!/^https?:$/.test(protocol)) return null;
  const name = searchParams.get("p") ?? "";
  const query = /^[\w-]+$/.test(name) ? `?p=${name}` : "";
  const path = decoded(pathname)?.normalize("NFC").replace(/\/+/g, "/").replace(/\/$/, "");
  if (path === undefined || /[\0-\x1f\x7f]/.test(path) || path + query === "") return null;
  const plain = (query ? path || "/" : path) + query;
  return plain.length > longest ? null : plain;
}

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/**
 * Writes down where a blog stood on another site, so that it is found there. Answers with what was refused: no path of a page,
 * an address of ours, one that leads to another blog, or one too many.
 */
export async function noteAliases(tx: Connection, blogId: string, paths: string[]): Promise<string[]> {
  const refused: string[] = [];
  let room = mostOfOne - (await countAliases(tx, blogId));
  for (const given of paths) {
    const path = plainPath(given);
    const holder = path === null ? undefined : await aliasHolder(tx, path);
    if (path === null || (holder ?? blogId) !== blogId) refused.push(given);
    else if (holder === undefined) {
      const ours = await whoseOfOurs(tx, path);
      if (ours === blogId) continue;
      if (ours !== undefined || room <= 0) {
        refused.push(given);
        continue;
      }
      await insertAlias(tx, path, blogId);
      room -= 1;
    }
  }
  return refused;
}

/** The blog, or `page`, that a path of ours leads to; undefined where nothing of ours answers. */
async function whoseOfOurs(connection: Connection, path: string): Promise<string | undefined> {
  if (path.startsWith("/?")) return undefined;
  const [, first = "", second, ...more] = path.split("/");
  const name = first.toLowerCase();
  if (name === "blog" && second && more.length === 0) return slugHolder(connection, second);
  if (reservedNames.has(name)) return "page";
  const isAnybodys =
    (await isTaken(connection, name, { now: Date.now() })) ||
    (await formerOwnerOf(connection, name)) !== undefined;
  return isAnybodys ? "page" : undefined;
}

/** Whether somebody, or another blog, has got the very address since: who may not see them is not led elsewhere by it. */
async function hasBecomeAnothers(connection: Connection, path: string, blogId: string): Promise<boolean> {
  const [, first, second, ...more] = path.split("/");
  const isDeeper = first !== "blog" && second !== undefined;
  if (isDeeper && (more.length > 0 || !profileTabs.some((tab) => tab === second))) return false;
  return ((await whoseOfOurs(connection, path)) ?? blogId) !== blogId;
}

/**
 * Where the blog is now that stood elsewhere at the path that is asked for, if the viewer may read it. To anybody else it is a
 * path that is not there.
 */
export async function addressOfAlias(
  ctx: Pick<Context, "database" | "viewer">,
  asked: string,
): Promise<string | null> {
  // Two slashes in front would else be read as another site.
  const path = plainPath(`http://here.invalid${asked}`);
  const id = path === null ? undefined : await aliasHolder(ctx.database.read, path);
  if (path === null || id === undefined) return null;
  if (await hasBecomeAnothers(ctx.database.read, path, id)) return null;
  const blog = await readableBlog(ctx.database.read, ctx.viewer, { id }).catch(() => null);
  return blog && routes.blog(blog.slug);
}
