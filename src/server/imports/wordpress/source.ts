import { DocumentError } from "../../../shared/document/document-error.ts";
import { htmlLimits } from "../../../shared/document/limits.ts";
import { SiblingFiles } from "../reading/sibling-files.ts";
import { tidy } from "../reading/tidy.ts";
import { day, parsedDate } from "../reading/dates.ts";
import { countText, short } from "../reading/values.ts";
import type { SourceOptions } from "../kinds.ts";
import {
  FileProblem,
  unreadableText,
  type Files,
  type Found,
  type Source,
  type SourcePost,
} from "../source.ts";
import { fillBlocks, hasBlocks, htmlToText, simplifyBlocks, unescapedName } from "./blocks.ts";
import { Channel, decoded, hostOf, metaOf, pathOf } from "./channel.ts";
import { commentsOf } from "./comments.ts";
import { withParagraphs } from "./paragraphs.ts";
import { convertShortcodes } from "./shortcodes.ts";
import { BrokenXml, partsOf, type XmlElement } from "./xml.ts";

/** A WordPress export: RSS with extensions (WXR) in one or more files, with uploads next to it if copied. */
export class WordPressSource implements Source {
  readonly kind = "wordpress";
  readonly count: number;
  readonly origins: readonly string[];
  readonly #files: Files;
  readonly #names: string[];
  readonly #channel: Channel;
  readonly #siblings: SiblingFiles;
  readonly #options: SourceOptions;

  private constructor(
    files: Files,
    names: string[],
    channel: Channel,
    siblings: SiblingFiles,
    options: SourceOptions,
  ) {
    this.#files = files;
    this.#names = names;
    this.#channel = channel;
    this.#siblings = siblings;
    this.#options = options;
    this.count = channel.posts;
    this.origins = channel.origins;
  }

