import { htmlLimits } from "../../../shared/document/limits.ts";
import { decodedPath, siblingFiles, type SiblingFiles } from "../reading/sibling-files.ts";
import { textOf } from "../reading/decode.ts";
import { elementsNamed, hasClass, tagOf } from "../../../shared/document/dom.ts";
import { writeTree } from "../../text/html-tree.ts";
import { attribute, linkLine, readHtml, remainingIn, replace, textIn, withClass } from "../reading/html.ts";
import { absolute, tidy } from "../reading/tidy.ts";
import { day, parsedDate } from "../reading/dates.ts";
import { storyName } from "../detect-kind.ts";
import { FileProblem, hiddenText, unreadableText, type Files, type Found, type Source } from "../source.ts";

/** Opens a Medium export: a ZIP with an HTML page per story. Throws `FileProblem` when there are no stories. */
export async function openMedium(files: Files): Promise<Source> {
  const all = (await files.list()).map(({ name }) => name).sort();
  const inPosts = all.filter((name) => /(?:^|\/)posts\/[^/]+\.html?$/i.test(name));
  // A ZIP of what was in that folder.
  const names = inPosts.length > 0 ? inPosts : all.filter((name) => storyName.test(name));
  if (names.length === 0)
    throw new FileProblem(
      "no stories (HTML files in a folder “posts”) found. In Medium’s settings choose Download your information, then use the ZIP file as it is",
    );
  const siblings = await siblingFiles(files, /(?<=^|\/)[^/]+\.(?:png|jpe?g|gif|webp|avif)$/i);
  const ids = new Set(names.flatMap((name) => idOf(name) ?? []));
  return {
    kind: "medium",
    count: names.length,
    file: siblings.file,
    close: siblings.close,
    async *posts() {
      yield* files.skipped ?? [];
      for (const name of names) {
        try {
          // Pages have a style sheet, and characters up to four bytes.
          const html = textOf(await files.read(name, htmlLimits.length * 4), "html");
          yield readStory(name, html, { siblings, ids });
        } catch (error) {
          yield unreadableText(name, error);
        }
      }
      const otherFolders = all
        .map((name) => /(?:^|\/)(bookmarks|claps|highlights|lists|profile)\/[^/]+\.html?$/i.exec(name)?.[1])
        .filter(Boolean);
      for (const folder of new Set(otherFolders))
        yield { file: `${folder ?? ""}/`, reason: "other data from Medium: not imported" };
    },
  };
}

interface Export {
  siblings: SiblingFiles;
  /** Of all stories. */
  ids: ReadonlySet<string>;
}

