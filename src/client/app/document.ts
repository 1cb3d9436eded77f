import { feedFiles, feedTypes } from "../../shared/feeds.ts";
import type { SiteInfo } from "../../shared/users.ts";
import { sheetsAt } from "../session/site-sheets.ts";
import icons from "../ui/icons.svg?raw";
import { canonicalUrlOf, fullTitle } from "../pages/head.ts";
import type { PageFacts } from "../pages/page.ts";
import type { HeadImage, LoadedPage, PageHead } from "./page-head.ts";
import { scriptText, STATE_ID } from "./state.ts";
import type { Theme } from "../ui/theme.ts";

export interface Assets {
  entry: string;
  /** entry-early.ts, which records clicks until the entry runs. */
  early: string;
  css: string[];
  /** Modules that the entry imports for this page. */
  modules: string[];
  /** The fonts of the first screen. */
  fonts: string[];
}

interface DocumentParts {
  page: Pick<LoadedPage, "facts">;
  head: PageHead;
  site: SiteInfo;
  url: URL;
  theme: Theme;
  worker: string | undefined;
  body: string;
  state: string;
  assets: Assets;
}

/**
 * Returns the document in parts: one letter beyond Latin-1 makes its part many times slower to encode, but no other. React
 * never touches what is outside of #root.
 */
export function htmlDocument({
  page,
  head,
  site,
  url,
  theme,
  worker,
  body,
  state,
  assets,
}: DocumentParts): string[] {
  const paper = { light: "#fbfaf6", dark: "#161412" };
  const colors =
    theme === "system"
      ? `<meta name="theme-color" content="${paper.light}" media="(prefers-color-scheme: light)"><meta name="theme-color" content="${paper.dark}" media="(prefers-color-scheme: dark)">`
      : `<meta name="theme-color" content="${paper[theme]}">`;
  return [
    `<!doctype html>
<html lang="${escapeHtml(site.language)}"${theme === "system" ? "" : ` data-theme="${theme}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content">
<script type="module" async src="${escapeHtml(assets.early)}"></script>
${assets.fonts.map((href) => `<link rel="preload" href="${escapeHtml(href)}" as="font" type="font/woff2" crossorigin>`).join("\n")}
${assets.css.map((href) => `<link rel="stylesheet" href="${escapeHtml(href)}">`).join("\n")}
${sheetsAt(site.sheets, url)
  .map((href) => `<link rel="stylesheet" href="${escapeHtml(href)}" data-site>`)
  .join("\n")}
<script type="module" src="${escapeHtml(assets.entry)}"></script>
${assets.modules.map((href) => `<link rel="modulepreload" href="${escapeHtml(href)}">`).join("\n")}
<title>${escapeHtml(fullTitle(page.facts, site))}</title>
${metaTags(page.facts, head, site, url)}
${feedLinks(page.facts, site)}
${colors}
${site.picture ? `<link rel="icon" href="${escapeHtml(site.picture)}">` : `<link rel="icon" href="/favicon.svg" type="image/svg+xml">`}
<link rel="apple-touch-icon" href="/static/icons/180.png">
<link rel="manifest" href="/manifest.webmanifest">${worker ? `\n<link rel="serviceworker" href="${worker}">` : ""}
</head>
<body>
`,
    icons,
    `<div id="root">`,
    body,
    `</div>
<script type="application/json" id="${STATE_ID}">`,
    state,
    `</script>
</body>
</html>
`,
  ];
}

function metaTags(facts: PageFacts, head: PageHead, site: SiteInfo, url: URL): string {
  const description = facts.description || site.description;
  const address = canonicalUrlOf(facts, site, url.pathname);
  const { image, author } = head;
  const tags = [
    name("description", description),
    ...(author ? [name("author", author)] : []),
    head.isListed ? `<link rel="canonical" href="${escapeHtml(address)}">` : name("robots", "noindex"),
    property("og:site_name", site.name),
    property("og:type", head.kind),
    property("og:title", facts.title || site.name),
    property("og:description", description),
    property("og:url", address),
    ...(image ? imageTags(image, site) : []),
    // A small square is shown beside the text, not above it.
    name("twitter:card", image?.width ? "summary_large_image" : "summary"),
    ...(head.isListed && head.kind !== "website" ? [embedLink(facts, site, url)] : []),
    ...head.properties.map(([key, content]) => property(key, content)),
    ...(head.structuredData.length > 0
      ? [
          `<script type="application/ld+json">${scriptText({ "@context": "https://schema.org", "@graph": head.structuredData })}</script>`,
        ]
      : []),
  ];
  return tags.join("\n");
}

/** Links to the page's feed, then to the site's. */
function feedLinks({ feed }: PageFacts, site: SiteInfo): string {
  const feeds = [
    ...(feed ? [{ query: "", ...feed, title: `${feed.title} · ${site.name}` }] : []),
    { title: site.name, path: "", query: "" },
  ];
  return feeds
    .flatMap(({ title, path, query }) =>
      feedFiles.map(
        (file) =>
          `<link rel="alternate" type="${feedTypes[file]}" title="${escapeHtml(title)}" href="${escapeHtml(`${site.publicUrl}${path}/${file}${query}`)}">`,
      ),
    )
    .join("\n");
}

const embedLink = ({ title }: PageFacts, { publicUrl }: SiteInfo, { pathname }: URL): string =>
  `<link rel="alternate" type="application/json+oembed" title="${escapeHtml(title)}" href="${escapeHtml(`${publicUrl}/oembed?${new URLSearchParams({ url: publicUrl + pathname })}`)}">`;

function imageTags({ src, width, height, alt }: HeadImage, site: SiteInfo): string[] {
  return [
    property("og:image", new URL(src, site.publicUrl).href),
    ...(width && height
      ? [property("og:image:width", String(width)), property("og:image:height", String(height))]
      : []),
    property("og:image:alt", alt),
  ];
}

const name = (key: string, content: string): string =>
  `<meta name="${key}" content="${escapeHtml(content)}">`;
const property = (key: string, content: string): string =>
  `<meta property="${key}" content="${escapeHtml(content)}">`;

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes text for an element or a quoted attribute. */
function escapeHtml(value: string): string {
  return value.replace(/[&<>"']/g, (character) => entities[character]!);
}
