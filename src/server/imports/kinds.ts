import { AppError } from "../../shared/errors.ts";
import type { ImportKind } from "../../shared/imports.ts";
import { Subfolder } from "./files/subfolder.ts";
import type { Files, Source } from "./source.ts";

export interface SourceOptions {
  /** Imports pages too, where the kind knows them. */
  pages?: boolean;
  /** Only this folder of the files. */
  folder?: string;
}

/** Opens each kind of source. Throws `FileProblem` for files of another kind. */
export const kinds: Partial<Record<ImportKind, (files: Files, options: SourceOptions) => Promise<Source>>> = {
  markdown: async (files) => (await import("./markdown/source.ts")).MarkdownSource.of(files),
  ghost: async (files, options) => (await import("./ghost/source.ts")).GhostSource.open(files, options),
  wordpress: async (files, options) =>
    (await import("./wordpress/source.ts")).WordPressSource.open(files, options),
  medium: async (files) => (await import("./medium/source.ts")).MediumSource.open(files),
  substack: async (files) => (await import("./substack/source.ts")).SubstackSource.open(files),
  reprise: async (files) => (await import("./reprise/source.ts")).RepriseSource.open(files),
};

/** Opens files as a kind of source. Throws `AppError` for an unsupported kind. */
export async function openAsKind(kind: string, files: Files, options: SourceOptions = {}): Promise<Source> {
  const open = Object.hasOwn(kinds, kind) ? kinds[kind as ImportKind] : undefined;
  if (!open) throw new AppError("bad_request", `Imports from ${kind} are not supported.`);
  return open(options.folder === undefined ? files : new Subfolder(files, options.folder), options);
}
