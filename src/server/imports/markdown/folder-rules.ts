import path from "node:path";
import { importBounds as bounds } from "../bounds.ts";
import { isRow, parsedJson } from "../reading/values.ts";
import type { Files, SkippedFile } from "../source.ts";
import { decodeUtf8 } from "./decode.ts";
import { readPost } from "./front-matter.ts";
import { hiddenReason, type Fields } from "./visibility.ts";

const { posix } = path;

/*
 * Files that affect others: `_index.md` (Hugo, Zola) its folder, a Hugo bundle's page the bundle, Eleventy's data a folder or
 * file.
 */

/** The most bytes. */
const maxDataBytes = 1_000_000;

/** Reasons by folder or file (with `.*` as extension). */
export type HiddenPaths = Map<string, string>;

export interface FolderRules {
  hidden: HiddenPaths;
  /** Programs, which are not evaluated. */
  skipped: SkippedFile[];
}

/** Reads the files that hide others. */
export async function readFolderRules(files: Files, names: readonly string[]): Promise<FolderRules> {
  const hidden: HiddenPaths = new Map();
  const skipped: SkippedFile[] = [];
  const addReason = async (hiddenPath: string, file: string, readReason: (text: string) => string | null) => {
    let reason: string | null;
    try {
      reason = readReason(
        decodeUtf8(await files.read(file, file.endsWith("json") ? maxDataBytes : bounds.text)),
      );
    } catch (error) {
      reason = error instanceof Error ? error.message : "can’t be read";
    }
    if (reason !== null && !hidden.has(hiddenPath)) hidden.set(hiddenPath, `${file} says ${reason}`);
  };
  const bundleFiles = bundlePages(names);
  for (const file of names)
    if (/^_index\./i.test(posix.basename(file)))
      await addReason(posix.dirname(file), file, (text) =>
        hiddenReasonOfSection(readPost(text, file).fields),
      );
    else if (bundleFiles.has(file))
      await addReason(posix.dirname(file), file, (text) => readPost(text, file).frontMatter.hidden);
  const filePatterns = new Set(names.map(withAnyExtension));
  const folders = new Set(names.flatMap(foldersAbove));
  for (const { name } of await files.list()) {
    const [, stem = "", kind = ""] = /^([^]+?)(\.11tydata\.(?:json|[cm]?js)|\.json)$/.exec(name) ?? [];
    const folder = posix.dirname(stem);
    const isFolderData = folders.has(folder) && posix.basename(folder) === posix.basename(stem);
    if (!kind || (!isFolderData && !filePatterns.has(`${stem}.*`))) continue;
    if (!kind.endsWith("js")) await addReason(isFolderData ? folder : `${stem}.*`, name, hiddenReasonInData);
    else
      skipped.push({
        file: name,
        reason: `a program that may hide ${isFolderData ? "posts in its folder" : "the post beside it"}. It was not run, so please check the imported posts`,
      });
  }
  return { hidden, skipped };
}

/** A section's own page may not be rendered, though the posts in it are. */
const hiddenReasonOfSection = (fields: Fields): string | null =>
  hiddenReason(
    Object.fromEntries(Object.entries(fields).filter(([name]) => !/^(?:render|_?build)$/.test(name))),
    new Date(),
  );

/** Eleventy's data counts like front matter. */
function hiddenReasonInData(text: string): string | null {
  const value = parsedJson(text.replace(/^\ufeff/, ""));
  if (value === undefined) return "something that is not valid JSON";
  return isRow(value) ? hiddenReason(value, new Date()) : null;
}

/** Returns why another file hides this one, or null. */
export function inheritedHiddenReason(file: string, hidden: HiddenPaths): string | null {
  return [withAnyExtension(file), ...foldersAbove(file)].flatMap((at) => hidden.get(at) ?? [])[0] ?? null;
}

/** Returns the folders in `content/` that are one page (Hugo's bundles), with that page. */
export function bundlesIn(names: readonly string[]): Map<string, string> {
  return new Map(
    names
      .filter((name) => isIndex(name) && /(?:^|\/)content\/[^]*\//.test(name))
      .map((name) => [posix.dirname(name), name]),
  );
}

/** Returns the page that a file is attached to, or null. */
export function bundlePageOf(file: string, bundles: ReadonlyMap<string, string>): string | null {
  const [folder = "", ...ancestors] = foldersAbove(file);
  const pages = (isIndex(file) ? ancestors : [folder, ...ancestors]).flatMap((at) => bundles.get(at) ?? []);
  // The outermost: bundles do not nest.
  return pages.at(-1) ?? null;
}

function bundlePages(names: readonly string[]): Set<string> {
  const bundles = bundlesIn(names);
  return new Set(names.flatMap((name) => bundlePageOf(name, bundles) ?? []));
}

/** Whether it is its folder's page, in any language. */
const isIndex = (file: string): boolean =>
  /^index(?:\.[a-z]{2,3}(?:-[a-z]{2,4})?)?\.\w+$/i.test(posix.basename(file));

const withAnyExtension = (file: string): string => file.replace(/\.\w+$/, ".*");

/** Nearest first. */
function foldersAbove(file: string): string[] {
  const folders: string[] = [];
  for (let folder = posix.dirname(file); ; folder = posix.dirname(folder)) {
    folders.push(folder);
    if (folder === "." || folder === "/") return folders;
  }
}
