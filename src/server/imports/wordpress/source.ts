import { htmlLimits } from "../../../shared/document/limits.ts";
import { tooLongHtml } from "../../text/html-tree.ts";
import { siblingFiles, type SiblingFiles } from "../reading/sibling-files.ts";
import { tidy } from "../reading/tidy.ts";
import { day, parsedDate } from "../reading/dates.ts";
import { countText } from "../../../shared/count-text.ts";
import { short } from "../reading/values.ts";
import type { SourceOptions } from "../kinds.ts";
import {
  FileProblem,
  hiddenText,
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

/**
 * Opens a WordPress export: RSS with extensions (WXR) in one or more files, with uploads next to it if copied. Throws `FileProblem`
 * when there is none that can be read.
 */
export async function openWordPress(files: Files, { pages = false }: SourceOptions = {}): Promise<Source> {
  const names = (await files.list())
    .map(({ name }) => name)
    .filter((name) => /\.(?:xml|wxr)$/i.test(name) && !/(?:^|\/)wp-content\//.test(name))
    .sort();
  const [firstName] = names;
  if (firstName === undefined)
    throw new FileProblem(
      "no XML file found. In WordPress choose Tools, Export, All content, then use that file, or a folder with it and wp-content/uploads",
    );
  const channel = await Channel.read(files, names);
  if (channel.posts === 0 && channel.attachments.size === 0 && channel.authors.size === 0)
    throw new FileProblem(`${firstName} is not an export from WordPress: it has no posts`);
  // Upload paths are equal from the year on.
  const siblings = await siblingFiles(files, /(?<=(?:^|\/)uploads\/).+|(?<=^|\/)\d{4}\/\d\d\/[^/]+$/);
  return {
    kind: "wordpress",
    count: channel.posts,
    origins: channel.origins,
    file: siblings.file,
    close: siblings.close,
    async *posts() {
      yield* files.skipped ?? [];
      const otherTypes = new Map<string, number>();
      for (const name of names) {
        try {
          for await (const item of partsOf(files, name)) {
            if (item.name !== "item") continue;
            const type = item.childText("wp:post_type") || "item";
            if (type === "post" || (type === "page" && pages)) yield readItem(item, { channel, siblings });
            else otherTypes.set(type, (otherTypes.get(type) ?? 0) + 1);
          }
        } catch (error) {
          if (!(error instanceof BrokenXml)) throw error;
          yield { file: name, reason: error.message, isWrong: true };
        }
      }
      for (const [type, count] of otherTypes) {
        const [one, many] =
          kinds[type] ?? ["item", "items"].map((noun) => `${noun} of type ${short(type, 40)}`);
        yield { file: firstName, reason: `${countText(count, one ?? "", many)}: not posts` };
      }
      if (channel.unknown > 0)
        yield {
          file: firstName,
          reason: `links and covers to the last ${countText(channel.unknown, "item")} of the export could not be followed`,
        };
    },
  };
}

interface Export {
  channel: Channel;
  siblings: SiblingFiles;
}

function readItem(item: XmlElement, { channel, siblings }: Export): Found {
  const id = item.childText("wp:post_id");
  const slug = decoded(item.childText("wp:post_name"));
  const file = slug || `?p=${id}`;
  const status = item.childText("wp:status");
  if (status === "trash" || status === "auto-draft" || status === "inherit")
    return { file, reason: status === "trash" ? "it is in the trash" : `status: ${status}` };
  const problems = new Set<string>();
  const reportProblem = (problem: string) => void problems.add(problem);
  const date = ["wp:post_date_gmt", "pubDate", "wp:post_date"]
    .map((name) => parsedDate(item.childText(name)))
    .find(Boolean);
  const publishedAt = ["publish", "future", "private"].includes(status) ? date : undefined;
  if (status === "publish" && !publishedAt) reportProblem("It has no valid date");
  const reasons = hiddenReasons(item, status, publishedAt, new Date());
  const path = pathOf(item.childText("link"));
  const paths = [...(path ? [path] : []), `${channel.base.replace(/^[^/]*/, "")}/?p=${id}`];
  for (const meta of item.all("wp:postmeta"))
    if (path && slug && meta.childText("wp:meta_key") === "_wp_old_slug" && path.endsWith(`/${slug}`))
      paths.push(`${path.slice(0, -slug.length)}${decoded(meta.childText("wp:meta_value"))}`);
  const cover = metaOf(item, "_thumbnail_id");
  const coverUrl = channel.attachments.get(cover)?.url;
  if (cover && cover !== "0" && !coverUrl) reportProblem("Its cover is missing from the export");
  if (item.childText("wp:is_sticky") === "1") reportProblem("It was pinned (sticky), which was not kept");
  reportCustomFields(item, reportProblem);
  const picture = (src: string) => pictureIn(channel, siblings, src);
  try {
    const reporter = { reportProblem, hide: (reason: string) => void reasons.push(reason) };
    const text = textOf(item, channel, { picture, ...reporter });
    const post: SourcePost = {
      source: `${channel.base || "wordpress"}/?p=${id}`,
      file,
      title: htmlToText(item.childText("title")).replace(/\s+/g, " "),
      description: htmlToText(item.childText("excerpt:encoded")).replace(/\s+/g, " ") || undefined,
      tags: tagsOf(item, reportProblem),
      body: { kind: "html", text },
      cover: coverUrl && picture(coverUrl),
      publishedAt,
      hidden: hiddenText(reasons),
      slug: slug || undefined,
      paths,
      searchTitle: metaText(item, "_yoast_wpseo_title", "rank_math_title"),
      searchDescription: metaText(item, "_yoast_wpseo_metadesc", "rank_math_description"),
      canonicalUrl: metaText(item, "_yoast_wpseo_canonical", "rank_math_canonical_url"),
      authors: authorsOf(item, channel),
      comments: commentsOf(item, reportProblem),
      problems: [...problems],
    };
    return { post };
  } catch (error) {
    return unreadableText(file, error);
  }
}

function textOf(
  item: XmlElement,
  { attachments, attachedTo, shared }: Channel,
  {
    picture,
    ...reporter
  }: {
    picture: (src: string) => string;
    reportProblem: (problem: string) => void;
    hide: (reason: string) => void;
  },
): string {
  const content = item.childText("content:encoded");
  if (content.length > htmlLimits.length) throw tooLongHtml();
  const usesBlocks = hasBlocks(content);
  const withBlocks = usesBlocks
    ? fillBlocks(content, { footnotes: metaOf(item, "footnotes"), shared, ...reporter })
    : content;
  const attachedIds = attachedTo(item.childText("wp:post_id"));
  const converted = convertShortcodes(withBlocks, { attachments, attachedIds, ...reporter });
  return tidy(usesBlocks ? converted : withParagraphs(converted), {
    first: simplifyBlocks,
    reportProblem: reporter.reportProblem,
    picture,
  });
}

/** Returns the original of a resized or CDN copy, or a file in the source. */
function pictureIn(channel: Channel, siblings: SiblingFiles, src: string): string {
  const url = src.replace(/^https?:\/\/i\d\.wp\.com\//i, "https://").replace(/^\/\//, "https://");
  const isOwn =
    channel.isOwn(hostOf(url) ?? "") || url.startsWith("/") || /\.files\.wordpress\.com\//.test(url);
  const withoutQuery = isOwn ? url.replace(/[?#].*$/s, "") : url;
  const original = withoutQuery.replace(/-\d{1,5}x\d{1,5}(?=\.\w{3,4}$)/, "");
  const scaled = original.replace(/(?=\.\w{3,4}$)/, "-scaled");
  return (
    [original, scaled, withoutQuery].map((address) => siblings.addressOf(address)).find(Boolean) ??
    [original, scaled].find((address) => channel.urls.has(address)) ??
    withoutQuery
  );
}

function authorsOf(item: XmlElement, { authors }: Channel): SourcePost["authors"] {
  const coAuthors = item
    .all("category")
    .filter(({ attributes }) => attributes.domain === "author")
    .map(({ attributes }) => (attributes.nicename ?? "").replace(/^cap-/, ""));
  const logins = new Set([item.childText("dc:creator"), ...coAuthors].filter(Boolean));
  return [...logins].map((login) => authors.get(login) ?? { key: login, name: login });
}

function reportCustomFields(item: XmlElement, reportProblem: (problem: string) => void): void {
  const names = item.all("wp:postmeta").map((meta) => meta.childText("wp:meta_key"));
  const customFields = names.filter(
    (name) => name && !name.startsWith("_") && !/^(?:footnotes$|rank_math)/.test(name),
  );
  if (customFields.length > 0)
    reportProblem(`Skipped its custom fields: ${short([...new Set(customFields)].join(", "))}`);
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
