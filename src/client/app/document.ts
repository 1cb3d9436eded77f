import type { SiteFacts } from "../../shared/users.ts";
import { sheetsAt } from "../session/site-sheets.ts";
import icons from "../ui/icons.svg?raw";
import { fullTitle } from "../pages/head.ts";
import type { PageFacts } from "../pages/page.ts";
import type { ReadyPage } from "./resolve.ts";
import { STATE_ID } from "./state.ts";
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
  page: Pick<ReadyPage, "facts" | "status">;
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
export function htmlDocument({ page, site, url, theme, worker, body, state, assets }: Parts): string[] {
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
${metaTags(page.facts, site, url, page.status)}
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

function metaTags(facts: PageFacts, site: SiteFacts, url: URL, status: number): string {
  const description = facts.description || site.description;
  const address = site.publicUrl + (facts.canonical ?? url.pathname);
  const { article, image = site.picture } = facts;
  const tags = [
    name("description", description),
    ...(facts.unlisted || status !== 200
      ? [name("robots", "noindex")]
      : [`<link rel="canonical" href="${text(address)}">`]),
    property("og:site_name", site.name),
    property("og:type", article ? "article" : "website"),
    property("og:title", facts.title || site.name),
    property("og:description", description),
    property("og:url", address),
    ...(image ? [property("og:image", new URL(image, site.publicUrl).href)] : []),
    name("twitter:card", image ? "summary_large_image" : "summary"),
    ...(article
      ? [property("article:published_time", article.publishedAt), property("article:author", article.author)]
      : []),
    ...(article?.editedAt ? [property("article:modified_time", article.editedAt)] : []),
  ];
  return tags.join("\n");
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
