import type { DocumentJson } from "../../shared/document/schema.ts";
import type { Config } from "../runtime/config.ts";
import type { Services } from "../context.ts";
import type { Database } from "../database/connection.ts";
import { isDiskFull } from "../database/errors.ts";
import { userById, type UserRow } from "../profiles/queries.ts";
import { fullFile, pictureKey } from "../media/paths.ts";
import { exportedEntries } from "./entry-queries.ts";
import { entriesAsHtml, entriesAsMarkdown, entryRows } from "./entry-files.ts";
import { linkToFiles, relativeFile, withFiles } from "./relative-files.ts";
import { markdownOf, exportedText } from "./texts.ts";
import {
  blogPage,
  indexPage,
  listItem,
  membersPage,
  withFrontMatter,
  type ExportedMember,
  type ListItem,
} from "./readable-files.ts";
import { countConfirmed, countsOf } from "./queries.ts";
import { relationRows } from "./relation-rows.ts";
import {
  accountRow,
  exportedAccounts,
  exportedBlogs,
  exportedComments,
  exportedPictures,
  fileName,
  personOf,
  pictureFile,
  time,
} from "./rows.ts";
import { jsonLines, Zip } from "./zip.ts";

export interface ExportOptions {
  /** Null: every member's export in one ZIP. */
  account: string | null;
  /** The file to write; must not exist. */
  to: string;
  program: string;
  onProgress?: (done: number, of: number, what: string) => void;
  signal?: AbortSignal | undefined;
}

export interface Exported {
  file: string;
  bytes: number;
  counts: Record<"accounts" | "blogs" | "media" | "comments", number>;
  missing: number;
}

interface Site {
  database: Pick<Database, "read">;
  workers: Services["workers"];
  files: Services["files"];
  config: Pick<Config, "siteName" | "publicUrl">;
}

/**
 * Writes the ZIP of an account or of all members (docs/export.md), streaming blog by blog, even while a server runs. Deletes it
 * on failure; never overwrites a file.
 */
export async function writeExport(site: Site, options: ExportOptions): Promise<Exported> {
  const zip = await Zip.create(options.to, options.signal).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
    throw new Error(`${options.to} already exists. Choose another file.`, { cause: error });
  });
  try {
    const made = new Date().toISOString();
    const contents = await (options.account === null
      ? addSite(zip, site, { ...options, made })
      : addAccount(zip, site, {
          ...options,
          made,
          user: await userById(site.database.read, options.account),
        }));
    options.signal?.throwIfAborted();
    return { file: options.to, bytes: await zip.close(), ...contents };
  } catch (error) {
    await zip.abandon();
    if (isDiskFull(error)) throw new Error("The disk is full. No export was created.", { cause: error });
    throw error;
  }
}

type Contents = Pick<Exported, "counts" | "missing">;
type Making = Pick<ExportOptions, "program" | "onProgress" | "signal"> & { made: string };

/** Adds every member's export in a folder of its own. */
async function addSite(zip: Zip, services: Site, making: Making): Promise<Contents> {
  const { config, database } = services;
  const { made, program, onProgress = () => undefined } = making;
  const site = { name: config.siteName, url: config.publicUrl };
  const accounts = await countConfirmed(database.read);
  await addJson(zip, "export.json", {
    format: "reprise-export",
    version: 2,
    kind: "site",
    made,
    site: { ...site, program },
    account: null,
    counts: { accounts },
  });
  const counts = { accounts: 0, blogs: 0, media: 0, comments: 0 };
  let missing = 0;
  const members: ExportedMember[] = [];
  for await (const user of exportedAccounts(database.read)) {
    onProgress(members.length, Math.max(accounts, members.length + 1), user.username);
    let folder = `members/${fileName(user.username.replace(/\.+$/, "_"))}`;
    while (members.some((member) => member.folder === folder)) folder += "_";
    const contents = await addAccount(zip, services, {
      ...making,
      user,
      folder: `${folder}/`,
      onProgress: () => undefined,
    });
    members.push({
      folder,
      account: personOf(user),
      suspended: user.suspendedAt !== null,
      limited: user.limitedAt !== null,
    });
    for (const name of Object.keys(counts) as (keyof typeof counts)[]) counts[name] += contents.counts[name];
    missing += contents.missing;
  }
  await zip.add("members.json", jsonLines(members));
  await zip.add("index.html", Buffer.from(membersPage({ site, made }, members)));
  onProgress(accounts, accounts, "");
  return { counts, missing };
}

