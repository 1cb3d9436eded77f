import path from "node:path";
import { importBounds as bounds } from "../bounds.ts";
import { textOf } from "../reading/decode.ts";
import { knownZone } from "../reading/dates.ts";
import { isRow, list, parsedJson, type Row } from "../reading/values.ts";
import type { Files, SkippedFile } from "../source.ts";
import { fieldsOfToml, fieldsOfYaml, readPost } from "./front-matter.ts";
import { hiddenReason, normalizedName } from "./visibility.ts";

const { posix } = path;

/** A site's settings, and what files say about others. */
export interface Site {
  /** The site's own origins. */
  origins: string[];
  /** The path of all pages, as `/blog`, or empty. */
  base: string;
  isHugo: boolean;
  /** The pages of Hugo's bundles by folder. */
  bundles: Map<string, string>;
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
  /** Why posts are hidden: those in a folder, those attached to its page (with a slash), or a file (without extension). */
  hidden: Map<string, string>;
  /** Programs that may hide posts. They are not run. */
  programs: SkippedFile[];
}

const ends = ["toml", "yaml", "yml", "json"];
const hugoFiles = [
  "hugo",
  "config",
  "config/_default/hugo",
  "config/_default/config",
  "config/_default/languages",
].flatMap((name) => ends.map((end) => `${name}.${end}`));
const otherFiles = ["_config.yml", ...["mjs", "ts", "js"].map((end) => `astro.config.${end}`)];

/** Returns the first of these fields that is text. */
export function textField(fields: Row, ...names: string[]): string | null {
  for (const [name, value] of Object.entries(fields))
    if (names.includes(normalizedName(name)) && typeof value === "string" && value.trim())
      return value.trim();
  return null;
}

/** Reads the settings of the site in the folder `top`, and the files that hide others; ignores unreadable settings. */
export async function siteOf(files: Files, top: string, posts: readonly string[]): Promise<Site> {
  const site: Site = {
    origins: [],
    base: "",
    isHugo: (await files.list()).some(({ name }) => name.startsWith(`${top}archetypes/`)),
    bundles: new Map(),
    permalinks: new Map(),
    language: null,
    languages: new Set(),
    unprefixedLanguage: null,
    timeZone: null,
    hidden: new Map(),
    programs: [],
  };
  for (const name of [...hugoFiles, ...otherFiles]) {
    const text = (await files.read(`${top}${name}`, 1_000_000).catch(() => undefined))?.toString("utf8");
    if (text !== undefined) addSettings(site, name, text);
  }
  if (site.isHugo)
    site.bundles = new Map(posts.filter(isBundlePage).map((file) => [posix.dirname(file), file]));
  await readFolderPages(site, files, posts);
  await readDataFiles(site, files, posts);
  return site;
}

