import path from "node:path";
import { TomlDate } from "smol-toml";
import { day as dayOf } from "../reading/dates.ts";
import { trimmedText, type Row } from "../reading/values.ts";
import { textField, type Site } from "./site.ts";
import { normalizedName } from "./visibility.ts";

const { posix } = path;

/** Returns the language in the name of a translation: `index.fa.md`, and on a site with languages `other.fr.md`. */
export function languageInName(file: string, { languages }: Pick<Site, "languages">): string | null {
  const [, name = "", language = ""] =
    /^(.+)\.([a-z]{2,3}(?:-[a-z]{2,4})?)\.\w+$/i.exec(posix.basename(file)) ?? [];
  const isLanguage = name === "index" || languages.has(language.toLowerCase());
  return language && isLanguage ? language.toLowerCase() : null;
}

/** Returns a file's name without the language of a translation. */
export const withoutLanguage = (file: string, language: string | null): string =>
  language === null ? file : file.replace(/\.[^./]+(\.\w+)$/, "$1");

/** Returns a name without extension, or the folder's for an index. */
function nameWithoutExtension(file: string): string {
  const name = posix.basename(file).replace(/\.\w+$/, "");
  return name === "index" ? posix.basename(posix.dirname(file)) : name;
}

/** Removes the date of Jekyll and Zola. */
export const nameWithoutDate = (file: string): string =>
  nameWithoutExtension(file).replace(/^\d{4}-\d\d-\d\d[-_]/, "");

/** Jekyll's named patterns. The first two are also tried where a site names none. */
const styles: Record<string, string> = {
  date: "/:categories/:year/:month/:day/:title.html",
  pretty: "/:categories/:year/:month/:day/:title/",
  none: "/:categories/:title.html",
};

/** Converts text to a slug as generators do. */
const slugify = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s+/g, "-");

/** Returns a post's paths on the old site: those that it names, and the likely ones of its file. */
export function formerPathsOf(
  wholeName: string,
  fields: Row,
  post: { date: Date | null; path: string | null; categories: string[]; title?: string },
  site: Pick<Site, "base" | "permalinks" | "isHugo" | "languages" | "unprefixedLanguage">,
): string[] {
  const language = languageInName(wholeName, site);
  const file = withoutLanguage(wholeName, language);
  const prefix = language === null || language === site.unprefixedLanguage ? "" : `/${language}`;
  const folders = posix
    .dirname(posix.basename(file).startsWith("index.") ? posix.dirname(file) : file)
    .split("/")
    .filter((folder) => folder !== ".");
  const permalink = textField(fields, "permalink", "url");
  const named = [post.path, permalink, ...aliasesIn(fields)].filter((one) => one !== null);
  const paths = named.filter((one) => !/[:{]/.test(one));
  const [name, whole, slug] = [nameWithoutDate(file), nameWithoutExtension(file), textField(fields, "slug")];
  const isJekyll = folders.includes("_posts");
  const root = folders.findIndex((folder) => /^(?:content|pages|posts|_posts)$/.test(folder));
  // The folder of Eleventy's input is no part of an address.
  const start = root === -1 && /^(?:src|source)$/.test(folders[0] ?? "") ? 0 : root;
  const innerFolders = folders.slice(folders[start] === "posts" ? start : start + 1);
  const pattern = permalink?.includes(":")
    ? permalink
    : site.permalinks.get(isJekyll ? "" : (innerFolders[0] ?? "/"));
  const categories = isJekyll ? [...folders.slice(0, root), ...post.categories] : post.categories;
  const { title = "" } = post;
  const values: Record<string, string> = {
    title: site.isHugo ? slugify(title) : (slug ?? name),
    slug: slug ?? slugify(site.isHugo ? title : name),
    filename: slugify(whole),
    name: whole,
    categories: categories.map((one) => one.toLowerCase().replace(/\s+/g, "-")).join("/"),
    section: innerFolders[0] ?? "",
    sections: innerFolders.join("/"),
    output_ext: ".html",
  };
  values.slugorfilename = values.slugorcontentbasename = slug ?? slugify(whole);
  values.contentbasename = values.filename ?? "";
  const expand = (one: string) =>
    daysOf(file, fields, post.date).flatMap((date) => expandPermalink(one, { ...values, ...date }));
  if (pattern !== undefined && (isJekyll || post.path === null)) paths.push(...expand(pattern));
  else if (isJekyll && post.date) paths.push(...expand("date"), ...expand("pretty"));
  else if (!isJekyll && post.path === null)
    for (const segments of [slug ?? whole, slug ?? name].map((one) => [...innerFolders, one]))
      paths.push(segments.join("/"), segments.map(slugify).join("/"));
  // In Hugo relative to the page's folder.
  for (const alias of aliasesIn(fields))
    if (!isJekyll && /^[^/:{]/.test(alias) && !/[:{]/.test(alias))
      paths.push(posix.join("/", ...innerFolders, alias));
  const absolute = paths.map((one) => {
    const plain = `/${one.replace(/^(?:\.?\/)+/, "")}`;
    return plain.startsWith(`${prefix}/`) || named.includes(one) ? plain : prefix + plain;
  });
  const all = [...absolute, ...(site.base ? absolute.map((one) => site.base + one) : [])];
  return [...new Set(all)].filter((one) => one !== "/");
}

const aliasesIn = (fields: Row): string[] =>
  Object.entries(fields)
    .filter(([name]) => ["aliases", "alias", "redirectfrom"].includes(normalizedName(name)))
    .flatMap(([, value]) => value)
    .filter((value) => typeof value === "string");

/** Returns the parts of the days as named, as written and in UTC, which may differ. */
function daysOf(file: string, fields: Row, date: Date | null): Record<string, string>[] {
  const written =
    fields.date instanceof TomlDate ? fields.date.toISOString() : (trimmedText(fields.date) ?? "");
  const [writtenDay] = /^\d{4}-\d\d-\d\d/.exec(written) ?? [];
  const [nameDay] = /^\d{4}-\d\d-\d\d(?=[-_])/.exec(posix.basename(file)) ?? [];
  const days = new Set([(date && writtenDay) || nameDay, date ? dayOf(date) : undefined]);
  const known = [...days].filter((one) => one !== undefined).map((one) => one.split("-"));
  return known.length === 0 ? [{}] : known.map(([year = "", month = "", day = ""]) => ({ year, month, day }));
}

/** Returns nothing when a value is unknown. */
function expandPermalink(pattern: string, values: Record<string, string>): string[] {
  let isComplete = true;
  const expanded = (styles[pattern] ?? pattern).replace(/:([a-z_]+)/gi, (_, variable: string) => {
    const value = Object.hasOwn(values, variable) ? values[variable] : undefined;
    isComplete &&= value !== undefined;
    return value ?? "";
  });
  return isComplete ? [expanded.replace(/\/{2,}/g, "/")] : [];
}