/** Adds an account's export, in a folder of the ZIP or at its top. */
async function addAccount(
  zip: Zip,
  services: Site,
  {
    user,
    folder = "",
    made,
    program,
    onProgress = () => undefined,
    signal,
  }: Making & { user: UserRow | undefined; folder?: string },
): Promise<Contents> {
  if (!user) throw new Error("This account no longer exists.");
  const { config, database } = services;
  const { read } = database;
  const person = personOf(user);
  const site = { name: config.siteName, url: config.publicUrl };
  const counts = await countsOf(read, user.id);
  const total = 2 * counts.blogs + counts.media + 1;
  let done = 0;
  const step = (what: string) => {
    signal?.throwIfAborted();
    onProgress(Math.min(++done, total), total, what);
  };
  const addRows = (name: string, rows: AsyncIterable<unknown>) => zip.add(folder + name, jsonLines(rows));
  await addJson(zip, `${folder}export.json`, {
    format: "reprise-export",
    version: 1,
    kind: "account",
    made,
    site: { ...site, program },
    account: person,
    counts,
  });
  await addRows("accounts.json", oneRow(accountRow(read, user)));
  const index = await addBlogs(zip, services, { user, folder, step });
  const missing = await addPictures(zip, services, { user, folder, step });
  await addRows("comments.json", exportedComments(read, user.id));
  for (const [name, rows] of Object.entries(relationRows(read, person))) await addRows(name, rows());
  signal?.throwIfAborted();
  await zip.add(`${folder}index.html`, Buffer.from(indexPage({ site, of: person.name, made }, index)));
  onProgress(total, total, "");
  return { counts, missing };
}

const addJson = (zip: Zip, name: string, value: unknown): Promise<void> =>
  zip.add(name, Buffer.from(`${JSON.stringify(value, null, 2)}\n`));

async function* oneRow(row: Promise<unknown>) {
  yield await row;
}

interface Part {
  user: UserRow;
  folder: string;
  step: (what: string) => void;
}

/** Adds an account's blogs with their texts. Returns the list of them. */
async function addBlogs(zip: Zip, services: Site, { user, folder, step }: Part): Promise<ListItem[]> {
  const { database, config, workers } = services;
  // From the first pass: a blog may be renamed meanwhile.
  const namesById = new Map<string, string>();
  const namesBySlug = new Map<string, string>();
  const index: ListItem[] = [];
  const listedBlogs = async function* () {
    for await (const blog of exportedBlogs(database.read, user.id)) {
      namesById.set(blog.id, blog.name);
      namesBySlug.set(blog.slug, blog.name);
      index.push(listItem(blog));
      step("blogs");
      yield blog;
    }
  };
  await zip.add(`${folder}blogs.json`, jsonLines(listedBlogs()));
  for await (const blog of exportedBlogs(database.read, user.id)) {
    step("texts");
    // Created after the first pass.
    const name = namesById.get(blog.id);
    if (name === undefined) continue;
    const text = await exportedText(services, blog);
    if (!text) continue;
    const document = JSON.parse(text.document) as DocumentJson;
    const file = `${folder}blogs/${name}`;
    await zip.add(`${file}.json`, Buffer.from(`${JSON.stringify({ id: blog.id, document }, withFiles)}\n`));
    const cover = blog.cover && `../${blog.cover}`;
    const toMarkdown = (one: string) => markdownOf(workers, one, relativeFile, { origin: config.publicUrl });
    const toHtml = (one: string) => linkToFiles(one, config.publicUrl, namesBySlug);
    const markdown = withFrontMatter(blog, await toMarkdown(text.document), cover);
    const page = blogPage(blog, toHtml(text.html), { cover, list: "../index.html" });
    const { live } = blog;
    if (live === null) {
      await zip.add(`${file}.md`, Buffer.from(markdown));
      await zip.add(`${file}.html`, Buffer.from(page.start + page.end));
      continue;
    }
    const entries = () => exportedEntries(database.read, blog.id, user.id);
    await zip.add(`${folder}entries/${name}.json`, jsonLines(entryRows(entries())));
    const markdownParts = entriesAsMarkdown(live, entries(), { toMarkdown, picture: relativeFile });
    await zip.add(`${file}.md`, inParts(markdown, markdownParts));
    await zip.add(`${file}.html`, inParts(page.start, entriesAsHtml(live, entries(), toHtml), page.end));
  }
  return index;
}

async function* inParts(start: string, parts: AsyncIterable<string>, end = ""): AsyncGenerator<Buffer> {
  yield Buffer.from(start);
  for await (const part of parts) yield Buffer.from(part);
  if (end) yield Buffer.from(end);
}

/** Adds an account's pictures. Returns how many have no file. */
async function addPictures(zip: Zip, services: Site, { user, folder, step }: Part): Promise<number> {
  const { database, files } = services;
  let missing = 0;
  const rows = async function* () {
    for await (const { picture, owner } of exportedPictures(database.read, user.id)) {
      const hasFile = (await files.size(pictureKey(picture.id, fullFile))) !== null;
      if (!hasFile) missing += 1;
      const { id, type, width, height, bytes, color, hash, createdAt } = picture;
      const file = hasFile ? pictureFile(id) : null;
      yield { id, file, owner, type, width, height, bytes, color, hash, createdAt: time(createdAt) };
    }
  };
  await zip.add(`${folder}media.json`, jsonLines(rows()));
  for await (const { picture } of exportedPictures(database.read, user.id)) {
    step("pictures");
    const file = await files.read(pictureKey(picture.id, fullFile));
    // Deleted meanwhile: skipped.
    if (file) await zip.add(folder + pictureFile(picture.id), file.content, { compress: false });
  }
  return missing;
}
