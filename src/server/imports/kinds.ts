import { AppError } from "../../shared/errors.ts";
import type { ImportKind } from "../../shared/imports.ts";
import { openFiles } from "./files/open.ts";
import { Subfolder } from "./files/subfolder.ts";
import type { Files, Source } from "./source.ts";

export interface SourceOptions {
  /** Imports pages too, where the kind knows them. */
  pages?: boolean;
  /** Only this folder of the files. */
  folder?: string;
}

/** Opens each kind of source. Throws `FileProblem` for files of another kind. */
export const kinds: Record<ImportKind, (files: Files, options: SourceOptions) => Promise<Source>> = {
  markdown: async (files) => (await import("./markdown/source.ts")).openMarkdown(files),
  ghost: async (files, options) => (await import("./ghost/source.ts")).openGhost(files, options),
  wordpress: async (files, options) => (await import("./wordpress/source.ts")).openWordPress(files, options),
  medium: async (files) => (await import("./medium/source.ts")).openMedium(files),
  substack: async (files) => (await import("./substack/source.ts")).openSubstack(files),
  reprise: async (files, options) => (await import("./reprise/source.ts")).openReprise(files, options),
};

/** Opens files as a kind of source. Throws `AppError` for an unsupported kind. */
export async function openAsKind(kind: string, files: Files, options: SourceOptions = {}): Promise<Source> {
  const open = Object.hasOwn(kinds, kind) ? kinds[kind as ImportKind] : undefined;
  if (!open) throw new AppError("bad_request", `Imports from ${kind} are not supported.`);
  return open(options.folder === undefined ? files : new Subfolder(files, options.folder), options);
}

/** A source by path. `name` is its file name where the path lacks it. */
export interface SourceRequest extends SourceOptions {
  kind: string;
  file: string;
  name?: string;
}

/** Opens a folder, a ZIP or a file. Throws `FileProblem` when it is unreadable or of another kind. */
export async function openSource({ kind, file, name, ...options }: SourceRequest): Promise<Source> {
  const files = await openFiles(file, name);
  try {
    return await openAsKind(kind, files, options);
  } catch (error) {
    await files.close();
    throw error;
  }
}
