import { dateOf } from "./post-dates.ts";

/** What stands in front matter, as it was parsed. */
export type Fields = Record<string, unknown>;

/* What generators of sites know, and what people write who take a text back: Hugo, Jekyll, Zola, Eleventy, Astro, Ghost,
   Hexo, Pelican, Docusaurus. Names are compared small and without `_` and `-`. */

/** Fields that hide a text where they say yes, */
const hiding =
  words(`draft isdraft unlisted private isprivate hidden secret protected headless wip unpublished
  disabled members membersonly paid encrypted noindex eleventyexcludefromcollections`);
/** and where they say no. */
const showing = words("published publish public listed visible render list permalink ready");
/** Fields with a word for who may read it, and the words for everybody. */
const audiences = words("status state visibility privacy access audience poststatus");
const everybody = words("published publish public live everyone everybody all anyone open final done");
/** What those who follow the author may read, and nobody else. */
const followers = "followers";
/** Fields that ask for a password. */
const locks = words("password passphrase passwordhash");
const beginnings = words(
  `date publishdate pubdate publishedat published publisheddate publishon releasedate scheduled scheduledat scheduledfor
  embargo embargoeduntil`,
);
const ends = words("expirydate expires expiresat expireson expiredate expiration unpublishdate unpublishat");
/** Tables of fields within the front matter. */
const within = words("build extra params");

/** Why a text with this front matter is not plainly public, null where it is. What can't be read hides it, too. */
export function whyHidden(fields: Fields, now: Date): string | null {
  for (const [name, value] of Object.entries(fields)) {
    if (value === null || value === undefined || value === "") continue;
    const why = reasonOf(plain(name), value, now);
    if (why !== null) return why || `${name}: ${shown(value)}`;
  }
  return null;
}

/** Whether it says that it is for the author's followers. */
export const isForFollowers = (fields: Fields): boolean =>
  Object.entries(fields).some(
    ([name, value]) => audiences.has(plain(name)) && plain(shown(value)) === followers,
  );

/** Null: it hides nothing. Empty: its value says all there is to say. */
function reasonOf(name: string, value: unknown, now: Date): string | null {
  if (within.has(name)) {
    if (isTable(value)) return whyHidden(value, now);
    return name === "build" && !isYes(value) ? "" : null;
  }
  if (name === "cascade") {
    const tables = Array.isArray(value) ? value.filter(isTable) : isTable(value) ? [value] : [];
    return tables.map((table) => whyHidden(table, now)).find((why) => why !== null) ?? null;
  }
  if (name === "robots") return /noindex|none/i.test(shown(value)) ? "" : null;
  if (locks.has(name)) return value === false ? null : "it has a password";
  if (hiding.has(name)) return isNo(value) ? null : "";
  if (audiences.has(name) && plain(shown(value)) === followers) return null;
  if (audiences.has(name)) return everybody.has(plain(shown(value))) ? null : "";
  const date = dateOf(value);
  if (beginnings.has(name) && (date || !showing.has(name))) {
    if (!date) return "";
    return date > now ? `its date is in the future (${day(date)})` : null;
  }
  if (ends.has(name)) {
    if (!date) return "";
    return date <= now ? `it expired on ${day(date)}` : null;
  }
  if (!showing.has(name)) return null;
  // An address of its own is as public as none; Hugo's build has words for it.
  if (name === "permalink") return isNo(value) ? "" : null;
  return isYes(value) || plain(shown(value)) === "always" ? null : "";
}

const pages = words(`readme license licence copying contributing changelog codeofconduct maintainers
  pullrequesttemplate issuetemplate`);
/** Pages of a site or a project that are no posts, where they have no date. */
const standing =
  words(`about contact imprint impressum privacy terms search archive archives tags categories 404 links
  uses now colophon home changes history security support authors contributors notice governance todo agents`);
/** Folders whose own page is the site's first. */
const roots = new Set(["", ...words("content src pages")]);
const foreign = words("nodemodules bowercomponents vendor vendors thirdparty themes archetypes layouts");
/** Parts of a site where an underscore says so; without one they may as well be a subject. */
const parts = words("_includes _layouts _templates _data _sass _site _plugins _build");
const aside = words("drafts draft private unpublished unlisted hidden secret wip trash");

/** Why nothing in a folder of this name is a post, null where something may be. */
export function whyNoPosts(folder: string): string | null {
  if (folder.startsWith(".")) return "folder whose name begins with a dot";
  if (foreign.has(plain(folder))) return "folder of third-party files";
  return parts.has(folder.toLowerCase()) ? "folder of the site’s templates" : null;
}

/** Why a file is no post, from its path alone; null where it may be one. */
export function whyNoPost(
  file: string,
  { inPosts, hasDate }: { inPosts: boolean; hasDate: boolean },
): string | null {
  const folders = file.split("/");
  const name = (folders.pop() ?? "").replace(/(?:\.[a-z]{2}(?:-[a-z]{2})?)?\.\w+$/i, "");
  if (name.startsWith(".")) return "its name begins with a dot";
  if (name === "_index") return "a folder’s page, not a post";
  if (pages.has(plain(name))) return "about the folder, not a post";
  // The page that a folder is has the folder's name.
  const own = name === "index" ? (folders.at(-1) ?? "") : name;
  if ((standing.has(plain(own)) || (name === "index" && roots.has(own))) && !hasDate)
    return "a page, not a post";
  // Of Jekyll's site the posts stand in one place; what is elsewhere are its pages.
  if (inPosts && !folders.some((folder) => folder === "_posts" || folder === "_drafts"))
    return "a page, not a post (posts are in _posts)";
  return null;
}

/** Why a file is not plainly public, from its path alone. */
export function whyHiddenAt(file: string): string | null {
  const folders = file.split("/");
  const name = folders.pop() ?? "";
  for (const folder of folders) {
    if (aside.has(plain(folder))) return `it is in ${folder}`;
    if (folder.startsWith("_") && folder !== "_posts") return `it is in ${folder}, which begins with _`;
  }
  return name.startsWith("_") ? "its name begins with _" : null;
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter(Boolean));
}
/** A field's name as names are compared. */
export const plain = (name: string): string => name.toLowerCase().replace(/[_\-\s]/g, "");
const isTable = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isNo = (value: unknown): boolean =>
  value === false || value === 0 || /^(?:false|no|off|0)$/i.test(shown(value));
const isYes = (value: unknown): boolean =>
  value === true || value === 1 || /^(?:true|yes|on|1)$/i.test(shown(value));
const shown = (value: unknown): string =>
  (typeof value === "string" ? value : (JSON.stringify(value) ?? "")).trim().slice(0, 40);
const day = (date: Date): string => date.toISOString().slice(0, 10);
