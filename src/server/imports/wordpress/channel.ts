import { decodeUri } from "../../../shared/decode-uri.ts";
import { FileProblem, type Files } from "../source.ts";
import { short } from "../reading/values.ts";
import { unescapedName } from "./blocks.ts";
import type { Attachment } from "./shortcodes.ts";
import { BrokenXml, partsOf, type XmlElement } from "./xml.ts";

/** The most indexed items; later ones lose links and covers, which is reported. */
const maxIndexedItems = 200_000;

/** Everything but the posts' texts, held in memory. */
export class Channel {
  posts = 0;
  readonly authors = new Map<string, { key: string; name: string; email?: string }>();
  readonly attachments = new Map<string, Attachment>();
  readonly #attached = new Map<string, { id: string; order: number }[]>();
  readonly shared = new Map<string, string>();
  readonly urls = new Set<string>();
  readonly #hosts = new Set<string>();
  base = "";
  unknown = 0;

  static async read(files: Files, names: string[]): Promise<Channel> {
    const channel = new Channel();
    for (const name of names) {
      let items = 0;
      try {
        for await (const part of partsOf(files, name)) {
          channel.#addElement(part);
          items++;
        }
      } catch (error) {
        if (!(error instanceof FileProblem)) throw error;
        // Items before the error are imported.
        if (error instanceof BrokenXml && items > 0) continue;
        throw new FileProblem(`${name} can’t be read: ${error.message}`, { cause: error });
      }
    }
    return channel;
  }

  isOwn(host: string): boolean {
    return this.#hosts.has(withoutWww(host));
  }

  /** In order. */
  attachedTo = (post: string): string[] =>
    (this.#attached.get(post) ?? [])
      .toSorted((one, other) => one.order - other.order || Number(one.id) - Number(other.id))
      .map(({ id }) => id);

  /** With and without `www`. */
  get origins(): string[] {
    const hosts = [...this.#hosts].flatMap((host) => [host, `www.${host}`]);
    return ["https", "http"].flatMap((scheme) => hosts.map((host) => `${scheme}://${host}`));
  }

  #addElement(part: XmlElement): void {
    if (part.name === "item") this.#addItem(part);
    else if (part.name === "wp:author") {
      const login = part.childText("wp:author_login");
      if (login)
        this.authors.set(login, {
          key: login,
          name: unescapedName(part.childText("wp:author_display_name")) || login,
          email: part.childText("wp:author_email") || undefined,
        });
    } else if (["link", "wp:base_site_url", "wp:base_blog_url"].includes(part.name)) {
      const host = hostOf(part.text.trim());
      if (host) this.#hosts.add(withoutWww(host));
      if (host && (!this.base || part.name === "wp:base_blog_url"))
        this.base = part.text.trim().replace(/^https?:\/\/|\/$/g, "");
    }
  }

  #addItem(item: XmlElement): void {
    const type = item.childText("wp:post_type");
    const id = item.childText("wp:post_id");
    if (type === "post") this.posts++;
    if (this.attachments.size > maxIndexedItems) this.unknown++;
    else if (type === "attachment") {
      const url = item.childText("wp:attachment_url") || item.childText("guid");
      if (!url) return;
      this.urls.add(url);
      this.attachments.set(id, {
        url,
        alt: short(metaOf(item, "_wp_attachment_image_alt"), 1000),
        caption: item.childText("excerpt:encoded").slice(0, 1000),
      });
      const parent = item.childText("wp:post_parent");
      if (parent !== "0" && /\.(?:jpe?g|png|gif|webp|avif)$/i.test(url)) {
        const picture = { id, order: Number(item.childText("wp:menu_order")) || 0 };
        const siblings = this.#attached.get(parent);
        if (siblings) siblings.push(picture);
        else this.#attached.set(parent, [picture]);
      }
    } else if (type === "wp_block") {
      const text = item.childText("content:encoded");
      if (this.shared.size < 1000 && text.length < 100_000) this.shared.set(id, text);
    }
  }
}

export const metaOf = (item: XmlElement, key: string): string =>
  item
    .all("wp:postmeta")
    .find((meta) => meta.childText("wp:meta_key") === key)
    ?.childText("wp:meta_value") ?? "";

/** Returns null for the site's root. */
export function pathOf(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const { pathname } = new URL(address);
  const path = decoded(pathname).replace(/\/+$/, "");
  return path || null;
}

export const hostOf = (address: string): string | null =>
  URL.canParse(address) ? new URL(address).host : null;

const withoutWww = (host: string): string => host.toLowerCase().replace(/^www\./, "");

export const decoded = (text: string): string => decodeUri(text) ?? text;
