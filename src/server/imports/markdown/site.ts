import { isRow, parsedJson } from "../reading/values.ts";
import type { Files } from "../source.ts";
import { fieldsOfToml, fieldsOfYaml } from "./fenced-front-matter.ts";
import { hiddenReason, type Fields } from "./visibility.ts";
import { textField } from "./former-paths.ts";

/* A site's settings. */

export interface Site {
  /** The site's own origins. */
  origins: string[];
  /** The path of all pages, as `/blog`, or empty. */
  base: string;
  isHugo: boolean;
  /** Permalink patterns by folder (Hugo), or for all posts under `""` (Jekyll). */
  permalinks: Map<string, string>;
  /** The language of texts that name none. */
  language: string | null;
  /** The codes of the site's languages, in lower case. */
  languages: Set<string>;
  /** The default language, unless its addresses have a prefix as those of others. */
  unprefixedLanguage: string | null;
  /** The time zone of dates that name none. */
  timeZone: string | null;
  /** Folders that Jekyll's settings hide, and why. */
  hidden: Map<string, string>;
}

const hugoFiles = [
  "hugo",
  "config",
  "config/_default/hugo",
  "config/_default/config",
  "config/_default/languages",
].flatMap((name) => ["toml", "yaml", "yml", "json"].map((end) => `${name}.${end}`));
const otherFiles = ["_config.yml", ...["mjs", "ts", "js"].map((end) => `astro.config.${end}`)];

/** Reads a site's settings; ignores unreadable ones. */
export async function siteOf(files: Files, top: string): Promise<Site> {
  const site: Site = {
    origins: [],
    base: "",
    isHugo: (await files.list()).some(({ name }) => name.startsWith(`${top}archetypes/`)),
    permalinks: new Map(),
    language: null,
    languages: new Set(),
    unprefixedLanguage: null,
    timeZone: null,
    hidden: new Map(),
  };
  for (const name of [...hugoFiles, ...otherFiles]) {
    const text = (await files.read(`${top}${name}`, 1_000_000).catch(() => undefined))?.toString("utf8");
    if (text === undefined) continue;
    const line = /^[ \t]*["']?(?:baseURL|base_url|url|site)["']?[ \t]*[:=]\s*["']?(https?:\/\/[^"'\s,]+)/im;
    const [, address = ""] = line.exec(text) ?? [];
    const url = URL.parse(address);
    if (url && !site.origins.includes(url.origin)) site.origins.push(url.origin);
    const fields = settingsIn(name, text);
    const basePath =
      textField(fields, "baseurl") ?? /^[ \t]*base[ \t]*:\s*["']([^"'\n]*)["']/m.exec(text)?.[1] ?? "";
    site.base ||= (basePath.startsWith("/") ? basePath : (url?.pathname ?? "")).replace(/\/+$/, "");
    site.language ??= defaultLanguageOf(fields) ?? textField(fields, "lang", "languagecode", "locale");
    site.timeZone ??= namedZone(textField(fields, "timezone"));
    if (name === "_config.yml") readJekyll(site, top, fields);
    else if (hugoFiles.includes(name)) readHugo(site, name, fields);
  }
  return site;
}

const defaultLanguageOf = (fields: Fields): string | null =>
  textField(fields, "defaultcontentlanguage", "defaultlanguage");

function namedZone(zone: string | null): string | null {
  try {
    return zone && new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

function settingsIn(name: string, text: string): Fields {
  try {
    if (name.endsWith(".toml")) return fieldsOfToml(text);
    if (/\.ya?ml$/.test(name)) return fieldsOfYaml(text) ?? {};
    const value = name.endsWith(".json") ? parsedJson(text) : undefined;
    return isRow(value) ? value : {};
  } catch {
    return {};
  }
}

function readHugo(site: Site, name: string, fields: Fields): void {
  const isZola = "base_url" in fields;
  site.isHugo ||= !isZola || name.includes("hugo");
  const permalinks = fields.permalinks;
  const languages = name.includes("/languages.") ? fields : fields.languages;
  for (const language of Object.keys(isRow(languages) ? languages : {}))
    site.languages.add(language.toLowerCase());
  if (fields.defaultContentLanguageInSubdir !== true)
    site.unprefixedLanguage ??= (defaultLanguageOf(fields) ?? "en").toLowerCase();
  for (const [section, value] of Object.entries(isRow(permalinks) ? permalinks : {}))
    if (typeof value === "string") site.permalinks.set(section, value);
    else if (section === "page" && isRow(value))
      for (const [inner, pattern] of Object.entries(value))
        if (typeof pattern === "string") site.permalinks.set(inner, pattern);
}

function readJekyll(site: Site, top: string, fields: Fields): void {
  if (typeof fields.permalink === "string") site.permalinks.set("", fields.permalink);
  for (const entry of Array.isArray(fields.defaults) ? (fields.defaults as unknown[]) : []) {
    const { scope, values }: Fields = isRow(entry) ? entry : {};
    if (!isRow(values)) continue;
    const scopePath =
      isRow(scope) && typeof scope.path === "string" ? scope.path.replace(/^\/|\/+$/g, "") : "";
    const reason = hiddenReason(values, new Date());
    // Cut at the wildcard: may hide too much, never too little.
    const [folder = ""] = scopePath.split(/\/?[^/]*\*/, 1);
    const target = `${top}${folder}`.replace(/\/$/, "") || ".";
    if (reason !== null)
      site.hidden.set(
        /\.\w+$/.test(target) ? target.replace(/\.\w+$/, ".*") : target,
        `_config.yml contains ${reason}`,
      );
    else if ((scopePath === "" || scopePath === "_posts") && typeof values.permalink === "string")
      site.permalinks.set("", values.permalink);
  }
}