function addSettings(site: Site, name: string, text: string): void {
  const line = /^[ \t]*["']?(?:baseURL|base_url|url|site)["']?[ \t]*[:=]\s*["']?(https?:\/\/[^"'\s,]+)/im;
  const url = URL.parse(line.exec(text)?.[1] ?? "");
  if (url && !site.origins.includes(url.origin)) site.origins.push(url.origin);
  const fields = settingsIn(name, text);
  const basePath =
    textField(fields, "baseurl") ?? /^[ \t]*base[ \t]*:\s*["']([^"'\n]*)["']/m.exec(text)?.[1] ?? "";
  site.base ||= (basePath.startsWith("/") ? basePath : (url?.pathname ?? "")).replace(/\/+$/, "");
  const defaultLanguage = textField(fields, "defaultcontentlanguage", "defaultlanguage");
  site.language ??= defaultLanguage ?? textField(fields, "lang", "languagecode", "locale");
  site.timeZone ??= knownZone(textField(fields, "timezone"));
  if (hugoFiles.includes(name)) {
    site.isHugo ||= !("base_url" in fields);
    const languages = name.includes("/languages.") ? fields : fields.languages;
    for (const language of Object.keys(isRow(languages) ? languages : {}))
      site.languages.add(language.toLowerCase());
    if (fields.defaultContentLanguageInSubdir !== true)
      site.unprefixedLanguage ??= (defaultLanguage ?? "en").toLowerCase();
    const permalinks = isRow(fields.permalinks) ? fields.permalinks : {};
    const patterns = { ...permalinks, ...(isRow(permalinks.page) ? permalinks.page : {}) };
    for (const [section, pattern] of Object.entries(patterns))
      if (typeof pattern === "string") site.permalinks.set(section, pattern);
  } else {
    const defaults = list(fields.defaults).flatMap((entry) =>
      isRow(entry) && isRow(entry.values) ? [entry.values] : [],
    );
    const pattern =
      textField(fields, "permalink") ??
      defaults.map((values) => textField(values, "permalink")).find(Boolean);
    if (pattern) site.permalinks.set("", pattern);
    const reason = defaults.map((values) => hiddenReason(values)).find((one) => one !== null);
    // Whatever its scope: it may hide too much, never too little.
    if (reason) site.hidden.set(".", `${name} has ${reason} among its defaults`);
  }
}

function settingsIn(name: string, text: string): Row {
  try {
    if (/\.[cm]?[jt]s$/.test(name)) return {};
    return name.endsWith(".toml") ? fieldsOfToml(text) : (fieldsOfYaml(text) ?? {});
  } catch {
    return {};
  }
}

/** Reads the pages of folders, which may hide the posts below: `_index.md`, and the page of a Hugo bundle. */
async function readFolderPages(site: Site, files: Files, posts: readonly string[]): Promise<void> {
  for (const file of posts) {
    const isSection = /(?:^|\/)_index\.\w+$/.test(file);
    if (!isSection && !isBundlePage(file)) continue;
    const { fields, error } = await fieldsIn(files, file);
    // A section's page may not be rendered though the posts in it are.
    const own = isSection ? { ...fields, build: null, _build: null, render: null } : fields;
    const reason = error ?? hiddenReason(own);
    const folder = posix.dirname(file) + (isSection ? "" : "/");
    if (reason !== null && !site.hidden.has(folder)) site.hidden.set(folder, `${file} says ${reason}`);
  }
}

/** Reads the data files of Eleventy, whose fields count like front matter. */
async function readDataFiles(site: Site, files: Files, posts: readonly string[]): Promise<void> {
  const stems = new Set(posts.map((file) => file.replace(/\.\w+$/, "")));
  const folders = new Set(posts.flatMap(foldersAbove));
  for (const { name } of await files.list()) {
    const [, stem = "", end] = /^([^]+?)(\.11tydata\.(?:json|[cm]?js)|\.json)$/.exec(name) ?? [];
    const folder = posix.dirname(stem);
    const isFolderData = folders.has(folder) && posix.basename(folder) === posix.basename(stem);
    if (!isFolderData && !stems.has(stem)) continue;
    if (end?.endsWith("js"))
      site.programs.push({
        file: name,
        reason: "a program that may hide posts. It was not run, so please check the imported posts",
      });
    else {
      const { fields, error } = await fieldsIn(files, name);
      const reason = error ?? hiddenReason(fields);
      if (reason !== null) site.hidden.set(isFolderData ? folder : stem, `${name} says ${reason}`);
    }
  }
}

const maxDataBytes = 1_000_000;

/** Returns the fields of a page, or of a file with data. */
async function fieldsIn(files: Files, name: string): Promise<{ fields: Row; error?: string }> {
  try {
    if (!name.endsWith("json"))
      return { fields: readPost(textOf(await files.read(name, bounds.text)), name).fields };
    const value = parsedJson(textOf(await files.read(name, maxDataBytes)));
    if (value === undefined) return { fields: {}, error: "something that is not valid JSON" };
    return { fields: isRow(value) ? value : {} };
  } catch (error) {
    return { fields: {}, error: error instanceof Error ? error.message : "can’t be read" };
  }
}

/** Returns why another file hides this one, or null. */
export function inheritedReason(file: string, { hidden }: Site): string | null {
  const places = [
    file.replace(/\.\w+$/, ""),
    ...foldersAbove(file),
    ...foldersToAttach(file).map((one) => `${one}/`),
  ];
  return places.map((place) => hidden.get(place)).find(Boolean) ?? null;
}

/** Whether a file is the page of its folder in `content/`, a bundle of Hugo, in any language. */
const isBundlePage = (file: string): boolean =>
  /(?:^|\/)content\/[^]*\/index(?:\.[a-z]{2,3}(?:-[a-z]{2,4})?)?\.\w+$/i.test(file);

/** Returns the page that a file is attached to, or null. Of several the outermost: bundles do not nest. */
export const bundlePageOf = (file: string, { bundles }: Site): string | null =>
  foldersToAttach(file)
    .map((folder) => bundles.get(folder))
    .findLast(Boolean) ?? null;

/** Returns the folders whose page a file may be attached to. */
const foldersToAttach = (file: string): string[] => foldersAbove(file).slice(isBundlePage(file) ? 1 : 0);

/** Nearest first. */
function foldersAbove(file: string): string[] {
  const folders: string[] = [];
  for (let folder = posix.dirname(file); ; folder = posix.dirname(folder)) {
    folders.push(folder);
    if (folder === "." || folder === "/") return folders;
  }
}