  /** Throws `FileProblem` when there is no readable export. */
  static async open(files: Files, options: SourceOptions = {}): Promise<WordPressSource> {
    const names = (await files.list())
      .map(({ name }) => name)
      .filter((name) => /\.(?:xml|wxr)$/i.test(name) && !/(?:^|\/)wp-content\//.test(name))
      .sort();
    if (names.length === 0)
      throw new FileProblem(
        "no XML file found. In WordPress choose Tools, Export, All content, then use that file, or a folder with it and wp-content/uploads",
      );
    const channel = await Channel.read(files, names);
    if (channel.posts === 0 && channel.attachments.size === 0 && channel.authors.size === 0)
      throw new FileProblem(`${names[0] ?? ""} is not an export from WordPress: it has no posts`);
    // Upload paths are equal from the year on.
    const siblings = await SiblingFiles.of(files, /(?<=(?:^|\/)uploads\/).+|(?<=^|\/)\d{4}\/\d\d\/[^/]+$/);
    return new WordPressSource(files, names, channel, siblings, options);
  }

  async *posts(): AsyncGenerator<Found> {
    yield* this.#files.skipped ?? [];
    const otherTypes = new Map<string, number>();
    for (const name of this.#names) {
      try {
        for await (const item of partsOf(this.#files, name)) {
          if (item.name !== "item") continue;
          const type = item.childText("wp:post_type");
          if (type !== "post" && !(type === "page" && this.#options.pages)) {
            otherTypes.set(type || "item", (otherTypes.get(type || "item") ?? 0) + 1);
            continue;
          }
          yield this.#read(item);
        }
      } catch (error) {
        if (!(error instanceof BrokenXml)) throw error;
        yield { file: name, reason: error.message, isWrong: true };
      }
    }
    const file = this.#names[0] ?? "";
    for (const [type, count] of otherTypes)
      yield {
        file,
        reason: `${countText(count, ...(kinds[type] ?? [`item of type ${short(type, 40)}`, `items of type ${short(type, 40)}`]))}: not posts`,
      };
    if (this.#channel.unknown > 0)
      yield {
        file,
        reason: `links and covers to the last ${countText(this.#channel.unknown, "item")} of the export could not be followed`,
      };
  }

  file(_post: unknown, name: string, maxBytes: number): Promise<Buffer> {
    return this.#siblings.read(name, maxBytes);
  }

  close(): Promise<void> {
    return this.#files.close();
  }

  #read(item: XmlElement): Found {
    const id = item.childText("wp:post_id");
    const slug = decoded(item.childText("wp:post_name"));
    const file = slug || `?p=${id}`;
    const status = item.childText("wp:status");
    if (status === "trash" || status === "auto-draft" || status === "inherit")
      return { file, reason: status === "trash" ? "it is in the trash" : `status: ${status}` };
    const problems = new Set<string>();
    const reportProblem = (problem: string) => void problems.add(problem);
    const date =
      parsedDate(item.childText("wp:post_date_gmt")) ??
      parsedDate(item.childText("pubDate")) ??
      parsedDate(item.childText("wp:post_date"));
    const publishedAt =
      status === "publish" || status === "future" || status === "private" ? date : undefined;
    if (status === "publish" && !publishedAt) reportProblem("It has no valid date");
    const reasons = hiddenReasons(item, status, publishedAt, new Date());
    const path = pathOf(item.childText("link"));
    const rootPath = this.#channel.base.replace(/^[^/]*/, "");
    const paths = [...(path ? [path] : []), `${rootPath}/?p=${id}`];
    for (const meta of item.all("wp:postmeta"))
      if (path && slug && meta.childText("wp:meta_key") === "_wp_old_slug" && path.endsWith(`/${slug}`))
        paths.push(`${path.slice(0, -slug.length)}${decoded(meta.childText("wp:meta_value"))}`);
    const cover = metaOf(item, "_thumbnail_id");
    const coverUrl = this.#channel.attachments.get(cover)?.url;
    if (cover && cover !== "0" && !coverUrl) reportProblem("Its cover is missing from the export");
    if (item.childText("wp:is_sticky") === "1") reportProblem("It was pinned (sticky), which was not kept");
    this.#reportCustomFields(item, reportProblem);
    try {
      const text = this.#text(item, { reportProblem, hide: (reason) => void reasons.push(reason) });
      const post: SourcePost = {
        source: `${this.#channel.base || "wordpress"}/?p=${id}`,
        file,
        title: htmlToText(item.childText("title")).replace(/\s+/g, " "),
        description: htmlToText(item.childText("excerpt:encoded")).replace(/\s+/g, " ") || undefined,
        tags: tagsOf(item, reportProblem),
        body: { kind: "html", text },
        cover: coverUrl && this.#picture(coverUrl),
        publishedAt,
        hidden: reasons.length > 0 ? [...new Set(reasons)].join("; ") : null,
        slug: slug || undefined,
        paths,
        searchTitle: metaText(item, "_yoast_wpseo_title", "rank_math_title"),
        searchDescription: metaText(item, "_yoast_wpseo_metadesc", "rank_math_description"),
        canonicalUrl: metaText(item, "_yoast_wpseo_canonical", "rank_math_canonical_url"),
        authors: this.#authorsOf(item),
        comments: commentsOf(item, reportProblem),
        problems: [...problems],
      };
      return { post };
    } catch (error) {
      return unreadableText(file, error);
    }
  }

  #text(
    item: XmlElement,
    reporter: { reportProblem: (problem: string) => void; hide: (reason: string) => void },
  ): string {
    const { attachments, shared } = this.#channel;
    const content = item.childText("content:encoded");
    if (content.length > htmlLimits.length)
      throw new DocumentError(
        `This text is too long: at most ${htmlLimits.length.toLocaleString("en")} characters of HTML can be read.`,
      );
    const usesBlocks = hasBlocks(content);
    const withBlocks = usesBlocks
      ? fillBlocks(content, { footnotes: metaOf(item, "footnotes"), shared, ...reporter })
      : content;
    const attached = this.#channel.attachedTo(item.childText("wp:post_id"));
    const converted = convertShortcodes(withBlocks, { attachments, attachedIds: attached, ...reporter });
    return tidy(usesBlocks ? converted : withParagraphs(converted), {
      first: simplifyBlocks,
      reportProblem: reporter.reportProblem,
      picture: (src) => this.#picture(src),
    });
  }

  /** Returns the original of a resized or CDN copy, or a file in the source. */
  #picture(src: string): string {
    const url = src.replace(/^https?:\/\/i\d\.wp\.com\//i, "https://").replace(/^\/\//, "https://");
    const isOwn =
      this.#channel.isOwn(hostOf(url) ?? "") || url.startsWith("/") || /\.files\.wordpress\.com\//.test(url);
    const withoutQuery = isOwn ? url.replace(/[?#].*$/s, "") : url;
    const original = withoutQuery.replace(/-\d{1,5}x\d{1,5}(?=\.\w{3,4}$)/, "");
    const scaled = original.replace(/(?=\.\w{3,4}$)/, "-scaled");
    const file = [original, scaled, withoutQuery]
      .map((address) => this.#siblings.find(address))
      .find(Boolean);
    if (file) return `/${file.split("/").map(encodeURIComponent).join("/")}`;
    return [original, scaled].find((address) => this.#channel.urls.has(address)) ?? withoutQuery;
  }

  #authorsOf(item: XmlElement): SourcePost["authors"] {
    const coAuthors = item
      .all("category")
      .filter(({ attributes }) => attributes.domain === "author")
      .map(({ attributes }) => (attributes.nicename ?? "").replace(/^cap-/, ""));
    const logins = new Set([item.childText("dc:creator"), ...coAuthors].filter(Boolean));
    return [...logins].map((login) => this.#channel.authors.get(login) ?? { key: login, name: login });
  }

  #reportCustomFields(item: XmlElement, reportProblem: (problem: string) => void): void {
    const names = item.all("wp:postmeta").map((meta) => meta.childText("wp:meta_key"));
    const customFields = names.filter(
      (name) => name && !name.startsWith("_") && !/^(?:footnotes$|rank_math)/.test(name),
    );
    if (customFields.length > 0)
      reportProblem(`Skipped its custom fields: ${short([...new Set(customFields)].join(", "))}`);
  }
}

const kinds: Record<string, [string, string]> = {
  page: ["page", "pages"],
  attachment: [
    "file (imported with the posts that show it)",
    "files (imported with the posts that show them)",
  ],
  nav_menu_item: ["menu item", "menu items"],
  revision: ["earlier version", "earlier versions"],
  wp_block: ["shared part", "shared parts"],
};

function tagsOf(item: XmlElement, reportProblem: (problem: string) => void): string[] {
  const tags = new Set<string>();
  for (const { attributes, text } of item.all("category")) {
    const { domain = "category", nicename } = attributes;
    const name = unescapedName(text);
    if (domain === "post_tag" || (domain === "category" && nicename !== "uncategorized")) tags.add(name);
    else if (!["category", "author", "post_format"].includes(domain))
      reportProblem(`Skipped a custom taxonomy: ${short(domain, 40)} ${short(name, 60)}`);
  }
  return [...tags].filter(Boolean);
}

/** Returns a field of a plugin for search engines, unless it has placeholders such as `%%sitename%%`. */
function metaText(item: XmlElement, ...keys: string[]): string | undefined {
  const text = unescapedName(keys.map((key) => metaOf(item, key)).find(Boolean) ?? "");
  return text && !text.includes("%") ? text : undefined;
}

/** Fields in which plugins restrict access. */
const accessFields = [
  "_jetpack_newsletter_access",
  "_jetpack_memberships_contains_paywalled_content",
  "_members_access_role",
  "rcp_subscription_level",
  "rcp_access_level",
  "rcp_user_level",
  "_is_paid",
];
/** Their values for public posts: words, or PHP-serialized lists. */
const publicValue =
  /^(?:everybody|everyone|all|none|0|false|no|a:0:\{\}|a:1:\{i:0;s:\d:"(?:all|none)?";\})$/i;

function hiddenReasons(item: XmlElement, status: string, date: Date | undefined, now: Date): string[] {
  const reasons: string[] = [];
  if (status === "draft") reasons.push("it is a draft");
  else if (status === "pending") reasons.push("it is waiting for review");
  else if (status === "private") reasons.push("it is private");
  else if (status === "future") reasons.push(`it is scheduled${date ? ` for ${day(date)}` : ""}`);
  else if (status !== "publish") reasons.push(`status: ${short(status, 40) || "none"}`);
  else if (date && date > now) reasons.push(`its date is in the future (${day(date)})`);
  if (item.childText("wp:post_password")) reasons.push("it has a password");
  for (const field of accessFields) {
    const value = metaOf(item, field);
    if (value && !publicValue.test(value))
      reasons.push(`it is for some people only (${field}: ${short(value, 40)})`);
  }
  return reasons;
}
