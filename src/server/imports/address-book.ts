import path from "node:path";
import { headingIds } from "../../shared/document/slugs.ts";
import { routes } from "../../shared/routes.ts";
import { importBounds as bounds } from "./bounds.ts";
import type { SourcePost } from "./source.ts";

const { posix } = path;

/** The new addresses of imported posts, by every former path and file name. Filled before any post is written. */
export class AddressBook {
  readonly #publicUrl: string;
  readonly #byPath = new Map<string, string>();
  readonly #byFile = new Map<string, string>();
  readonly #byName = new Map<string, string | null>();
  readonly #slugs = new Set<string>();
  readonly #folders = new WeakMap<string[], Set<string>>();

  constructor(publicUrl: string) {
    this.#publicUrl = publicUrl;
  }

  get size(): number {
    return this.#slugs.size;
  }

  has(slug: string): boolean {
    return this.#slugs.has(slug);
  }

  add(post: Pick<SourcePost, "file" | "paths" | "canonicalUrl">, slug: string): void {
    this.#slugs.add(slug);
    const file = withoutExtension(post.file);
    this.#byFile.set(file, slug);
    for (const one of [...post.paths, post.canonicalUrl ?? ""]) {
      const plain = normalizedPath(one);
      if (plain !== null && !this.#byPath.has(plain)) this.#byPath.set(plain, slug);
    }
    const name = posix.basename(file);
    // A name of two posts is ambiguous.
    this.#byName.set(name, this.#byName.has(name) && this.#byName.get(name) !== slug ? null : slug);
  }

  /** Returns the new address of a link; null when its target was not imported. */
  find(written: string, post: Pick<SourcePost, "file" | "paths">, origins: readonly string[]): string | null {
    if (written.length > bounds.address) return null;
    const origin = origins.find((one) => written === one || written.startsWith(`${one}/`));
    const [, address = "", hash = ""] =
      /^([^#]*)(?:#(.*))?$/s.exec(origin === undefined ? written : written.slice(origin.length) || "/") ?? [];
    // Also outside `origins`: the old site may have had others.
    const slug = /^https?:/i.test(address)
      ? this.#byPath.get(normalizedPath(address) ?? "")
      : this.#slugOf(address, post);
    return slug === undefined ? null : this.addressOf(slug, hash ? headingIds()(decoded(hash)) : "");
  }

  addressOf(slug: string, anchor = ""): string {
    return `${this.#publicUrl}${routes.blog(slug)}${anchor ? `#${anchor}` : ""}`;
  }

  #slugOf(address: string, post: Pick<SourcePost, "file" | "paths">): string | undefined {
    const plain = decoded(address.replace(/\?.*$/, ""));
    const [, named] = /^[@~]\/+(.+)$/.exec(plain) ?? [];
    if (named !== undefined)
      return this.#fileAt([named, `content/${named}`, `src/${named}`]) ?? this.#named(named);
    const byPath = (one: string) => this.#byPath.get(normalizedPath(one) ?? "");
    if (address.startsWith("/")) return byPath(address) ?? this.#fileAt([plain.slice(1), `content${plain}`]);
    if (plain === "") return undefined;
    const beside = posix.join(posix.dirname(post.file), plain);
    const file = this.#fileAt([beside]);
    if (file !== undefined) return file;
    for (const folder of this.#foldersOf(post)) {
      const slug = byPath(posix.join(folder, plain));
      if (slug !== undefined) return slug;
    }
    return undefined;
  }

  /** Returns the folders from which relative links may start. Cached per post. */
  #foldersOf({ paths }: Pick<SourcePost, "paths">): Iterable<string> {
    const known = this.#folders.get(paths);
    if (known) return known;
    const folders = new Set(
      paths.flatMap((one) => [`${one.replace(/\/[^/]*\.\w+$/, "")}/`, posix.dirname(one)]),
    );
    this.#folders.set(paths, folders);
    return folders;
  }

  #fileAt(candidates: string[]): string | undefined {
    for (const one of candidates) {
      const slug = this.#byFile.get(withoutExtension(one));
      if (slug !== undefined) return slug;
    }
    return undefined;
  }

  #named(name: string): string | undefined {
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
  const plain = decoded(url.pathname)
    .normalize("NFC")
    .replace(/\/+/g, "/")
    .replace(/(?:\/index)?\.html?$/i, "")
    .replace(/\/$/, "");
  const whole = name !== null && /^\d+$/.test(name) ? `${plain}?p=${name}` : plain;
  return whole || null;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
