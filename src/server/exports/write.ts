import { createReadStream } from "node:fs";
import { access } from "node:fs/promises";
import path from "node:path";
import { isPictureName } from "../../shared/document/picture-names.ts";
import type { DocumentJson, NodeJson } from "../../shared/document/schema.ts";
import { escapeHtml } from "../../shared/document/to-html.ts";
import { routes } from "../../shared/routes.ts";
import type { Config } from "../runtime/config.ts";
import type { Services } from "../context.ts";
import type { Database } from "../database/connection.ts";
import { isDiskFull } from "../database/errors.ts";
import { folderOfPicture, pictureIdOf } from "../media/paths.ts";
import { markdownOf } from "./markdown-in-worker.ts";
import { blogPage, indexPage, listItem, withFrontMatter, type ListItem } from "./readable-files.ts";
import { exportedText } from "./texts.ts";
import { exportRows, pictureFile, time, type ExportedBlog, type ExportScope } from "./rows.ts";
import { jsonLines, Zip } from "./zip.ts";

export interface ExportOptions extends ExportScope {
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
  config: Pick<Config, "mediaDir" | "siteName" | "publicUrl">;
}

/**
 * Writes the ZIP of an account or the whole site (docs/export.md), streaming blog by blog, even while a server runs. Deletes it
 * on failure; never overwrites a file.
 */
export async function writeExport(site: Site, options: ExportOptions): Promise<Exported> {
  const zip = await Zip.create(options.to, options.signal).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
    throw new Error(`${options.to} already exists. Choose another file.`, { cause: error });
  });
  try {
    return await fillExport(zip, site, options);
  } catch (error) {
    await zip.abandon();
    if (isDiskFull(error)) throw new Error("The disk is full. No export was created.", { cause: error });
    throw error;
  }
}

