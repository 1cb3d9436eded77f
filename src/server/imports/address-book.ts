import path from "node:path";
import { decodeUri } from "../../shared/decode-uri.ts";
import { headingIds } from "../../shared/document/slugs.ts";
import { routes } from "../../shared/routes.ts";
import { importBounds as bounds } from "./bounds.ts";
import type { SourcePost } from "./source.ts";

const { posix } = path;

/** The new addresses of imported posts, by every former path and file name. Filled before any post is written. */
export class AddressBook {
  readonly #byPath = new Map<string, string>();
  readonly #ownerOfPath = new Map<string, string>();
  readonly #byFile = new Map<string, string>();
  readonly #byName = new Map<string, string | null>();
  readonly #slugs = new Set<string>();
  readonly #folders = new WeakMap<string[], Set<string>>();

  has(slug: string): boolean {
    return this.#slugs.has(slug);
  }

  add(post: Pick<SourcePost, "file" | "paths" | "canonicalUrl">, slug: string): void {
    this.#slugs.add(slug);
    for (const formerPath of post.paths.map(normalizedPath))
      if (formerPath !== null && !this.#ownerOfPath.has(formerPath)) this.#ownerOfPath.set(formerPath, slug);
    const file = withoutExtension(post.file);
    this.#byFile.set(file, slug);
    for (const address of [...post.paths, post.canonicalUrl ?? ""]) {
      const normalized = normalizedPath(address);
      if (normalized !== null && !this.#byPath.has(normalized)) this.#byPath.set(normalized, slug);
    }
    const name = posix.basename(file);
    // A name of two posts is ambiguous.
    this.#byName.set(name, this.#byName.has(name) && this.#byName.get(name) !== slug ? null : slug);
  }

  /** Returns the slug of the post that had this path; of several, that of the first. */
  ownerOf(formerPath: string): string | undefined {
    return this.#ownerOfPath.get(normalizedPath(formerPath) ?? "");
  }

  /** Returns the new address of a link; null when its target was not imported. */
  find(link: string, post: Pick<SourcePost, "file" | "paths">, origins: readonly string[]): string | null {
    if (link.length > bounds.address) return null;
    const origin = origins.find((candidate) => link === candidate || link.startsWith(`${candidate}/`));
    const [, address = "", hash = ""] =
      /^([^#]*)(?:#(.*))?$/s.exec(origin === undefined ? link : link.slice(origin.length) || "/") ?? [];
    // Also outside `origins`: the old site may have had others.
    const slug = /^https?:/i.test(address)
      ? this.#byPath.get(normalizedPath(address) ?? "")
      : this.#slugOf(address, post);
    return slug === undefined ? null : this.addressOf(slug, hash ? headingIds()(decoded(hash)) : "");
  }

  addressOf(slug: string, anchor = ""): string {
    return `${routes.blog(slug)}${anchor ? `#${anchor}` : ""}`;
  }

  #slugOf(address: string, post: Pick<SourcePost, "file" | "paths">): string | undefined {
    const decodedPath = decoded(address.replace(/\?.*$/, ""));
    const [, fromRoot] = /^[@~]\/+(.+)$/.exec(decodedPath) ?? [];
    if (fromRoot !== undefined)
      return this.#fileAt([fromRoot, `content/${fromRoot}`, `src/${fromRoot}`]) ?? this.#slugByName(fromRoot);
    const slugAt = (one: string) => this.#byPath.get(normalizedPath(one) ?? "");
    if (address.startsWith("/"))
      return slugAt(address) ?? this.#fileAt([decodedPath.slice(1), `content${decodedPath}`]);
    if (decodedPath === "") return undefined;
    const sibling = posix.join(posix.dirname(post.file), decodedPath);
    const file = this.#fileAt([sibling]);
    if (file !== undefined) return file;
    for (const folder of this.#foldersOf(post)) {
      const slug = slugAt(posix.join(folder, decodedPath));
      if (slug !== undefined) return slug;
    }
    return undefined;
  }

  /** Returns the folders from which relative links may start. Cached per post. */
  #foldersOf({ paths }: Pick<SourcePost, "paths">): Iterable<string> {
    const cached = this.#folders.get(paths);
    if (cached) return cached;
    const folders = new Set(
      paths.flatMap((one) => [`${one.replace(/\/[^/]*\.\w+$/, "")}/`, posix.dirname(one)]),
    );
    this.#folders.set(paths, folders);
    return folders;
  }

  #fileAt(candidates: string[]): string | undefined {
    for (const candidate of candidates) {
      const slug = this.#byFile.get(withoutExtension(candidate));
      if (slug !== undefined) return slug;
    }
    return undefined;
  }

  #slugByName(name: string): string | undefined {
    return this.#byName.get(posix.basename(withoutExtension(name))) ?? undefined;
  }
}

/** Returns a file as links write it: without extension, an index page as its folder. */
const withoutExtension = (file: string): string =>
  file
    .replace(/(?<!\/)\/+$/, "")
    .replace(/\.(?:mdx?|markdown|mkdn?|mkdown|html?)$/i, "")
    .replace(/\/_?index$/, "");

/** Normalizes a path for comparison: decoded, without origin, query (except `?p=`), hash and what servers omit. */
function normalizedPath(address: string): string | null {
  const base = "http://elsewhere.invalid";
  if (address === "" || !URL.canParse(address, base)) return null;
  const url = new URL(address, base);
  const name = url.searchParams.get("p");
  const pathname = decoded(url.pathname)
    .normalize("NFC")
    .replace(/\/+/g, "/")
    .replace(/(?:\/index)?\.html?$/i, "")
    .replace(/\/$/, "");
  const whole = name !== null && /^\d+$/.test(name) ? `${pathname}?p=${name}` : pathname;
  return whole || null;
}

const decoded = (text: string): string => decodeUri(text) ?? text;
