import { day, parsedDate } from "../reading/dates.ts";
import { isRow, type Row } from "../reading/values.ts";

/*
 * How generators (Hugo, Jekyll, Zola, Eleventy, Astro) and people hide a text. Names are compared in lower case without `_`, `-`
 * and spaces.
 */

/** Fields that hide a text unless false. */
const hidingFields =
  wordSet(`draft isdraft unlisted private isprivate hidden secret protected headless wip unpublished
  disabled members membersonly paid encrypted noindex eleventyexcludefromcollections`);
/** Fields that hide a text unless true. `permalink: false` is Eleventy's; other values are addresses. */
const showingFields = wordSet("published publish public live listed visible render list permalink ready");
/** Fields for an audience, and its public values. */
const audienceFields = wordSet("status state visibility privacy access audience poststatus");
const publicValues = wordSet("published publish public live everyone everybody all anyone open final done");
const passwordFields = wordSet("password passphrase passwordhash");
const startDateFields = wordSet(
  `date publishdate pubdate publishedat published publisheddate publishon releasedate scheduled scheduledat scheduledfor
  embargo embargoeduntil`,
);
const endDateFields = wordSet(
  "expirydate expires expiresat expireson expiredate expiration unpublishdate unpublishat",
);
/** Tables of fields within the front matter. `cascade` is for the texts below a folder. */
const nestedTables = wordSet("build extra params cascade");

/** Returns why a text is not clearly public, or null. Unreadable values hide it too. */
export function hiddenReason(fields: Row, now = new Date()): string | null {
  for (const [name, value] of Object.entries(fields)) {
    if (value === null || value === undefined || value === "") continue;
    const reason = reasonOf(normalizedName(name), value, now);
    if (reason !== null) return reason || `${name}: ${shortText(value)}`;
  }
  return null;
}

/** Whether only the author's followers may read a text. */
export const isForFollowers = (fields: Row): boolean =>
  Object.entries(fields).some(
    ([name, value]) => audienceFields.has(normalizedName(name)) && isFollowers(value),
  );

const isFollowers = (value: unknown): boolean => normalizedName(shortText(value)) === "followers";

/** Null: hides nothing. Empty: the value is the reason. */
function reasonOf(name: string, value: unknown, now: Date): string | null {
  if (nestedTables.has(name)) {
    const tables = (Array.isArray(value) ? value : [value]).filter(isRow);
    if (tables.length === 0) return name === "build" && !isYes(value) ? "" : null;
    return tables.map((table) => hiddenReason(table, now)).find((reason) => reason !== null) ?? null;
  }
  if (name === "robots") return /noindex|none/i.test(shortText(value)) ? "" : null;
  if (passwordFields.has(name)) return value === false ? null : "it has a password";
  if (hidingFields.has(name)) return isNo(value) ? null : "";
  if (audienceFields.has(name))
    return isFollowers(value) || publicValues.has(normalizedName(shortText(value))) ? null : "";
  const date = parsedDate(value);
  if (startDateFields.has(name) && (date || !showingFields.has(name))) {
    if (!date) return "";
    return date > now ? `its date is in the future (${day(date)})` : null;
  }
  if (endDateFields.has(name)) {
    if (!date) return "";
    return date <= now ? `it expired on ${day(date)}` : null;
  }
  if (!showingFields.has(name)) return null;
  if (name === "permalink") return isNo(value) ? "" : null;
  // `always` is Hugo's.
  return isYes(value) || shortText(value) === "always" ? null : "";
}

const folderPages = wordSet(`readme license licence copying contributing changelog codeofconduct maintainers
  pullrequesttemplate issuetemplate`);
/** Pages that are posts only with a date. */
const sitePages =
  wordSet(`about contact imprint impressum privacy terms search archive archives tags categories 404 links
  uses now colophon home changes history security support authors contributors notice governance todo agents`);
/** Folders whose index is the home page. */
const homeFolders = new Set(["", "content", "src", "pages"]);
const thirdPartyFolders = wordSet(
  "nodemodules bowercomponents vendor vendors thirdparty themes archetypes layouts",
);
/** Template folders; without the underscore the name may be a topic. */
const templateFolders = wordSet("_includes _layouts _templates _data _sass _site _plugins _build");
const draftFolders = wordSet("drafts draft private unpublished unlisted hidden secret wip trash");

/** Returns why a folder contains no posts, or null. */
export function skippedFolderReason(folder: string): string | null {
  if (folder.startsWith(".")) return "folder whose name begins with a dot";
  if (thirdPartyFolders.has(normalizedName(folder))) return "folder of third-party files";
  return templateFolders.has(folder.toLowerCase()) ? "folder of the site’s templates" : null;
}

/** Returns why a file is no post; null when it may be one. */
export function skippedFileReason(
  file: string,
  { inPosts, hasDate }: { inPosts: boolean; hasDate: boolean },
): string | null {
  const folders = file.split("/");
  const name = (folders.pop() ?? "").replace(/(?:\.[a-z]{2}(?:-[a-z]{2})?)?\.\w+$/i, "");
  if (name.startsWith(".")) return "its name begins with a dot";
  if (name === "_index") return "a folder’s page, not a post";
  if (folderPages.has(normalizedName(name))) return "about the folder, not a post";
  // An index has its folder's name.
  const pageName = name === "index" ? (folders.at(-1) ?? "") : name;
  if (
    (sitePages.has(normalizedName(pageName)) || (name === "index" && homeFolders.has(pageName))) &&
    !hasDate
  )
    return "a page, not a post";
  // Jekyll's other files are pages.
  if (inPosts && !folders.some((folder) => folder === "_posts" || folder === "_drafts"))
    return "a page, not a post (posts are in _posts)";
  return null;
}

/** Returns why a file's place hides it, or null. */
export function hiddenPathReason(file: string): string | null {
  const folders = file.split("/");
  const name = folders.pop() ?? "";
  for (const folder of folders) {
    if (draftFolders.has(normalizedName(folder))) return `it is in ${folder}`;
    if (folder.startsWith("_") && folder !== "_posts") return `it is in ${folder}, which begins with _`;
  }
  return name.startsWith("_") ? "its name begins with _" : null;
}

function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter(Boolean));
}
/** Normalizes a name for comparison. */
export const normalizedName = (name: string): string => name.toLowerCase().replace(/[_\-\s]/g, "");
const isNo = (value: unknown): boolean => /^(?:false|no|off|0)$/i.test(shortText(value));
const isYes = (value: unknown): boolean => /^(?:true|yes|on|1)$/i.test(shortText(value));
const shortText = (value: unknown): string =>
  (typeof value === "string" ? value : (JSON.stringify(value) ?? "")).trim().slice(0, 40);