async function fillExport(zip: Zip, services: Site, options: ExportOptions): Promise<Exported> {
  const { database, config, workers } = services;
  const { account, onProgress = () => undefined, signal } = options;
  const rows = exportRows(database.read, options);
  const counts = await rows.counts();
  const exportedAt = new Date().toISOString();
  const site = { name: config.siteName, url: config.publicUrl };
  const ownAccount = account === null ? null : (await rows.accounts().next()).value;
  if (account !== null && !ownAccount) throw new Error("This account no longer exists.");
  const total = 2 * counts.blogs + counts.media + 1;
  let done = 0;
  const step = (what: string) => {
    signal?.throwIfAborted();
    onProgress(Math.min(++done, total), total, what);
  };
  const addJson = (name: string, value: unknown) =>
    zip.add(name, Buffer.from(`${JSON.stringify(value, null, 2)}\n`));
  const addRows = (name: string, items: AsyncIterable<unknown>) => zip.add(name, jsonLines(items));

  const person = ownAccount && { id: ownAccount.id, username: ownAccount.username, name: ownAccount.name };
  await addJson("export.json", {
    format: "reprise-export",
    version: 1,
    kind: account === null ? "site" : "account",
    made: exportedAt,
    site: { ...site, program: options.program },
    account: person,
    counts,
  });
  if (account === null) await addJson("site.json", { ...site, ...(await rows.site()) });
  await addRows("accounts.json", rows.accounts());

  // From the first pass: a blog may be renamed meanwhile.
  const namesById = new Map<string, string>();
  const namesBySlug = new Map<string, string>();
  const index: ListItem[] = [];
  const listedBlogs = async function* () {
    for await (const blog of rows.blogs()) {
      namesById.set(blog.id, blog.name);
      namesBySlug.set(blog.slug, blog.name);
      index.push(listItem(blog));
      step("blogs");
      yield blog;
    }
  };
  await addRows("blogs.json", listedBlogs());
  for await (const blog of rows.blogs()) {
    step("texts");
    // Created after the first pass.
    const name = namesById.get(blog.id);
    if (name === undefined) continue;
    const text = await exportedText(services, rows, blog);
    if (!text) continue;
    const document = JSON.parse(text.document) as DocumentJson;
    await zip.add(
      `blogs/${name}.json`,
      Buffer.from(`${JSON.stringify({ id: blog.id, document }, withFiles)}\n`),
    );
    const cover = blog.cover && `../${blog.cover}`;
    const markdown = await markdownOf(workers, text.document, relativeFile, { origin: config.publicUrl });
    await zip.add(`blogs/${name}.md`, Buffer.from(withFrontMatter(blog, markdown, cover)));
    await zip.add(
      `blogs/${name}.html`,
      Buffer.from(
        blogPage(blog, linkToFiles(text.html, config.publicUrl, namesBySlug), {
          cover,
          list: "../index.html",
        }),
      ),
    );
  }

  let missing = 0;
  const pictures = async function* () {
    for await (const { picture, owner } of rows.pictures()) {
      const hasFile = await isThere(fullPicture(config.mediaDir, picture.id));
      if (!hasFile) missing += 1;
      const { id, type, width, height, bytes, color, hash, createdAt } = picture;
      yield {
        id,
        file: hasFile ? pictureFile(id) : null,
        owner,
        type,
        width,
        height,
        bytes,
        color,
        hash,
        createdAt: time(createdAt),
      };
    }
  };
  await addRows("media.json", pictures());
  for await (const { picture } of rows.pictures()) {
    step("pictures");
    const file = fullPicture(config.mediaDir, picture.id);
    // Deleted meanwhile: skipped.
    if (await isThere(file))
      await zip.add(pictureFile(picture.id), createReadStream(file), { compress: false });
  }
  await addRows("comments.json", rows.comments());
  await addRows("likes.json", rows.likes());
  await addRows("saves.json", rows.saves());
  await addRows("places.json", rows.places());
  await addRows("authors.json", rows.authors());
  await addRows("follows.json", rows.follows());
  await addRows("hidden.json", rows.hidden());
  await addRows("watches.json", rows.watches());
  await addRows("notifications.json", rows.notifications());
  signal?.throwIfAborted();
  await zip.add(
    "index.html",
    Buffer.from(indexPage({ site, of: person ? person.name : site.name, made: exportedAt }, index)),
  );
  const bytes = await zip.close();
  onProgress(total, total, "");
  return { file: options.to, bytes, counts, missing };
}

const fullPicture = (mediaDir: string, id: string) => path.join(mediaDir, folderOfPicture(id), "full.webp");
const isThere = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

/** Returns a file relative to a blog's file. */
function relativeFile(src: string): string {
  const id = pictureIdOf(src);
  return id === null ? src : `../${pictureFile(id)}`;
}

/** Replaces picture addresses with file names, for `JSON.stringify`. */
function withFiles(_name: string, value: unknown): unknown {
  const node = value as NodeJson | null;
  if (!node || !isPictureName(node.type) || !node.attrs) return value;
  return { ...node, attrs: { ...node.attrs, src: relativeFile(String(node.attrs.src)) } };
}

/** Points the pictures and links between blogs in published HTML to files. */
function linkToFiles(html: string, publicUrl: string, namesBySlug: ReadonlyMap<string, string>): string {
  const blogPrefix = routes.blog("");
  const origin = escapeHtml(publicUrl);
  return html
    .replace(/ (?:srcset|sizes)="[^"]*"/g, "")
    .replace(/ src="([^"]*)"/g, (_all, src: string) => ` src="${relativeFile(src)}"`)
    .replace(/ href="([^"]*)"/g, (all, href: string) => {
      const local = href.startsWith(`${origin}/`) ? href.slice(origin.length) : href;
      if (!local.startsWith(blogPrefix)) return all;
      const name = namesBySlug.get(local.slice(blogPrefix.length).replace(/[?#].*$/s, ""));
      return ` href="${name === undefined ? origin + local : `${name}.html`}"`;
    });
}

export type { ExportedBlog };
