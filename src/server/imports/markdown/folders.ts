import path from "node:path";
import { importBounds as bounds } from "../bounds.ts";
import { isRow, parsed } from "../reading/values.ts";
import type { Files, PassedBy } from "../source.ts";
import { textOf } from "./bytes.ts";
import { readPost } from "./front-matter.ts";
import { whyHidden } from "./not-public.ts";

const { posix } = path;

/* What files say of others: Hugo's and Zola's `_index.md` of its folder, a page of Hugo's of what hangs on it, Eleventy's
   data of a folder or a file. */

/** Bytes of Eleventy's data. */
const mostData = 1_000_000;

/** Folders and files (with `.*` for their ending) that others hide, and why. */
export type Hiding = Map<string, string>;

export interface Above {
  hidden: Hiding;
  /** What could not be asked. */
  passedBy: PassedBy[];
}

/** Looks through what speaks of other files than itself. */
export async function readAbove(files: Files, names: readonly string[]): Promise<Above> {
  const hidden: Hiding = new Map();
  const passedBy: PassedBy[] = [];
  const note = async (at: string, file: string, whyIn: (text: string) => string | null) => {
    let why: string | null;
    try {
      why = whyIn(textOf(await files.read(file, file.endsWith("json") ? mostData : bounds.text)));
    } catch (error) {
      why = error instanceof Error ? error.message : "can’t be read";
    }
    if (why !== null && !hidden.has(at)) hidden.set(at, `${file} says ${why}`);
  };
  const carrying = pagesThatCarry(names);
  for (const file of names)
    if (/^_index\./i.test(posix.basename(file)) || carrying.has(file))
      await note(posix.dirname(file), file, (text) => readPost(text, file).frontMatter.hidden);
  const ofFiles = new Set(names.map(anyEnding));
  const folders = new Set(names.flatMap(foldersAbove));
  for (const { name } of await files.list()) {
    const [, stem = "", kind = ""] = /^([^]+?)(\.11tydata\.(?:json|[cm]?js)|\.json)$/.exec(name) ?? [];
    const folder = posix.dirname(stem);
    const isOfFolder = folders.has(folder) && posix.basename(folder) === posix.basename(stem);
    if (!kind || (!isOfFolder && !ofFiles.has(`${stem}.*`))) continue;
    if (!kind.endsWith("js")) await note(isOfFolder ? folder : `${stem}.*`, name, whyInData);
    else
      passedBy.push({
        file: name,
        reason: `a program that may hide ${isOfFolder ? "posts in its folder" : "the post beside it"}. It was not run, so please check the imported posts`,
      });
  }
  return { hidden, passedBy };
}

/** Of Eleventy's data, which counts as front matter does. */
function whyInData(text: string): string | null {
  const value = parsed(text.replace(/^\ufeff/, ""));
  if (value === undefined) return "something that is not valid JSON";
  return isRow(value) ? whyHidden(value, new Date()) : null;
}

/** Why a file is hidden by another, null where none hides it. */
export function whyHiddenBy(file: string, hidden: Hiding): string | null {
  return [anyEnding(file), ...foldersAbove(file)].flatMap((at) => hidden.get(at) ?? [])[0] ?? null;
}

/** The folders within a `content/` that are one page, with that page. */
export function bundlesIn(names: readonly string[]): Map<string, string> {
  return new Map(
    names
      .filter((name) => isIndex(name) && /(?:^|\/)content\/[^]*\//.test(name))
      .map((name) => [posix.dirname(name), name]),
  );
}

/** The page that a file hangs on, as a picture does; null where it is one of its own. */
export function carrierOf(file: string, bundles: ReadonlyMap<string, string>): string | null {
  const [own = "", ...above] = foldersAbove(file);
  const pages = (isIndex(file) ? above : [own, ...above]).flatMap((at) => bundles.get(at) ?? []);
  // What hangs on a page has none within.
  return pages.at(-1) ?? null;
}

function pagesThatCarry(names: readonly string[]): Set<string> {
  const bundles = bundlesIn(names);
  return new Set(names.flatMap((name) => carrierOf(name, bundles) ?? []));
}

/** The page that its folder is, in any language. */
const isIndex = (file: string): boolean =>
  /^index(?:\.[a-z]{2,3}(?:-[a-z]{2,4})?)?\.\w+$/i.test(posix.basename(file));

const anyEnding = (file: string): string => file.replace(/\.\w+$/, ".*");

/** The folders that a file is in, the nearest first. */
function foldersAbove(file: string): string[] {
  const folders: string[] = [];
  for (let at = posix.dirname(file); ; at = posix.dirname(at)) {
    folders.push(at);
    if (at === "." || at === "/") return folders;
  }
}
