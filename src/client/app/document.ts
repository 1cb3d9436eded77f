import { feedFiles, feedTypes } from "../../shared/feeds.ts";
import type { SiteFacts } from "../../shared/users.ts";
import { sheetsAt } from "../session/site-sheets.ts";
import icons from "../ui/icons.svg?raw";
import { addressOf, fullTitle } from "../pages/head.ts";
import type { PageFacts } from "../pages/page.ts";
import type { HeadImage, LoadedPage, PageHead } from "./page-head.ts";
import { scriptText, STATE_ID } from "./state.ts";
import type { Theme } from "../ui/theme.ts";

/** Addresses of what a page's document loads. */
export interface Assets {
  entry: string;
  /** Remembers what is clicked until the entry has come. */
  early: string;
  css: string[];
  /** Modules that the entry will import for this page. */
  modules: string[];
  /** The face that the first screen is set in. */
  fonts: string[];
}

interface Parts {
  page: Pick<LoadedPage, "facts">;
  head: PageHead;
  site: SiteFacts;
  url: URL;
  theme: Theme;
  worker: string | undefined;
  body: string;
  state: string;
  assets: Assets;
}

/**
 * The whole document, in parts: one letter from beyond Latin makes its part many times as slow to write as bytes, and no other.
 * What stands outside of #root is drawn here once, and React never touches it.
 */
export function htmlDocument({ page, head, site, url, theme, worker, body, state, assets }: Parts): string[] {
  const paper = { light: "#fbfaf6", dark: "#161412" };
  const colors =
    theme === "system"
      ? `<meta name="theme-color" content="${paper.light}" media="(prefers-color-scheme: light)"><meta name="theme-color" content="${paper.dark}" media="(prefers-color-scheme: dark)">`
      : `<meta name="theme-color" content="${paper[theme]}">`;
  return [
    `<!doctype html>
<html lang="${text(site.language)}"${theme === "system" ? "" : ` data-theme="${theme}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content">
<script type="module" async src="${text(assets.early)}"></script>
${assets.fonts.map((href) => `<link rel="preload" href="${text(href)}" as="font" type="font/woff2" crossorigin>`).join("\n")}
${assets.css.map((href) => `<link rel="stylesheet" href="${text(href)}">`).join("\n")}
${sheetsAt(site.sheets, url)
  .map((href) => `<link rel="stylesheet" href="${text(href)}" data-site>`)
  .join("\n")}
<script type="module" src="${text(assets.entry)}"></script>
${assets.modules.map((href) => `<link rel="modulepreload" href="${text(href)}">`).join("\n")}
<title>${text(fullTitle(page.facts, site))}</title>
${metaTags(page.facts, head, site, url)}
${feedLinks(page.facts, site)}
${colors}
${site.picture ? `<link rel="icon" href="${text(site.picture)}">` : `<link rel="icon" href="/favicon.svg" type="image/svg+xml">`}
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

function metaTags(facts: PageFacts, head: PageHead, site: SiteFacts, url: URL): string {
  const description = facts.description || site.description;
  const address = addressOf(facts, site, url.pathname);
  const { image, author } = head;
  const tags = [
    name("description", description),
    ...(author ? [name("author", author)] : []),
    head.isListed ? `<link rel="canonical" href="${text(address)}">` : name("robots", "noindex"),
    property("og:site_name", site.name),
    property("og:type", head.kind),
    property("og:title", facts.title || site.name),
    property("og:description", description),
    property("og:url", address),
    ...(image ? imageTags(image, site) : []),
    // A small square stands beside the words, not above them.
    name("twitter:card", image?.width ? "summary_large_image" : "summary"),
    ...(head.isListed && head.kind !== "website" ? embedLinks(facts, site, url) : []),
    ...head.properties.map(([key, content]) => property(key, content)),
    ...(head.things.length > 0
      ? [
          `<script type="application/ld+json">${scriptText({ "@context": "https://schema.org", "@graph": head.things })}</script>`,
        ]
      : []),
  ];
  return tags.join("\n");
}

/** Where readers of feeds find them: the page's own before the site's. */
function feedLinks({ feed }: PageFacts, site: SiteFacts): string {
  const feeds = [
    ...(feed ? [{ query: "", ...feed, title: `${feed.title} · ${site.name}` }] : []),
    { title: site.name, path: "", query: "" },
  ];
  return feeds
    .flatMap(({ title, path, query }) =>
      feedFiles.map(
        (file) =>
          `<link rel="alternate" type="${feedTypes[file]}" title="${text(title)}" href="${text(`${site.publicUrl}${path}/${file}${query}`)}">`,
      ),
    )
    .join("\n");
}

/** Where programs ask how to show a link to this page (oEmbed). */
const embedLinks = ({ title }: PageFacts, { publicUrl }: SiteFacts, { pathname }: URL): string[] =>
  (["json", "xml"] as const).map(
    (format) =>
      `<link rel="alternate" type="${format === "json" ? "application" : "text"}/${format}+oembed" title="${text(title)}" href="${text(`${publicUrl}/oembed?${new URLSearchParams({ url: publicUrl + pathname, format })}`)}">`,
  );

function imageTags({ src, width, height, alt }: HeadImage, site: SiteFacts): string[] {
  return [
    property("og:image", new URL(src, site.publicUrl).href),
    ...(width && height
      ? [property("og:image:width", String(width)), property("og:image:height", String(height))]
      : []),
    property("og:image:alt", alt),
  ];
}

const name = (key: string, content: string): string => `<meta name="${key}" content="${text(content)}">`;
const property = (key: string, content: string): string =>
  `<meta property="${key}" content="${text(content)}">`;

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text for an element or a quoted attribute. */
function text(value: string): string {
  return value.replace(/[&<>"']/g, (letter) => entities[letter]!);
}