function readStory(file: string, html: string, { siblings, ids }: Export): Found {
  const page = readHtml(html);
  const body = withClass(page, "e-content")[0];
  if (!body) return { file, reason: "not a story from Medium" };
  const title = withClass(page, "p-name").map(textIn)[0] ?? elementsNamed(page, "title").map(textIn)[0] ?? "";
  if (isResponse(body, title)) return { file, reason: "a response, not a post" };
  const problems = new Set<string>();
  const reportProblem = (problem: string) => void problems.add(problem);
  const subtitle = withClass(page, "p-summary").map(textIn)[0];
  const dateText = attribute(withClass(page, "dt-published")[0], "datetime");
  const publishedAt = parsedDate(dateText);
  if (dateText && !publishedAt) reportProblem(`Invalid date: ${dateText.slice(0, 40)}`);
  const canonical = attribute(withClass(page, "p-canonical")[0], "href");
  const author = withClass(page, "p-author")[0];
  const id = idOf(file);
  const reasons = hiddenReasons(file, publishedAt);
  if (withClass(body, "graf--paywall", "paywall").length > 0) reasons.push("part of it is for members only");
  const cover = elementsNamed(body, "img").find((image) => attribute(image, "data-is-featured") === "true");
  const address = cover && pictureOf(cover);
  const picture = (src: string) => siblings.addressOf(src) ?? src;
  dropTitles(body, title, subtitle ?? "");
  if (cover && address && siblings.find(address)) dropCover(body, cover);
  const text = tidy(writeTree(body), {
    first: simplifyGrafs,
    reportProblem,
    link: (href) => {
      const linked = idOf(href.replace(/[?#].*$/s, ""));
      return linked && ids.has(linked) ? `/p/${linked}${/#.*$/s.exec(href)?.[0] ?? ""}` : href;
    },
    picture,
  });
  return {
    post: {
      source: id ?? file,
      file,
      title,
      description: subtitle || undefined,
      tags: [],
      body: { kind: "html", text },
      cover: address ? picture(address) : undefined,
      publishedAt,
      hidden: hiddenText(reasons),
      slug: slugOf(canonical, id) ?? (storyName.exec(file)?.[1] || undefined),
      paths: pathsOf(canonical, id),
      // Only for a story that was first published elsewhere.
      canonicalUrl:
        canonical && id && !canonical.includes(id) ? (absolute(canonical) ?? undefined) : undefined,
      authors: author
        ? [{ key: /@([\w.-]+)/.exec(attribute(author, "href"))?.[1] ?? textIn(author), name: textIn(author) }]
        : [],
      problems: [...problems],
    },
  };
}

/** Returns the ID at the end of file names and addresses. */
function idOf(name: string): string | null {
  return /(?:[-_/]|^)([\da-f]{9,12})(?:\.html?)?$/i.exec(name)?.[1]?.toLowerCase() ?? null;
}

const pathIn = (address: string): string =>
  URL.canParse(address) ? decodedPath(new URL(address).pathname).replace(/\/$/, "") : "";

function pathsOf(canonical: string, id: string | null): string[] {
  const path = pathIn(canonical);
  const last = path.split("/").at(-1) ?? "";
  const hasId = id !== null && last.endsWith(id);
  return [...new Set([...(hasId ? [path, `/${last}`] : path ? [path] : []), ...(id ? [`/p/${id}`] : [])])];
}

function slugOf(canonical: string, id: string | null): string | undefined {
  const last = pathIn(canonical).split("/").at(-1) ?? "";
  return (id && last.endsWith(`-${id}`) ? last.slice(0, -id.length - 1) : "") || undefined;
}

function hiddenReasons(file: string, date: Date | undefined): string[] {
  if (/(?:^|\/)draft_[^/]*$/i.test(file)) return ["it is a draft"];
  if (!date) return ["it has no publication date"];
  return date > new Date() ? [`its date is in the future (${day(date)})`] : [];
}

/** A response has no heading, and its title starts its text. */
function isResponse(body: Element, title: string): boolean {
  if (elementsNamed(body, "h1", "h2", "h3", "h4").length > 0 || !title) return false;
  const first = elementsNamed(body, "p", "blockquote", "pre").map(textIn).find(Boolean) ?? "";
  const start = title.replace(/(?:…|\.\.\.)$/, "").trim();
  return start !== "" && first.startsWith(start);
}

/** Removes both, which are shown above the text here. */
function dropTitles(body: Element, title: string, subtitle: string): void {
  const [first] = elementsNamed(body, "h1", "h2", "h3", "h4", "p", "figure");
  const heading =
    withClass(body, "graf--title")[0] ?? (first && tagOf(first).startsWith("h") ? first : undefined);
  if (heading && (textIn(heading) === title || hasClass(heading, "graf--title"))) replace(heading);
  const subtitleElement = withClass(body, "graf--subtitle")[0];
  if (subtitleElement && subtitle && textIn(subtitleElement) === subtitle) replace(subtitleElement);
}

/** Removes the cover, which is shown above the text here; its caption stays. */
function dropCover(body: Element, cover: Element): void {
  const [first] = elementsNamed(
    body,
    "h1",
    "h2",
    "h3",
    "h4",
    "p",
    "ul",
    "ol",
    "pre",
    "blockquote",
    "figure",
    "img",
  );
  if (!first || !elementsNamed(first, "img").includes(cover) || tagOf(first) !== "figure") return;
  if (elementsNamed(first, "img").length > 1) return;
  const [caption] = elementsNamed(first, "figcaption");
  replace(first, caption && textIn(caption) ? `<figcaption>${writeTree(caption)}</figcaption>` : "");
}

function pictureOf(image: Element): string {
  const id = attribute(image, "data-image-id").trim();
  const src = attribute(image, "src");
  // The original size, not Medium's column width.
  return id && /^https:\/\/(?:cdn-images-1|miro)\.medium\.com\//.test(src)
    ? `https://miro.medium.com/v2/${id}`
    : src;
}

/** Replaces Medium's own section dividers, story cards and picture sizes. */
function simplifyGrafs(tree: Node): void {
  const dividers = withClass(tree, "section-divider").filter((divider) => tagOf(divider) === "div");
  for (const [index, divider] of dividers.entries()) replace(divider, index === 0 ? "" : "<hr>");
  for (const card of remainingIn(tree, withClass(tree, "graf--mixtapeEmbed"))) {
    const link = elementsNamed(card, "a").find((anchor) => attribute(anchor, "href"));
    const title = elementsNamed(card, "strong").map(textIn)[0];
    const description = elementsNamed(card, "em").map(textIn)[0];
    const href = absolute(attribute(link, "href"));
    if (href) replace(card, linkLine(href, title || href, description));
  }
  // Exports often lack the words of a tweet, and its link has no text.
  for (const tweet of remainingIn(tree, withClass(tree, "twitter-tweet"))) {
    const href = absolute(attribute(elementsNamed(tweet, "a").at(-1), "href"));
    if (href && !textIn(tweet)) replace(tweet, linkLine(href));
  }
  for (const image of elementsNamed(tree, "img")) image.setAttribute("src", pictureOf(image));
}
